"""Alerts as e-mail through SNS topics: each address has its own subscription and gets only its own messages.

A topic holds 200 subscriptions with a filter, so there are several; a subscription's ARN names its topic.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any
from zlib import crc32

from functions.runtime.aws_errors import refused_or_unavailable
from functions.runtime.provider_errors import ProviderError, Refused
from functions.runtime.settings import settings
from functions.runtime.text import one_line

SERVICE = "Amazon SNS"
ADVICE = "Check that the topic of alerts exists and that this function may use it."
MAX_SUBJECT_LENGTH = 100
MAX_BODY_BYTES = 200_000
"""SNS accepts 256 kB including metadata."""
FULL = ("FilterPolicyLimitExceeded", "SubscriptionLimitExceeded")
"""The errors of a topic that takes no further subscription."""
ALL_FULL = (
    "All topics for e-mail are full: their operator can raise `alert_topics`. Use a webhook or the feed until then."
)


class TopicFull(Exception):
    """The topic takes no further subscription."""


def is_available() -> bool:
    return settings().alerts_topic_arn is not None


def subscribe(address: str, user_id: str) -> str:
    """Makes SNS ask the address for confirmation; returns the subscription, in the first topic that is not full."""
    for topic in _topics(address):
        try:
            response = _call(
                "subscribe",
                TopicArn=topic,
                Protocol="email",
                Endpoint=address,
                Attributes={"FilterPolicy": json.dumps({"user_id": [user_id]})},
                ReturnSubscriptionArn=True,
            )
        except TopicFull:
            continue
        return str(response["SubscriptionArn"])
    raise Refused(ALL_FULL)


def unsubscribe(subscription: str) -> None:
    """A subscription that was never confirmed cannot be removed; SNS deletes it after two days."""
    try:
        _call("unsubscribe", SubscriptionArn=subscription)
    except ProviderError:
        return


def is_confirmed(subscription: str) -> bool:
    """False also after the reader has unsubscribed."""
    try:
        response = _call("get_subscription_attributes", SubscriptionArn=subscription)
    except ProviderError:
        return False
    return bool(response["Attributes"].get("PendingConfirmation") == "false")


def send(subscription: str, user_id: str, subject: str, body: str) -> None:
    """Raises a ProviderError if SNS does not accept the message."""
    _call(
        "publish",
        TopicArn=subscription.rpartition(":")[0],
        Subject=_subject(subject),
        Message=body.encode(errors="replace")[:MAX_BODY_BYTES].decode(errors="ignore"),
        MessageAttributes={"user_id": {"DataType": "String", "StringValue": user_id}},
    )


def _topics(address: str) -> Iterator[str]:
    """Yields every topic once, beginning with another one for each address, so that they fill alike."""
    first, count = settings().alerts_topic_arn, settings().alert_topics
    assert first
    start = crc32(address.encode())
    for number in (1 + (start + each) % count for each in range(count)):
        yield first if number == 1 else f"{first}-{number}"


def _subject(text: str) -> str:
    """SNS requires a single line of ASCII."""
    return one_line(text.encode("ascii", errors="replace").decode(), MAX_SUBJECT_LENGTH - 2).replace("…", "...")


def _call(operation: str, **parameters: Any) -> dict[str, Any]:
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        response: dict[str, Any] = getattr(_client(settings().region), operation)(**parameters)
    except (BotoCoreError, ClientError) as fault:
        if isinstance(fault, ClientError) and fault.response["Error"]["Code"] in FULL:
            raise TopicFull from None
        raise refused_or_unavailable(fault, SERVICE, ADVICE) from None
    return response


@cache
def _client(region: str) -> Any:
    import boto3
    from botocore.config import Config

    config = Config(connect_timeout=5, read_timeout=10, retries={"total_max_attempts": 3})
    return boto3.client("sns", region_name=region, config=config)
