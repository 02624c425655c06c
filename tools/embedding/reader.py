"""Reads texts as `src/providers/models/static/word-pieces.ts` and `words-of-languages.ts` do."""

import json
import re
import unicodedata
from bisect import bisect_left
from pathlib import Path

import numpy as np

CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
RUN = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+")


def is_cjk(word: str) -> bool:
    return re.match(f"[{CJK}]", word) is not None


def fold(text: str) -> str:
    """Lower case, without accents: what words are compared by."""
    plain = unicodedata.normalize("NFKC", text).lower().replace("ß", "ss")
    plain = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", plain))
    return unicodedata.normalize("NFC", plain)


class EnglishTable:
    def __init__(self, file: Path):
        content = file.read_bytes()
        start = content.index(b"\n") + 1
        header, body = json.loads(content[:start]), content[start:]
        count, dimension = header["pieces"], header["dimension"]
        factors = np.frombuffer(body, "<f4", count)
        rows = np.frombuffer(body, np.int8, count * dimension, 4 * count)
        self.table = rows.reshape(count, dimension) * factors[:, None]
        self.pieces = body[4 * count + count * dimension :].decode().split("\n")
        self.numbers = {piece: number for number, piece in enumerate(self.pieces)}

    def cut(self, text: str) -> list[int]:
        plain = unicodedata.normalize("NFD", text.lower())
        plain = re.sub("[\u0300-\u036f]", "", plain)
        words = re.findall(r"[^\W_]+|[^\s\w]|_", plain)
        return [piece for word in words for piece in self.cut_word(word)]

    def cut_word(self, word: str) -> list[int]:
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self.numbers.get(("##" if start else "") + word[start:end])
                if number is not None:
                    break
            else:
                return []
            found.append(number)
            start = end
        return found

    def embed(self, text: str) -> np.ndarray:
        pieces = self.cut(text)
        return self.table[pieces].mean(0) if pieces else np.zeros(self.table.shape[1], np.float32)


class Reader:
    """Numbers of words; those of English pieces come behind them."""

    def __init__(self, words: list[str], english: EnglishTable):
        self.words, self.english = sorted(words), english
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.longest = max(len(word) for word in self.words if is_cjk(word))
        self.known = {}

    def cut(self, text: str) -> list[int]:
        found = []
        for run in RUN.findall(fold(text)):
            found += self.cut_run(run) if is_cjk(run) else self.cut_word(run)
        return found

    def cut_run(self, run: str) -> list[int]:
        found, start = [], 0
        while start < len(run):
            ends = range(min(len(run), start + self.longest), start, -1)
            end = next((end for end in ends if run[start:end] in self.numbers), None)
            if end is not None:
                found.append(self.numbers[run[start:end]])
            start = end or start + 1
        return found

    def cut_word(self, word: str) -> list[int]:
        if word not in self.known:
            self.known[word] = self._cut_word(word)
        return self.known[word]

    def _cut_word(self, word: str) -> list[int]:
        if word in self.numbers:
            return [self.numbers[word]]
        count, pieces = len(self.words), self.english.numbers
        if not word.isalpha():
            return [count + piece for piece in self.english.cut_word(word)]
        if word in pieces:
            return [count + pieces[word]]
        if len(word) < 5:
            return []
        other, common = self.nearest(word)
        if common >= max(4, len(word) - 3, len(self.words[other]) - 3):
            return [other]
        parts = self.split(word)
        if parts:
            return parts
        enough = 0.6 * max(len(word), len(self.words[other]))
        return [other] if common >= max(5, enough) else []

    def nearest(self, word: str) -> tuple[int, int]:
        """The word that shares the longest beginning, and its length."""
        at = bisect_left(self.words, word)
        near = [number for number in (at - 1, at) if 0 <= number < len(self.words)]
        common = [common_length(self.words[number], word) for number in near]
        best = common.index(max(common))
        return near[best], common[best]

    def split(self, word: str) -> list[int]:
        """A compound: the longest word at its beginning, and the rest."""
        for length in range(len(word) - 4, 3, -1):
            first = self.numbers.get(word[:length])
            if first is None:
                continue
            rest = word[length:]
            for part in (rest, rest[1:] if rest[0] in "sn" else rest):
                if len(part) >= 4 and part in self.numbers:
                    return [first, self.numbers[part]]
                if len(part) >= 5:
                    other, common = self.nearest(part)
                    if common >= max(4, len(part) - 3, len(self.words[other]) - 2):
                        return [first, other]
        return []


def common_length(one: str, other: str) -> int:
    for at, (a, b) in enumerate(zip(one, other)):
        if a != b:
            return at
    return min(len(one), len(other))
