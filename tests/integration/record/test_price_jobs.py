"""Prices: refreshed, filled in later, and fetched by jobs that may come twice or be no jobs at all."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from functions.record.models.series import Series
from functions.record.prices import current as prices
from functions.record.prices import refresh as price_keeping
from functions.record.sources import selection
from functions.record.store.logs import logs_of_channel
from functions.record.store.mentions import mentions_of_channel
from functions.record.store.price_series import save_header, whole_series_of
from functions.record.store.stocks import set_stock_price, stock_by_ticker, stocks_by_ticker
from functions.record.store.videos import count_unpriced_calls
from functions.runtime.clock import now, seconds_after
from functions.runtime.dispatch import BackfillPrices, Job, RefreshPrices, ScoreMentions, UpdateSeries, job_to_message
from functions.runtime.dynamodb.connection import dynamodb, stocks_table
from functions.runtime.pipeline.messages import Work
from functions.runtime.provider_errors import Unavailable
from functions.service.jobs import do_job
from functions.service.pipeline import run_jobs
from functions.steps import JOB_ATTEMPTS
from local.runner import Runner
from tests.builders import a_channel, commit, in_a_run
from tests.fakes import TODAY, Close, Gate, RecordingDispatcher, World, eventually, everything


@pytest.fixture
def world(tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    return World().install(monkeypatch)


@pytest.fixture
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)


def a_channel_that_speaks_of(*tickers: str, **changes: Any) -> str:
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    commit(run_id, video, *tickers, **changes)
    return channel.id


def records(*bodies: Any, received: int = 1) -> dict[str, Any]:
    attributes = {"ApproximateReceiveCount": str(received)}
    return {
        "Records": [
            {"messageId": f"m{number}", "body": body, "attributes": attributes} for number, body in enumerate(bodies)
        ]
    }


def failed(response: dict[str, Any]) -> list[str]:
    return [each["itemIdentifier"] for each in response["batchItemFailures"]]


class TestRefreshing:
    def test_fetches_what_is_stale_and_keeps_what_is_fresh(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_speaks_of("AAPL", "KO", "TSLA")
        set_stock_price("AAPL", 50.0, seconds_after(prices.price_timestamp(), -60), as_of=TODAY)
        set_stock_price("KO", 100.0, seconds_after(prices.price_timestamp(), -86_400), as_of=TODAY)

        refreshed = price_keeping.refresh_prices(channel_id)

        assert refreshed.prices == {"AAPL": 50.0, "KO": 120.0, "TSLA": 120.0}
        assert sorted(world.prices.quoted) == ["KO", "TSLA"]
        assert dispatched.jobs == [ScoreMentions(("KO", "TSLA"))]

    def test_twice_fetches_once(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_speaks_of("AAPL")
        first = price_keeping.refresh_prices(channel_id)

        again = price_keeping.refresh_prices(channel_id)

        assert again.prices == first.prices
        assert world.prices.quoted == ["AAPL"]

    def test_what_is_late_becomes_a_job_and_the_known_prices_come_back(
        self, world: World, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(price_keeping, "REQUEST_SECONDS", 0.2)
        gate = Gate("KO")
        world.prices.before_quote = gate
        channel_id = a_channel_that_speaks_of("AAPL", "KO")
        set_stock_price("KO", 100.0, seconds_after(prices.price_timestamp(), -86_400), as_of=TODAY)

        refreshed = price_keeping.refresh_prices(channel_id)
        gate.open()

        assert refreshed.prices == {"AAPL": 120.0, "KO": 100.0}
        assert dispatched.jobs == [RefreshPrices(("KO",)), ScoreMentions(("AAPL",))]

    @pytest.mark.parametrize("fault", [Unavailable("Yahoo asks us to slow down."), KeyError("chart")])
    def test_a_source_that_fails_makes_a_job_and_no_error(
        self, world: World, dispatched: RecordingDispatcher, fault: Exception
    ) -> None:
        def fail(ticker: str) -> None:
            raise fault

        world.prices.before_quote = fail
        channel_id = a_channel_that_speaks_of("AAPL")

        refreshed = price_keeping.refresh_prices(channel_id)

        assert refreshed.prices == {}
        assert dispatched.jobs == [RefreshPrices(("AAPL",))]

    def test_a_stock_without_a_price_is_neither_an_error_nor_a_job(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        world.prices.unknown = {"KO"}
        channel_id = a_channel_that_speaks_of("AAPL", "KO")

        refreshed = price_keeping.refresh_prices(channel_id)

        assert refreshed.prices == {"AAPL": 120.0}
        assert dispatched.jobs == [ScoreMentions(("AAPL",))]


class TestATickerThatNoListKnows:
    """It stays as a mention without a price, and no source is asked, which may know it as somebody else's."""

    def test_is_not_refreshed(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_speaks_of("AAPL", "ZZZZQ")

        assert price_keeping.refresh_prices(channel_id).prices == {"AAPL": 120.0}

        assert world.prices.quoted == ["AAPL"]
        assert dispatched.jobs == [ScoreMentions(("AAPL",))]

    def test_has_no_closes_requested(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_speaks_of("AAPL", "ZZZZQ", price_at_mention=None)

        price_keeping.backfill_mentions(channel_id)

        assert [job for job in dispatched.jobs if isinstance(job, UpdateSeries)] == [
            UpdateSeries(("AAPL", *selection.tickers_in_every_score()))
        ]
        assert whole_series_of("ZZZZQ") == (None, Series("ZZZZQ"))


class TestReadingAPrice:
    def test_writes_nothing(self, world: World) -> None:
        before = everything()

        assert prices.price_of("AAPL", from_source=True).price == 120.0

        assert everything() == before

    def test_twice_fetches_once_and_says_when(self, world: World) -> None:
        first = prices.price_of("AAPL", from_source=True)

        again = prices.price_of("AAPL", from_source=True)

        assert again == first
        assert world.prices.quoted == ["AAPL"]

    @pytest.mark.parametrize("newest", [float("nan"), float("inf"), 0.0, -1.0, None, "12"])
    def test_that_is_none_is_a_sentence(self, world: World, newest: Any) -> None:
        world.prices.newest = newest

        price = prices.price_of("AAPL", from_source=True)

        assert (price.price, price.updated_at) == (None, None)
        assert price.error == "The price source returned no usable price of AAPL."

    def test_of_a_source_that_breaks_is_a_sentence_without_its_details(self, world: World) -> None:
        def fail(ticker: str) -> None:
            raise KeyError("key=hush-hush-0123456789")

        world.prices.before_quote = fail

        assert prices.price_of("AAPL", from_source=True).error == "The price source failed unexpectedly for AAPL."


class TestAQuoteFarFromTheLastClose:
    def with_a_close_of_1000(self, world: World, dispatched: RecordingDispatcher) -> str:
        world.prices.known["NVDA"] = [Close(date(2024, 2, 29), 1000.0), Close(date(2024, 6, 28), 1000.0)]
        channel_id = a_channel_that_speaks_of("NVDA", price_at_mention=None)
        price_keeping.backfill_mentions(channel_id)
        while dispatched.jobs:
            do_job(dispatched.jobs.pop())
        long_ago = seconds_after(prices.price_timestamp(), -86_400)
        dynamodb().update_item(
            TableName=stocks_table(),
            Key={"ticker": {"S": "NVDA"}},
            UpdateExpression="SET price_updated_at = :long_ago",
            ExpressionAttributeValues={":long_ago": {"S": long_ago}},
        )
        return channel_id

    def test_is_not_stored_but_has_the_series_checked(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = self.with_a_close_of_1000(world, dispatched)
        header, _ = whole_series_of("NVDA")
        assert header
        save_header(replace(header, as_of=seconds_after(prices.price_timestamp(), -7200)))

        refreshed = price_keeping.refresh_prices(channel_id)

        assert refreshed.prices == {"NVDA": 1000.0}
        assert dispatched.jobs == [UpdateSeries(("NVDA",))]
        header, _ = whole_series_of("NVDA")
        assert header and header.next_check_at and header.next_check_at <= now()

    def test_is_believed_once_the_series_was_checked(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = self.with_a_close_of_1000(world, dispatched)

        refreshed = price_keeping.refresh_prices(channel_id)

        assert refreshed.prices == {"NVDA": 120.0}
        assert dispatched.jobs == [ScoreMentions(("NVDA",))]


class TestBackfilling:
    def test_fills_what_was_unknown_at_the_time(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_speaks_of("AAPL", "KO", price_at_mention=None)
        world.prices.known["AAPL"] = [Close(date(2024, 2, 29), 180.75), Close(date(2024, 3, 1), 179.66)]
        world.prices.unknown = {"KO"}
        assert price_keeping.request_backfill(channel_id) == price_keeping.Backfill("started", 2)

        while dispatched.jobs:
            do_job(dispatched.jobs.pop(0))

        assert {each.ticker: each.price_at_mention for each in mentions_of_channel(channel_id)} == {
            "AAPL": 179.66,
            "KO": None,
        }
        assert price_keeping.request_backfill(channel_id) == price_keeping.Backfill("started", 1)

    def test_from_stored_series_asks_for_nothing_and_is_told(
        self, world: World, dispatched: RecordingDispatcher
    ) -> None:
        for _ in range(2):
            channel_id = a_channel_that_speaks_of("AAPL", "KO", price_at_mention=None)
            price_keeping.backfill_mentions(channel_id)
            while dispatched.jobs:
                world.prices.requested.clear()
                do_job(dispatched.jobs.pop(0))
            world.prices.requested.clear()

        assert world.prices.requested == []
        assert logs_of_channel(channel_id)[-1].message == "Prices were found for 2 mentions that had none."

    def test_twice_is_once(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_speaks_of("AAPL", price_at_mention=None)
        price_keeping.backfill_mentions(channel_id)
        while dispatched.jobs:
            do_job(dispatched.jobs.pop(0))
        before = everything()

        assert price_keeping.backfill_mentions(channel_id) == 0

        assert everything() == before
        assert price_keeping.request_backfill(channel_id) == price_keeping.Backfill("complete", 0)

    def test_of_a_channel_that_is_gone_does_nothing(self, world: World) -> None:
        assert price_keeping.backfill_mentions("00000000-0000-0000-0000-000000000000") == 0
        assert everything() == {}


class TestJobsFromTheQueue:
    def test_are_done(self, world: World, dispatched: RecordingDispatcher) -> None:
        channel_id = a_channel_that_speaks_of("AAPL", price_at_mention=None)
        event = records(
            job_to_message(RefreshPrices(("KO",))),
            job_to_message(BackfillPrices(channel_id)),
            job_to_message(UpdateSeries(("AAPL",))),
        )

        assert run_jobs.handler(event, None) == {"batchItemFailures": []}

        assert stocks_by_ticker(["KO"])["KO"].last_price == 120.0
        assert count_unpriced_calls(channel_id) == 0

    def test_twice_are_done_once(self, world: World) -> None:
        event = records(job_to_message(RefreshPrices(("KO",))))
        run_jobs.handler(event, None)
        before = everything()

        assert run_jobs.handler(event, None) == {"batchItemFailures": []}

        assert everything() == before
        assert world.prices.quoted == ["KO"]

    @pytest.mark.parametrize(
        "poison",
        [
            "",
            "not json",
            "[]",
            "null",
            "{}",
            '{"kind": "DropTables"}',
            '{"kind": ["RefreshPrices"], "tickers": ["AAPL"]}',
            '{"kind": "RefreshPrices"}',
            '{"kind": "RefreshPrices", "tickers": [""]}',
            '{"kind": "BackfillPrices", "channel_id": 7}',
            '{"kind": "UpdateSeries", "tickers": "AAPL"}',
            "[" * 100_000,
            None,
        ],
    )
    def test_poison_is_handed_back_and_harms_no_other(self, world: World, poison: str | None) -> None:
        good = job_to_message(RefreshPrices(("KO",)))

        response = run_jobs.handler(records(poison, good, poison), None)

        assert failed(response) == ["m0", "m2"]
        stock = stock_by_ticker("KO")
        assert stock and stock.last_price == 120.0

    def test_what_cannot_be_fetched_now_is_handed_back(self, world: World) -> None:
        def time_out(ticker: str) -> None:
            raise Unavailable("Yahoo did not respond in time.")

        world.prices.before_quote = time_out

        response = run_jobs.handler(records(job_to_message(RefreshPrices(("AAPL", "KO")))), None)

        assert failed(response) == ["m0"]

    @pytest.mark.parametrize(("received", "level"), [(1, "WARNING"), (JOB_ATTEMPTS, "ERROR")])
    def test_only_the_last_try_of_a_transient_error_is_an_error_in_the_log(
        self, world: World, received: int, level: str, log_lines: Callable[[], list[dict[str, Any]]]
    ) -> None:
        def time_out(ticker: str) -> None:
            raise Unavailable("Yahoo did not respond in time.")

        world.prices.before_quote = time_out

        run_jobs.handler(records(job_to_message(RefreshPrices(("KO",))), received=received), None)

        (line,) = [each for each in log_lines() if each["level"] != "INFO"]
        assert (line["level"], line["exception_name"], line["message_id"]) == (level, "Unavailable", "m0")
        assert "exception" not in line

    @pytest.mark.parametrize("broken", [OSError("the engine is gone"), Unavailable("Yahoo did not respond in time.")])
    def test_the_laptop_tries_them_as_often_as_the_queue(
        self, world: World, monkeypatch: pytest.MonkeyPatch, broken: Exception
    ) -> None:
        tried = []

        def fail(job: Job) -> None:
            tried.append(job)
            raise broken

        monkeypatch.setattr(run_jobs, "WORK", {BackfillPrices: Work(fail, None)})
        waits: list[float] = []
        runner = Runner(pause=lambda seconds: bool(waits.append(seconds)))

        runner.send(BackfillPrices("c"))
        eventually(lambda: len(tried) == JOB_ATTEMPTS)
        runner.stop()

        assert tried == [BackfillPrices("c")] * JOB_ATTEMPTS
        assert len(waits) == JOB_ATTEMPTS - 1

    def test_an_engine_that_is_away_hands_the_job_back(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(**_: Any) -> None:
            raise dynamodb().exceptions.ProvisionedThroughputExceededException({}, "BatchGetItem")

        events = dynamodb().meta.events
        events.register("before-call.dynamodb.BatchGetItem", fail)
        try:
            response = run_jobs.handler(records(json.dumps({"kind": "RefreshPrices", "tickers": ["KO"]})), None)
        finally:
            events.unregister("before-call.dynamodb.BatchGetItem", fail)

        assert failed(response) == ["m0"]
