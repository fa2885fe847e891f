"""Finds the words and phrases of headline_words.txt in a headline, tagged by meaning."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("headline_words.txt")
WORD_LISTS = frozenset({"common first words", "legal forms", "others", "questions"})
"""Sections of single words, which aren't searched as phrases."""
_VOWELS = frozenset("aeiou")


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase of the lexicon in a headline."""

    first: int
    last: int
    """The index of the word after it."""
    tags: frozenset[str]
    """The sections that list it."""


def find_phrases(words: Sequence[str]) -> list[Found]:
    """The longest phrase at each word, none inside another."""
    found: list[Found] = []
    index = 0
    while index < len(words):
        match = _longest(words, index)
        if match:
            found.append(match)
        index = match.last if match else index + 1
    return found


@cache
def word_list(section: str) -> frozenset[str]:
    return frozenset(word for line in _sections()[section] for word in line.split())


def _longest(words: Sequence[str], first: int) -> Found | None:
    by_length = _phrases().get(words[first])
    for length, phrases in by_length or ():
        tags = phrases.get(tuple(words[first : first + length]))
        if tags:
            return Found(first, first + length, tags)
    return None


@cache
def _phrases() -> Mapping[str, Sequence[tuple[int, Mapping[tuple[str, ...], frozenset[str]]]]]:
    """Phrases by first word and then by length, the longest first."""
    tags: dict[tuple[str, ...], set[str]] = {}
    for section, lines in _sections().items():
        if section in WORD_LISTS:
            continue
        for line in lines:
            for entry in line.split(" | "):
                for phrase in _forms(entry):
                    tags.setdefault(phrase, set()).add(section)
    index: dict[str, dict[int, dict[tuple[str, ...], frozenset[str]]]] = {}
    for phrase, sections in tags.items():
        index.setdefault(phrase[0], {}).setdefault(len(phrase), {})[phrase] = frozenset(sections)
    return {first: sorted(lengths.items(), reverse=True) for first, lengths in index.items()}


def _forms(entry: str) -> Iterator[tuple[str, ...]]:
    words = entry.split()
    inflected = next((index for index, word in enumerate(words) if word.endswith("~")), None)
    if inflected is None:
        yield tuple(words)
        return
    for form in _inflections(words[inflected]):
        yield (*words[:inflected], form, *words[inflected + 1 :])


def _inflections(verb: str) -> tuple[str, str, str, str]:
    base = verb.rstrip("~")
    stem = base + base[-1] if verb.endswith("~~") else base
    if base.endswith("e"):
        return base, f"{base}s", f"{base}d", f"{base if base.endswith('ee') else base[:-1]}ing"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base, f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"
    third = f"{base}es" if base.endswith(("s", "sh", "ch", "x")) else f"{base}s"
    return base, third, f"{stem}ed", f"{stem}ing"


@cache
def _sections() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    for section in FILE.read_text(encoding="utf-8").split("\n[")[1:]:
        name, *lines = section.splitlines()
        sections[name.rstrip("]")] = [line for line in lines if line]
    return sections
