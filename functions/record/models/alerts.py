"""What people are told of: alerts, who wants them, and their delivery."""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value
from functions.runtime.dynamodb.entity import Entity


class AlertKind(StrEnum):
    CALLS = "calls"
    """A video with calls: each of them is new, or a reversal."""
    VERDICT = "verdict"
    """The verdict on a channel changed."""
    MATURED = "matured"
    """Calls of watched stocks reached the end of a horizon."""


class WantedKind(StrEnum):
    """What a person wants to be told of."""

    CALLS = "calls"
    REVERSALS = "reversals"
    """Of the calls, those that say the opposite of what the channel said of the stock before."""
    VERDICT = "verdict"
    MATURED = "matured"


class WantedChannels(StrEnum):
    ALL = "all"
    WATCHED = "watched"
    """Watched channels, and watched stocks in any channel."""


class Digest(StrEnum):
    NONE = "none"
    """A message for each alert, at once."""
    DAILY = "daily"
    """One message a day with all alerts."""


class Way(StrEnum):
    """How a person is told."""

    WEBHOOK = "webhook"
    EMAIL = "email"


@dataclass(frozen=True, slots=True)
class Alert(Entity):
    """Something that happened, written in the transaction that caused it."""

    enums: ClassVar = {"kind": AlertKind}

    id: str
    """A ULID. A repeated delivery has the same one."""
    channel_id: str
    kind: AlertKind
    occurred_at: str
    """When it happened in the world: for calls, the publication of their video."""
    created_at: str
    details: tuple[dict[str, Any], ...] = field(default=(), hash=False)
    """One object for each call that it tells of, or one for a verdict. Stored as JSON."""
    video_id: str | None = None
    video_title: str | None = None
    undelivered: bool = False
    """Whether it still has to be handed to those who want it. What is old news when it is read never is."""

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
    """What a person wants to be alerted to, and how. It holds no secret: keys are derived when they are needed."""

    enums: ClassVar = {"channels": WantedChannels, "digest": Digest}

    user_id: str
    version: int
    """Rises with each change by the person, so that of two edits at once the second can be told."""
    kinds: tuple[str, ...] = ()
    channels: WantedChannels = WantedChannels.ALL
    digest: Digest = Digest.NONE
    webhook_url: str | None = None
    email: str | None = None
    email_subscription: str | None = None
    """The subscription of the address to the topic of alerts."""
    key_number: int = 1
    """Rises when the person asks for another signing key."""
    last_delivered_at: str | None = None
    last_problem: str | None = None
    """Why the last message could not be delivered, for people; None once one was."""

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


@dataclass(frozen=True, slots=True)
class Delivery(Entity):
    """One alert on its way to one person. It is in the queue until it has been delivered or given up."""

    enums: ClassVar = {"way": Way}

    user_id: str
    alert_id: str
    way: Way
    channel_id: str
    occurred_at: str
    """Of the alert: with its channel and its id, its key."""
    due_at: str
    """When it is to be sent. Whoever sends it moves this on first, so that nobody else does."""
    attempts: int = 0
    """How often it failed."""
    ended_at: str | None = None
    """When it was delivered or given up."""
    problem: str | None = None
    """Why the last attempt failed, for people."""
    expires_at: int | None = None

    @property
    def place(self) -> str:
        """In the queue: what is due to a person at one time lies together."""
        return f"{self.due_at}#{self.user_id}"

    def keys(self) -> dict[str, str]:
        key = tables.delivery_key(self.user_id, self.alert_id, self.way)
        return key if self.ended_at else {**key, "GSI1PK": tables.OPEN_DELIVERIES, "GSI1SK": self.place}
