"""The stored series: read in few requests, written whole, asked for once."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from functions.record.errors import SeriesChanged
from functions.record.models.series import PriceProblem, Series, SeriesHeader, Split, series_of_rows
from functions.record.store.price_series import (
    due_series,
    headers_and_series_of,
    headers_of,
    history_of,
    save_header,
    save_series,
    series_of,
    want_series,
    whole_series_of,
)
from functions.runtime.dynamodb.connection import dynamodb, main_table

pytestmark = pytest.mark.usefixtures("tables")

START, END = date(2021, 1, 1), date(2023, 12, 31)
EARLY, LATE = "2024-01-02T21:30:00.000Z", "2024-01-03T21:30:00.000Z"
InThreads = Callable[[int, Callable[[int], object]], list[object]]


def a_series(ticker: str = "AAPL", start: date = START, end: date = END, first: float = 100.0) -> Series:
    days = (start + timedelta(number) for number in range((end - start).days + 1))
    sessions = enumerate(day for day in days if day.weekday() < 5)
    return series_of_rows(ticker, [(day, first + number, (first + number) * 0.9) for number, day in sessions])


def a_header(ticker: str = "AAPL", **changes: Any) -> SeriesHeader:
    return replace(SeriesHeader(ticker, START.isoformat(), EARLY, source="Yahoo", currency="USD"), **changes)


def saved(ticker: str = "AAPL", **changes: Any) -> SeriesHeader:
    return save_series(a_header(ticker, **changes), a_series(ticker), Series(ticker))


def doubled(series: Series) -> Series:
    return replace(series, closes=tuple(2 * close for close in series.closes))


def test_sixty_tickers_over_three_years_take_three_requests_at_most(requests_made: Counter[str]) -> None:
    tickers = [f"T{number}" for number in range(60)]
    for ticker in tickers:
        saved(ticker)
    requests_made.clear()

    found = series_of(tickers, date(2021, 1, 4), END)

    assert requests_made == {"BatchGetItem": 2}
    assert list(found) == tickers
    assert all(len(series) == len(a_series()) - 1 for series in found.values())
    requests_made.clear()

    both = headers_and_series_of(tickers, START, END)

    assert requests_made == {"BatchGetItem": 3}
    assert all(header and header.last_day == "2023-12-29" for header, _ in both.values())
    assert both["T7"][1] == a_series("T7")


def test_a_series_without_closes_in_the_period_is_empty() -> None:
    saved()

    found = series_of(["AAPL", "MSFT"], date(2019, 1, 1), date(2020, 12, 31))

    assert found == {"AAPL": Series("AAPL"), "MSFT": Series("MSFT")}
    assert series_of([], START, END) == {}


def test_headers_alone_are_read_by_ticker() -> None:
    header = saved(splits=(Split(date(2022, 6, 6), 20.0),), as_of=LATE)

    assert headers_of(["AAPL", "MSFT"]) == {"AAPL": header}


def test_the_history_of_a_ticker_is_one_query(requests_made: Counter[str]) -> None:
    header = saved()
    requests_made.clear()

    found = history_of("AAPL", date(2022, 12, 30), date(2023, 1, 3))

    assert requests_made == {"Query": 1}
    assert found[0] == header
    assert found[1] == a_series().between(date(2022, 12, 30), date(2023, 1, 3))
    assert len(found[1]) == 3
    assert history_of("MSFT", START, END) == (None, Series("MSFT"))


def test_an_update_writes_the_header_and_the_year_that_changed(requests_sent: list[dict[str, Any]]) -> None:
    saved()
    header, known = whole_series_of("AAPL")
    assert header
    rows = zip(known.days, known.closes, known.total_closes, strict=True)
    longer = series_of_rows("AAPL", [*rows, (date(2024, 1, 2), 9, 9)])
    requests_sent.clear()

    save_series(header, longer, known)

    (sent,) = requests_sent
    written = [action["Put"]["Item"]["SK"]["S"] for action in sent["TransactItems"]]
    assert written == ["SERIES", "YEAR#2024"]
    assert whole_series_of("AAPL")[1] == longer


def test_years_that_are_no_more_are_removed() -> None:
    header = saved()
    known = a_series()

    save_series(header, known.between(date(2023, 1, 1), END), known)

    stored, series = whole_series_of("AAPL")
    assert series == known.between(date(2023, 1, 1), END)
    assert stored and (stored.first_day, stored.last_day) == ("2023-01-02", "2023-12-29")


def test_of_two_writers_that_read_the_same_one_wins() -> None:
    header = saved()
    known = a_series()

    save_series(header, doubled(known), known)
    with pytest.raises(SeriesChanged):
        save_series(header, known.between(START, date(2022, 1, 1)), known)
    with pytest.raises(SeriesChanged):
        save_header(replace(header, misses=1))
    with pytest.raises(SeriesChanged):
        save_series(a_header(), known, Series("AAPL"))

    assert whole_series_of("AAPL")[1] == doubled(known)


def test_writers_at_once_mix_nothing_and_lose_nothing(concurrent_tables: str, in_threads: InThreads) -> None:
    header = saved()
    known = a_series()
    candidates = [a_series(first=1000.0 * (number + 1)) for number in range(8)]

    results = in_threads(8, lambda number: save_series(header, candidates[number], known))

    winners = [number for number, result in enumerate(results) if isinstance(result, SeriesHeader)]
    assert len(winners) == 1
    assert all(isinstance(result, SeriesChanged) for result in results if not isinstance(result, SeriesHeader))
    assert whole_series_of("AAPL") == (results[winners[0]], candidates[winners[0]])


def test_readers_during_restatements_never_see_half_of_one(concurrent_tables: str, in_threads: InThreads) -> None:
    saved()
    known = a_series()

    def work(number: int) -> object:
        if number:
            read = history_of if number % 2 else lambda *period: headers_and_series_of(["AAPL"], *period[1:])["AAPL"]
            return [read("AAPL", START, END)[1] for _ in range(15)]
        for _ in range(10):
            header, stored = whole_series_of("AAPL")
            assert header
            save_series(header, doubled(known) if stored == known else known, stored)
        return []

    for seen in in_threads(5, work):
        assert isinstance(seen, list), seen
        assert all(series in (known, doubled(known)) for series in seen)


@pytest.fixture
def change_during_read() -> Iterator[Callable[[Callable[[], object]], None]]:
    """Runs something between DynamoDB's first response and the reader's look at it, and mixes the two states."""
    registered: list[Callable[..., None]] = []

    def interfere(change: Callable[[], object]) -> None:
        def after(parsed: dict[str, Any], **_: object) -> None:
            events.unregister("after-call.dynamodb", after)
            change()
            for items in (parsed.get("Items"), *parsed.get("Responses", {}).values()):
                for item in items or []:
                    if item["SK"]["S"] == "YEAR#2023":
                        fresh = dynamodb().get_item(
                            TableName=main_table(), Key={name: item[name] for name in ("PK", "SK")}
                        )
                        item |= fresh["Item"]

        registered.append(after)
        events.register("after-call.dynamodb", after)

    events = dynamodb().meta.events
    yield interfere
    for handler in registered:
        events.unregister("after-call.dynamodb", handler)


@pytest.mark.parametrize("many", [False, True])
def test_a_read_that_caught_two_states_is_repeated(
    change_during_read: Callable[[Callable[[], object]], None], many: bool
) -> None:
    header = saved()
    known = a_series()
    change_during_read(lambda: save_series(header, doubled(known), known))

    found = series_of(["AAPL"], START, END)["AAPL"] if many else history_of("AAPL", START, END)[1]

    assert found == doubled(known)


def test_a_series_is_wanted_once_and_again_for_older_days(requests_made: Counter[str]) -> None:
    assert want_series(["AAPL", "MSFT", "AAPL"], date(2022, 5, 1)) == ["AAPL", "MSFT"]
    requests_made.clear()

    assert want_series(["AAPL", "MSFT"], date(2022, 5, 1)) == []
    assert want_series(["AAPL"], date(2023, 1, 1)) == []
    assert requests_made == {"BatchGetItem": 2}
    assert want_series(["AAPL", "MSFT"], date(2022, 4, 30)) == ["AAPL", "MSFT"]

    header = headers_of(["AAPL"])["AAPL"]
    assert (header.wanted_from, header.version, header.first_day) == ("2022-04-30", 2, None)


def test_of_many_who_want_a_series_at_once_one_is_told(concurrent_tables: str, in_threads: InThreads) -> None:
    results = in_threads(8, lambda _: want_series(["AAPL"], date(2022, 5, 1)))

    assert sorted(map(str, results)) == ["['AAPL']"] + ["[]"] * 7


def test_a_wish_for_older_days_is_not_lost_to_a_writer_that_did_not_see_it() -> None:
    header = saved()

    assert want_series(["AAPL"], date(2019, 1, 1)) == ["AAPL"]

    with pytest.raises(SeriesChanged):
        save_header(replace(header, next_check_at=LATE))
    assert headers_of(["AAPL"])["AAPL"].wanted_from == "2019-01-01"
    assert series_of(["AAPL"], START, END)["AAPL"] == a_series()


def test_a_series_that_nobody_needed_is_woken_once() -> None:
    save_header(replace(saved(), next_check_at=None))
    assert due_series("9999", 10) == []

    assert want_series(["AAPL"], date(2023, 1, 1)) == ["AAPL"]
    assert want_series(["AAPL"], date(2023, 1, 1)) == []

    assert [header.ticker for header in due_series("9999", 10)] == ["AAPL"]
    assert headers_of(["AAPL"])["AAPL"].wanted_from == START.isoformat()


def test_due_series_come_longest_overdue_first(requests_made: Counter[str]) -> None:
    for ticker, day in (("B", 2), ("C", 3), ("A", 1), ("D", 9)):
        save_header(SeriesHeader(ticker, "2020-01-01", f"2024-01-0{day}T00:00:00.000Z"))
    requests_made.clear()

    due = due_series("2024-01-03T00:00:00.000Z", 10)

    assert [header.ticker for header in due] == ["A", "B", "C"]
    assert [header.ticker for header in due_series("2024-01-03T00:00:00.000Z", 2)] == ["A", "B"]
    assert requests_made == {"Query": 2}


def test_a_check_that_failed_is_noted_and_put_off() -> None:
    header = saved()

    save_header(replace(header, next_check_at=LATE, misses=2, problem=PriceProblem.BLOCKED, problem_detail="Blocked."))

    stored, series = whole_series_of("AAPL")
    assert stored and (stored.problem, stored.misses, stored.version) == (PriceProblem.BLOCKED, 2, 2)
    assert series == a_series()
    assert due_series(EARLY, 10) == []
