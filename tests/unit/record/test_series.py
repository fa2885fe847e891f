"""Series in memory: how a year is written down, and how newer closes continue what is known."""

from datetime import date, timedelta
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.record.models.series import (
    PriceProblem,
    Series,
    SeriesHeader,
    SeriesYear,
    Split,
    continued,
    series_of_rows,
    series_of_years,
    years_of,
)
from functions.runtime.errors import InvalidValue

FIRST = date(2023, 11, 1)
PRICES = st.floats(0.0001, 900_000, allow_nan=False)


@st.composite
def some_series(draw: st.DrawFn, min_size: int = 0) -> Series:
    days = draw(st.lists(st.dates(date(1971, 1, 1), date(2100, 12, 31)), unique=True, min_size=min_size, max_size=60))
    return series_of_rows("AAPL", [(day, draw(PRICES), draw(PRICES)) for day in days])


@settings(deadline=None)
@given(some_series())
def test_a_series_is_read_back_as_it_was_written(series: Series) -> None:
    assert series_of_years("AAPL", reversed(years_of(series))) == series


@settings(deadline=None)
@given(some_series())
def test_years_survive_their_items(series: Series) -> None:
    years = years_of(series, basis=3)

    assert [SeriesYear.from_item(year.to_item()) for year in years] == years


@settings(deadline=None)
@given(some_series(min_size=1), st.dates(), st.dates())
def test_a_part_of_a_series_holds_exactly_the_days_in_it(series: Series, start: date, end: date) -> None:
    part = series.between(start, end)

    expected = [number for number, day in enumerate(series.days) if start <= day <= end]
    assert part.days == tuple(series.days[number] for number in expected)
    assert part.closes == tuple(series.closes[number] for number in expected)
    assert part.total_closes == tuple(series.total_closes[number] for number in expected)


def test_a_full_year_takes_less_than_six_kilobytes() -> None:
    days = [day for day in (date(2024, 1, 1) + timedelta(number) for number in range(366)) if day.weekday() < 5]
    series = series_of_rows("AAPL", [(day, 227.48 + number / 100, 198.37461) for number, day in enumerate(days)])

    (year,) = years_of(series)

    item = year.to_item()
    assert sum(len(name) + len(next(iter(value.values()))) for name, value in item.items()) < 6000


def test_total_closes_that_equal_the_closes_are_not_written_twice() -> None:
    (year,) = years_of(Series("AAPL", (FIRST,), (1.5,), (1.5,)))

    assert year.total_closes is None
    assert series_of_years("AAPL", [year]) == Series("AAPL", (FIRST,), (1.5,), (1.5,))


@pytest.mark.parametrize(
    ("day", "position"),
    [(date(2024, 1, 1), None), (date(2024, 1, 2), 0), (date(2024, 1, 3), 0), (date(2024, 1, 4), 1), (date.max, 1)],
)
def test_the_last_close_on_or_before_a_day(day: date, position: int | None) -> None:
    series = Series("AAPL", (date(2024, 1, 2), date(2024, 1, 4)), (1.0, 2.0), (1.0, 2.0))

    assert series.position_on(day) == position


class Source:
    """A share that pays dividends: what a source reports of it depends on when it is asked."""

    def __init__(self, closes: list[float], dividends: dict[int, float]) -> None:
        self.closes = closes
        self._dividends = {day: min(paid, closes[day - 1] / 2) for day, paid in dividends.items() if day > 0}

    def reported(self, first: int, last: int) -> Series:
        """Closes from first to last; earlier total closes are lowered by the dividends paid up to the last day."""
        factors = [
            1 - self._dividends.get(day + 1, 0) / self.closes[day] if day < last else 1.0 for day in range(last + 1)
        ]
        adjustments = list(accumulate(reversed(factors), lambda one, other: one * other))[::-1]
        rows = [
            (FIRST + timedelta(day), self.closes[day], self.closes[day] * adjustments[day])
            for day in range(first, last + 1)
        ]
        return series_of_rows("AAPL", rows)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    closes = draw(st.lists(st.floats(5, 500), min_size=8, max_size=40))
    dividends = draw(st.dictionaries(st.integers(1, len(closes) - 1), st.floats(0.01, 2), max_size=5))
    return Source([round(close, 2) for close in closes], dividends)


@settings(deadline=None)
@given(sources(), st.data())
def test_continuing_equals_fetching_whole_up_to_scale(source: Source, data: st.DataObject) -> None:
    end = len(source.closes) - 1
    known = source.reported(0, data.draw(st.integers(3, end)))

    while (last := len(known) - 1) < end:
        step = data.draw(st.integers(1, 5))
        longer = continued(known, source.reported(last - 3, min(end, last + step)))
        assert longer
        assert longer.between(known.days[0], known.days[-1]) == known, "a dividend changes nothing that is stored"
        known = longer

    whole = source.reported(0, end)
    scale = known.total_closes[0] / whole.total_closes[0]
    assert (known.days, known.closes) == (whole.days, whole.closes)
    assert known.total_closes == pytest.approx([total * scale for total in whole.total_closes], rel=1e-4)


def series(*closes: float, start: int = 0) -> Series:
    return series_of_rows("AAPL", [(FIRST + timedelta(start + n), close, close) for n, close in enumerate(closes)])


def test_closes_in_other_shares_do_not_continue() -> None:
    assert continued(series(100, 101, 102), series(10.1, 10.2, 10.3, start=1)) is None


def test_closes_without_a_day_in_common_do_not_continue() -> None:
    assert continued(series(100, 101), series(102, 103, start=2)) is None
    assert continued(series(100, 101), series()) is None
    assert continued(series(), series(100)) is None


def test_a_corrected_close_replaces_the_known_one() -> None:
    longer = continued(series(100, 101, 102), series(101, 103, 104, start=1))

    assert longer == series(100, 101, 103, 104)


def test_a_day_that_the_source_leaves_out_stays() -> None:
    newer = series_of_rows("AAPL", [(FIRST, 100, 100), (FIRST + timedelta(2), 102, 102)])

    assert continued(series(100, 101), newer) == series(100, 101, 102)


def test_a_header_survives_its_item() -> None:
    header = SeriesHeader(
        "AMZN",
        "2020-01-01",
        "2024-01-02T21:30:00.000Z",
        splits=(Split(date(2022, 6, 6), 20.0), Split(date(2023, 1, 2), 1 / 3)),
        problem=PriceProblem.BLOCKED,
        problem_detail="Yahoo refuses requests from this address (HTTP 401).",
        version=4,
    )

    item = header.to_item()

    assert SeriesHeader.from_item(item) == header
    assert (item["GSI1PK"], item["GSI1SK"]) == ({"S": "SERIES"}, {"S": "2024-01-02T21:30:00.000Z"})


def test_a_series_that_nobody_needs_is_in_no_index() -> None:
    assert "GSI1PK" not in SeriesHeader("AMZN", "2020-01-01").to_item()


def test_a_split_that_cannot_be_read_is_named() -> None:
    item = {**SeriesHeader("AMZN", "2020-01-01").to_item(), "splits": {"L": [{"S": "2022 20:1"}]}}

    with pytest.raises(InvalidValue, match="2022 20:1"):
        SeriesHeader.from_item(item)


def test_every_problem_has_a_sentence() -> None:
    assert all(problem.sentence.endswith(".") for problem in PriceProblem)
