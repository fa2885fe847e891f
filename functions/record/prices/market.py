"""The stored closes used for scoring, including the benchmark's."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from functions.record.models.series import Series, Split
from functions.record.scoring.types import Benchmark, Call, Horizon
from functions.record.sources import selection
from functions.record.store.price_series import headers_of, series_of

NO_CLOSES = "The closes of the S&P 500 have not been fetched yet."
BEFORE_A_CALL = timedelta(days=60)
"""Covers the 21 sessions before an entry."""


@dataclass(frozen=True, slots=True)
class Closes:
    """The closes of the called stocks and the benchmark."""

    stocks: dict[str, Series]
    benchmark: Series
    problem: str | None = None
    """Why no call can be scored, if so."""
    splits: Mapping[str, Sequence[Split]] = field(default_factory=dict)
    """By ticker, of the stocks with a target."""

    @property
    def as_of(self) -> str | None:
        """The newest session."""
        return self.benchmark.days[-1].isoformat() if self.benchmark.days else None


def benchmark() -> Benchmark:
    """The S&P 500 as provided by the price source."""
    chosen = selection.benchmark()
    return Benchmark(chosen.ticker, chosen.name, chosen.with_dividends)


def closes_for(
    calls: Sequence[Call],
    horizon: Horizon | None = None,
    *,
    with_targets: Collection[str] = (),
    consistent: bool = False,
) -> Closes:
    """From some weeks before the first call until today; with a horizon, no later than the end of the last call's.

    Stocks for which a speaker named a target need their splits, and the closes of the year that it has.
    """
    today = datetime.now(UTC).date()
    days = {call.published_at for call in calls} or {today.isoformat()}
    start = date.fromisoformat(min(days)) - BEFORE_A_CALL
    end = today
    if horizon:
        end = min(today, date.fromisoformat(max(days)) + _longest(Horizon.YEAR if with_targets else horizon))
    ticker = benchmark().ticker
    series = series_of({ticker, *(call.ticker for call in calls)}, start, end, consistent=consistent)
    of_benchmark = series.pop(ticker)
    headers = headers_of(with_targets, consistent=consistent) if with_targets else {}
    return Closes(
        series,
        of_benchmark,
        problem=why_no_closes() if calls and not of_benchmark.days else None,
        splits={ticker: header.splits for ticker, header in headers.items()},
    )


def why_no_closes() -> str:
    """Returns why there are no closes of the benchmark, as of the last check."""
    ticker = benchmark().ticker
    header = headers_of([ticker]).get(ticker)
    return f"{NO_CLOSES} {header.problem.sentence}" if header and header.problem else NO_CLOSES


def _longest(horizon: Horizon) -> timedelta:
    """Returns more days than a horizon's sessions ever take, plus enough to detect that a series has ended."""
    return timedelta(days=horizon.sessions * 3 // 2 + 30)
