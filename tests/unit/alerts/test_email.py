"""E-mail through SNS: one subscription for each address, plain subjects, and failures as ProviderErrors."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from functions.alerts import email
from functions.runtime.provider_errors import Refused
from functions.runtime.settings import settings

TOPIC = "arn:aws:sns:eu-central-1:123456789012:alerts"


class FakeSns:
    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.responses: dict[str, Any] = {}
        self.full: set[str] = set()
        """The topics that take no further subscription."""

    def __getattr__(self, operation: str) -> Any:
        def call(**parameters: Any) -> Any:
            self.calls.append((operation, parameters))
            if operation == "subscribe" and parameters["TopicArn"] in self.full:
                raise ClientError({"Error": {"Code": "FilterPolicyLimitExceeded", "Message": TOPIC}}, "Subscribe")
            response = self.responses.get(operation, {})
            if isinstance(response, Exception):
                raise response
            return response

        return call


@pytest.fixture
def sns(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSns]:
    monkeypatch.setenv("ALERTS_TOPIC_ARN", TOPIC)
    settings.cache_clear()
    fake = FakeSns()
    monkeypatch.setattr(email, "_client", lambda _: fake)
    yield fake
    monkeypatch.undo()
    settings.cache_clear()


def test_an_address_sees_its_own_messages_only(sns: FakeSns) -> None:
    sns.responses["subscribe"] = {"SubscriptionArn": f"{TOPIC}:1"}

    subscription = email.subscribe("reader@example.com", "user")

    ((operation, sent),) = sns.calls
    assert (operation, subscription) == ("subscribe", f"{TOPIC}:1")
    assert (sent["TopicArn"], sent["Endpoint"], sent["ReturnSubscriptionArn"]) == (TOPIC, "reader@example.com", True)
    assert json.loads(sent["Attributes"]["FilterPolicy"]) == {"user_id": ["user"]}


def test_people_are_spread_over_topics_and_a_full_one_is_passed_over(
    sns: FakeSns, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALERT_TOPICS", "3")
    settings.cache_clear()
    sns.responses["subscribe"] = {"SubscriptionArn": "any"}
    topics = {TOPIC, f"{TOPIC}-2", f"{TOPIC}-3"}

    for number in range(30):
        email.subscribe(f"reader{number}@example.com", "user")
    first_asked = {sent["TopicArn"] for _, sent in sns.calls}
    sns.full = {f"{TOPIC}-2"}
    sns.calls.clear()
    for number in range(30):
        email.subscribe(f"reader{number}@example.com", "user")
    taken = [sent["TopicArn"] for _, sent in sns.calls if sent["TopicArn"] not in sns.full]

    assert first_asked == topics
    assert (len(taken), set(taken)) == (30, topics - sns.full)


def test_nobody_is_subscribed_when_every_topic_is_full(sns: FakeSns) -> None:
    sns.full = {TOPIC}

    with pytest.raises(Refused, match="alert_topics"):
        email.subscribe("reader@example.com", "user")


def test_a_message_goes_to_the_topic_of_its_subscription(sns: FakeSns) -> None:
    email.send(f"{TOPIC}-2:1", "user", "subject", "body")

    ((_, sent),) = sns.calls
    assert sent["TopicArn"] == f"{TOPIC}-2"


@pytest.mark.parametrize(("pending", "confirmed"), [("false", True), ("true", False)])
def test_an_address_is_confirmed_once_its_reader_says_so(sns: FakeSns, pending: str, confirmed: bool) -> None:
    sns.responses["get_subscription_attributes"] = {"Attributes": {"PendingConfirmation": pending}}

    assert email.is_confirmed(f"{TOPIC}:1") is confirmed


def test_a_subscription_that_is_gone_is_not_confirmed_and_can_be_removed(sns: FakeSns) -> None:
    gone = ClientError({"Error": {"Code": "NotFound", "Message": TOPIC}}, "any")
    sns.responses |= {"get_subscription_attributes": gone, "unsubscribe": gone}

    email.unsubscribe(f"{TOPIC}:1")

    assert email.is_confirmed(f"{TOPIC}:1") is False


@pytest.mark.parametrize("subject", ["A\nB" * 100, "\U0001f4c8 Käse: buy AAPL", "x" * 300, "\x00\x1b"])
def test_a_subject_is_one_short_line_of_ascii(sns: FakeSns, subject: str) -> None:
    email.send(f"{TOPIC}:1", "user", subject, "body")

    ((_, sent),) = sns.calls
    assert sent["Subject"].isascii()
    assert sent["Subject"].isprintable()
    assert len(sent["Subject"]) <= 100
    assert sent["MessageAttributes"] == {"user_id": {"DataType": "String", "StringValue": "user"}}


def test_a_body_fits_into_a_message(sns: FakeSns) -> None:
    email.send(f"{TOPIC}:1", "user", "subject", "ä" * 200_000)

    ((_, sent),) = sns.calls
    assert len(sent["Message"].encode()) <= 200_000


def test_a_refusal_names_no_account(sns: FakeSns) -> None:
    sns.responses["publish"] = ClientError({"Error": {"Code": "AuthorizationError", "Message": TOPIC}}, "Publish")

    with pytest.raises(Refused) as refused:
        email.send(f"{TOPIC}:1", "user", "subject", "body")

    assert "123456789012" not in str(refused.value)
    assert "AuthorizationError" in str(refused.value)


def test_there_is_no_email_without_a_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALERTS_TOPIC_ARN", raising=False)
    settings.cache_clear()

    assert not email.is_available()
