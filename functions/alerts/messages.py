"""Alert messages: signed JSON for webhooks, plain text for e-mail."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from functions.alerts import email, signing_keys, webhooks
from functions.alerts.words import explanation, headline, lines_of
from functions.record.models.alerts import Subscription, Way
from functions.runtime import ids
from functions.runtime.http import public_addresses
from functions.runtime.provider_errors import ProviderError

MessageKind = Literal["alert", "digest", "test"]
Document = dict[str, Any]
NOT_ADVICE = "This is what channels said, as it was read by a program. It is not investment advice."
TEST_TEXT = "This is a test message of Stock Track Record. Alerts will arrive in the same way."


class MessageFailed(Exception):
    """A message could not be sent. Its text is shown to people."""

    def __init__(self, problem: str, *, is_gone: bool = False, concerns_message: bool = False) -> None:
        super().__init__(problem)
        self.is_gone = is_gone
        self.concerns_message = concerns_message


def send_message(
    subscription: Subscription, way: Way, kind: MessageKind, documents: Sequence[Document], sent_at: str
) -> None:
    """Raises MessageFailed if the message cannot be sent. A retried message has the same id."""
    message_id = _message_id(kind, documents)
    if way is Way.WEBHOOK:
        _to_webhook(subscription, message_id, kind, documents, sent_at)
    else:
        _to_email(subscription, kind, documents)


def send_test(subscription: Subscription, sent_at: str) -> str | None:
    """Sends a test by every configured method; returns the problems as text, or None."""
    problems = []
    for way in subscription.ways:
        try:
            if way is Way.EMAIL:
                _require_consent(subscription)
            send_message(subscription, way, "test", (), sent_at)
        except MessageFailed as problem:
            problems.append(str(problem))
    return " ".join(problems) or None


def _require_consent(subscription: Subscription) -> None:
    """SNS accepts messages to an unconfirmed address, and drops them."""
    if not email.is_confirmed(_email_subscription(subscription)):
        raise MessageFailed("The e-mail address has not confirmed yet: follow the link in the message from AWS.")


def _message_id(kind: MessageKind, documents: Sequence[Document]) -> str:
    if kind == "test":
        return f"test_{ids.new_alert_id()}"
    if kind == "alert":
        return str(documents[0]["id"])
    named = "/".join(sorted(document["id"] for document in documents))
    return f"digest_{hashlib.sha256(named.encode()).hexdigest()[:32]}"


def _to_webhook(
    subscription: Subscription, message_id: str, kind: MessageKind, documents: Sequence[Document], sent_at: str
) -> None:
    assert subscription.webhook_url
    content = {"type": kind, "id": message_id, "alerts": list(documents)}
    body = json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
    timestamp = int(datetime.fromisoformat(sent_at).timestamp())
    try:
        key = signing_keys.signing_key(subscription.user_id, subscription.key_number)
        webhooks.send(subscription.webhook_url, message_id, timestamp, body, key)
    except public_addresses.NotDelivered as problem:
        raise MessageFailed(str(problem), is_gone=problem.is_gone, concerns_message=problem.concerns_message) from None
    except (public_addresses.BadAddress, ProviderError) as problem:
        raise MessageFailed(str(problem)) from None


def _to_email(subscription: Subscription, kind: MessageKind, documents: Sequence[Document]) -> None:
    subject, body = _text(kind, documents)
    try:
        email.send(_email_subscription(subscription), subscription.user_id, subject, body)
    except ProviderError as problem:
        raise MessageFailed(str(problem)) from None


def _email_subscription(subscription: Subscription) -> str:
    assert subscription.email_subscription
    return subscription.email_subscription


def _text(kind: MessageKind, documents: Sequence[Document]) -> tuple[str, str]:
    if kind == "test":
        return "Stock Track Record: a test message", TEST_TEXT
    lines = lines_of(documents)
    more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
    parts = [
        f"{headline(document, detail)}\n{explanation(document, detail)}\n{detail.get('quote_url', '')}".rstrip()
        for document in documents
        for detail in document["details"]
    ]
    return f"{lines[0]}{more}", "\n\n".join([*parts, NOT_ADVICE])
