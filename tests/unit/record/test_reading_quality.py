"""Whose figures say how well the calls of a channel were read."""

import pytest

from functions.reading.analyst_figures import AnalystFigures, figures_of
from functions.record.scores import reading_quality
from functions.record.scores.reading_quality import published_figures
from functions.record.scoring.reading import UNKNOWN_READING
from functions.record.scoring.types import ReadingSource


def test_the_analyst_that_read_most_calls_counts() -> None:
    rules = figures_of("rules")
    assert rules is not None

    read = published_figures(["rules 2.0", "rules 2.0", "openai some-model"])

    assert (read.right_rate, read.found_rate) == (rules.calls_right, rules.calls_found)
    assert read.source is ReadingSource.ANALYST


def test_a_published_figure_has_wilson_s_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    measured(monkeypatch, right=76, reported=100)

    read = published_figures(["rules 2.0"])

    assert read.right_rate == 0.76
    assert (read.low, read.high) == pytest.approx((0.667677, 0.833087), abs=1e-6)


def test_an_analyst_that_reported_nothing_has_no_share(monkeypatch: pytest.MonkeyPatch) -> None:
    measured(monkeypatch, right=0, reported=0)

    read = published_figures(["rules 2.0"])

    assert (read.right_rate, read.low, read.high, read.found_rate) == (None, None, None, 0.5)


def measured(monkeypatch: pytest.MonkeyPatch, right: int, reported: int) -> None:
    figures = AnalystFigures(right, reported, "talks", found=1, made=2, found_on="talks", measured_at="2026-11")
    monkeypatch.setattr(reading_quality, "figures_of", {"rules": figures}.get)


@pytest.mark.parametrize("readers", [[], [None, None], ["openai some-model", "openai some-model", "rules 2.0"]])
def test_nothing_is_known_of_an_analyst_that_was_not_measured(readers: list[str | None]) -> None:
    assert published_figures(readers) == UNKNOWN_READING
