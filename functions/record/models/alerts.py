"""Alerts, the people subscribed to them, and their delivery."""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value
from functions.runtime.dynamodb.entity import Entity

VERDICT_WORDS = {
    "beats_market": "beats the market",
    "lags_market": "lags the market",
    "like_its_stocks": "does as well as its stocks on any day",
    "not_proven": "not proven",
    "read_too_poorly": "read too poorly to judge",
    "too_few_calls": "too few calls to judge",
}
TURNED_BY_REVIEWS = "Reviews of how its calls were read turned it, not the market."


class AlertKind(StrEnum):
    CALLS = "calls"
    """A video with calls, each of them either new or a reversal."""
    VERDICT = "verdict"
    """The verdict on a channel changed."""
    MATURED = "matured"
    """Calls on watched stocks reached the end of a horizon."""


class WantedKind(StrEnum):
    """The kinds of event a person can subscribe to."""

    CALLS = "calls"
    REVERSALS = "reversals"
    """Only calls that contradict the channel's previous call on the stock."""
    VERDICT = "verdict"
    MATURED = "matured"


class WantedChannels(StrEnum):
    ALL = "all"
    WATCHED = "watched"
    """Watched channels, and watched stocks in any channel."""


class Digest(StrEnum):
    NONE = "none"
    """One message per alert, sent immediately."""
    DAILY = "daily"
    """One message a day with all alerts."""


class Way(StrEnum):
    """A delivery method for alerts."""

    WEBHOOK = "webhook"
    EMAIL = "email"


@dataclass(frozen=True, slots=True)
class Alert(Entity):
    """An event that people can subscribe to, written in the transaction that caused it."""

    enums: ClassVar = {"kind": AlertKind}

    id: str
    """A ULID. Repeated deliveries of an alert share it."""
    channel_id: str
    kind: AlertKind
    occurred_at: str
    """When the event itself happened: for calls, when their video was published."""
    created_at: str
    details: tuple[dict[str, Any], ...] = field(default=(), hash=False)
    """One object per call, or a single one for a verdict. Stored as JSON."""
    video_id: str | None = None
    video_title: str | None = None
    undelivered: bool = False
    """True until it has been queued for its subscribers. Never set for events that were already old when read."""

    def __post_init__(self) -> None:
        Entity.__post_init__(self)
        if isinstance(self.details, str):
            object.__setattr__(self, "details", tuple(json.loads(self.details)))

    def attributes(self) -> dict[str, Value]:
        details = json.dumps(self.details, separators=(",", ":"), ensure_ascii=False)
        return {**Entity.attributes(self), "details": details, "undelivered": self.undelivered or None}

    def keys(self) -> dict[str, str]:
        keys = {
            **tables.alert_key(self.channel_id, self.occurred_at, self.id),
            "GSI1PK": tables.ALL_ALERTS,
            "GSI1SK": f"{self.occurred_at}#{self.id}",
        }
        return {**keys, "GSI2PK": tables.OUTBOX} if self.undelivered else keys


@dataclass(frozen=True, slots=True)
class Subscription(Entity):
    """The alerts a person subscribes to, and how they are delivered. Holds no secrets: keys are derived on demand."""

    enums: ClassVar = {"channels": WantedChannels, "digest": Digest}

    user_id: str
    version: int
    """Increases with each change by the person; used for optimistic locking."""
    kinds: tuple[str, ...] = ()
    channels: WantedChannels = WantedChannels.ALL
    digest: Digest = Digest.NONE
    webhook_url: str | None = None
    email: str | None = None
    email_subscription: str | None = None
    """The address's subscription to the alerts topic."""
    key_number: int = 1
    """Increases when the person requests a new signing key."""
    last_delivered_at: str | None = None
    last_problem: str | None = None
    """Why the last message could not be delivered, in user-facing words; None once one is delivered."""

    @property
    def ways(self) -> tuple[Way, ...]:
        addresses = {Way.WEBHOOK: self.webhook_url, Way.EMAIL: self.email}
        return tuple(way for way, address in addresses.items() if address)

    def keys(self) -> dict[str, str]:
        return {
            **tables.subscription_key(self.user_id),
            "GSI1PK": tables.ALL_SUBSCRIPTIONS,
            "GSI1SK": self.user_id,
        }


FAILING_ATTEMPTS = 3
"""A delivery counts as failing from this many failed attempts."""


@dataclass(frozen=True, slots=True)
class Delivery(Entity):
    """One alert to be delivered to one person. It stays in the queue until it is delivered or given up on."""

    enums: ClassVar = {"way": Way}

    user_id: str
    alert_id: str
    way: Way
    channel_id: str
    occurred_at: str
    """The alert's; part of the alert's key, with its channel and id."""
    due_at: str
    """When to send it. A sender moves this forward before sending, so no other sender picks it up."""
    attempts: int = 0
    """The number of failed attempts."""
    ended_at: str | None = None
    """When it was delivered or given up on."""
    problem: str | None = None
    """Why the last attempt failed, in user-facing words."""
    expires_at: int | None = None

    @property
    def is_failing(self) -> bool:
        return self.ended_at is None and self.attempts >= FAILING_ATTEMPTS

    @property
    def place(self) -> str:
        """The sort key in the queue, which groups deliveries due to one person at one time."""
        return f"{self.due_at}#{self.user_id}"

    def keys(self) -> dict[str, str]:
        key = tables.delivery_key(self.user_id, self.alert_id, self.way)
        if self.ended_at:
            return key
        queued = {**key, "GSI1PK": tables.OPEN_DELIVERIES, "GSI1SK": self.place}
        return {**queued, "GSI3PK": tables.FAILING_DELIVERIES} if self.is_failing else queued
