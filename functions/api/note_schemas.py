"""Requests and responses of the routes of notes."""

from typing import Annotated
from urllib.parse import quote

from aws_lambda_powertools.event_handler.openapi.params import Path
from pydantic import BeforeValidator, Field

from functions.api.schemas import NextPage, Schema, Version
from functions.core import notes
from functions.core.clock import Timestamp
from functions.logic.notes import NoteInChannel

MAX_NOTE_LENGTH = 5000
TEXT = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"
"""Something to see, and no control characters but line breaks and tabs."""

NoteId = Annotated[str, Path(description="The note's id")]
NoteText = Annotated[
    str,
    Field(min_length=1, max_length=MAX_NOTE_LENGTH, pattern=TEXT),
    BeforeValidator(lambda text: text.replace("\r\n", "\n") if isinstance(text, str) else text),
]
"""Line breaks of Windows become those of everybody else."""


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
    author: str = Field(description="The `user_id` of the person who wrote it; only they may change or delete it")
    created_at: Timestamp
    updated_at: Timestamp
    version: int = Field(description="Rises with each change")


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
