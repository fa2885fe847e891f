"""Loads the word lists and phrases of the rules from data files."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from functions.reading.listings import DATA


@cache
def _sections(file: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            lines = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections


def words(section: str, file: str = "vocabulary.txt") -> frozenset[str]:
    return frozenset(word for line in _sections(file)[section] for word in line.split())


def names(section: str) -> list[str]:
    """Returns a list whose entries may have several words."""
    return [name for line in _sections("vocabulary.txt")[section] for name in line.split(" | ")]


def rewritings(section: str) -> dict[str, str]:
    return dict(line.split(" = ", 1) for line in _sections("vocabulary.txt")[section])


def phrases(section: str) -> re.Pattern[str]:
    """Returns one pattern that matches any phrase of a section, as whole words."""
    return whole_words(phrase for phrase, _ in phrase_lines(section))


def phrase_lines(section: str) -> Iterator[tuple[str, str]]:
    """Yields the pattern and the example of each line of a section of phrases.txt."""
    for line in _sections("phrases.txt")[section]:
        phrase, _, example = line.partition("  # ")
        yield "|".join(_alternatives(phrase)), example


def whole_words(alternatives: Iterable[str]) -> re.Pattern[str]:
    return pattern(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)")


def _alternatives(line: str) -> Iterator[str]:
    """Splits a line into phrases at each ` | ` outside of a group."""
    depth = start = 0
    for place, character in enumerate(line):
        depth += (character == "(") - (character == ")")
        if not depth and line.startswith(" | ", place):
            yield line[start:place]
            start = place + len(" | ")
    yield line[start:]


def pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{([a-z,]+)\}", _family, text))


def _family(match: re.Match[str]) -> str:
    return "(?:" + "|".join(form for first in match[1].split(",") for form in _families()[first]) + ")"


@cache
def _families() -> dict[str, list[str]]:
    return {line.split()[0]: line.split() for line in _sections("vocabulary.txt")["families"]}
