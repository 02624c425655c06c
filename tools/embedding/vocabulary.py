"""Which words of the eight other languages get a vector."""

import math
import re
from collections import Counter
from pathlib import Path

from parallel import LANGUAGES, read_cldr, read_descriptions
from reader import CJK, RUN, fold, is_cjk

LATIN = ["de", "fr", "es", "it", "pt"]
OTHER_LATIN = (
    "nl sv da fi hu pl cs sk tr id vi ro hr sl nb sw af ga eu sq et lv lt cy ms uz az"
).split()
OTHER_CYRILLIC = "uk bg sr mk be kk ky mn".split()
"""Languages whose words e5 knows too, to tell them from those that are wanted."""

WRITTEN = {
    "latin": set("abcdefghijklmnopqrstuvwxyzäöüßàâçéèêëîïôœùûÿñáíóúìòãõæ"),
    "cyrillic": set("абвгдеёжзийклмнопрстуфхцчшщъыьэюя"),
}
COMPARED = {name: {fold(one) for one in letters} | set("œæø") for name, letters in WRITTEN.items()}
RARE = 150_000
"""The place in e5's vocabulary of words that are not in it."""


class WordModel:
    """How well a word fits a language, by its groups of four letters."""

    def __init__(self, words: Counter, letters: set[str]):
        self.counts = [Counter() for _ in range(4)]
        for word, times in words.items():
            if set(word) <= letters:
                for group in groups(word):
                    for count, part in zip(self.counts, parts(group)):
                        count[part] += math.log(1 + times)

    def log_probability(self, word: str) -> float:
        four, three, two, one = self.counts
        total = 0.0
        for group in groups(word):
            whole, start, end, middle = parts(group)
            pair = (two[end] + 3 / 30) / (one[middle] + 3)
            total += math.log((four[whole] + 3 * pair) / (three[start] + 3))
        return total


def groups(word: str) -> list[str]:
    padded = f"^^^{word}$"
    return [padded[at : at + 4] for at in range(len(padded) - 3)]


def parts(group: str) -> tuple[str, str, str, str]:
    return group, group[:-1], group[-3:], group[1:3]


def count_words(lists: Path, packages: Path, language: str) -> Counter:
    counts = Counter()
    for text in read_descriptions(lists, language).values():
        counts.update(fold(word) for word in re.findall(r"[^\W\d_]+", text))
    for code in ("nb", "no") if language == "nb" else (language,):
        for name, keywords in read_cldr(packages, code).values():
            for text in (name, *keywords):
                for word in re.findall(r"[^\W\d_]+", text):
                    counts[fold(word)] += 3
    return counts


class Vocabulary:
    """Words as they are compared, each with how it is written and its place in e5's vocabulary."""

    def __init__(self, pieces: list[str], lists: Path, packages: Path):
        languages = [*LATIN, "ru", "en", *OTHER_LATIN, *OTHER_CYRILLIC]
        self.counts = {one: count_words(lists, packages, one) for one in languages}
        self.totals = {one: counts.total() for one, counts in self.counts.items()}
        self.places: dict[str, int] = {}
        self.written: dict[str, str] = {}
        self._add_pieces(pieces)

    def _add_pieces(self, pieces: list[str]) -> None:
        found: dict[str, list[tuple[int, str]]] = {}
        for place, piece in enumerate(pieces[4:], 4):
            word = piece.lstrip("\u2581").lower()
            begins = piece.startswith("\u2581")
            wanted = begins and any(set(word) <= letters for letters in WRITTEN.values())
            if word and (wanted or re.fullmatch(f"[{CJK}]+", word)):
                found.setdefault(fold(word), []).append((place, word))
        models = {
            one: WordModel(counts, COMPARED[script_of(one)]) for one, counts in self.counts.items()
        }
        for word, forms in found.items():
            if is_cjk(word) or self._fits(word, forms, models):
                self.places[word], self.written[word] = forms[0]

    def _fits(self, word: str, forms: list[tuple[int, str]], models: dict[str, WordModel]) -> bool:
        def best(languages: list[str]) -> float:
            return max(models[one].log_probability(word) for one in languages)

        if word[0] in COMPARED["cyrillic"]:
            return self.counts["ru"][word] >= 2 or best(["ru"]) - best(OTHER_CYRILLIC) > -2
        seen = sum(min(self.counts[one][word], 50) for one in LATIN)
        fits = len(word) > 3 and best(LATIN) - best([*OTHER_LATIN, "en"]) > -1
        has_accents = any(written != word for _, written in forms)
        return (seen >= 3 or fits) and (has_accents or not self.is_english(word))

    def is_english(self, word: str, times: float = 1) -> bool:
        """More often English than a word of the languages: the English table has it."""
        english = self.counts["en"][word] / self.totals["en"]
        ours = max(self.counts[one][word] / self.totals[one] for one in LATIN)
        return english > 0 and english > ours * times

    def add_texts(self, debian, cldr, lexicon, english_pieces: dict[str, int]) -> None:
        """The words of the pairs too, where they are frequent or everyday words."""
        times, written, sources = Counter(), {}, {}
        for source, pairs in (("lexicon", lexicon), ("cldr", cldr), ("debian", debian)):
            for _, text, _ in pairs:
                for form in RUN.findall(text):
                    word = fold(form)
                    times[word] += 1
                    written.setdefault(word, form.lower())
                    sources.setdefault(word, source)
        for word, source in sources.items():
            if word in self.places:
                continue
            if is_cjk(word):
                most = 3 if re.search("[\u4e00-\u9fff]", word) else 6
                wanted = source != "debian" and len(word) <= most
            else:
                wanted = len(word) > 1 and any(set(word) <= one for one in COMPARED.values())
                if source == "cldr":
                    wanted &= not (word in english_pieces and self.is_english(word))
                elif source == "debian":
                    wanted &= times[word] >= 12 and not self.is_english(word, 0.5)
            if wanted:
                self.places[word], self.written[word] = RARE, written[word]


def script_of(language: str) -> str:
    return "cyrillic" if language in ("ru", *OTHER_CYRILLIC) else "latin"


assert set(LANGUAGES) == {*LATIN, "ru", "ja", "zh"}
