"""The sentences that the table is fitted to: WordNet's, a grammar's over it, Debian's and our own."""

import random
import re
import subprocess
from pathlib import Path

WORDNET = Path("/usr/share/wordnet")
CHAT = Path(__file__).parent.parent / "classifier/sentences/en.tsv"

LEXNAMES = {
    4: "act", 5: "animal", 6: "artifact", 8: "body", 9: "cognition", 10: "communication",
    11: "event", 12: "feeling", 13: "food", 14: "group", 15: "location", 18: "person",
    20: "plant", 21: "possession", 26: "state", 27: "substance", 28: "time",
}  # fmt: skip

NAMES = (
    "Anna Ben Carla David Emma Felix Grace Hana Ivan Julia Karim Lena Marco Nora Omar Priya Quinn "
    "Rosa Sam Tara Umar Vera Will Xenia Yuki Zoe Maya Otis Bruno Miso Tarek Ingrid Diego Mei"
).split()
PEOPLE = (
    "my wife,my husband,my sister,my brother,my mother,my father,my daughter,my son,my boss,"
    "my friend,my neighbour,the user,our colleague,my grandmother,my partner,my cousin"
).split(",")

FACTS = {
    "animal": ["We have a {x} called {n}", "Our {x} is {k} years old", "{p} adopted a {x}",
               "{p} is afraid of the {x}", "{n} feeds her {x} every morning"],
    "food": ["{p} loves {x}", "I am allergic to {x}", "{p} can't stand {x}", "We had {x} for dinner",
             "User stopped eating {x}", "{p} cooks {x} on Sundays"],
    "person": ["{p} works as a {x}", "I trained as a {x} in Leeds", "{n} is a {x}",
               "User's {x} is called {n}", "{p} became a {x} last year"],
    "act": ["I took up {x} in spring", "{p} does {x} twice a week", "User gave up {x}",
            "{n} is good at {x}", "{p} started {x} again"],
    "artifact": ["{p} bought a {x}", "My {x} broke last week", "We keep the {x} in the garage",
                 "User needs a new {x}", "{n} gave me a {x} for my birthday"],
    "location": ["{p} moved to {x}", "I grew up in {x}", "We are going to {x} in June",
                 "User lives near {x}", "{n} was born in {x}"],
    "plant": ["I grow {x} on the balcony", "{p} planted a {x}", "The {x} in our garden is in bloom"],
    "state": ["{p} suffers from {x}", "User was diagnosed with {x}", "I have had {x} since {y}",
              "{n} recovered from {x}"],
    "body": ["I had surgery on my {x}", "{p} broke a {x}", "My {x} hurts when I run"],
    "event": ["We are planning a {x} for {n}", "The {x} is on Friday", "{p} won the {x} in {y}"],
    "communication": ["{p} wrote a {x}", "{n} is reading a {x}", "User likes {x}"],
    "cognition": ["{p} studies {x}", "I teach {x} at a school", "{n} has a degree in {x}"],
    "group": ["{p} joined the {x}", "Our {x} meets on Mondays", "{n} left the {x} in {y}"],
    "possession": ["{p} pays the {x} every month", "User got a {x} from the bank"],
    "substance": ["The table is made of {x}", "{p} is sensitive to {x}"],
    "feeling": ["{n} feels {x} about the move", "Flying fills me with {x}"],
    "time": ["We meet in the {x}", "{p} works every {x}"],
}  # fmt: skip

QUESTIONS = {
    "animal": ["Do they have a {h}?", "What {h} do we have?", "pets?", "Which animals does {p} own?"],
    "food": ["What {h} does {p} like?", "What should I cook for {p}?", "Which {h} can't {p} eat?",
             "favourite food?"],
    "person": ["What does {p} do for a living?", "Who is the {h}?", "Which job does {n} have?",
               "What is {p}'s occupation?"],
    "act": ["Which {h} does {p} do?", "What are {p}'s hobbies?", "How does {p} spend free time?"],
    "artifact": ["Which {h} does {p} own?", "What {h} did {n} buy?", "What does {p} need?"],
    "location": ["Where does {p} live?", "Which {h} is {p} from?", "Where are we travelling?"],
    "plant": ["What grows in the garden?", "Which {h} do I have?"],
    "state": ["What {h} does {p} have?", "Is {p} ill?", "What health problems does {n} have?"],
    "body": ["What was operated on?", "Which part of the body was injured?"],
    "event": ["What {h} is coming up?", "What are we celebrating?"],
    "communication": ["What {h} does {p} like?", "What is {n} reading?"],
    "cognition": ["What {h} did {p} study?", "What does {p} teach?"],
    "group": ["Which {h} does {p} belong to?", "What did {n} leave?"],
    "possession": ["What {h} does {p} pay?"],
    "substance": ["What is it made of?", "Which {h} is {p} sensitive to?"],
    "feeling": ["What {h} does {n} feel?"],
    "time": ["When do we meet?", "When does {p} work?"],
}  # fmt: skip


class Synset:
    def __init__(self, line: str, kind: str):
        data, _, gloss = line.partition(" | ")
        fields = data.split()
        self.kind = kind
        self.lexname = LEXNAMES.get(int(fields[1])) if kind == "noun" else None
        count = int(fields[3], 16)
        self.words = [re.sub(r"\(\w+\)$", "", fields[4 + 2 * at]) for at in range(count)]
        self.words = [word.replace("_", " ") for word in self.words]
        at = 4 + 2 * count
        pointers = [fields[at + 1 + 4 * one : at + 5 + 4 * one] for one in range(int(fields[at]))]
        self.hypernyms = [p[1] for p in pointers if p[0] in ("@", "@i") and p[2] == kind[0]]
        quoted = re.findall(r'"([^"]+)"', gloss)
        self.examples = [one for one in quoted if len(one.split()) > 2]
        self.gloss = re.sub(r'[;\s]*"[^"]*"', "", gloss).strip(" ;\n")


def read_wordnet() -> dict[str, dict[str, Synset]]:
    """Synsets by kind and offset."""
    synsets = {}
    for kind in ("noun", "verb", "adj", "adv"):
        lines = (WORDNET / f"data.{kind}").read_text().splitlines()
        synsets[kind] = {
            line.split(" ", 1)[0]: Synset(line, kind) for line in lines if line[:1].isdigit()
        }
    return synsets


def common_nouns(synsets: dict, is_common) -> list[tuple[str, Synset]]:
    """Nouns that `is_common` knows, with their one or two most frequent senses."""
    found = []
    for line in (WORDNET / "index.noun").read_text().splitlines():
        if line[:1] == " ":
            continue
        fields = line.split()
        word = fields[0].replace("_", " ")
        if not is_common(word):
            continue
        senses, tagged = int(fields[2]), int(fields[-int(fields[2]) - 1])
        if " " in word and tagged == 0:
            continue
        for offset in fields[-senses:][:2]:
            synset = synsets["noun"][offset]
            if synset.lexname in FACTS:
                written = next((one for one in synset.words if one.lower() == word), word)
                found.append((written, synset))
    return found


def hypernym_words(synset: Synset, synsets: dict, levels: int = 4) -> list[str]:
    words, current = [], synset
    for _ in range(levels):
        if not current.hypernyms:
            break
        current = synsets["noun"][current.hypernyms[0]]
        words.append(current.words[0])
    return words


def fill(template: str, random_: random.Random, **values: str) -> str:
    person = random_.choice(PEOPLE)
    text = template.format(
        n=random_.choice(NAMES), p=person, k=random_.randint(2, 14),
        y=random_.randint(1998, 2025), **values,
    )  # fmt: skip
    text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
    return text[0].upper() + text[1:]


def grammar_pairs(synsets: dict, is_common, seed: int = 1) -> list[tuple[str, str]]:
    """Questions with facts that answer them: a kind is asked for, an instance is told."""
    random_ = random.Random(seed)
    pairs = []
    for word, synset in common_nouns(synsets, is_common):
        kinds = hypernym_words(synset, synsets) or [synset.words[0]]
        for template in random_.sample(FACTS[synset.lexname], 2):
            fact = fill(template, random_, x=word)
            question = fill(random_.choice(QUESTIONS[synset.lexname]), random_, h=random_.choice(kinds))
            pairs.append((question, fact))
    random_.shuffle(pairs)
    return pairs


def package_lines() -> list[str]:
    """What Debian's packages say of themselves in one line: technical words in use."""
    listed = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True).stdout
    lines = re.findall(r"^Description(?:-en)?: (.+)$", listed, re.MULTILINE)
    return sorted({re.sub(r"\s*\([^)]*\)$", "", line) for line in lines if len(line.split()) > 2})


def chat_sentences() -> list[str]:
    """What people say to an assistant: written for the classifier of extraction."""
    lines = CHAT.read_text().splitlines()[1:]
    return [line.split("\t")[3] for line in lines]


def training_texts(synsets: dict, is_common, seed: int = 1) -> list[str]:
    random_ = random.Random(seed)
    glosses, examples = [], []
    for group in synsets.values():
        for synset in group.values():
            examples += synset.examples[:2]
            known = [word for word in synset.words if is_common(word.lower())]
            if known:
                glosses += [synset.gloss, f"{known[0]}: {synset.gloss}"]
    pairs = grammar_pairs(synsets, is_common, seed)
    lines = package_lines()
    parts = [
        (glosses, 45_000), (examples, 45_000), ([fact for _, fact in pairs], 40_000),
        (sorted({question for question, _ in pairs}), 15_000), (lines, 12_000),
    ]  # fmt: skip
    texts = []
    for part, most in parts:
        part = sorted(set(part))
        texts += random_.sample(part, min(most, len(part)))
    return texts + chat_sentences()
