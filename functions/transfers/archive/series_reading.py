"""Reads each series once per archive, so that its calls, scorecards and prices use the same closes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from functions.record.models.records import Stock
from functions.record.models.series import Series, SeriesHeader, SeriesYear, series_of_years, years_of
from functions.record.prices.market import BEFORE_A_CALL, Closes, benchmark, departed
from functions.record.scoring.types import Call
from functions.record.sources.protocols import RISK_FREE_TICKER
from functions.record.store.price_series import Stored, headers_and_series_of, headers_of, whole_series_of
from functions.record.store.stocks import stocks_by_ticker
from functions.runtime.dynamodb.requests import chunked

READ_AT_ONCE = 50
"""Maximum series decompressed at once, in addition to those a channel is scored with."""


@dataclass(frozen=True, slots=True)
class ArchivedStock:
    """A stock with its closes in stored form: a third of the memory of a decompressed series."""

    stock: Stock
    header: SeriesHeader | None
    years: tuple[SeriesYear, ...]

    @property
    def series(self) -> Series:
        return series_of_years(self.stock.ticker, self.years)


class SeriesReading:
    def __init__(self) -> None:
        self._benchmark = benchmark().ticker
        self._read: dict[str, ArchivedStock] = {}
        self.add([self._benchmark, RISK_FREE_TICKER])

    def add(self, tickers: Iterable[str]) -> None:
        """Reads the series that have not been read yet, with their stocks."""
        for unread in chunked(sorted(set(tickers) - self._read.keys()), READ_AT_ONCE):
            stocks, stored = stocks_by_ticker(unread), _whole_series(unread)
            for ticker in unread:
                header, series = stored.get(ticker, (None, Series(ticker)))
                stock = stocks.get(ticker) or Stock(ticker)
                self._read[ticker] = ArchivedStock(stock, header, tuple(years_of(series)))

    def closes_for(self, calls: Sequence[Call]) -> Closes:
        """The series that the calls are scored with, starting some weeks before the first call."""
        days = [call.published_at for call in calls]
        start = date.fromisoformat(min(days)) - BEFORE_A_CALL if days else date.min
        tickers = {call.ticker for call in calls} - {self._benchmark}
        stocks = {ticker: self._read[ticker].series.between(start, date.max) for ticker in tickers}
        benchmark, risk_free = (
            self._read[ticker].series.between(start, date.max) for ticker in (self._benchmark, RISK_FREE_TICKER)
        )
        return Closes(stocks, benchmark, risk_free)

    def departed(self) -> list[str]:
        """Returns the tickers of the shares that are known to have left the exchange."""
        return sorted(departed(self._read))

    def by_ticker(self) -> Iterator[ArchivedStock]:
        return (self._read[ticker] for ticker in sorted(self._read))


def _whole_series(tickers: Sequence[str]) -> dict[str, Stored]:
    """Reads in batches grouped by start year, so that no missing years are requested."""
    by_year: dict[int, list[str]] = defaultdict(list)
    stored: dict[str, Stored] = {}
    for ticker, header in headers_of(tickers).items():
        stored[ticker] = (header, Series(ticker))
        if header.first_day:
            by_year[date.fromisoformat(header.first_day).year].append(ticker)
    today = datetime.now(UTC).date()
    for year, some in by_year.items():
        for ticker, read in headers_and_series_of(some, date(year, 1, 1), today).items():
            # A concurrent update may have added older years.
            stored[ticker] = read if _is_all(*read) else whole_series_of(ticker)
    return stored


def _is_all(header: SeriesHeader | None, series: Series) -> bool:
    ends = (series.days[0].isoformat(), series.days[-1].isoformat()) if series.days else (None, None)
    return header is not None and (header.first_day, header.last_day) == ends
