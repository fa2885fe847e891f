"""The people who use the system, and their settings."""

from dataclasses import dataclass, field
from typing import ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity

DECIMALS = 4
"""Decimal places stored, because DynamoDB can't store every float."""


@dataclass(frozen=True, slots=True)
class Choices(Entity):
    """The settings that can be chosen; None falls back to the next level."""

    numbers: ClassVar = ("cost_bps", "review_below")

    horizon: str | None = None
    cost_bps: float | None = None
    review_below: float | None = None
    benchmark: str | None = None


@dataclass(frozen=True, slots=True)
class PersonalSettings(Choices):
    """The settings a person has chosen for themselves."""

    user_id: str = field(kw_only=True)
    version: int = 0
    """Increases with each change; used for optimistic locking."""

    def keys(self) -> dict[str, str]:
        return tables.settings_key(self.user_id)


@dataclass(frozen=True, slots=True)
class DefaultSettings(Choices):
    """The settings operators have chosen for everyone who has not chosen their own."""

    version: int = 0

    def keys(self) -> dict[str, str]:
        return tables.DEFAULT_SETTINGS_KEY
