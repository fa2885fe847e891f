"""Requests and responses of the note routes."""

import re
from typing import Annotated, Any
from urllib.parse import quote

from aws_lambda_powertools.event_handler.openapi.params import Path
from pydantic import BeforeValidator, Field

from functions.people.notes import NoteInChannel
from functions.record.api.schemas import NextPage, Schema, Version
from functions.record.models import notes
from functions.runtime.clock import Timestamp
from functions.runtime.text import is_visible

MAX_NOTE_LENGTH = 5000
TEXT = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"
"""The pattern in the OpenAPI document: visible text without control characters except line breaks and tabs."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def _note_text(given: Any) -> Any:
    """Normalises Windows line breaks. Rejects with a sentence, where the pattern's own error would show the pattern."""
    if not isinstance(given, str):
        return given
    text = given.replace("\r\n", "\n")
    if _CONTROLS.search(text):
        raise ValueError("A note holds no control characters but line breaks and tabs")
    if not is_visible(text):
        raise ValueError("Write something that can be seen")
    return text


NoteId = Annotated[str, Path(description="The note's id")]
NoteText = Annotated[
    str,
    Field(min_length=1, max_length=MAX_NOTE_LENGTH, pattern=TEXT),
    BeforeValidator(_note_text),
]


class NewNote(Schema):
    text: NoteText


class NoteChange(Schema):
    text: NoteText
    version: Version


class Note(Schema):
    id: str
    channel_id: str
    ticker: str
    text: str
    author: str = Field(description="The author's `user_id`; only they may change or delete the note")
    created_at: Timestamp
    updated_at: Timestamp
    version: int = Field(description="Incremented on every change; used for optimistic locking")


class NoteWithChannel(Note):
    channel_name: str

    @classmethod
    def of(cls, found: NoteInChannel) -> "NoteWithChannel":
        note = found.note
        return cls(
            **{name: getattr(note, name) for name in Note.model_fields},
            channel_name=found.channel_name,
        )


class NotesPage(NextPage):
    items: list[Note]


class NotesOfTickerPage(NextPage):
    items: list[NoteWithChannel]


def note_path(note: notes.Note) -> str:
    return f"/api/channels/{note.channel_id}/stocks/{quote(note.ticker)}/notes/{note.id}"
