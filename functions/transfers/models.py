"""Transfers: exports and imports of files, started by people and finished by workers."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.ids import milliseconds_of

KEPT_DAYS = 30
"""How long a transfer can be seen, and an export downloaded. The bucket's lifecycle removes the file after as many."""
KEPT_SECONDS = KEPT_DAYS * 24 * 60 * 60
MAX_OPEN = 3
"""Maximum open transfers of a kind per person."""
PENDING, PROCESSING = "PENDING", "PROCESSING"
OPEN = (PENDING, PROCESSING)
"""The statuses of unfinished transfers."""


@dataclass(frozen=True, slots=True)
class OpenTransfers(Entity):
    """A person's transfers of a kind that have not ended, in one item: its condition keeps them few, however many begin
    at once."""

    listed_as: ClassVar[str]
    """The sort key, and the index key of all unfinished transfers."""

    user_id: str
    ids: frozenset[str] = frozenset()

    def keys(self) -> dict[str, str]:
        return tables.open_transfers_key(self.listed_as, self.user_id)


@dataclass(frozen=True, slots=True)
class Transfer(Entity):
    prefix: ClassVar[str]
    """The prefix of its keys, before the id."""
    open_list: ClassVar[type[OpenTransfers]]
    too_many: ClassVar[type[StockTrackRecordError]]
    """The error raised when a person has reached the limit."""

    id: str
    """A ULID, so that transfers sort by creation."""
    user_id: str
    created_at: str
    updated_at: str
    expires_at: int
    """Epoch seconds after which it no longer exists, and DynamoDB may remove it."""
    _: KW_ONLY
    status: StrEnum
    error_message: str | None = None
    """Why it failed, for people."""
    attempts: int = 0
    """How often a worker has started it without making progress."""
    claimed_by: str | None = None
    """The worker that holds the lease."""
    lease_until: str | None = None
    """When that worker counts as dead, unless it renews its lease."""
    sent_at: str | None = None
    """When the last message for it was sent, or will arrive."""

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def primary_key(self) -> dict[str, str]:
        return tables.transfer_key(self.prefix, self.user_id, self.id)

    @property
    def identity(self) -> dict[str, str]:
        """The name of its log field: `export_id` or `import_id`."""
        return {f"{type(self).__name__.lower()}_id": self.id}

    def is_expired(self, now: float) -> bool:
        return self.expires_at <= now

    def keys(self) -> dict[str, str]:
        keys = {
            **self.primary_key,
            "GSI1PK": tables.transfer_sk(self.prefix, self.id),
            "GSI1SK": tables.user_pk(self.user_id),
        }
        return {**keys, "GSI2PK": self.open_list.listed_as} if self.is_open else keys


def expiry_of(transfer_id: str) -> int:
    """Epoch seconds, counted from the creation of the id."""
    return milliseconds_of(transfer_id) // 1000 + KEPT_SECONDS
