"""The stored closes used for scoring, including the benchmark's."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from functions.record.models.series import Series, Split
from functions.record.scoring.returns import Market
from functions.record.scoring.types import Benchmark, Call, Horizon, RiskFree
from functions.record.sources import selection
from functions.record.sources.protocols import RISK_FREE_TICKER
from functions.record.store.price_series import headers_of, series_of

RISK_FREE = RiskFree(RISK_FREE_TICKER, "3-month US Treasury bill")
NO_CLOSES = "The closes of the S&P 500 have not been fetched yet."
BEFORE_A_CALL = timedelta(days=60)
"""Covers the 21 sessions before an entry."""


@dataclass(frozen=True, slots=True)
class Closes:
    """The closes of the called stocks and the benchmark, and the risk-free rate."""

    stocks: dict[str, Series]
    benchmark: Series
    risk_free: Series = field(default_factory=lambda: Series(RISK_FREE_TICKER))
    problem: str | None = None
    """Why no call can be scored, if so."""
    splits: Mapping[str, Sequence[Split]] = field(default_factory=dict)
    """By ticker, of the stocks with a target."""

    @property
    def as_of(self) -> str | None:
        """The newest session."""
        return self.benchmark.days[-1].isoformat() if self.benchmark.days else None

    def market(self) -> Market:
        without_closes = [ticker for ticker, series in self.stocks.items() if not series.days]
        return Market(self.stocks, self.benchmark, self.risk_free, departed(without_closes))


def departed(tickers: Iterable[str]) -> frozenset[str]:
    """Returns the tickers of the shares that are known to have left the exchange."""
    # Imported here, because the list is long and only stocks without closes are looked up.
    from functions.reading.listings import listing

    return frozenset(ticker for ticker in tickers if (found := listing(ticker)) and found.left)


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
    # Single calls, which are scored at one horizon, need no rate.
    in_every_score = {ticker} if horizon else {ticker, RISK_FREE_TICKER}
    series = series_of(in_every_score | {call.ticker for call in calls}, start, end, consistent=consistent)
    of_benchmark, risk_free = series.pop(ticker), series.pop(RISK_FREE_TICKER, Series(RISK_FREE_TICKER))
    headers = headers_of(with_targets, consistent=consistent) if with_targets else {}
    return Closes(
        series,
        of_benchmark,
        risk_free,
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
