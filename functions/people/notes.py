"""People's notes on the stocks of a channel: written, listed, changed and deleted."""

from dataclasses import dataclass

from functions.reading.tickers import is_ticker
from functions.record.channels.channels import living_channel_and, require_channel_id
from functions.record.errors import NoteNotFound, StockNotFound
from functions.record.models.notes import Note
from functions.record.store import notes
from functions.record.store.channels import channels_by_id
from functions.runtime import ids
from functions.runtime.caller import Caller
from functions.runtime.clock import now
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page
from functions.runtime.errors import ChangedMeanwhile


@dataclass(frozen=True, slots=True)
class NoteInChannel:
    note: Note
    channel_name: str


def add_note(channel_id: str, ticker: str, text: str, by: Caller, *, request: str | None = None) -> Note:
    """Idempotent per `request`: a repeat returns the note created first."""
    require_channel_id(channel_id)
    if not is_ticker(ticker):
        raise StockNotFound(ticker)
    created_at = now()
    note = Note(ids.new_note_id(), channel_id, ticker, text, by.id, created_at=created_at, updated_at=created_at)
    return notes.add_note(note, request, by)


def notes_of_stock(channel_id: str, ticker: str, start: Item | None, limit: int) -> Page[Note]:
    """Newest first."""

    def read() -> Page[Note]:
        return notes.newest_notes_of_stock(channel_id, ticker, limit, start) if is_ticker(ticker) else Page([], None)

    _, page = living_channel_and(channel_id, read)
    return page


def notes_of_ticker(ticker: str, start: Item | None, limit: int) -> Page[NoteInChannel]:
    """Notes across all channels, newest first. Omits notes of channels that are being deleted."""
    if not is_ticker(ticker):
        return Page([], None)
    page = notes.newest_notes_of_ticker(ticker, limit, start)
    channels = channels_by_id({note.channel_id for note in page.items})
    items = [NoteInChannel(note, channels[note.channel_id].name) for note in page.items if note.channel_id in channels]
    return Page(items, page.next_key)


def change_note(channel_id: str, ticker: str, note_id: str, text: str, version: int, author: str) -> Note:
    """Replaces the version that the author saw. Idempotent, so it can be repeated after a lost response."""
    _require_note_id(channel_id, ticker, note_id)
    changed_at = now()
    seen = Note(note_id, channel_id, ticker, "", author, created_at=changed_at, updated_at=changed_at, version=version)
    stored = notes.change_note(seen, text, changed_at)
    if (stored.text, stored.version) != (text, version + 1):
        raise ChangedMeanwhile(
            f"The note has been changed meanwhile: its version is {stored.version}. Read it again.", stored
        )
    return stored


def delete_note(channel_id: str, ticker: str, note_id: str, author: str) -> None:
    _require_note_id(channel_id, ticker, note_id)
    notes.remove_note(channel_id, ticker, note_id, author)


def _require_note_id(channel_id: str, ticker: str, note_id: str) -> None:
    """Anything that cannot be an id must not become a key of the table."""
    if not (ids.is_uuid(channel_id) and is_ticker(ticker) and ids.is_ulid(note_id)):
        raise NoteNotFound(note_id)
