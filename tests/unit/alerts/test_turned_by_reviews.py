"""A verdict that people's reviews turned is named as one in each message, and one that the market turned is not."""

import json
from typing import Any

import pytest

from functions.alerts import email, messages, signing_keys, webhooks
from functions.record.models.alerts import Subscription, Way

SENT_AT = "2024-06-03T00:00:00.000Z"
SENTENCE = "Reviews of how its calls were read turned it, not the market."


def a_turn(*, by_review: bool) -> dict[str, Any]:
    detail = {"horizon": "3m", "verdict": "read_too_poorly", "before": "beats_market", "by_review": by_review}
    return {"id": "1", "kind": "verdict", "channel_name": "Some channel", "details": [detail]}


@pytest.mark.parametrize("by_review", [True, False])
def test_an_email_says_who_turned_it(monkeypatch: pytest.MonkeyPatch, by_review: bool) -> None:
    sent: list[tuple[str, str]] = []
    monkeypatch.setattr(email, "send", lambda _, user_id, subject, body: sent.append((subject, body)))

    subscription = Subscription("somebody", 1, email="reader@example.com", email_subscription="arn:topic:1")

    messages.send_message(subscription, Way.EMAIL, "alert", [a_turn(by_review=by_review)], SENT_AT)

    ((subject, body),) = sent
    assert subject.startswith("Some channel: read too poorly to judge (before: beats the market)")
    assert subject.endswith(", turned by reviews and not by the market") is by_review
    assert (SENTENCE in body) is by_review


@pytest.mark.parametrize("by_review", [True, False])
def test_a_webhook_says_who_turned_it(monkeypatch: pytest.MonkeyPatch, by_review: bool) -> None:
    sent: list[bytes] = []
    monkeypatch.setattr(signing_keys, "signing_key", lambda *_: "key")
    monkeypatch.setattr(webhooks, "send", lambda *given: sent.append(given[3]))
    subscription = Subscription("somebody", 1, webhook_url="https://hook.example")

    messages.send_message(subscription, Way.WEBHOOK, "alert", [a_turn(by_review=by_review)], SENT_AT)

    (body,) = sent
    assert json.loads(body)["alerts"][0]["details"][0]["by_review"] is by_review
