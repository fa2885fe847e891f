"""What people are told of: alerts, who wants them, and their delivery."""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from functions.core import tables
from functions.core.attributes import Value
from functions.core.models import Entity


class AlertKind(StrEnum):
    CALLS = "calls"
    """A video with calls: each of them is new, or a reversal."""
    VERDICT = "verdict"
    """The verdict on a channel changed."""
    MATURED = "matured"
    """Calls of watched stocks reached the end of a horizon."""


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
