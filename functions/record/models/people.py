"""The people who use the system, and what each of them has chosen."""

from dataclasses import dataclass, field
from typing import ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity

DECIMALS = 4
"""Of the numbers that are kept: DynamoDB does not take every number that a float can be."""


@dataclass(frozen=True, slots=True)
class Choices(Entity):
    """What can be chosen; None follows what is chosen above it."""

    numbers: ClassVar = ("cost_bps", "review_below")

    horizon: str | None = None
    cost_bps: float | None = None
    review_below: float | None = None
    benchmark: str | None = None


@dataclass(frozen=True, slots=True)
class PersonalSettings(Choices):
    """What a person has chosen for themselves."""

    user_id: str = field(kw_only=True)
    version: int = 0
    """Rises with each change, so that of two edits at once the second can be told."""

    def keys(self) -> dict[str, str]:
        return tables.settings_key(self.user_id)


@dataclass(frozen=True, slots=True)
class DefaultSettings(Choices):
    """What operators have chosen for everybody who has not."""

    version: int = 0

    def keys(self) -> dict[str, str]:
        return tables.DEFAULT_SETTINGS_KEY
