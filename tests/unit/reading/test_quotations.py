"""Where in a transcript the words of a statement are."""

import random
import sys
from types import FrameType
from typing import Any

import pytest

from functions.reading.quotations import SearchableTranscript, occurrences, quoted, sentence_at
from functions.reading.statements import Quote

GIVEN = "\n Welcome  back.\tI am\u00a0buying\n\n  Apple   today. Tesla fell again. "


def said_at(position: int, words: str) -> bool:
    return " ".join(GIVEN[position:].split()).startswith(words)


@pytest.mark.parametrize("context", ["I am buying Apple today.", "am buying\nApple", "Apple today. Tesla"])
def test_a_quotation_is_found_whatever_the_white_space(context: str) -> None:
    found = quoted(context, SearchableTranscript(GIVEN))

    assert found is not None
    assert found.text == " ".join(context.split())
    assert said_at(found.position, found.text)


@pytest.mark.parametrize(("name", "sentence"), [("Apple", "I am buying Apple today."), ("Tesla", "Tesla fell again.")])
def test_a_sentence_is_found_by_its_name(name: str, sentence: str) -> None:
    transcript = SearchableTranscript(GIVEN)
    found = sentence_at(occurrences([name], transcript)[0], transcript)

    assert found.text == sentence
    assert said_at(found.position, sentence)


def test_in_a_text_with_single_spaces_the_position_is_that_of_the_words() -> None:
    text = " ".join(GIVEN.split())

    found = quoted("I am buying", SearchableTranscript(text))

    assert found == Quote("I am buying", text.index("I am buying"))


def test_what_is_not_said_is_not_found() -> None:
    assert quoted("buy all of it", SearchableTranscript(GIVEN)) is None
    assert quoted("buying Appl", SearchableTranscript(GIVEN)) is quoted("", SearchableTranscript("")) is None
    assert occurrences(["Nvidia", "Appl", ""], SearchableTranscript(GIVEN)) == []
    assert occurrences(["x"], SearchableTranscript(" \n")) == []


def test_any_stretch_of_random_words_is_found_where_it_is() -> None:
    dice = random.Random(3)
    for _ in range(200):
        words = [f"w{number}" for number in range(20)]
        given = "".join(word + dice.choice([" ", "  ", "\n", " \r\n ", "\x1f", "\u2003"]) for word in words)
        first = dice.randrange(17)

        found = quoted(" ".join(words[first : first + 3]), SearchableTranscript(given))

        assert found is not None
        assert found.position == given.index(f"w{first}")


def steps(transcript: str) -> int:
    """Lines of code that run for a hundred quotations."""
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        counted += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        searchable = SearchableTranscript(transcript)
        for _ in range(100):
            quoted("and so on", searchable)
    finally:
        sys.settrace(before)
    return counted


def test_work_grows_in_proportion_to_the_text() -> None:
    some, more = steps("and  so on " * 200), steps("and  so on " * 800)

    assert more < 5 * some
