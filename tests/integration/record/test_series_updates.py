"""Series that are kept up to date: splits, corrections, crashes, rivals, sources that fail, and calls that wait."""

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from functions.reading.listings import all_listings
from functions.record.models.series import PriceProblem, SeriesHeader, Split
from functions.record.models.watchlists import Watchlist
from functions.record.pipeline import update_prices
from functions.record.prices import calls as call_prices
from functions.record.prices import series as series_updates
from functions.record.prices.calls import price_channel, price_ticker, request_series
from functions.record.prices.series import CLAIM_SECONDS, check_all_series, resume_updates, update_series
from functions.record.sources import selection
from functions.record.sources.prices.combined import CurrentPrices
from functions.record.store import call_prices as store_call_prices
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, delete_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.mentions import mentions_of_channel
from functions.record.store.price_series import headers_and_series_of, save_header, whole_series_of
from functions.record.store.stocks import stock_by_ticker
from functions.record.store.videos import count_unpriced_calls, videos_of_channel
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dispatch import UpdateSeries
from functions.runtime.dynamodb import tables
from functions.runtime.observability import SERIES_BEHIND
from functions.runtime.provider_errors import Blocked, QuotaUsedUp, Throttled, Unavailable
from functions.service.jobs import do_job
from infra.saved_queries import MISSED_PRICES
from local.entities import put_entities
from tests.builders import a_channel, a_video, commit, in_a_run
from tests.crashes import Crash, crash_at_write
from tests.fakes import Close, RecordingDispatcher, World, everything

BUY_DAY, SPLIT_DAY = date(2024, 3, 4), date(2024, 6, 10)


@pytest.fixture
def world(tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    return World().install(monkeypatch)


@pytest.fixture
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)


def failing_with(problem: Exception | None) -> Callable[[str], None]:
    def fail(_: str) -> None:
        if problem:
            raise problem

    return fail


def closes(first: date, last: date, price: float) -> list[Close]:
    days = (first + timedelta(number) for number in range((last - first).days + 1))
    return [Close(day, price + day.toordinal() % 7) for day in days if day.weekday() < 5]


def divided(history: Sequence[Close], ratio: float) -> list[Close]:
    return [Close(close.day, round(close.price / ratio, 4)) for close in history]


def a_channel_that_mentions(*tickers: str, videos: int = 1, **changes: Any) -> str:
    """With a committed video for each of the days after BUY_DAY."""
    channel = a_channel()
    run_id, listed = in_a_run(channel, videos)
    for number, video in enumerate(listed):
        day = (BUY_DAY + timedelta(number % 5)).isoformat()
        commit(run_id, replace(video, published_at=day), *tickers, **{"price_at_mention": None, **changes})
    return channel.id


def prices_in(channel_id: str, ticker: str = "NVDA") -> list[float | None]:
    """By day, as the mentions have them, which their videos' copies must equal."""
    mentions = mentions_of_channel(channel_id)
    copies = [call for video in videos_of_channel(channel_id) for call in video.calls]
    assert set(copies) == set(mentions)
    by_day = sorted(mentions, key=lambda each: (each.published_at, each.video_id))
    return [each.price_at_mention for each in by_day if each.ticker == ticker]


def approximately(prices: Sequence[float | None], ratio: float) -> list[Any]:
    return [price and pytest.approx(price / ratio, rel=1e-5) for price in prices]


def lines_of(channel_id: str, *words: str) -> list[str]:
    lines = [line.message for line in logs_of_channel(channel_id, consistent=True)]
    return [line for line in lines if all(word in line for word in words)]


def keys_read(read: dict[str, Any]) -> set[str]:
    """The partition keys of a read of items, or of a query."""
    keys = read.get("Keys") or [read["Key"] if "Key" in read else {"PK": read["ExpressionAttributeValues"][":pk"]}]
    return {next(iter(key.values()))["S"] for key in keys}


def header_of(ticker: str) -> SeriesHeader:
    header, _ = whole_series_of(ticker)
    assert header
    return header


def make_due(ticker: str) -> None:
    save_header(replace(header_of(ticker), next_check_at=seconds_from_now(-1)))


def do_all(dispatched: RecordingDispatcher) -> None:
    while dispatched.jobs:
        do_job(dispatched.jobs.pop(0))


def fetched(channel_id: str, dispatched: RecordingDispatcher) -> None:
    """The channel once its series are stored and its calls priced."""
    price_channel(channel_id)
    do_all(dispatched)


def after_a_split(world: World, ticker: str, ratio: float, *more: float) -> None:
    """The source as it is after the split: all closes in new shares, and some days in them."""
    total = math.prod((ratio, *more))
    before = [close for close in world.prices.known[ticker] if close.day < SPLIT_DAY]
    after = closes(SPLIT_DAY, world.prices.last_day, before[-1].price / total)
    world.prices.known[ticker] = [*divided(before, total), *after]
    world.prices.splits[ticker] = tuple(
        Split(SPLIT_DAY + timedelta(number), each) for number, each in enumerate((ratio, *more))
    )


def with_a_split_to_come(
    world: World, dispatched: RecordingDispatcher, channels: int = 1, videos: int = 3, ticker: str = "NVDA"
) -> list[str]:
    """Channels whose calls of a ticker were priced in old shares, and a source that is about to split them."""
    world.prices.last_day = SPLIT_DAY - timedelta(3)
    world.prices.known[ticker] = closes(date(2023, 1, 2), world.prices.last_day, 1000.0)
    made = [a_channel_that_mentions(ticker, "KO", videos=videos) for _ in range(channels)]
    for channel_id in made:
        fetched(channel_id, dispatched)
    world.prices.last_day = SPLIT_DAY + timedelta(4)
    make_due(ticker)
    return made


class TestFetching:
    def test_prices_the_calls_of_every_channel_from_one_request(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        world.prices.known["NVDA"] = closes(date(2023, 1, 2), world.prices.last_day, 1000.0)
        channels = [a_channel_that_mentions("NVDA", videos=3) for _ in range(2)]
        for channel_id in channels:
            price_channel(channel_id)

        do_all(dispatched)

        by_day = {close.day: close.price for close in world.prices.known["NVDA"]}
        expected = [by_day[BUY_DAY + timedelta(number)] for number in range(3)]
        assert [prices_in(channel_id) for channel_id in channels] == [expected, expected]
        assert sorted(world.prices.requested) == [(ticker, date(2024, 1, 1)) for ticker in ("NVDA", "^GSPC", "^IRX")]
        assert not lines_of(channels[0], "restated")

    def test_stores_the_last_close_as_the_current_price_with_its_day(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)

        stock = stock_by_ticker("NVDA")
        assert stock and (stock.last_price, stock.price_as_of) == (100.0, world.prices.last_day.isoformat())

    def test_an_update_asks_for_some_known_days_only(self, world: World, dispatched: RecordingDispatcher) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        world.prices.requested.clear()
        world.prices.last_day += timedelta(4)
        make_due("NVDA")

        update_series(["NVDA"])

        assert world.prices.requested == [("NVDA", date(2024, 6, 18))]
        assert header_of("NVDA").last_day == "2024-07-02"

    def test_a_series_that_must_begin_earlier_is_fetched_from_there_once(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        world.prices.requested.clear()

        request_series(["NVDA"], date(2021, 5, 5))
        request_series(["NVDA"], date(2021, 9, 9))
        do_all(dispatched)

        assert world.prices.requested == [("NVDA", date(2021, 1, 1))]
        assert header_of("NVDA").first_day == "2021-01-01"

    def test_a_message_delivered_twice_asks_once(self, world: World, dispatched: RecordingDispatcher) -> None:
        price_channel(a_channel_that_mentions("NVDA"))

        for _ in range(2):
            do_job(UpdateSeries(("NVDA",)))

        assert [ticker for ticker, _ in world.prices.requested] == ["NVDA"]

    def test_of_workers_at_once_one_asks(
        self,
        concurrent_tables: str,
        world: World,
        dispatched: RecordingDispatcher,
        in_threads: Callable[[int, Callable[[int], object]], list[object]],
    ) -> None:
        price_channel(a_channel_that_mentions("NVDA"))

        outcomes = in_threads(6, lambda _: update_series(["NVDA"]))

        assert outcomes == [None] * 6
        assert [ticker for ticker, _ in world.prices.requested] == ["NVDA"]

    def test_a_wish_for_older_days_during_a_fetch_is_not_lost(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        price_channel(a_channel_that_mentions("NVDA"))
        world.prices.before_closes = lambda ticker: request_series([ticker], date(2020, 8, 2))

        do_job(UpdateSeries(("NVDA",)))

        assert [start for _, start in world.prices.requested] == [date(2024, 1, 1), date(2020, 1, 1)]
        assert header_of("NVDA").fetched_from == "2020-01-01"

    def test_a_ticker_that_nobody_mentions_any_more_is_asked_no_more_until_it_is(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        channel_id = a_channel_that_mentions("NVDA")
        fetched(channel_id, dispatched)
        delete_channel(channel_id)
        world.prices.requested.clear()
        make_due("NVDA")

        update_series(["NVDA"])

        assert world.prices.requested == []
        assert header_of("NVDA").next_check_at is None
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        assert ("NVDA", date(2024, 6, 18)) in world.prices.requested

    def test_the_benchmark_is_always_in_use(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_mentions("NVDA")
        fetched(channel_id, dispatched)
        delete_channel(channel_id)
        make_due("^GSPC")

        update_series(["^GSPC"])

        assert header_of("^GSPC").next_check_at


class TestASplit:
    @pytest.mark.parametrize(
        ("ratios", "words"),
        [
            ((10.0,), "NVDA split 10:1: 3 prices restated."),
            ((0.1,), "NVDA split 1:10: 3 prices restated."),
            ((10.0, 2.0), "NVDA split 10:1 and 2:1: 3 prices restated."),
        ],
    )
    def test_restates_every_call_in_every_channel_with_a_line_in_each(
        self, world: World, dispatched: RecordingDispatcher, ratios: tuple[float, ...], words: str
    ) -> None:
        channels = with_a_split_to_come(world, dispatched, channels=3)
        before = prices_in(channels[0])
        world.prices.requested.clear()
        after_a_split(world, "NVDA", *ratios)

        update_series(["NVDA"])

        for channel_id in channels:
            assert prices_in(channel_id) == approximately(before, math.prod(ratios))
            assert prices_in(channel_id, "KO") == [100.0] * 3
            assert lines_of(channel_id, "restated") == [words]
        assert world.prices.requested == [("NVDA", date(2024, 5, 28)), ("NVDA", date(2024, 1, 1))]
        assert header_of("NVDA").restating is None

    def test_a_reread_finds_nothing_more_to_do(self, world: World, dispatched: RecordingDispatcher) -> None:
        (channel_id,) = with_a_split_to_come(world, dispatched)
        after_a_split(world, "NVDA", 10.0)
        update_series(["NVDA"])
        prices, lines = prices_in(channel_id), lines_of(channel_id)

        make_due("NVDA")
        update_series(["NVDA"])
        price_channel(channel_id)

        assert (prices_in(channel_id), lines_of(channel_id)) == (prices, lines)

    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    def test_a_worker_killed_at_any_write_leaves_nothing_undone(
        self, world: World, dispatched: RecordingDispatcher, event: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(store_call_prices, "VIDEOS_AT_ONCE", 1)
        crashes = 0
        for number, ticker in enumerate(all_listings(), start=1):
            channels = with_a_split_to_come(world, dispatched, channels=2, ticker=ticker)
            before = prices_in(channels[0], ticker)
            after_a_split(world, ticker, 10.0)
            with suppress(Crash), crash_at_write(number, event) as seen:
                update_series([ticker])
            if len(seen) < number:
                break
            crashes += 1
            # The claim of the dead worker ends.
            make_due(ticker)

            update_series([ticker])

            for channel_id in channels:
                assert prices_in(channel_id, ticker) == approximately(before, 10.0), number
                assert lines_of(channel_id, "restated") == [f"{ticker} split 10:1: 3 prices restated."], number
            assert header_of(ticker).restating is None
            stock = stock_by_ticker(ticker)
            assert stock and stock.last_price == world.prices.known[ticker][-1].price
        # The claim, the series, the current price, six videos, two lines, two channels to score, and the end of it.
        assert crashes == 14

    def test_a_call_committed_in_old_shares_meanwhile_is_mended_by_the_end_of_its_run(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        (other,) = with_a_split_to_come(world, dispatched)
        old = prices_in(other)[0]
        after_a_split(world, "NVDA", 10.0)
        update_series(["NVDA"])
        channel_id = a_channel_that_mentions("NVDA", price_at_mention=old)

        price_channel(channel_id)

        assert prices_in(channel_id) == approximately([old], 10.0)
        assert lines_of(channel_id, "restated") == ["NVDA prices checked against its closes: 1 price restated."]

    def test_each_line_counts_the_prices_that_were_restated_since_the_one_before(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        (channel_id,) = with_a_split_to_come(world, dispatched)
        old = prices_in(channel_id)[0]
        after_a_split(world, "NVDA", 10.0)
        update_series(["NVDA"])
        channel = channel_by_id(channel_id)
        assert channel and channel.run_id
        run_id = channel.run_id
        for number, count in enumerate((1, 2)):
            late = [
                a_video(channel_id, f"late{number}{each}", published_at=BUY_DAY.isoformat()) for each in range(count)
            ]
            runs.add_videos(channel_id, run_id, late)
            for video in late:
                commit(run_id, video, "NVDA", price_at_mention=old)
            for _ in range(2):
                price_channel(channel_id)

        assert lines_of(channel_id, "restated") == [
            "NVDA split 10:1: 3 prices restated.",
            "NVDA prices checked against its closes: 1 price restated.",
            "NVDA prices checked against its closes: 2 prices restated.",
        ]

    def test_is_seen_by_readers_that_cannot_miss_what_was_written_just_before(
        self, world: World, dispatched: RecordingDispatcher, stale_reads: list[dict[str, Any]]
    ) -> None:
        """An older header or video would leave its calls in old shares."""
        (channel_id,) = with_a_split_to_come(world, dispatched)
        after_a_split(world, "NVDA", 10.0)
        stale_reads.clear()

        update_series(["NVDA"])
        of_update = [keys_read(read) for read in stale_reads]
        stale_reads.clear()
        price_channel(channel_id)

        # The name and the price of a stock decide nothing.
        assert of_update == [{"NVDA"}]
        prices = tables.series_pk("NVDA")
        assert sum(prices in keys_read(read) for read in stale_reads) == 2, "one before and one with the closes"

    def test_a_call_in_old_shares_whose_run_was_cancelled_is_found_by_the_next_check(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        (other,) = with_a_split_to_come(world, dispatched)
        old = prices_in(other)[0]
        after_a_split(world, "NVDA", 10.0)
        update_series(["NVDA"])
        channel_id = a_channel_that_mentions("NVDA", price_at_mention=old)
        make_due("NVDA")

        update_series(["NVDA"])

        assert prices_in(channel_id) == approximately([old], 10.0)

    def test_a_run_that_ends_during_a_restatement_leaves_the_line_to_it(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        (channel_id,) = with_a_split_to_come(world, dispatched)
        after_a_split(world, "NVDA", 10.0)
        with pytest.raises(Crash), crash_at_write(3, "before-call"):
            update_series(["NVDA"])
        assert header_of("NVDA").restating == "split 10:1"

        price_channel(channel_id)
        assert lines_of(channel_id, "restated") == []
        update_series(["NVDA"])

        assert lines_of(channel_id, "restated") == ["NVDA split 10:1: 3 prices restated."]

    def test_a_channel_deleted_meanwhile_stays_deleted(self, world: World, dispatched: RecordingDispatcher) -> None:
        gone, kept = with_a_split_to_come(world, dispatched, channels=2)
        after_a_split(world, "NVDA", 10.0)
        set_prices = store_call_prices.set_prices

        def delete_first(channel_id: str, *rest: Any) -> Any:
            if channel_id == gone:
                delete_channel(gone)
            return set_prices(channel_id, *rest)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(call_prices, "set_prices", delete_first)
            update_series(["NVDA"])

        assert not [key for key in everything() if gone in key]
        assert lines_of(kept, "restated") == ["NVDA split 10:1: 3 prices restated."]

    def test_of_workers_at_once_each_channel_gets_one_line(
        self,
        concurrent_tables: str,
        world: World,
        dispatched: RecordingDispatcher,
        in_threads: Callable[[int, Callable[[int], object]], list[object]],
    ) -> None:
        channels = with_a_split_to_come(world, dispatched, channels=3)
        after_a_split(world, "NVDA", 10.0)
        with pytest.raises(Crash), crash_at_write(3, "before-call"):
            update_series(["NVDA"])

        assert in_threads(4, lambda _: update_series(["NVDA"])) == [None] * 4

        for channel_id in channels:
            assert lines_of(channel_id, "restated") == ["NVDA split 10:1: 3 prices restated."]

    def test_the_current_price_is_in_the_same_shares(self, world: World, dispatched: RecordingDispatcher) -> None:
        with_a_split_to_come(world, dispatched)
        after_a_split(world, "NVDA", 10.0)

        update_series(["NVDA"])

        stock = stock_by_ticker("NVDA")
        assert stock and stock.last_price == world.prices.known["NVDA"][-1].price
        assert stock.price_as_of == world.prices.last_day.isoformat()

    def test_stored_while_a_run_prices_its_channel_is_not_undone_by_it(
        self, world: World, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (channel_id,) = with_a_split_to_come(world, dispatched)
        before = prices_in(channel_id)
        read = headers_and_series_of

        def read_before_the_split(*asked: Any) -> Any:
            monkeypatch.setattr(call_prices, "headers_and_series_of", read)
            stored = read(*asked)
            after_a_split(world, "NVDA", 10.0)
            update_series(["NVDA"])
            assert prices_in(channel_id) == approximately(before, 10.0)
            return stored

        monkeypatch.setattr(call_prices, "headers_and_series_of", read_before_the_split)
        price_channel(channel_id)

        assert prices_in(channel_id) == approximately(before, 10.0)
        assert len(lines_of(channel_id, "NVDA split 10:1: 3 prices restated.")) == 1


class TestACheckThatFindsNothing:
    @pytest.fixture
    def scored(self, world: World, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
        """The channels that each job has scored."""
        scored: list[set[str]] = []
        monkeypatch.setattr(series_updates, "prices_changed", lambda channels: scored.append(set(channels)))
        return scored

    @pytest.mark.parametrize("ticker", ["NVDA", "^GSPC"])
    def test_scores_nothing_and_waits_longer(
        self, world: World, dispatched: RecordingDispatcher, scored: list[set[str]], ticker: str
    ) -> None:
        channel_id = a_channel_that_mentions("NVDA")
        fetched(channel_id, dispatched)
        assert {channel_id} in scored
        scored.clear()
        make_due(ticker)

        update_series([ticker])

        assert scored == [set()]
        header = header_of(ticker)
        assert (header.misses, header.restating) == (1, None)
        assert header.next_check_at and header.next_check_at > now()

    def test_scores_the_channel_whose_call_it_filled(
        self, world: World, dispatched: RecordingDispatcher, scored: list[set[str]]
    ) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        waiting = a_channel_that_mentions("NVDA")
        scored.clear()
        make_due("NVDA")

        update_series(["NVDA"])

        assert scored == [{waiting}]

    def test_scores_all_that_mention_it_once_its_problem_is_over(
        self, world: World, dispatched: RecordingDispatcher, scored: list[set[str]]
    ) -> None:
        channel_id = a_channel_that_mentions("NVDA")
        fetched(channel_id, dispatched)
        save_header(replace(header_of("NVDA"), problem=PriceProblem.BLOCKED))
        scored.clear()
        make_due("NVDA")

        update_series(["NVDA"])

        assert scored == [{channel_id}]


class TestACorrection:
    def test_of_one_close_restates_its_calls_in_words_of_its_own(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        world.prices.known["NVDA"] = closes(date(2023, 1, 2), BUY_DAY + timedelta(4), 1000.0)
        world.prices.last_day = BUY_DAY + timedelta(4)
        channel_id = a_channel_that_mentions("NVDA", videos=3)
        fetched(channel_id, dispatched)
        first, *others = prices_in(channel_id)
        assert first
        world.prices.known["NVDA"] = [
            Close(close.day, first * 1.01) if close.day == BUY_DAY else close for close in world.prices.known["NVDA"]
        ]
        make_due("NVDA")

        update_series(["NVDA"])

        assert prices_in(channel_id) == [pytest.approx(first * 1.01, rel=1e-6), *others]
        assert lines_of(channel_id, "restated") == ["NVDA closes corrected by the source: 1 price restated."]

    def test_a_spin_off_is_a_correction_and_no_split(self, world: World, dispatched: RecordingDispatcher) -> None:
        (channel_id,) = with_a_split_to_come(world, dispatched)
        before = prices_in(channel_id)
        world.prices.known["NVDA"] = divided(world.prices.known["NVDA"], 1.083)

        update_series(["NVDA"])

        assert prices_in(channel_id) == approximately(before, 1.083)
        assert lines_of(channel_id, "restated") == ["NVDA closes corrected by the source: 3 prices restated."]


class TestDataFromBeforeTheSeries:
    def test_is_priced_again_with_a_line(self, world: World, dispatched: RecordingDispatcher) -> None:
        world.prices.known["AMZN"] = closes(date(2023, 1, 2), world.prices.last_day, 94.9)
        channel_id = a_channel_that_mentions("AMZN", price_at_mention=1898.01)

        fetched(channel_id, dispatched)

        assert prices_in(channel_id, "AMZN") == [
            close.price for close in world.prices.known["AMZN"] if close.day == BUY_DAY
        ]
        assert lines_of(channel_id, "restated") == ["AMZN prices checked against its closes: 1 price restated."]

    def test_keeps_its_prices_while_the_source_says_nothing(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        world.prices.unknown = {"AMZN"}
        channel_id = a_channel_that_mentions("AMZN", price_at_mention=1898.01)

        fetched(channel_id, dispatched)

        assert prices_in(channel_id, "AMZN") == [1898.01]

    def test_keeps_its_price_at_each_pricing_though_no_list_of_shares_has_the_ticker(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        channel_id = a_channel_that_mentions("NOSUCH", "NVDA", price_at_mention=12.5)

        for _ in range(3):
            fetched(channel_id, dispatched)

        assert (prices_in(channel_id, "NOSUCH"), prices_in(channel_id)) == ([12.5], [100.0])
        assert lines_of(channel_id, "NOSUCH") == []

    def test_keeps_its_price_from_before_the_closes_of_a_ticker_that_the_source_has_forgotten(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        world.prices.unknown.add("NVDA")
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        commit(run_id, replace(video, published_at="2022-03-01"), "NVDA", "KO", price_at_mention=12.5)

        for _ in range(3):
            fetched(channel.id, dispatched)
            make_due("NVDA")
            update_series(["NVDA"])

        assert (prices_in(channel.id), prices_in(channel.id, "KO")) == ([12.5], [100.0])
        assert header_of("NVDA").problem == PriceProblem.DELISTED


class TestASourceThatFails:
    def test_and_names_the_time_to_wait_is_asked_no_sooner(self, world: World, dispatched: RecordingDispatcher) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        checks: list[str] = []
        for seconds in (3600, None, 3600, 7200):
            world.prices.before_closes = failing_with(Throttled("Yahoo asks us to wait.", seconds))
            make_due("NVDA")
            update_series(["NVDA"])
            checks.append(str(header_of("NVDA").next_check_at))
        world.prices.requested.clear()

        check_all_series()
        do_all(dispatched)

        assert checks[0] > seconds_from_now(3500)
        assert checks[1] < seconds_from_now(600), "it names no time, so the growing pauses begin"
        assert checks[2] > seconds_from_now(3500)
        assert checks[3] > seconds_from_now(7100)
        assert "NVDA" not in dict(world.prices.requested)

    def test_for_long_leaves_no_pause_behind_once_it_responds(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        misses: list[int] = []
        for problem in (None, *[Blocked("Yahoo blocks us.")] * 6, None, None, Blocked("Yahoo blocks us."), None):
            world.prices.before_closes = failing_with(problem)
            make_due("NVDA")
            update_series(["NVDA"])
            misses.append(header_of("NVDA").misses)
        half_an_hour = str(header_of("NVDA").next_check_at)
        world.prices.last_day += timedelta(4)
        make_due("NVDA")
        update_series(["NVDA"])

        assert misses == [1, 1, 2, 3, 4, 5, 6, 1, 2, 1, 1]
        assert half_an_hour < seconds_from_now(30 * 60)
        assert (header_of("NVDA").misses, header_of("NVDA").problem) == (0, None)

    @pytest.mark.parametrize(
        ("fault", "problem"),
        [
            (Blocked("Yahoo blocks us."), PriceProblem.BLOCKED),
            (QuotaUsedUp("Tiingo's quota is used up."), PriceProblem.QUOTA_USED_UP),
            (Unavailable("Yahoo did not respond."), PriceProblem.UNAVAILABLE),
            (KeyError("chart"), PriceProblem.UNAVAILABLE),
        ],
    )
    def test_leaves_what_is_stored_and_says_why(
        self, world: World, dispatched: RecordingDispatcher, fault: Exception, problem: PriceProblem
    ) -> None:
        channel_id = a_channel_that_mentions("NVDA")
        fetched(channel_id, dispatched)
        before = whole_series_of("NVDA")[1], prices_in(channel_id)
        make_due("NVDA")

        def fail(ticker: str) -> None:
            raise fault

        world.prices.before_closes = fail
        update_series(["NVDA"])

        header, series = whole_series_of("NVDA")
        assert header and (header.problem, header.misses) == (problem, 1)
        assert header.next_check_at and header.next_check_at > now()
        assert (series, prices_in(channel_id)) == before
        stock = stock_by_ticker("NVDA")
        assert stock and stock.price_problem == problem

    def test_is_asked_after_growing_pauses_for_a_series_that_it_never_had(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        world.prices.unknown.add("NVDA")
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        first = header_of("NVDA")

        make_due("NVDA")
        update_series(["NVDA"])

        second = header_of("NVDA")
        assert (first.problem, first.misses, second.misses) == (PriceProblem.NOT_AT_SOURCE, 1, 2)
        assert seconds_from_now(15 * 60) < str(first.next_check_at) < str(second.next_check_at)

    def test_is_asked_after_growing_pauses_for_a_share_that_stopped_trading(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        world.prices.known["NVDA"] = closes(date(2024, 1, 1), date(2024, 5, 1), 100.0)
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        misses = []
        for _ in range(4):
            make_due("NVDA")
            update_series(["NVDA"])
            misses.append(header_of("NVDA").misses)

        assert header_of("NVDA").problem == PriceProblem.NO_TRADING
        assert misses == [1, 2, 3, 4]
        assert str(header_of("NVDA").next_check_at) > seconds_from_now(3 * 60 * 60)

    def test_that_knows_a_ticker_no_more_has_delisted_it(self, world: World, dispatched: RecordingDispatcher) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        world.prices.unknown.add("NVDA")
        make_due("NVDA")

        update_series(["NVDA"])

        stock = stock_by_ticker("NVDA")
        assert stock and stock.price_problem == PriceProblem.DELISTED
        assert header_of("NVDA").problem == PriceProblem.DELISTED

    def test_an_unexpected_error_in_one_ticker_stops_no_other(
        self, world: World, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        channel_id = a_channel_that_mentions("NVDA", "KO")
        price_channel(channel_id)

        def fail_for_one(ticker: str) -> Any:
            if ticker == "NVDA":
                raise KeyError("calls")
            return price_ticker(ticker)

        monkeypatch.setattr(series_updates, "price_ticker", fail_for_one)
        with pytest.raises(KeyError, match="calls"):
            update_series(["NVDA", "KO"])

        assert (prices_in(channel_id), prices_in(channel_id, "KO")) == ([None], [100.0])
        assert (header_of("NVDA").restating is None, header_of("KO").restating is None) == (False, True)

    @pytest.mark.parametrize("price", [0.0, -1.0, float("nan"), float("inf"), "12", None])
    def test_nonsense_changes_nothing_stored_and_is_named(
        self,
        world: World,
        dispatched: RecordingDispatcher,
        price: Any,
        log_lines: Callable[[], list[dict[str, Any]]],
    ) -> None:
        channel_id = a_channel_that_mentions("NVDA")
        fetched(channel_id, dispatched)
        before = whole_series_of("NVDA")[1], prices_in(channel_id)
        make_due("NVDA")
        world.prices.known["NVDA"] = [Close(world.prices.last_day, price)]

        update_series(["NVDA"])

        header, series = whole_series_of("NVDA")
        assert header and header.problem == PriceProblem.NONSENSE
        assert (series, prices_in(channel_id)) == before
        (line,) = [line for line in log_lines() if MISSED_PRICES.finds(line)]
        assert (line["ticker"], line["problem"]) == ("NVDA", "nonsense")
        assert "2024-06-28" in line["reason"]

    def test_that_lost_the_older_closes_changes_nothing_stored(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        (channel_id,) = with_a_split_to_come(world, dispatched)
        before = prices_in(channel_id)
        world.prices.known["NVDA"] = divided(closes(date(2024, 5, 28), world.prices.last_day, 1000.0), 10)

        update_series(["NVDA"])

        assert prices_in(channel_id) == before
        assert header_of("NVDA").problem == PriceProblem.NONSENSE

    def test_is_asked_again_by_the_clock_and_the_prices_follow(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        channel_id = a_channel_that_mentions("NVDA")

        def fail(ticker: str) -> None:
            raise Blocked("Yahoo blocks us.")

        world.prices.before_closes = fail
        fetched(channel_id, dispatched)
        assert prices_in(channel_id) == [None]
        world.prices.before_closes = lambda _: None
        make_due("NVDA")

        check_all_series()
        do_all(dispatched)

        assert prices_in(channel_id) == [100.0]
        stock = stock_by_ticker("NVDA")
        assert stock and stock.price_problem is None


def test_a_program_started_without_its_settings_does_not_replace_what_a_live_source_gave(
    world: World, dispatched: RecordingDispatcher
) -> None:
    channel_id = a_channel_that_mentions("NVDA")
    fetched(channel_id, dispatched)
    save_header(replace(header_of("NVDA"), source="Yahoo", next_check_at=seconds_from_now(-1)))
    world.prices.requested.clear()

    update_series(["NVDA"])

    assert world.prices.requested == []


class TestTheClock:
    def test_sends_what_is_due_the_longest_overdue_first(self, world: World, dispatched: RecordingDispatcher) -> None:
        for number, ticker in enumerate(("NVDA", "KO", "AAPL")):
            request_series([ticker], BUY_DAY)
            save_header(replace(header_of(ticker), next_check_at=seconds_from_now(-100 + number)))
        request_series(["MSFT"], BUY_DAY)
        save_header(replace(header_of("MSFT"), next_check_at=seconds_from_now(100)))
        dispatched.jobs.clear()

        due, _ = check_all_series()
        put_entities([Watchlist("ann", 1, ("MSFT", "AAPL"))])
        with_one_watched, _ = check_all_series()

        assert due == ["NVDA", "KO", "AAPL"]
        assert with_one_watched == ["AAPL", "NVDA", "KO"]
        assert dispatched.jobs == [UpdateSeries(tuple(due)), UpdateSeries(tuple(with_one_watched))]

    def test_finds_a_series_whose_message_was_lost(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_mentions("NVDA")
        price_channel(channel_id)
        dispatched.jobs.clear()

        check_all_series()
        do_all(dispatched)

        assert prices_in(channel_id) == [100.0]

    def test_counts_series_that_lack_the_newest_close_but_not_those_known_to_have_none(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        behind: dict[str, dict[str, Any]] = {
            "NVDA": {"last_day": "2024-06-28", "as_of": "2024-06-28T21:00:00.000Z"},
            "KO": {"last_day": "2024-06-27", "as_of": "2024-06-27T21:00:00.000Z"},
            "PEP": {"problem": PriceProblem.BLOCKED},
            "WMT": {"last_day": "2024-06-20", "as_of": "2024-06-29T12:00:00.000Z"},
            "META": {"problem": PriceProblem.DELISTED},
        }
        for ticker, facts in behind.items():
            request_series([ticker], BUY_DAY)
            save_header(replace(header_of(ticker), **facts))

        _, found = check_all_series()

        assert sorted(found) == ["KO", "PEP"]

    def test_counts_every_series_while_no_source_responds(self, world: World, dispatched: RecordingDispatcher) -> None:
        weeks_ago = seconds_from_now(-14 * 24 * 60 * 60)
        for ticker, as_of in {"NVDA": weeks_ago, "KO": weeks_ago, "PEP": now()}.items():
            request_series([ticker], BUY_DAY)
            save_header(replace(header_of(ticker), last_day=weeks_ago[:10], as_of=as_of))

        assert check_all_series()[1] == []
        world.prices.last_day = datetime.now(UTC).date()

        assert sorted(check_all_series()[1]) == ["KO", "NVDA"]

    def test_reports_how_many_are_behind(
        self, world: World, dispatched: RecordingDispatcher, capsys: pytest.CaptureFixture[str]
    ) -> None:
        update_prices.handler({}, None)

        written = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"_aws"' in line]
        assert [line[SERIES_BEHIND] for line in written] == [[0.0]]


class TestACallThatWaitsForItsClose:
    def test_is_filled_in_by_the_check_after_it(self, world: World, dispatched: RecordingDispatcher) -> None:
        fetched(a_channel_that_mentions("NVDA"), dispatched)
        save_header(replace(header_of("NVDA"), as_of="2024-06-28T21:00:00.000Z"))
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        commit(run_id, replace(video, published_at="2024-07-01"), "NVDA", price_at_mention=None)
        prices = price_channel(channel.id)
        assert prices.unpriced == {PriceProblem.AWAITING_CLOSE: {"NVDA": 1}}
        assert not prices.fetching
        world.prices.last_day = date(2024, 7, 1)
        make_due("NVDA")

        update_series(["NVDA"])

        assert prices_in(channel.id) == [100.0]


def test_a_read_of_many_calls_makes_as_many_requests_as_one_of_few(
    world: World, dispatched: RecordingDispatcher, requests_made: Counter[str]
) -> None:
    few, many = a_channel_that_mentions("NVDA", videos=2), a_channel_that_mentions("NVDA", videos=40)
    for channel_id in (few, many):
        fetched(channel_id, dispatched)
    made = []
    for channel_id in (few, many):
        requests_made.clear()
        price_channel(channel_id)
        made.append(dict(requests_made))

    assert made[0] == made[1]


def test_at_a_start_only_what_a_dead_worker_left_unfinished_is_due(
    world: World, dispatched: RecordingDispatcher
) -> None:
    fetched(a_channel_that_mentions("KO"), dispatched)
    checked = header_of("KO")
    request_series(["NVDA"], BUY_DAY)
    save_header(replace(header_of("NVDA"), next_check_at=seconds_from_now(CLAIM_SECONDS)))

    resume_updates()

    assert (header_of("NVDA").next_check_at or "") <= now()
    assert header_of("KO") == checked


def test_a_check_that_a_wrong_clock_put_off_for_a_year_is_due(world: World, dispatched: RecordingDispatcher) -> None:
    fetched(a_channel_that_mentions("KO"), dispatched)
    save_header(replace(header_of("KO"), next_check_at=seconds_from_now(365 * 86_400)))

    resume_updates()

    assert (header_of("KO").next_check_at or "") <= now()


@pytest.mark.parametrize(
    ("ticker", "problem"), [("RIDE", PriceProblem.DEPARTED), ("NOSUCH", PriceProblem.UNKNOWN_TICKER)]
)
def test_a_share_that_has_left_or_that_no_list_has_is_unpriced_and_says_why(
    world: World,
    dispatched: RecordingDispatcher,
    monkeypatch: pytest.MonkeyPatch,
    ticker: str,
    problem: PriceProblem,
) -> None:
    prices = CurrentPrices(world.prices, besides={selection.benchmark().ticker})
    monkeypatch.setattr(selection, "prices", lambda: prices)
    channel_id = a_channel_that_mentions(ticker, "NVDA", videos=2)

    fetched(channel_id, dispatched)

    assert price_channel(channel_id).unpriced == {problem: {ticker: 2}}
    assert prices_in(channel_id, ticker) == [None, None]
    assert count_unpriced_calls(channel_id) == 2
