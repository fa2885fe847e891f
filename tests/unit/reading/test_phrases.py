"""The phrases of the rules analyst: each line of `phrases.txt` matches its example, and is read as its trait."""

import re

import pytest

from functions.reading.listings import DATA
from functions.reading.rules.names import mentions_of
from functions.reading.rules.phrases import PHRASES
from functions.reading.rules.reading import read
from functions.reading.rules.stance import stances
from functions.reading.rules.text import Clause, words_of
from functions.reading.rules.vocabulary import phrase_lines, whole_words

SECTIONS = re.findall(r"^\[(.*)\]$", (DATA / "phrases.txt").read_text(encoding="utf-8"), re.MULTILINE)
LINES = [(section, phrase, example) for section in SECTIONS for phrase, example in phrase_lines(section)]
TRADES = {phrase.name for phrase in PHRASES}


def traits_of(example: str) -> set[str]:
    """The phrases of buying, holding and selling in an example, where § is Deere and ¤ is gold."""
    words = words_of(example.replace("§", "Deere").replace("¤", "gold"))
    reading = read(Clause(0, len(words), 0, ""), words, mentions_of(words))
    return {stance.traits[0].removesuffix(" denied") for stance in stances(reading, [], None)}


@pytest.mark.parametrize(("section", "phrase", "example"), LINES, ids=lambda part: part[:60])
def test_a_phrase_matches_its_example(section: str, phrase: str, example: str) -> None:
    said = example.replace("…", "")

    assert whole_words([phrase]).search(said)
    assert section not in TRADES or section in traits_of(said)


def test_no_phrase_ends_where_no_word_can_end() -> None:
    """A phrase is whole words, so that one which ends in a space before its lookahead never matches."""
    assert [phrase for _, phrase, _ in LINES if re.search(r"(?: | \)\?)\(\?[=!][^()]*\)$", phrase)] == []
