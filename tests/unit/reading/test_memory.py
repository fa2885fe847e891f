"""The memory that reading takes grows with the text and stays small, also for text without spaces."""

import tracemalloc
from collections.abc import Callable
from datetime import date

import pytest

from functions.reading.analyst import Speech
from functions.reading.captions import read_captions
from functions.reading.errors import EmptyTranscript
from functions.reading.rules import RulesAnalyst
from functions.reading.transcripts import MAX_BYTES, MAX_WORD_LENGTH, Transcript

SHAPES = {
    "tickers": "$A",
    "one word": "a",
    "newlines": "\n",
    "emoji": "😀",
    "one sentence": "Apple and ",
    "semicolons": "a;",
    "arrows": "-->\n",
    "cues": "00:01-->00:02\nb\n",
}
WORDS = 4_000
BYTES_PER_WORD = 1_000
"""Most memory that the rules take for a word."""
BYTES_PER_BYTE = 60
"""Most memory that the parser takes for a byte of a file; worst where every other line is a cue."""


def peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def file_of(shape: str, size: int) -> str:
    return SHAPES[shape] * (size // len(SHAPES[shape].encode()))


@pytest.mark.parametrize("shape", SHAPES)
def test_the_rules_take_little_memory_for_each_word(shape: str) -> None:
    analyst = RulesAnalyst()
    analyst.analyse(Speech("I bought Apple today, $A too. " * 5, date(2024, 1, 1)))
    text = Transcript(file_of(shape, MAX_BYTES), "handed in").first_words(WORDS)

    taken = peak(lambda: analyst.analyse(Speech(text, date(2024, 1, 1))))

    assert len(text) <= WORDS * MAX_WORD_LENGTH
    assert taken < WORDS * BYTES_PER_WORD


@pytest.mark.parametrize("shape", SHAPES)
def test_the_parser_takes_little_memory_for_each_byte(shape: str) -> None:
    def parse(size: int) -> None:
        try:
            read_captions(file_of(shape, size).encode())
        except EmptyTranscript:
            return

    small, large = (peak(lambda size=size: parse(size)) for size in (50_000, 200_000))

    assert large < 200_000 * BYTES_PER_BYTE
    assert large < 5 * small


@pytest.mark.parametrize("shape", SHAPES)
def test_finding_the_first_words_takes_no_memory_beside_them(shape: str) -> None:
    transcript = Transcript(file_of(shape, MAX_BYTES), "handed in")

    taken = peak(lambda: transcript.first_words(WORDS))

    # A text with an emoji takes four bytes for each character.
    assert taken < 3 * 4 * WORDS * MAX_WORD_LENGTH


def test_the_first_words_are_cut_between_words() -> None:
    assert Transcript("One, two; three. Four", "demo").first_words(3) == "One, two; three."
    assert Transcript("One, two; three.", "demo").first_words(3) == "One, two; three."
    assert Transcript("$A$A$A$A", "demo").first_words(2) == "$A$A$"
    assert Transcript("a" * 100, "demo").first_words(2) == "a" * 20
    assert Transcript("", "demo").first_words(2) == ""
