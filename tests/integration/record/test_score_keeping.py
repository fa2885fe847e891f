"""The stored score of a channel: made once per change, never older than the channel, never replaced by older."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from functions.record.models.records import Channel, LogLevel
from functions.record.models.records import ChannelStatus as Status
from functions.record.pipeline import keep_score as score_keeping
from functions.record.pipeline import update_prices
from functions.record.pipeline.keep_score import keep_score, request_due_scores
from functions.record.prices import refresh as price_keeping
from functions.record.prices.series import update_series
from functions.record.runs.processing import finish_run
from functions.record.score_requests import request_scores, request_scores_of_stocks
from functions.record.scores import backtests
from functions.record.scores import kept as scores
from functions.record.scores.backtests import backtest_of_channel, calls_of, calls_of_rows, rows_of
from functions.record.scoring.types import Horizon, Strategy
from functions.record.stocks.track_record import stocks_of_channel
from functions.record.store import channels, runs
from functions.record.store.channels import channel_by_id, delete_channel
from functions.record.store.price_series import headers_of, save_header, want_series
from functions.record.store.scorecards import (
    all_standings,
    kept_calls_of_channel,
    mark_changed,
    save_score,
    scorecard_of_channel,
    stocks_list_of_channel,
)
from functions.record.store.stocks import set_stock_price
from functions.record.store.videos import videos_of_channel
from functions.runtime.dispatch import ScoreChannel, job_to_message
from functions.runtime.dynamodb.tables import BY_TAG
from functions.runtime.provider_errors import QuotaUsedUp
from functions.runtime.settings import settings
from functions.service.pipeline import run_jobs
from tests.builders import a_video, commit
from tests.fakes import RecordingDispatcher, World
from tests.markets import rising, store_benchmark, store_closes
from tests.partitions import partition
from tests.seeds import a_finished_channel

InThreads = Callable[[int, Callable[[int], object]], list[object]]
KEPT = {"SCORECARD", "STANDING", "STOCKS", "CALLS", "REVIEW_QUEUE"}


@pytest.fixture(autouse=True)
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingDispatcher]:
    store_benchmark()
    store_closes("AAPL", rising)
    yield RecordingDispatcher().install(monkeypatch)


@pytest.fixture
def channel() -> Channel:
    return a_finished_channel([("2024-03-01", ("AAPL", "MSFT")), ("2024-03-04", ("AAPL",))])


def present(channel: Channel) -> Channel:
    found = channel_by_id(channel.id, consistent=True)
    assert found
    return found


def kept_items(channel: Channel) -> set[str]:
    return KEPT & partition(f"CHANNEL#{channel.id}").keys()


def at(horizon: Horizon, document: dict[str, object]) -> dict[str, object]:
    horizons = document["horizons"]
    assert isinstance(horizons, list)
    return next(score for score in horizons if score["horizon"] == horizon)


class TestScoring:
    def test_stores_the_scorecard_its_line_on_the_leaderboard_the_stocks_and_the_calls(self, channel: Channel) -> None:
        assert keep_score(channel.id)

        document = scores.scorecard(channel.id)
        quarter = at(Horizon.QUARTER, document)
        assert kept_items(channel) == KEPT
        assert (quarter["calls"], quarter["unpriced"], quarter["beat_rate"]) == (2, 1, 1.0)
        assert document["as_of"] == "2025-06-30"
        assert document["reason"] is None
        assert [call["ticker"] for call in quarter["best"]] == ["AAPL"]  # type: ignore[attr-defined]
        assert [standing.channel_id for standing in all_standings()] == [channel.id]

    def test_reads_all_that_a_change_may_have_written_just_before(
        self, channel: Channel, requests_sent: list[dict[str, Any]]
    ) -> None:
        keep_score(channel.id)

        batches = [table for sent in requests_sent for table in sent.get("RequestItems", {}).values()]
        reads = [*batches, *(sent for sent in requests_sent if "Key" in sent or "KeyConditionExpression" in sent)]
        assert len(batches) > 1
        # An index, such as that of news, has no consistent reads.
        assert all(read.get("ConsistentRead") or read.get("IndexName") == BY_TAG.name for read in reads)

    def test_is_done_once_for_each_change(self, channel: Channel, requests_made: Counter[str]) -> None:
        keep_score(channel.id)
        first = scores.scorecard(channel.id)
        requests_made.clear()

        assert not keep_score(channel.id)

        assert requests_made == {"GetItem": 1}
        assert scores.scorecard(channel.id) == first

    def test_twice_gives_the_same(self, channel: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(score_keeping, "now", lambda: "2025-07-01T00:00:00.000Z")
        keep_score(channel.id)
        before = {
            key: item for key, item in partition(f"CHANNEL#{channel.id}").items() if key in KEPT - {"STOCKS", "CALLS"}
        }
        mark_changed(channel.id)

        keep_score(channel.id)

        after = partition(f"CHANNEL#{channel.id}")
        assert {key: after[key] for key in before} == before

    def test_without_closes_of_the_benchmark_says_why_there_are_no_figures(
        self, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PRICES_PROVIDER", "yahoo")
        settings.cache_clear()

        keep_score(channel.id)

        document = scores.scorecard(channel.id)
        assert document["reason"] == "The closes of the S&P 500 have not been fetched yet."
        assert document["benchmark"] == {"ticker": "SPY", "name": "S&P 500", "with_dividends": True}
        assert {score["calls"] for score in document["horizons"]} == {0}

    def test_leaves_a_channel_alone_that_has_a_run_under_way_is_being_deleted_or_is_gone(
        self, channel: Channel
    ) -> None:
        runs.claim_run(channel.id, "run")

        assert not keep_score(channel.id)
        assert not keep_score("00000000-0000-4000-8000-000000000000")
        assert kept_items(channel) == set()

    def test_is_done_again_when_the_channel_changes_meanwhile(
        self, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        prices = iter([110.0, 120.0])

        def change_after_reading(channel_id: str, **options: bool) -> object:
            videos = videos_of_channel(channel_id, **options)
            for price in prices:
                set_stock_price("AAPL", price, f"2025-07-01T00:00:0{int(price) // 100}.000Z")
                mark_changed(channel_id)
                break
            return videos

        monkeypatch.setattr(score_keeping, "videos_of_channel", change_after_reading)

        assert keep_score(channel.id)

        assert present(channel).revision == 3
        kept = stocks_list_of_channel(channel.id)
        assert kept and kept.revision == 3
        assert stocks_of_channel(channel.id).stocks[0].current_price == 120.0

    def test_by_many_at_once_ends_at_the_newest_revision(
        self, concurrent_tables: str, channel: Channel, in_threads: InThreads
    ) -> None:
        def change_and_score(number: int) -> object:
            mark_changed(channel.id)
            return keep_score(channel.id)

        outcomes = in_threads(6, change_and_score)
        keep_score(channel.id)

        newest = present(channel)
        kept, calls = stocks_list_of_channel(channel.id), kept_calls_of_channel(channel.id)
        assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        assert kept and calls
        assert (kept.revision, calls.revision) == (newest.revision, newest.revision)
        assert newest.scored == scores.scored_as(newest)

    def test_an_older_score_is_not_stored(self, channel: Channel) -> None:
        before = present(channel)
        mark_changed(channel.id)

        assert not save_score(before, scores.scored_as(before), [])
        assert present(channel).scored is None

    def test_of_a_channel_whose_delete_died_half_way_is_not_on_the_leaderboard(
        self, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def die(_: str) -> None:
            raise RuntimeError("killed")

        keep_score(channel.id)
        monkeypatch.setattr(channels, "_keys", die)
        with pytest.raises(RuntimeError, match="killed"):
            delete_channel(channel.id)

        assert all_standings() == []

    def test_of_a_deleted_channel_nothing_is_left(self, channel: Channel) -> None:
        keep_score(channel.id)

        delete_channel(channel.id)

        assert partition(f"CHANNEL#{channel.id}") == {}
        assert all_standings() == []
        assert scorecard_of_channel(channel.id) is None


class TestRequests:
    def test_the_end_of_a_run_makes_what_is_kept_old(self, channel: Channel) -> None:
        keep_score(channel.id)
        runs.claim_run(channel.id, "run")
        runs.begin_run(channel.id, "run", "Started")
        runs.add_videos(channel.id, "run", [a_video(channel.id, "video000009", published_at="2024-04-01")])
        commit("run", a_video(channel.id, "video000009", published_at="2024-04-01"), "AAPL")

        during = stocks_of_channel(channel.id).stocks[0].total_mentions
        runs.finish_run(channel.id, "run", Status.COMPLETED, LogLevel.INFO, "Finished")
        after = stocks_of_channel(channel.id).stocks[0].total_mentions

        assert (during, after) == (3, 3)
        assert request_due_scores() == [channel.id]

    def test_a_job_is_sent_for_a_channel_whose_score_was_up_to_date_and_once(
        self, channel: Channel, dispatched: RecordingDispatcher
    ) -> None:
        keep_score(channel.id)

        request_scores([channel.id, channel.id])
        request_scores([channel.id, "00000000-0000-4000-8000-000000000000"])

        assert dispatched.jobs == [ScoreChannel(channel.id)]

    def test_the_clock_finds_what_was_never_scored_or_whose_job_was_lost(
        self, channel: Channel, dispatched: RecordingDispatcher
    ) -> None:
        never = request_due_scores()
        keep_score(channel.id)
        up_to_date = request_due_scores()
        mark_changed(channel.id)
        lost = request_due_scores()

        assert (never, up_to_date, lost) == ([channel.id], [], [channel.id])
        assert dispatched.jobs == [ScoreChannel(channel.id)] * 2

    def test_the_clock_finds_what_was_kept_by_another_version(
        self, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep_score(channel.id)
        monkeypatch.setattr(scores, "version", lambda: "2.0")

        assert request_due_scores() == [channel.id]
        assert scores.scorecard(channel.id)["reason"] == "This channel has not been scored yet."

    def test_the_queue_does_the_job(self, channel: Channel) -> None:
        record = {"messageId": "m", "body": job_to_message(ScoreChannel(channel.id)), "attributes": {}}

        assert run_jobs.handler({"Records": [record]}, None) == {"batchItemFailures": []}

        assert kept_items(channel) == KEPT


class TestWhatChangesPrices:
    """Each of them leaves no kept list that is older than the prices."""

    @pytest.fixture
    def world(self, tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
        return World().install(monkeypatch)

    @pytest.fixture
    def other(self, channel: Channel) -> Channel:
        """Mentions AAPL as well. Both are scored."""
        other = a_finished_channel()
        for each in (channel, other):
            keep_score(each.id)
        return other

    def test_the_end_of_a_run_asks_for_the_score(
        self, world: World, channel: Channel, dispatched: RecordingDispatcher
    ) -> None:
        runs.claim_run(channel.id, "run")
        runs.begin_run(channel.id, "run", "Started")

        finish_run(channel.id, "run")

        assert dispatched.jobs == [ScoreChannel(channel.id)]
        assert keep_score(channel.id)

    def test_a_refreshed_price_is_in_the_lists_of_all_channels_that_mention_it(
        self, world: World, channel: Channel, other: Channel, dispatched: RecordingDispatcher
    ) -> None:
        refreshed = price_keeping.refresh_prices(channel.id).prices["AAPL"]
        own = stocks_of_channel(channel.id).stocks[0].current_price
        do_all(dispatched)

        others = stocks_of_channel(other.id).stocks[0].current_price
        assert (own, others) == (refreshed, refreshed)
        assert present(other).scored == scores.scored_as(present(other))

    def test_late_news_ask_for_the_scores_of_channels_that_spoke_in_the_days_after_alone(
        self, world: World, channel: Channel, other: Channel, dispatched: RecordingDispatcher
    ) -> None:
        spoken = {video.published_at for video in videos_of_channel(channel.id) if video.calls}
        first, last = min(spoken), max(spoken)

        request_scores_of_stocks(["AAPL"], ("2000-01-01", "2000-01-08"))
        before = list(dispatched.jobs)
        request_scores_of_stocks(["AAPL"], (first, last))
        request_scores_of_stocks(["AAPL"], (last, last))

        assert before == []
        # The second request finds them marked already.
        assert sorted(job.channel_id for job in dispatched.jobs if isinstance(job, ScoreChannel)) == sorted(
            (channel.id, other.id)
        )

    def test_new_closes_are_in_the_lists_and_scores_of_all_channels_that_mention_it(
        self, world: World, channel: Channel, other: Channel, dispatched: RecordingDispatcher
    ) -> None:
        make_due("AAPL")

        update_series(["AAPL"])

        assert [stocks_of_channel(each.id).stocks[0].current_price for each in (channel, other)] == [100.0, 100.0]
        assert set(dispatched.jobs) == {ScoreChannel(channel.id), ScoreChannel(other.id)}

    def test_new_closes_of_the_benchmark_are_in_every_score(
        self, world: World, channel: Channel, other: Channel, dispatched: RecordingDispatcher
    ) -> None:
        make_due("^GSPC")

        update_series(["^GSPC"])

        assert set(dispatched.jobs) == {ScoreChannel(channel.id), ScoreChannel(other.id)}

    def test_a_price_that_can_no_longer_be_had_is_marked_in_the_lists(
        self, world: World, channel: Channel, other: Channel, dispatched: RecordingDispatcher
    ) -> None:
        world.prices.unknown = {"AAPL"}
        make_due("AAPL")

        update_series(["AAPL"])

        assert set(dispatched.jobs) == {ScoreChannel(channel.id), ScoreChannel(other.id)}

    def test_why_the_benchmark_has_no_closes_is_told_in_every_score(
        self,
        world: World,
        channel: Channel,
        other: Channel,
        dispatched: RecordingDispatcher,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def refuse(ticker: str) -> None:
            raise QuotaUsedUp("The quota is used up.")

        monkeypatch.setenv("PRICES_PROVIDER", "yahoo")
        settings.cache_clear()
        world.prices.before_closes = refuse
        want_series(["SPY"], date(2024, 1, 1))

        update_series(["SPY"])
        do_all(dispatched)

        reason = "The closes of the S&P 500 have not been fetched yet. The quota of the price source is used up."
        assert [scores.scorecard(each.id)["reason"] for each in (channel, other)] == [reason, reason]

    def test_the_clock_of_the_prices_sends_lost_jobs(
        self, world: World, channel: Channel, dispatched: RecordingDispatcher
    ) -> None:
        assert update_prices.handler({}, None)["scores"] == [channel.id]

        assert dispatched.jobs == [ScoreChannel(channel.id)]


def make_due(ticker: str) -> None:
    header = headers_of([ticker])[ticker]
    save_header(replace(header, next_check_at="2024-01-01T00:00:00.000Z", fetched_from=header.wanted_from))


def do_all(dispatched: RecordingDispatcher) -> None:
    """Does the jobs that were sent, and those that they send."""
    while dispatched.jobs:
        job = dispatched.jobs.pop(0)
        record = {"messageId": "m", "body": job_to_message(job), "attributes": {"ApproximateReceiveCount": "1"}}
        assert run_jobs.handler({"Records": [record]}, None) == {"batchItemFailures": []}


class TestStocks:
    def test_at_rest_take_two_requests_and_are_what_the_videos_say(
        self, channel: Channel, requests_made: Counter[str]
    ) -> None:
        set_stock_price("AAPL", 202.5, "2025-01-01T00:00:00.000Z", as_of=date(2025, 1, 1))
        computed = stocks_of_channel(channel.id)
        keep_score(channel.id)
        requests_made.clear()

        kept = stocks_of_channel(channel.id)

        assert requests_made == {"GetItem": 2}
        assert kept == computed

    def test_are_not_old_after_prices_have_changed(self, channel: Channel) -> None:
        keep_score(channel.id)
        set_stock_price("AAPL", 300.0, "2025-07-01T00:00:00.000Z")
        request_scores([channel.id])

        before_the_job = stocks_of_channel(channel.id).stocks[0].current_price
        keep_score(channel.id)

        assert (before_the_job, stocks_of_channel(channel.id).stocks[0].current_price) == (300.0, 300.0)

    def test_too_many_for_an_item_are_read_from_the_videos(
        self, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(score_keeping, "MAX_PACKED_CHARACTERS", 10)
        keep_score(channel.id)

        kept = stocks_list_of_channel(channel.id)
        assert kept and kept.content is None
        assert [stock.ticker for stock in stocks_of_channel(channel.id).stocks] == ["AAPL", "MSFT"]

    def test_kept_in_another_layout_are_read_from_the_videos(
        self, channel: Channel, monkeypatch: pytest.MonkeyPatch, requests_made: Counter[str]
    ) -> None:
        keep_score(channel.id)
        monkeypatch.setattr("functions.record.stocks.track_record.stocks_layout", lambda: "another")
        requests_made.clear()

        assert [stock.ticker for stock in stocks_of_channel(channel.id).stocks] == ["AAPL", "MSFT"]
        assert requests_made["Query"] == 1


@pytest.mark.parametrize(("kept_by", "queries"), [("this", 0), ("another", 1)])
def test_calls_kept_by_another_version_are_read_from_the_videos(
    channel: Channel, monkeypatch: pytest.MonkeyPatch, requests_made: Counter[str], kept_by: str, queries: int
) -> None:
    keep_score(channel.id)
    expected = backtest_of_channel(channel.id, Strategy.FOLLOW, Horizon.MONTH, 0)
    monkeypatch.setattr(backtests, "version", {"this": scores.version, "another": lambda: "another"}[kept_by])
    requests_made.clear()

    assert backtest_of_channel(channel.id, Strategy.FOLLOW, Horizon.MONTH, 0) == expected
    assert requests_made["Query"] == queries


def test_kept_calls_are_those_of_the_videos_in_the_same_order_of_ids(channel: Channel) -> None:
    calls = calls_of(videos_of_channel(channel.id))

    kept = calls_of_rows(rows_of(calls))

    def without_id(of: list[object]) -> list[tuple[object, ...]]:
        return sorted((call.published_at, call.published_time, call.ticker, call.side) for call in of)  # type: ignore[attr-defined]

    ids = {call.video_id for call in calls}
    assert without_id(list(kept)) == without_id(list(calls))
    assert len({call.video_id for call in kept}) == len(ids)
    order = [[call.published_at for call in sorted(some, key=lambda call: call.video_id)] for some in (calls, kept)]
    assert order[0] == order[1]
