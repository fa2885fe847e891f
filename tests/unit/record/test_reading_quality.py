"""Whose figures say how well the calls of a channel were read."""

import pytest

from functions.reading.analyst_figures import figures_of
from functions.record.scores.reading_quality import published_figures
from functions.record.scoring.reading import UNKNOWN_READING
from functions.record.scoring.types import ReadingSource


def test_the_analyst_that_read_most_calls_counts() -> None:
    rules = figures_of("rules")
    assert rules is not None

    read = published_figures(["rules 2.0", "rules 2.0", "openai some-model"])

    assert (read.right_rate, read.found_rate) == (rules.calls_right, rules.calls_found)
    assert read.source is ReadingSource.ANALYST


@pytest.mark.parametrize("readers", [[], [None, None], ["openai some-model", "openai some-model", "rules 2.0"]])
def test_nothing_is_known_of_an_analyst_that_was_not_measured(readers: list[str | None]) -> None:
    assert published_figures(readers) == UNKNOWN_READING
