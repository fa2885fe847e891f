"""How well the calls were read, and what the mean excess would be without the misread and the missed ones."""

import math
from dataclasses import dataclass

from functions.record.scoring.daily_sums import MeanExcess
from functions.record.scoring.statistics import wilson_interval
from functions.record.scoring.types import Reading, ReadingSource

REVIEWS_NEEDED = 20
"""Sampled reviews below this number say too little about a channel."""
WIDTH_OF_95 = 3.92
"""The width of a 95 % interval in standard deviations."""


@dataclass(frozen=True, slots=True)
class SampledReviews:
    """The reviews of a channel's calls that were drawn at random."""

    right: int
    checked: int


@dataclass(frozen=True, slots=True)
class ReadingFigures:
    """The share of the reported calls that are right, with its 95 % interval, and the share of all calls reported."""

    right_rate: float | None = None
    low: float | None = None
    high: float | None = None
    found_rate: float | None = None
    source: ReadingSource | None = None


UNKNOWN_READING = ReadingFigures()


def reading_figures(sampled: SampledReviews | None, published: ReadingFigures) -> ReadingFigures:
    """Prefers the channel's own sampled reviews to the analyst's published figures. Reviews cannot tell what was
    missed, so the share found is always the analyst's."""
    if sampled is None or sampled.checked < REVIEWS_NEEDED:
        return published
    rate = sampled.right / sampled.checked
    low, high = wilson_interval(rate, sampled.checked)
    return ReadingFigures(rate, low, high, published.found_rate, ReadingSource.REVIEWS)


def reading_of(figures: ReadingFigures, mean: MeanExcess, base_excess: float | None) -> Reading:
    corrected = _corrected(figures, mean, base_excess)
    return Reading(
        right_rate=figures.right_rate,
        right_low=figures.low,
        right_high=figures.high,
        source=figures.source,
        found_rate=figures.found_rate,
        mean_excess_corrected=_percent(corrected.mean),
        mean_excess_corrected_low=_percent(corrected.low),
        mean_excess_corrected_high=_percent(corrected.high),
        tipping_excess=_tipping_excess(figures.found_rate, mean.mean),
    )


def _corrected(figures: ReadingFigures, mean: MeanExcess, base_excess: float | None) -> MeanExcess:
    """Returns the mean excess without the misread calls, which did as the same stocks on any day."""
    right, low, high = figures.right_rate, figures.low, figures.high
    if not right or mean.mean is None or base_excess is None:
        return MeanExcess()
    corrected = (mean.mean - (1 - right) * base_excess) / right
    if low is None or high is None or mean.error is None:
        return MeanExcess(corrected)
    of_rate = (high - low) / WIDTH_OF_95 * (mean.mean - base_excess) / right**2
    return MeanExcess(corrected, math.hypot(mean.error / right, of_rate))


def _tipping_excess(found_rate: float | None, mean: float | None) -> float | None:
    if mean is None or found_rate is None or found_rate >= 1:
        return None
    return -100 * mean * found_rate / (1 - found_rate)


def _percent(fraction: float | None) -> float | None:
    return None if fraction is None else 100 * fraction
