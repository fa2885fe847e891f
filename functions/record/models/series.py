"""A ticker's closing prices over the years: the form calculations read, and the stored form. Pure, no I/O."""

import math
import struct
from binascii import a2b_base64, b2a_base64
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import chain, groupby
from typing import ClassVar, TypeVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.errors import InvalidValue

SAME_SHARES = 0.002
"""Closes of one day that differ by less are on the same share basis: the smallest stock dividends are one percent."""
SAME_VALUE = 1e-5
"""Values that differ by less are equal: sources compute in single precision and we store seven digits."""
LEAD = timedelta(days=62)
"""How long before its oldest call a series begins: charts show two months before a first mention."""
DIGITS = 7
"""Significant digits stored, matching the sources' single precision."""
DAYS_OF_A_YEAR = 366
BYTES_OF_A_NUMBER = 8

Row = tuple[date, float, float]
"""A day, its close and its total close."""
Element = TypeVar("Element")


class PriceProblem(StrEnum):
    """Why there is no price."""

    BLOCKED = "blocked"
    UNKNOWN_TICKER = "unknown_ticker"
    NOT_AT_SOURCE = "not_at_source"
    DEPARTED = "departed"
    DELISTED = "delisted"
    QUOTA_USED_UP = "quota_used_up"
    UNAVAILABLE = "unavailable"
    NO_TRADING = "no_trading"
    NONSENSE = "nonsense"
    AWAITING_CLOSE = "awaiting_close"
    NOT_FETCHED = "not_fetched"

    @property
    def sentence(self) -> str:
        """The reason in user-facing words, when no more specific one is available."""
        return _SENTENCES[self]


_SENTENCES = {
    PriceProblem.BLOCKED: "The price source refuses our requests.",
    PriceProblem.UNKNOWN_TICKER: "No list of US shares knows this ticker.",
    PriceProblem.NOT_AT_SOURCE: "The price source does not know the ticker.",
    PriceProblem.DEPARTED: "It has left the exchange, and the price source no longer has it.",
    PriceProblem.DELISTED: "The share has left the exchanges.",
    PriceProblem.QUOTA_USED_UP: "The quota of the price source is used up.",
    PriceProblem.UNAVAILABLE: "The price source did not respond.",
    PriceProblem.NO_TRADING: "The share was not traded that day or in the week before.",
    PriceProblem.NONSENSE: "The price source sent a response that cannot be right.",
    PriceProblem.AWAITING_CLOSE: "The session has not closed yet.",
    PriceProblem.NOT_FETCHED: "The prices are still to be fetched.",
}


@dataclass(frozen=True, slots=True)
class Split:
    day: date
    """The first trading day after the split."""
    ratio: float
    """New shares per old share: 20.0 for 20:1, 0.1 for 1:10."""


@dataclass(frozen=True, slots=True)
class Series:
    """A ticker's closes, oldest first, one per day."""

    ticker: str
    days: tuple[date, ...] = ()
    closes: tuple[float, ...] = ()
    """Split-adjusted, without dividends: comparable with a quote."""
    total_closes: tuple[float, ...] = ()
    """With dividends reinvested, on a separate scale: comparable only with each other."""

    def __len__(self) -> int:
        return len(self.days)

    def between(self, start: date, end: date) -> "Series":
        """Returns the closes from start to end, both inclusive."""
        first, last = bisect_left(self.days, start), bisect_right(self.days, end)
        if first == 0 and last == len(self.days):
            return self
        part = slice(first, last)
        return Series(self.ticker, self.days[part], self.closes[part], self.total_closes[part])

    def position_on(self, day: date) -> int | None:
        """Returns the index of the last close on or before a day; None before the first."""
        after = bisect_right(self.days, day)
        return after - 1 if after else None


@dataclass(frozen=True, slots=True)
class SeriesHeader(Entity):
    """The metadata of a stored series, and when it is checked next."""

    enums: ClassVar = {"problem": PriceProblem}

    ticker: str
    wanted_from: str
    """The oldest day that is needed."""
    next_check_at: str | None = None
    """None while the series is not needed."""
    fetched_from: str | None = None
    """The oldest day that was requested from the source."""
    source: str | None = None
    currency: str | None = None
    first_day: str | None = None
    last_day: str | None = None
    splits: tuple[Split, ...] = ()
    as_of: str | None = None
    """When the source last gave a valid response."""
    misses: int = 0
    """Consecutive checks that found no new close."""
    problem: PriceProblem | None = None
    """Why the last check failed."""
    problem_detail: str | None = None
    """The same as a sentence for users."""
    restating: str | None = None
    """The event calls are still being restated for, such as a split."""
    basis: int = 0
    """The version in which the whole series was last written; its years carry the same number."""
    version: int = 0
    """Increases with each write; 0 before the first."""

    def __post_init__(self) -> None:
        Entity.__post_init__(self)
        if any(isinstance(split, str) for split in self.splits):
            object.__setattr__(self, "splits", tuple(_read_split(str(text)) for text in self.splits))

    def attributes(self) -> dict[str, Value]:
        splits = tuple(f"{split.day.isoformat()} {split.ratio!r}" for split in self.splits)
        return {**Entity.attributes(self), "splits": splits}

    def covers(self, start: date, end: date) -> bool:
        """True if the series has every available close from start to end, or will have them after its checks."""
        reaches_back = self.fetched_from is not None and self.fetched_from <= start.isoformat()
        return reaches_back and (self.next_check_at is not None or end.isoformat() <= (self.last_day or ""))

    def keys(self) -> dict[str, str]:
        keys = tables.series_key(self.ticker)
        return {**keys, **tables.series_check_keys(self.next_check_at)} if self.next_check_at else keys


@dataclass(frozen=True, slots=True)
class SeriesYear(Entity):
    """One year of a series, as one item."""

    ticker: str
    year: int
    days: str
    """One bit per day of the year, January 1 highest, as hexadecimal text: the same for most tickers."""
    closes: str
    """Doubles as base64 text, ten times as fast to read as decimal numbers."""
    total_closes: str | None = None
    """None if they equal the closes."""
    basis: int = 0

    def keys(self) -> dict[str, str]:
        return tables.series_year_key(self.ticker, self.year)


def years_of(series: Series, basis: int = 0) -> list[SeriesYear]:
    """Returns the series in its stored form."""
    by_year = groupby(_rows(series), key=lambda row: row[0].year)
    return [_year(series.ticker, year, list(rows), basis) for year, rows in by_year]


def series_of_years(ticker: str, years: Iterable[SeriesYear]) -> Series:
    """Returns the series that these years store, given in any order."""
    ordered = sorted(years, key=lambda year: year.year)
    closes = [_numbers(year.closes) for year in ordered]
    totals = [
        _numbers(year.total_closes) if year.total_closes else same for year, same in zip(ordered, closes, strict=True)
    ]
    days = (_days(year.year, year.days) for year in ordered)
    return Series(ticker, _joined(days), _joined(closes), _joined(totals))


def series_of_rows(ticker: str, rows: Iterable[Row]) -> Series:
    """Returns a series of these rows, sorted and rounded to the stored digits."""
    rounded = [(day, _rounded(close), _rounded(total)) for day, close, total in sorted(rows)]
    days, closes, totals = zip(*rounded, strict=True) if rounded else ((), (), ())
    return Series(ticker, tuple(days), tuple(closes), tuple(totals))


def continued(known: Series, newer: Series) -> Series | None:
    """Returns the known series extended by the newer days. None if the whole series must be fetched again: if no day is
    in both, or the first shared day has a different close, as after a split.

    The newer total closes are scaled to continue the known ones: after a dividend, a source readjusts all earlier
    closes, so only their ratios are meaningful. Known values stay, unless the source corrected them.
    """
    merged = {day: (close, total) for day, close, total in _rows(known)}
    shared = next((row for row in _rows(newer) if row[0] in merged), None)
    if shared is None or not _agree(merged[shared[0]][0], shared[1], SAME_SHARES):
        return None
    scale = merged[shared[0]][1] / shared[2]
    for day, close, total in _rows(newer):
        before, after = merged.get(day), (close, total * scale)
        if before is None or not all(map(_same_value, before, after)):
            merged[day] = after
    return series_of_rows(known.ticker, ((day, *both) for day, both in merged.items()))


def _rows(series: Series) -> Iterator[Row]:
    return zip(series.days, series.closes, series.total_closes, strict=True)


def _same_value(one: float, other: float) -> bool:
    return _agree(one, other, SAME_VALUE)


def _agree(one: float, other: float, tolerance: float) -> bool:
    return math.isclose(one, other, rel_tol=tolerance)


def _year(ticker: str, year: int, rows: Sequence[Row], basis: int) -> SeriesYear:
    bits = sum(1 << _bit(day) for day, _, _ in rows)
    closes = _text([close for _, close, _ in rows])
    totals = _text([total for _, _, total in rows])
    return SeriesYear(ticker, year, f"{bits:x}", closes, None if totals == closes else totals, basis)


def _bit(day: date) -> int:
    return DAYS_OF_A_YEAR - day.timetuple().tm_yday


@lru_cache(maxsize=500)
def _days(year: int, text: str) -> tuple[date, ...]:
    bits = f"{int(text, 16):0{DAYS_OF_A_YEAR}b}"
    first = date(year, 1, 1)
    return tuple(first + timedelta(number) for number, bit in enumerate(bits) if bit == "1")


def _text(numbers: Sequence[float]) -> str:
    return b2a_base64(struct.pack(f"<{len(numbers)}d", *numbers), newline=False).decode()


def _numbers(text: str) -> tuple[float, ...]:
    packed = a2b_base64(text)
    return struct.unpack(f"<{len(packed) // BYTES_OF_A_NUMBER}d", packed)


def _rounded(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")


def _joined(parts: Iterable[tuple[Element, ...]]) -> tuple[Element, ...]:
    return tuple(chain.from_iterable(parts))


def _read_split(text: str) -> Split:
    day, _, ratio = text.partition(" ")
    try:
        return Split(date.fromisoformat(day), float(ratio))
    except ValueError:
        raise InvalidValue(f"SeriesHeader.splits must hold a day and a ratio, not {text!r}") from None
