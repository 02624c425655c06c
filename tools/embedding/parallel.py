"""Texts in the other languages beside the same in English."""

import json
import random
import re
import subprocess
from collections import Counter
from pathlib import Path

LANGUAGES = "de fr es it ja pt ru zh".split()
LEXICON = Path(__file__).parent / "lexicon.tsv"
DEBIAN_MOST = 30_000
"""Sentences of Debian's packages a language: Italian has 130,000, Chinese 3,000."""
LEXICON_TIMES, CLDR_TIMES = 6, 3


def lexicon_pairs() -> list[tuple[str, str, str]]:
    """Language, word and English word: everyday words, written for this table."""
    head, *lines = [line.split("\t") for line in LEXICON.read_text().splitlines()]
    return [
        (language, word, line[0])
        for line in lines
        for language, cell in zip(head[1:], line[1:])
        for word in cell.split(", ")
    ]


def read_cldr(packages: Path, language: str) -> dict[str, tuple[str, list[str]]]:
    """The name and the keywords of each sign, in CLDR's annotations."""
    found = {}
    for name, part in (
        ("annotations", "annotations"),
        ("annotations-derived", "annotationsDerived"),
    ):
        file = packages / f"node_modules/cldr-{name}-full/{part}/{language}/annotations.json"
        if not file.exists():
            continue
        for sign, value in json.loads(file.read_text())[part]["annotations"].items():
            found[sign] = ((value.get("tts") or [""])[0], value.get("default", []))
    return found


def cldr_pairs(packages: Path) -> list[tuple[str, str, str]]:
    english, pairs = read_cldr(packages, "en"), []
    for language in LANGUAGES:
        for sign, (name, keywords) in read_cldr(packages, language).items():
            in_english, english_keywords = english.get(sign, ("", []))
            if "skin" in in_english or ":" in in_english:
                continue
            if name and in_english:
                pairs.append((language, name, in_english))
            if len(keywords) > 1 and len(english_keywords) > 1:
                pairs.append((language, " ".join(keywords), " ".join(english_keywords)))
    return pairs


def read_descriptions(lists: Path, language: str) -> dict[str, str]:
    """Debian's descriptions of packages by the hash of the English one, from apt's lists."""
    code = {"pt": "pt%5fBR", "zh": "zh%5fCN"}.get(language, language)
    found = {}
    for file in sorted(lists.glob(f"*_main_i18n_Translation-{code}.lz4")):
        command = ["/usr/lib/apt/apt-helper", "cat-file", str(file)]
        content = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for block in content.split("\n\n"):
            hashed = re.search(r"^Description-md5: (\w+)$", block, re.MULTILINE)
            text = re.search(r"^Description-(?!md5)\w+: (.*(?:\n .*)*)", block, re.MULTILINE)
            if hashed and text:
                found[hashed[1]] = text[1]
    return found


def debian_pairs(lists: Path) -> list[tuple[str, str, str]]:
    """First lines, and sentences or paragraphs where both sides have as many; in random order."""
    english, pairs = read_descriptions(lists, "en"), set()
    for language in LANGUAGES:
        for hashed, text in read_descriptions(lists, language).items():
            if hashed in english:
                pairs.update((language, *pair) for pair in align(text, english[hashed]))
    ordered = sorted(pairs)
    random.Random(1).shuffle(ordered)
    return ordered


def align(text: str, english: str):
    (first, *rest), (english_first, *english_rest) = text.split("\n", 1), english.split("\n", 1)
    yield re.sub(r"\s*\([^)]*\)$", "", first), re.sub(r"\s*\([^)]*\)$", "", english_first)
    if not rest or not english_rest:
        return
    ours, theirs = paragraphs(rest[0]), paragraphs(english_rest[0])
    if len(ours) != len(theirs):
        return
    for one, other in zip(ours, theirs):
        sentences = re.split(r"(?<=[.!?。])\s*(?=[A-ZА-ЯÀ-Ü\u3040-\u9fff])", one)
        english_sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", other)
        if len(sentences) == len(english_sentences):
            for pair in zip(sentences, english_sentences):
                if all(20 < len(side) < 300 for side in pair):
                    yield pair
        elif len(other) < 500:
            yield one, other


def paragraphs(text: str) -> list[str]:
    return [re.sub(r"\s+", " ", part).strip() for part in re.split(r"\n \.\n", text)]


def training_pairs(debian, cldr, lexicon) -> list[tuple[str, str]]:
    count, pairs = Counter(), []
    for language, text, english in debian:
        count[language] += 1
        if count[language] <= DEBIAN_MOST:
            pairs.append((text, english))
    for some, times in ((cldr, CLDR_TIMES), (lexicon, LEXICON_TIMES)):
        pairs += [(text, english) for _, text, english in some] * times
    return pairs
