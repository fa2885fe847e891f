"""The writes for one reading of a video, in a run or after a transcript was uploaded."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from functions.record.models.alerts import Alert
from functions.record.models.records import Change, StockMention, Video
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.dynamodb.requests import MAX_TRANSACTION_ACTIONS, Action

MAX_MENTIONS_PER_VIDEO = MAX_TRANSACTION_ACTIONS - 8
"""A reading is written in one transaction: with its channel, its video, its log line, a change log entry, an alert,
and either the run and the attempt at this video, or the marker that the upload is unread."""


@dataclass(frozen=True, slots=True)
class CallCounts:
    """How many calls a new reading has added, removed, or flipped to the other side."""

    ATTRIBUTES: ClassVar = ("calls_new", "calls_gone", "calls_turned")

    calls_new: int = 0
    calls_gone: int = 0
    calls_turned: int = 0

    def to_add(self) -> tuple[str, dict[str, Value]]:
        """Returns the rest of an ADD expression, with its values."""
        numbers: dict[str, Value] = {name: number for name in self.ATTRIBUTES if (number := getattr(self, name))}
        return "".join(f", {name} :{name}" for name in numbers), numbers


NO_CALLS = CallCounts()


def as_it_was(video: Video, value: str = "edits") -> str:
    """Returns the condition that a video is unchanged since it was read; `value` names the expression's value."""
    return f"edits = :{value}" if video.edits else f"(attribute_not_exists(edits) OR edits = :{value})"


def reading_actions(
    video: Video, gone: Iterable[StockMention], change: Change | None, alert: Alert | None = None
) -> list[Action]:
    """Returns the writes beside the video itself: its mentions, removed mentions, the change log entry, the alert."""
    return [
        *map(put_action, video.calls),
        *(_delete(mention) for mention in gone),
        *(put_action(each) for each in (change, alert) if each),
    ]


def put_action(entity: Entity, **condition: Any) -> Action:
    return {"Put": {"TableName": main_table(), "Item": entity.to_item(), **condition}}


def _delete(mention: StockMention) -> Action:
    key = tables.mention_key(mention.video_id, mention.id)
    return {"Delete": {"TableName": main_table(), "Key": encode(key)}}
