"""The routes of a person's own: settings of alerts with their signing key, a test message, and the watchlist."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from functions.alerts import email
from functions.alerts.subscription_store import save_subscription
from functions.alerts.subscriptions import NO_OWN_EMAIL, OWN_EMAIL
from functions.record.models.alerts import Subscription
from functions.routes import find_route
from functions.runtime.http import caller
from functions.runtime.provider_errors import Refused
from functions.runtime.settings import settings
from tests.events import Response, api_event, call, invoke
from tests.receivers import Receiver, names_are_not_resolved, receiver

NOTHING: dict[str, Any] = {
    "webhook_url": None,
    "email": None,
    "kinds": ["calls", "reversals", "verdict", "matured"],
    "channels": "all",
    "digest": "none",
}
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def key_file(tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    file = tmp_path / "alert.key"
    file.write_text("a key of this test")
    monkeypatch.setenv("ALERT_KEY_FILE", str(file))
    settings.cache_clear()
    yield file


@pytest.fixture
def hook(key_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setenv("WEBHOOK_ALLOW_PRIVATE", "true")
    settings.cache_clear()
    with receiver() as hook:
        yield hook


def put(version: int, **wishes: Any) -> Response:
    return call("PUT", "/api/alerts/settings", json_body={**NOTHING, "version": version, **wishes})


def put_watchlist(version: Any, tickers: Any = (), channel_ids: Any = ()) -> Response:
    body = {"tickers": list(tickers), "channel_ids": list(channel_ids), "version": version}
    return call("PUT", "/api/watchlist", json_body=body)


def as_person(subject: str, method: str, path: str, body: str | None = None, **claims: str) -> Response:
    route = find_route(method, path)
    assert route
    event = api_event(method, path, body=body)
    event["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": subject, **claims}}}
    return invoke(route, event)


class TestSettings:
    def test_of_somebody_new_want_everything_and_lead_nowhere(self, key_file: Path) -> None:
        assert call("GET", "/api/alerts/settings").json() == {
            **NOTHING,
            "signing_key": None,
            "email_available": False,
            "email_confirmed": None,
            "last_delivered_at": None,
            "last_problem": None,
            "failing": 0,
            "version": 0,
        }

    def test_with_a_webhook_have_a_key_of_256_bits(self, hook: Receiver) -> None:
        saved = put(0, webhook_url=hook.url, digest="daily", channels="watched", kinds=["reversals"]).json()

        assert saved == call("GET", "/api/alerts/settings").json()
        assert saved["version"] == 1
        assert saved["kinds"] == ["reversals"]
        assert len(base64.b64decode(saved["signing_key"].removeprefix("whsec_"))) == 32

    def test_get_another_key_when_asked_for_one(self, hook: Receiver) -> None:
        first = put(0, webhook_url=hook.url).json()

        second = put(1, webhook_url=hook.url, rotate_key=True).json()

        assert first["signing_key"] != second["signing_key"]
        assert put(2, webhook_url=hook.url).json()["signing_key"] == second["signing_key"]

    def test_of_an_old_version_are_refused(self, hook: Receiver) -> None:
        put(0, webhook_url=hook.url)
        put(1, digest="daily")

        refused = put(1, kinds=["verdict"])

        assert refused.status == 409
        assert "their version is 2" in refused.json()["detail"]
        assert refused.json()["present"] == call("GET", "/api/alerts/settings").json()
        assert call("GET", "/api/alerts/settings").json()["digest"] == "daily"

    def test_sent_again_after_a_lost_response_are_the_same(self, key_file: Path) -> None:
        first, again = put(0, digest="daily"), put(0, digest="daily")

        assert (again.status, again.json()) == (200, first.json())

    @pytest.mark.parametrize(
        "url",
        [
            "http://example.com/",
            "https://127.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://[::ffff:127.0.0.1]/",
            "https://localhost:8443/",
            "https://user@example.com/",
            "https://2130706433/",
            "https://does-not-exist.invalid/",
            "not an address",
            "",
        ],
    )
    def test_with_an_address_that_may_not_be_called_are_refused_in_a_sentence(self, key_file: Path, url: str) -> None:
        response = put(0, webhook_url=url)

        (problem,) = response.json()["detail"]
        assert response.status == 422
        assert problem["loc"] == ["body", "webhook_url"]
        assert problem["msg"].endswith(".")
        assert call("GET", "/api/alerts/settings").json()["version"] == 0

    def test_with_an_address_that_cannot_be_looked_up_at_the_moment_say_so(
        self, key_file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        names_are_not_resolved(monkeypatch, "hooks.example.com")

        response = put(0, webhook_url="https://hooks.example.com/")

        (problem,) = response.json()["detail"]
        assert response.status == 422
        assert problem["msg"] == "The name hooks.example.com cannot be looked up at the moment. Try again later."

    def test_without_a_key_take_no_webhook(self, tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("ALERT_KEY_FILE", raising=False)
        settings.cache_clear()

        assert "no key" in put(0, webhook_url="https://example.com/").json()["detail"][0]["msg"]

    def test_without_a_topic_take_no_email(self, key_file: Path) -> None:
        response = put(0, email="reader@example.com")

        assert (response.status, response.json()["detail"][0]["loc"]) == (422, ["body", "email"])

    @pytest.mark.parametrize(
        "wrong",
        [
            {"kinds": ["rumours"]},
            {"channels": "some"},
            {"digest": "hourly"},
            {"email": "not an address"},
            {"version": -1},
            {"version": "1"},
            {"version": None},
            {"webhook_url": "x" * 3000},
            {"rotate_key": "yes"},
        ],
    )
    def test_of_another_shape_are_refused(self, key_file: Path, wrong: dict[str, Any]) -> None:
        response = call("PUT", "/api/alerts/settings", json_body={**NOTHING, "version": 0, **wrong})

        assert response.status == 422

    def test_belong_to_one_person(self, hook: Receiver) -> None:
        put(0, webhook_url=hook.url)

        other = as_person("somebody else", "GET", "/api/alerts/settings").json()

        assert other["version"] == 0
        assert other["webhook_url"] is None

    def test_belong_to_one_person_however_long_the_names_of_two_agree(self, hook: Receiver) -> None:
        alike = "x" * 250
        body = json.dumps({**NOTHING, "webhook_url": hook.url, "version": 0})
        as_person(f"{alike}1", "PUT", "/api/alerts/settings", body)

        mine, other = (as_person(f"{alike}{number}", "GET", "/api/alerts/settings").json() for number in (1, 2))

        assert (mine["version"], other["version"]) == (1, 0)

    def test_are_kept_by_no_cache(self, key_file: Path) -> None:
        kept = [call("GET", "/api/alerts/settings"), put(0), call("GET", "/api/watchlist"), put_watchlist(0)]

        assert [response.headers.get("cache-control") for response in kept] == ["no-store"] * 4

    def test_are_for_holders_of_the_token(self) -> None:
        for method in ("GET", "PUT"):
            for path in ("/api/alerts/settings", "/api/watchlist"):
                route = find_route(method, path)
                assert route
                assert route.role
        assert caller.OWNER != caller.LOCAL


class TestEmail:
    @pytest.fixture
    def sent(self, key_file: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
        sent: list[tuple[str, ...]] = []
        monkeypatch.setenv("ALERTS_TOPIC_ARN", "arn:topic")
        settings.cache_clear()

        def subscribe(address: str, user_id: str) -> str:
            sent.append(("subscribe", address, user_id))
            return f"arn:{len(sent)}"

        monkeypatch.setattr(email, "subscribe", subscribe)
        monkeypatch.setattr(email, "unsubscribe", lambda arn: sent.append(("unsubscribe", arn)))
        monkeypatch.setattr(email, "is_confirmed", lambda arn: arn == "arn:1")
        monkeypatch.setattr(email, "send", lambda *message: sent.append(("send", *message)))
        return sent

    def test_an_address_is_asked_for_its_consent_and_told_nothing_once_it_is_removed(
        self, sent: list[tuple[str, ...]]
    ) -> None:
        saved = put(0, email="reader@example.com").json()
        put(1, email="reader@example.com", digest="daily")
        put(2, email="other@example.com")
        removed = put(3).json()

        assert (saved["email_available"], saved["email_confirmed"]) == (True, True)
        assert sent == [
            ("subscribe", "reader@example.com", "local"),
            ("subscribe", "other@example.com", "local"),
            ("unsubscribe", "arn:1"),
            ("unsubscribe", "arn:2"),
        ]
        assert (removed["email"], removed["email_confirmed"]) == (None, None)

    def put_as_ann(self, version: int, address: str, **claims: str) -> Response:
        body = json.dumps({**NOTHING, "version": version, "email": address})
        return as_person("ann", "PUT", "/api/alerts/settings", body, **claims)

    @pytest.mark.parametrize(
        ("claims", "sentence"),
        [
            ({"email": "ann@example.com", "email_verified": "true"}, OWN_EMAIL),
            ({"email": "victim@example.com", "email_verified": "false"}, NO_OWN_EMAIL),
            ({"email": "victim@example.com"}, NO_OWN_EMAIL),
            ({"email_verified": "true"}, NO_OWN_EMAIL),
        ],
        ids=["of somebody else", "not verified", "verification unknown", "no address"],
    )
    def test_an_address_that_is_not_verifiably_the_persons_own_is_refused(
        self, sent: list[tuple[str, ...]], claims: dict[str, str], sentence: str
    ) -> None:
        refused = self.put_as_ann(0, "victim@example.com", **claims)

        (problem,) = refused.json()["detail"]
        assert (refused.status, problem["loc"], problem["msg"]) == (422, ["body", "email"], sentence)
        assert sent == []
        assert as_person("ann", "GET", "/api/alerts/settings").json()["version"] == 0

    def test_a_persons_own_verified_address_is_accepted_in_any_case(self, sent: list[tuple[str, ...]]) -> None:
        saved = self.put_as_ann(0, "Ann@example.com", email="ann@example.com", email_verified="true")

        assert (saved.status, saved.json()["email"]) == (200, "Ann@example.com")
        assert sent == [("subscribe", "Ann@example.com", "ann")]

    def test_an_address_that_is_stored_already_stays_whatever_the_token_says(self, sent: list[tuple[str, ...]]) -> None:
        save_subscription(Subscription("ann", 1, email="old@example.com", email_subscription="arn:1"))

        saved = self.put_as_ann(1, "old@example.com", email="ann@example.com", email_verified="true")
        moved = self.put_as_ann(2, "another@example.com", email="ann@example.com", email_verified="true")

        assert (saved.status, saved.json()["email"], moved.status) == (200, "old@example.com", 422)
        assert sent == []

    def test_with_the_one_token_the_operator_chooses_any_address(self, sent: list[tuple[str, ...]]) -> None:
        route = find_route("PUT", "/api/alerts/settings")
        assert route
        body = json.dumps({**NOTHING, "version": 0, "email": "team@example.com"})
        event = api_event("PUT", "/api/alerts/settings", body=body)
        event["requestContext"]["authorizer"] = {"lambda": {}}

        assert invoke(route, event).status == 200
        assert sent == [("subscribe", "team@example.com", caller.OWNER)]

    def test_a_test_message_is_plain_text(self, sent: list[tuple[str, ...]]) -> None:
        put(0, email="reader@example.com")

        response = call("POST", "/api/alerts/settings/test")

        assert response.json() == {"delivered": True, "problem": None}
        assert sent[-1][:3] == ("send", "arn:1", "local")

    def test_an_address_that_sns_refuses_is_refused(
        self, sent: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: str) -> str:
            raise Refused("Amazon SNS refused the request.")

        monkeypatch.setattr(email, "subscribe", refuse)

        assert put(0, email="reader@example.com").status == 422

    def test_a_test_message_to_an_address_that_has_not_confirmed_is_not_delivered(
        self, sent: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        put(0, email="reader@example.com")
        monkeypatch.setattr(email, "is_confirmed", lambda _: False)

        response = call("POST", "/api/alerts/settings/test").json()

        assert not response["delivered"]
        assert "has not confirmed" in response["problem"]
        assert [message for message in sent if message[0] == "send"] == []

    def test_the_second_of_two_edits_at_once_leaves_the_address_of_the_first_subscribed(
        self, sent: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        meanwhile = Subscription("local", 1, email="reader@example.com", email_subscription="arn:same")

        def subscribe(*_: str) -> str:
            """SNS has one subscription for an address, however often it is asked."""
            save_subscription(meanwhile)
            return "arn:same"

        monkeypatch.setattr(email, "subscribe", subscribe)

        assert put(0, email="reader@example.com").status == 409
        assert sent == []


class TestTrying:
    def test_sends_a_message_and_tells_what_became_of_it(self, hook: Receiver) -> None:
        put(0, webhook_url=hook.url)

        good = call("POST", "/api/alerts/settings/test").json()
        hook.status = 500
        bad = call("POST", "/api/alerts/settings/test").json()

        assert good == {"delivered": True, "problem": None}
        assert bad == {"delivered": False, "problem": "The webhook responded with HTTP 500."}
        assert call("GET", "/api/alerts/settings").json()["last_problem"] == bad["problem"]
        assert [message.content["alerts"] for message in hook.received] == [[], []]

    def test_a_repeat_with_its_idempotency_key_sends_nothing_more(self, hook: Receiver) -> None:
        put(0, webhook_url=hook.url)
        key = {"Idempotency-Key": "one test"}

        first, again = (call("POST", "/api/alerts/settings/test", headers=key).json() for _ in range(2))
        other = call("POST", "/api/alerts/settings/test", headers=key, json_body={})

        assert first == again == {"delivered": True, "problem": None}
        assert other.status == 409
        assert len(hook.received) == 1

    def test_without_an_address_says_what_is_missing(self, key_file: Path) -> None:
        response = call("POST", "/api/alerts/settings/test")

        assert response.status == 200
        assert response.json() == {"delivered": False, "problem": "Save a webhook or an e-mail address first."}


class TestWatchlist:
    def test_is_empty_at_first(self, tables: str) -> None:
        assert call("GET", "/api/watchlist").json() == {"tickers": [], "channel_ids": [], "version": 0}

    def test_keeps_each_stock_and_channel_once_in_order(self, tables: str) -> None:
        saved = put_watchlist(0, ["msft", "AAPL", "MSFT", "BRK.B", "^GSPC"], [UNKNOWN, UNKNOWN])

        assert saved.json() == {"tickers": ["MSFT", "AAPL", "BRK.B", "^GSPC"], "channel_ids": [UNKNOWN], "version": 1}
        assert call("GET", "/api/watchlist").json() == saved.json()

    def test_of_an_old_version_is_refused_with_what_there_is(self, tables: str) -> None:
        put_watchlist(0, ["AAPL"])
        put_watchlist(1, ["AAPL", "MSFT"])

        refused = put_watchlist(1, ["TSLA"])

        assert refused.status == 409
        assert "version 2 has AAPL, MSFT and 0 channels" in refused.json()["detail"]
        assert refused.json()["present"] == call("GET", "/api/watchlist").json()

    def test_sent_again_after_a_lost_response_is_the_same(self, tables: str) -> None:
        first, again = put_watchlist(0, ["AAPL"]), put_watchlist(0, ["AAPL"])

        assert (again.status, again.json()) == (200, first.json())

    @pytest.mark.parametrize(
        "wrong",
        [
            {"tickers": ["A" * 13]},
            {"tickers": ["$AAPL"]},
            {"tickers": [""]},
            {"tickers": ["..."]},
            {"tickers": ["^"]},
            {"tickers": [f"T{number}" for number in range(201)]},
            {"channel_ids": ["x"]},
            {"version": -1},
            {"version": 1.5},
        ],
    )
    def test_of_another_shape_is_refused(self, tables: str, wrong: dict[str, Any]) -> None:
        body = {"tickers": [], "channel_ids": [], "version": 0, **wrong}

        assert call("PUT", "/api/watchlist", json_body=body).status == 422

    def test_belongs_to_one_person(self, tables: str) -> None:
        put_watchlist(0, ["AAPL"])

        assert as_person("somebody else", "GET", "/api/watchlist").json()["tickers"] == []
