"""The stored closes of tickers: a header and one item per year, read together and written together."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import Any

from functions.record.errors import SeriesChanged
from functions.record.models.series import Series, SeriesHeader, SeriesYear, series_of_years, years_of
from functions.runtime.clock import now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import (
    BATCH_TRIES,
    Action,
    ConditionNotMet,
    TransactionRefused,
    batch_get,
    get,
    query,
    transact,
    update,
)
from functions.runtime.errors import TransientError

Stored = tuple[SeriesHeader | None, Series]
"""A header, if there is one, and the requested closes."""


def series_of(tickers: Iterable[str], start: date, end: date, *, consistent: bool = False) -> dict[str, Series]:
    """Returns each ticker's closes from start to end, both inclusive; empty for a ticker without a series."""
    read = _read_many(tickers, start, end, headers=False, consistent=consistent)
    return {ticker: series for ticker, (_, series) in read.items()}


def header_of(ticker: str) -> SeriesHeader | None:
    item = get(main_table(), tables.series_key(ticker))
    return SeriesHeader.from_item(item) if item else None


def headers_of(tickers: Iterable[str], *, consistent: bool = False) -> dict[str, SeriesHeader]:
    """Returns the existing headers by ticker."""
    items = batch_get(main_table(), [tables.series_key(ticker) for ticker in tickers], ConsistentRead=consistent)
    return {header.ticker: header for header in map(SeriesHeader.from_item, items)}


def headers_and_series_of(tickers: Iterable[str], start: date, end: date) -> dict[str, Stored]:
    """Returns both for each ticker, read in the same batch."""
    return _read_many(tickers, start, end, headers=True)


def history_of(ticker: str, start: date, end: date, *, consistent: bool = False) -> Stored:
    """Returns one ticker's header and its closes from start to end, in one query."""
    for attempt in range(BATCH_TRIES):
        items = query(
            TableName=main_table(),
            KeyConditionExpression="PK = :pk AND SK BETWEEN :header AND :last",
            ExpressionAttributeValues=encode(
                {
                    ":pk": tables.series_pk(ticker),
                    ":header": tables.SERIES_SK,
                    ":last": tables.series_year_sk(end.year),
                }
            ),
            ConsistentRead=consistent or attempt > 0,
        )
        found = _Found(ticker)
        for item in items:
            found.add(item)
        if found.is_whole:
            return found.header, found.series(start, end)
    raise _keeps_changing(ticker)


def whole_series_of(ticker: str) -> Stored:
    """Returns everything stored for a ticker, read consistently, for a writer that replaces it."""
    return history_of(ticker, date.min, date.max, consistent=True)


def due_series(timestamp: str, limit: int) -> list[SeriesHeader]:
    """Returns the series whose check is due by that time, longest overdue first."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk AND GSI1SK <= :timestamp",
        ExpressionAttributeValues=encode({":pk": tables.ALL_SERIES, ":timestamp": timestamp}),
        Limit=limit,
    )
    return [SeriesHeader.from_item(item) for item in islice(items, limit)]


def tickers_in_use() -> list[str]:
    """Returns the tickers whose closes are needed: every stock that a channel mentions, and the benchmark."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.ALL_SERIES}),
        ProjectionExpression="ticker",
    )
    return [item["ticker"]["S"] for item in items]


def want_series(tickers: Iterable[str], from_day: date) -> list[str]:
    """Requests the closes of these tickers from a day on. Returns the tickers whose header this call changed, which the
    caller must have fetched."""
    wanted = dict.fromkeys(tickers)
    known = headers_of(wanted)
    return [ticker for ticker in wanted if _lacks(known.get(ticker), from_day) and _want(ticker, from_day)]


def save_series(header: SeriesHeader, series: Series, stored: Series) -> SeriesHeader:
    """Replaces the stored header and series of a ticker, and returns the header as stored. `stored` is the series that
    was read with the header: only years that differ are written, in one transaction with the header.

    Raises SeriesChanged, and writes nothing, if another writer changed the series first.
    """
    before = {year.year: year for year in years_of(stored, header.basis)}
    after = {year.year: year for year in years_of(series, header.basis)}
    version = header.version + 1
    if _restates(before, after):
        after = {year: replace(item, basis=version) for year, item in after.items()}
    saved = replace(
        header,
        first_day=series.days[0].isoformat() if series.days else None,
        last_day=series.days[-1].isoformat() if series.days else None,
        basis=next((item.basis for item in after.values()), header.basis),
        version=version,
    )
    puts: list[Action] = [_put(item) for year, item in after.items() if item != before.get(year)]
    gone = [tables.series_year_key(header.ticker, year) for year in before.keys() - after.keys()]
    deletes: list[Action] = [{"Delete": {"TableName": main_table(), "Key": encode(key)}} for key in gone]
    try:
        transact([_put(saved, **_unchanged_since(header)), *puts, *deletes])
    except TransactionRefused:
        raise SeriesChanged(header.ticker) from None
    return saved


def save_header(header: SeriesHeader) -> SeriesHeader:
    """Replaces only the header, such as its next check or its problem; raises SeriesChanged like `save_series`."""
    saved = replace(header, version=header.version + 1)
    try:
        transact([_put(saved, **_unchanged_since(header))])
    except TransactionRefused:
        raise SeriesChanged(header.ticker) from None
    return saved


class _Found:
    """The items read for one ticker."""

    def __init__(self, ticker: str) -> None:
        self._ticker = ticker
        self._years: list[SeriesYear] = []
        self.header: SeriesHeader | None = None

    def add(self, item: Item) -> None:
        if item["SK"]["S"] == tables.SERIES_SK:
            self.header = SeriesHeader.from_item(item)
        else:
            self._years.append(SeriesYear.from_item(item))

    @property
    def is_whole(self) -> bool:
        """True if all items were written together. A query or a batch may read one item before a transaction and
        another after it, which would mix closes from before and after a split."""
        bases = {year.basis for year in self._years}
        return len(bases) <= 1 and (self.header is None or bases <= {self.header.basis})

    def series(self, start: date, end: date) -> Series:
        wanted = [year for year in self._years if start.year <= year.year <= end.year]
        return series_of_years(self._ticker, wanted).between(start, end)


def _read_many(
    tickers: Iterable[str], start: date, end: date, *, headers: bool, consistent: bool = False
) -> dict[str, Stored]:
    unread = dict.fromkeys(tickers)
    order = list(unread)
    whole: dict[str, _Found] = {}
    for attempt in range(BATCH_TRIES):
        found = {ticker: _Found(ticker) for ticker in unread}
        keys = [key for ticker in unread for key in _keys(ticker, start, end, headers)]
        for item in batch_get(main_table(), keys, ConsistentRead=consistent or attempt > 0):
            found[item["ticker"]["S"]].add(item)
        whole |= {ticker: each for ticker, each in found.items() if each.is_whole}
        unread = {ticker: None for ticker in unread if ticker not in whole}
        if not unread:
            return {ticker: (whole[ticker].header, whole[ticker].series(start, end)) for ticker in order}
    raise _keeps_changing(", ".join(unread))


def _keys(ticker: str, start: date, end: date, headers: bool) -> list[dict[str, str]]:
    years = [tables.series_year_key(ticker, year) for year in range(start.year, end.year + 1)]
    return [tables.series_key(ticker), *years] if headers else years


def _keeps_changing(tickers: str) -> TransientError:
    return TransientError(f"the series of {tickers} changed during each of {BATCH_TRIES} reads")


def _lacks(header: SeriesHeader | None, from_day: date) -> bool:
    return header is None or header.next_check_at is None or header.wanted_from > from_day.isoformat()


def _want(ticker: str, from_day: date) -> bool:
    """Returns True if this call changed the header; of several concurrent calls, only one does."""
    values: dict[str, Value] = {
        "ticker": ticker,
        "entity": SeriesHeader.__name__,
        "day": from_day.isoformat(),
        "timestamp": now(),
        "all": tables.ALL_SERIES,
        "none": 0,
        "one": 1,
    }
    always = (
        "#next_check_at = :timestamp, #GSI1PK = :all, #GSI1SK = :timestamp, #ticker = :ticker, #entity = :entity, "
        "#basis = if_not_exists(#basis, :none), #misses = :none, #version = if_not_exists(#version, :none) + :one"
    )
    try:
        update(
            tables.series_key(ticker),
            f"SET #wanted_from = :day, {always}",
            "attribute_not_exists(PK) OR #wanted_from > :day",
            values,
        )
    except ConditionNotMet:
        return _wake(ticker, always, values)
    return True


def _wake(ticker: str, always: str, values: Mapping[str, Value]) -> bool:
    """Schedules checks again for a series that goes back far enough but was not needed for a while."""
    try:
        update(tables.series_key(ticker), f"SET {always}", "attribute_not_exists(#next_check_at)", values)
    except ConditionNotMet:
        return False
    return True


def _restates(before: Mapping[int, SeriesYear], after: Mapping[int, SeriesYear]) -> bool:
    """True if several years change at once, one of them stored: readers must not mix old and new years."""
    changed = {year for year in before.keys() | after.keys() if before.get(year) != after.get(year)}
    return len(changed) > 1 and not changed.isdisjoint(before)


def _put(entity: SeriesHeader | SeriesYear, **condition: Any) -> Action:
    return {"Put": {"TableName": main_table(), "Item": entity.to_item(), **condition}}


def _unchanged_since(header: SeriesHeader) -> dict[str, Any]:
    if not header.version:
        return {"ConditionExpression": "attribute_not_exists(PK)"}
    return {
        "ConditionExpression": "#version = :version",
        "ExpressionAttributeNames": {"#version": "version"},
        "ExpressionAttributeValues": encode({":version": header.version}),
    }
