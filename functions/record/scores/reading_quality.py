"""How well a channel's calls were read: by its sampled reviews, or by the published figures of its analyst. No I/O."""

from collections import Counter
from collections.abc import Iterable

from functions.reading.analyst_figures import AnalystFigures, figures_of
from functions.record.models.records import StockMention
from functions.record.scoring.reading import (
    UNKNOWN_READING,
    ReadingFigures,
    SampledReviews,
    reading_figures,
)
from functions.record.scoring.statistics import wilson_interval
from functions.record.scoring.types import ReadingSource


def reading_figures_of(calls: Iterable[StockMention], sampled: SampledReviews | None = None) -> ReadingFigures:
    return reading_figures(sampled, published_figures(call.analyst for call in calls))


def published_figures(readers: Iterable[str | None]) -> ReadingFigures:
    """Returns the figures of the analyst that read most of the calls, by the name that each call carries."""
    counts = Counter(reader for reader in readers if reader)
    if not counts:
        return UNKNOWN_READING
    most, _ = min(counts.items(), key=lambda each: (-each[1], each[0]))
    figures = figures_of(most.partition(" ")[0])
    if figures is None:
        return UNKNOWN_READING
    return ReadingFigures(
        figures.calls_right, *_interval(figures), found_rate=figures.calls_found, source=ReadingSource.ANALYST
    )


def _interval(figures: AnalystFigures) -> tuple[float | None, float | None]:
    if not figures.reported:
        return None, None
    return wilson_interval(figures.right / figures.reported, figures.reported)
