"""Delivering alerts: to whom wants them, at least once, signed, and with patience for receivers that fail."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from functions.alerts import delivery as delivering
from functions.alerts import signing_keys, webhooks
from functions.alerts.delivery import PAUSES, deliver_alerts, deliver_due, hand_over, next_digest
from functions.alerts.delivery_store import count_failing_deliveries, count_failing_deliveries_of_user, due_deliveries
from functions.alerts.pipeline import deliver_alerts as deliver_step
from functions.alerts.signing_keys import as_text, signing_key
from functions.alerts.subscription_store import save_subscription, subscription_of_user
from functions.alerts.subscriptions import try_settings
from functions.record.models.alerts import Delivery, Subscription, Way
from functions.record.models.records import Channel
from functions.record.models.watchlists import Watchlist
from functions.record.store.alerts import alerts_in_outbox
from functions.record.store.channels import create_channel, delete_channel
from functions.record.store.watchlists import save_watchlist
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.settings import settings
from functions.steps import DELIVER_ALERTS
from local.entities import put_entities
from tests.builders import a_call_told, a_channel, an_alert
from tests.crashes import Crash, crash_at_write
from tests.partitions import partition
from tests.receivers import Receiver, names_are_not_resolved, receiver

InThreads = Callable[[int, Callable[[int], object]], list[object]]
ALL_KINDS = ("calls", "reversals", "verdict", "matured")
FAR = "9999-01-01T00:00:00.000Z"


@pytest.fixture
def hook(tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    (tmp_path / "alert.key").write_text("a key of this test")
    monkeypatch.setenv("ALERT_KEY_FILE", str(tmp_path / "alert.key"))
    monkeypatch.setenv("WEBHOOK_ALLOW_PRIVATE", "true")
    settings.cache_clear()
    with receiver() as hook:
        yield hook


@pytest.fixture
def channel(tables: str) -> Channel:
    channel = a_channel("Some channel")
    create_channel(channel)
    return channel


def subscribe(hook: Receiver, user_id: str = "somebody", **wishes: Any) -> Subscription:
    wanted = {"kinds": ALL_KINDS, "webhook_url": hook.url, "version": 1, **wishes}
    subscription = Subscription(user_id, **wanted)
    assert save_subscription(subscription)
    return subscription


def stored(user_id: str = "somebody") -> Subscription:
    subscription = subscription_of_user(user_id, consistent=True)
    assert subscription
    return subscription


def deliveries_of(user_id: str = "somebody") -> list[Delivery]:
    items = partition(f"USER#{user_id}")
    return [Delivery.from_item(encode(item)) for key, item in items.items() if key.startswith("DELIVERY#")]


def make_due() -> None:
    """As if the pauses were over."""
    put_entities(replace(delivery, due_at=now()) for delivery in due_deliveries(FAR, 1000))


class TestAMessage:
    def test_is_signed_and_tells_the_alert_as_the_api_does(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook)
        alert = an_alert(channel.id)
        put_entities([alert])

        done = deliver_alerts()

        (message,) = hook.received
        assert (done.handed_over, done.delivered, done.failed) == (1, 1, 0)
        assert message.is_signed_with(as_text(signing_key("somebody", 1)))
        assert message.headers["webhook-id"] == alert.id
        assert message.content["type"] == "alert"
        (told,) = message.content["alerts"]
        assert (told["id"], told["channel_name"], told["details"]) == (alert.id, "Some channel", [a_call_told()])

    def test_is_sent_once_however_often_the_clock_comes(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook)
        put_entities([an_alert(channel.id)])

        for _ in range(3):
            deliver_alerts()

        assert len(hook.received) == 1
        assert alerts_in_outbox(10) == []
        (delivery,) = deliveries_of()
        assert delivery.ended_at
        assert delivery.expires_at
        assert stored().last_delivered_at

    def test_of_another_key_is_signed_with_that(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook, key_number=2)
        put_entities([an_alert(channel.id)])

        deliver_alerts()

        assert hook.received[0].is_signed_with(as_text(signing_key("somebody", 2)))
        assert not hook.received[0].is_signed_with(as_text(signing_key("somebody", 1)))

    def test_that_is_a_test_is_sent_at_once(self, hook: Receiver, tables: str) -> None:
        subscribe(hook)

        tried = try_settings("somebody", now())

        assert (tried.delivered, tried.problem) == (True, None)
        assert hook.received[0].content["type"] == "test"
        assert not try_settings("nobody", now()).delivered

    def test_without_a_reader_is_not_queued(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook, webhook_url=None)
        put_entities([an_alert(channel.id)])

        deliver_alerts()

        assert alerts_in_outbox(10) == []
        assert deliveries_of() == []

    def test_costs_nothing_but_three_requests_while_nothing_happens(
        self, hook: Receiver, requests_made: Counter[str]
    ) -> None:
        requests_made.clear()

        deliver_step.handler({}, None)

        assert requests_made == {"Query": 3}


class TestWhatIsWanted:
    @pytest.mark.parametrize(
        ("wishes", "tickers"),
        [
            ({}, ["AAPL", "TSLA"]),
            ({"kinds": ("reversals",)}, ["TSLA"]),
            ({"kinds": ("verdict", "matured")}, []),
            ({"channels": "watched"}, ["AAPL"]),
        ],
    )
    def test_of_calls(self, hook: Receiver, channel: Channel, wishes: dict[str, Any], tickers: list[str]) -> None:
        subscribe(hook, **wishes)
        save_watchlist(Watchlist("somebody", 1, tickers=("AAPL",)))
        reversal = a_call_told("TSLA", sentiment="sell", before="buy", is_reversal=True)
        put_entities([an_alert(channel.id, a_call_told("AAPL"), reversal)])

        deliver_alerts()

        told = [detail["ticker"] for message in hook.received for detail in message.content["alerts"][0]["details"]]
        assert told == tickers

    @pytest.mark.parametrize("watched", [True, False])
    def test_of_a_watched_channel_is_everything(self, hook: Receiver, channel: Channel, watched: bool) -> None:
        subscribe(hook, channels="watched")
        save_watchlist(Watchlist("somebody", 1, channel_ids=(channel.id if watched else a_channel().id,)))
        verdict = {"horizon": "3m", "verdict": "beats_market", "before": "not_proven"}
        put_entities([an_alert(channel.id), an_alert(channel.id, verdict, kind="verdict")])

        deliver_alerts()

        assert len(hook.received) == (2 if watched else 0)

    def test_matured_calls_are_told_of_watched_stocks_only(self, hook: Receiver, channel: Channel) -> None:
        detail = {"sentiment": "buy", "horizon": "3m", "excess_percent": 1.0, "video_id": "v"}
        for user_id, ticker in (("first", "AAPL"), ("second", "MSFT")):
            subscribe(hook, user_id)
            save_watchlist(Watchlist(user_id, 1, tickers=(ticker,)))
        put_entities([an_alert(channel.id, {"ticker": "AAPL", **detail}, kind="matured")])

        deliver_alerts()

        assert len(hook.received) == 1
        assert deliveries_of("first")
        assert not deliveries_of("second")

    def test_what_is_not_wanted_any_more_is_dropped(self, hook: Receiver, channel: Channel) -> None:
        before = subscribe(hook)
        put_entities([an_alert(channel.id)])
        hand_over()
        save_subscription(replace(before, version=2, kinds=("verdict",)))

        deliver_due()

        assert hook.received == []
        assert deliveries_of() == []

    def test_a_delivery_whose_webhook_was_removed_is_dropped(self, hook: Receiver, channel: Channel) -> None:
        before = subscribe(hook)
        put_entities([an_alert(channel.id)])
        hand_over()
        save_subscription(replace(before, version=2, webhook_url=None))

        deliver_due()

        assert deliveries_of() == []

    def test_the_alerts_of_a_deleted_channel_are_dropped(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook)
        put_entities([an_alert(channel.id)])
        hand_over()
        delete_channel(channel.id)

        assert deliver_due() == (0, 0)

        assert hook.received == []
        assert deliveries_of() == []


class TestADigest:
    def test_is_one_message_at_noon(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook, digest="daily")
        alerts = [an_alert(channel.id, occurred_at=f"2024-06-2{day}T00:00:00.000Z") for day in range(5)]
        put_entities(alerts)

        deliver_alerts()
        before_noon = list(hook.received)
        make_due()
        deliver_due()

        (message,) = hook.received
        assert before_noon == []
        assert message.content["type"] == "digest"
        assert hook.alert_ids == [alert.id for alert in alerts]
        assert message.headers["webhook-id"].startswith("digest_")

    def test_that_is_repeated_has_the_same_id(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook, digest="daily")
        put_entities([an_alert(channel.id) for _ in range(3)])
        hand_over()
        hook.status = 503
        for _ in range(2):
            make_due()
            deliver_due()

        assert len({message.headers["webhook-id"] for message in hook.received}) == 1
        assert len(hook.received) == 2

    def test_is_one_message_also_when_more_is_due_than_is_read_at_once(
        self, hook: Receiver, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(delivering, "DELIVERIES_AT_ONCE", 3)
        readers = ("first", "second", "third")
        for user_id in readers:
            subscribe(hook, user_id, digest="daily")
        put_entities([an_alert(channel.id) for _ in range(2)])
        hand_over()
        timestamp = now()
        put_entities(replace(delivery, due_at=timestamp) for delivery in due_deliveries(FAR, 1000))

        assert deliver_due() == (6, 0)

        assert [len(message.content["alerts"]) for message in hook.received] == [2, 2, 2]
        assert all(delivery.ended_at for user_id in readers for delivery in deliveries_of(user_id))

    @pytest.mark.parametrize(
        ("timestamp", "noon"),
        [
            ("2024-02-28T11:59:59.999Z", "2024-02-28T12:00:00.000Z"),
            ("2024-02-28T12:00:00.000Z", "2024-02-29T12:00:00.000Z"),
            ("2024-12-31T23:59:59.000Z", "2025-01-01T12:00:00.000Z"),
        ],
    )
    def test_comes_at_the_next_noon(self, timestamp: str, noon: str) -> None:
        assert next_digest(timestamp) == noon


class TestAReceiverThatFails:
    def test_gets_the_same_message_later_with_the_same_id(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook)
        put_entities([an_alert(channel.id)])
        hook.status = 500
        deliver_alerts()
        (waiting,) = deliveries_of()
        problem, failing = stored().last_problem, count_failing_deliveries_of_user("somebody")
        deliver_due()
        hook.status = 200
        make_due()

        deliver_due()

        first, second = hook.received
        assert first.headers["webhook-id"] == second.headers["webhook-id"]
        assert (waiting.attempts, failing) == (1, 1)
        assert seconds_from_now(40) < waiting.due_at < seconds_from_now(80)
        assert problem == "The webhook responded with HTTP 500."
        assert stored().last_problem is None
        assert count_failing_deliveries_of_user("somebody") == 0

    def test_is_given_up_after_eight_attempts(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook)
        put_entities([an_alert(channel.id)])
        hook.status = 500
        hand_over()
        counted = []
        for _ in range(10):
            make_due()
            deliver_due()
            counted.append(count_failing_deliveries())

        (given_up,) = deliveries_of()
        assert len(hook.received) == len(PAUSES) + 1 == 8
        assert (given_up.attempts, given_up.problem) == (8, "The webhook responded with HTTP 500.")
        assert given_up.ended_at
        assert counted == [0, 0, 1, 1, 1, 1, 1, 0, 0, 0]
        assert stored().last_problem == "The webhook responded with HTTP 500."

    @pytest.mark.parametrize("others", [2, 40])
    def test_is_counted_at_the_same_cost_however_many_others_wait(
        self, others: int, channel: Channel, items_read: list[int]
    ) -> None:
        queued = [
            Delivery("somebody", f"alert{number}", Way.WEBHOOK, channel.id, now(), FAR) for number in range(others)
        ]
        put_entities([*queued, replace(queued[0], alert_id="failing", attempts=3)])
        items_read.clear()

        assert count_failing_deliveries() == 1

        assert items_read == [1]

    def test_is_not_asked_for_each_message_while_it_is_down(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook)
        put_entities(an_alert(channel.id) for _ in range(5))
        hook.status = 503

        deliver_alerts()

        assert len(hook.received) == 1
        assert [delivery.attempts for delivery in deliveries_of()] == [1] * 5

    def test_and_refuses_one_message_gets_the_others(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook)
        put_entities(an_alert(channel.id) for _ in range(3))
        hook.status = 422

        deliver_alerts()

        assert len(hook.received) == 3

    def test_because_its_name_cannot_be_looked_up_is_not_turned_off_and_gets_everything_later(
        self, hook: Receiver, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        subscribe(hook, webhook_url=hook.url.replace("127.0.0.1", "localhost"))
        put_entities(an_alert(channel.id) for _ in range(2))

        with monkeypatch.context() as outage:
            names_are_not_resolved(outage, "localhost")
            deliver_alerts()
        problem = stored().last_problem
        make_due()
        deliver_due()

        assert problem == "The name localhost cannot be looked up at the moment."
        assert stored().webhook_url
        assert len(hook.received) == 2

    def test_and_is_gone_is_turned_off(self, hook: Receiver, channel: Channel) -> None:
        before = subscribe(hook)
        put_entities(an_alert(channel.id) for _ in range(3))
        hook.status = 410

        deliver_alerts()

        after = stored()
        assert len(hook.received) == 1
        assert after.webhook_url is None
        assert after.version == before.version + 1
        assert "410" in (after.last_problem or "")
        assert deliveries_of() == []

    def test_does_not_hold_up_others(self, hook: Receiver, channel: Channel) -> None:
        with receiver() as other:
            subscribe(hook, "first")
            subscribe(other, "second")
            put_entities([an_alert(channel.id)])
            hook.status = 500

            done = deliver_alerts()

        assert (done.delivered, done.failed) == (1, 1)
        assert len(other.received) == 1

    def test_and_redirects_is_not_followed(self, hook: Receiver, channel: Channel) -> None:
        with receiver() as inside:

            def redirect(request: BaseHTTPRequestHandler) -> None:
                request.send_response(307)
                request.send_header("Location", inside.url)
                request.send_header("Content-Length", "0")
                request.end_headers()

            hook.behave = redirect
            subscribe(hook)
            put_entities([an_alert(channel.id)])

            deliver_alerts()

        assert inside.received == []
        assert "redirect" in (stored().last_problem or "")

    def test_and_hangs_or_drips_is_left_alone_after_a_while(
        self, hook: Receiver, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(webhooks, "TOTAL_SECONDS", 0.5)
        ended = threading.Event()

        def drip(request: BaseHTTPRequestHandler) -> None:
            while not ended.wait(0.1):
                request.wfile.write(b"H")

        def hang(_: BaseHTTPRequestHandler) -> None:
            ended.wait(30)

        subscribe(hook)
        put_entities([an_alert(channel.id)])
        problems = []
        for behave in (hang, drip):
            hook.behave = behave
            make_due()
            deliver_alerts()
            problems.append(stored().last_problem)
        ended.set()

        assert all("did not respond within" in (problem or "") for problem in problems)

    def test_and_sends_without_end_has_taken_the_message(self, hook: Receiver, channel: Channel) -> None:
        sent: list[int] = []

        def stream(request: BaseHTTPRequestHandler) -> None:
            request.send_response(200)
            request.end_headers()
            try:
                while len(sent) < 10_000:
                    request.wfile.write(b"x" * 65_536)
                    sent.append(65_536)
            except OSError:
                return

        hook.behave = stream
        subscribe(hook)
        put_entities([an_alert(channel.id)])

        assert deliver_alerts().delivered == 1
        assert len(sent) < 10_000


class TestTheTimeOfACall:
    def test_is_not_used_up_by_one_slow_receiver(
        self, hook: Receiver, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(delivering, "SECONDS_FOR_A_RECEIVER", 0)
        subscribe(hook)
        put_entities(an_alert(channel.id) for _ in range(3))

        first = deliver_alerts()
        waiting = [delivery for delivery in deliveries_of() if not delivery.ended_at]
        for _ in range(2):
            make_due()
            deliver_due()

        assert (first.delivered, first.failed) == (1, 0)
        assert [delivery.attempts for delivery in waiting] == [0, 0]
        assert all(delivery.due_at > seconds_from_now(20) for delivery in waiting)
        assert len(hook.received) == len(set(hook.alert_ids)) == 3

    def test_that_is_over_leaves_the_rest_due(
        self, hook: Receiver, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        subscribe(hook)
        put_entities([an_alert(channel.id)])
        hand_over()
        with monkeypatch.context() as in_no_time:
            in_no_time.setattr(delivering, "SECONDS_TO_DELIVER", 0)
            none = deliver_due()

        assert none == (0, 0)
        assert hook.received == []
        assert deliver_due() == (1, 0)

    def test_is_not_used_up_by_handing_over(
        self, hook: Receiver, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(delivering, "SECONDS_TO_HAND_OVER", 0)
        subscribe(hook)
        put_entities(an_alert(channel.id) for _ in range(3))

        done = [deliver_alerts() for _ in range(4)]

        assert [(each.handed_over, each.delivered) for each in done] == [(1, 1), (1, 1), (1, 1), (0, 0)]

    def test_is_used_while_anything_is_due(
        self, hook: Receiver, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(delivering, "DELIVERIES_AT_ONCE", 2)
        subscribe(hook)
        put_entities(an_alert(channel.id) for _ in range(5))

        assert deliver_alerts().delivered == 5

    def test_is_shorter_than_that_of_the_function_and_of_a_claim(self) -> None:
        longest = delivering.SECONDS_TO_HAND_OVER + delivering.SECONDS_TO_DELIVER + delivering.SECONDS_FOR_A_RECEIVER

        assert longest + 2 * webhooks.TOTAL_SECONDS < DELIVER_ALERTS.timeout_seconds < delivering.CLAIM_SECONDS


class TestTheStep:
    def test_does_no_more_to_the_table_than_it_is_granted(self, hook: Receiver, channel: Channel) -> None:
        made: set[tuple[str, str | None]] = set()

        def record(params: dict[str, Any], model: Any, **_: object) -> None:
            made.add((model.name, params.get("IndexName")))

        subscribe(hook, "first")
        subscribe(hook, "second")
        put_entities([an_alert(channel.id), an_alert(a_channel().id)])
        dynamodb().meta.events.register("provide-client-params.dynamodb", record)
        try:
            for hook.status in (200, 500):
                deliver_step.handler({}, None)
                put_entities([an_alert(channel.id)])
        finally:
            dynamodb().meta.events.unregister("provide-client-params.dynamodb", record)

        granted = {
            (action, grant.index.name if grant.index else None)
            for grant in DELIVER_ALERTS.grants
            for action in grant.actions
        }
        assert made == granted


class TestCrashes:
    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    def test_nothing_is_lost_and_repeats_can_be_told(self, hook: Receiver, channel: Channel, event: str) -> None:
        with receiver() as other:
            subscribe(hook, "first")
            subscribe(other, "second", digest="daily")
            alerts = [an_alert(channel.id) for _ in range(3)]
            put_entities(alerts)
            for number in range(1, 60):
                try:
                    with crash_at_write(number, event) as seen:
                        deliver_alerts()
                        make_due()
                        deliver_due()
                except Crash:
                    make_due()
                    continue
                if len(seen) < number:
                    break

            wanted = {alert.id for alert in alerts}
            assert set(hook.alert_ids) == wanted
            assert set(other.alert_ids) == wanted
            assert due_deliveries(FAR, 100) == []
            assert {message.headers["webhook-id"] for message in hook.received} == wanted

    def test_two_deliverers_at_once_send_each_message_once(
        self, concurrent_tables: str, hook: Receiver, channel: Channel, in_threads: InThreads
    ) -> None:
        subscribe(hook)
        alerts = [an_alert(channel.id) for _ in range(12)]
        put_entities(alerts)

        results = in_threads(4, lambda _: deliver_alerts())
        deliver_alerts()

        assert not [result for result in results if isinstance(result, Exception)]
        assert Counter(hook.alert_ids) == Counter(alert.id for alert in alerts)


class TestKeys:
    def test_differ_by_person_number_and_secret(self, hook: Receiver, tmp_path: Path) -> None:
        keys = [signing_key("a", 1), signing_key("a", 2), signing_key("b", 1), signing_key("1/a", 1)]
        (tmp_path / "alert.key").write_text("another")

        assert len({*keys, signing_key("a", 1)}) == 5
        assert signing_keys.are_available()

    def test_are_in_no_item(self, hook: Receiver, channel: Channel) -> None:
        subscribe(hook)
        put_entities([an_alert(channel.id)])
        deliver_alerts()

        key = as_text(signing_key("somebody", 1))
        assert key not in str(partition("USER#somebody"))
        assert Way.WEBHOOK in stored().ways
