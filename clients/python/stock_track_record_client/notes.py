"""Notes that people write on a channel's stocks."""

from stock_track_record_client.models import Note, NotesOfTickerPage, NotesPage, NoteWithChannel
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes


class NoteRoutes(Routes):
    def notes(self, channel_id: str, ticker: str) -> Pages[NotesPage, Note]:
        """On a stock of a channel, newest first."""
        return self._list(NotesPage, Note, "channels", channel_id, "stocks", ticker, "notes")

    def stock_notes(self, ticker: str) -> Pages[NotesOfTickerPage, NoteWithChannel]:
        """On a stock in any channel, newest first."""
        return self._list(NotesOfTickerPage, NoteWithChannel, "stocks", ticker, "notes")

    def add_note(self, channel_id: str, ticker: str, text: str) -> Note:
        return self._post(Note, "channels", channel_id, "stocks", ticker, "notes", body={"text": text})

    def change_note(self, channel_id: str, ticker: str, note_id: str, text: str, *, version: int) -> Note:
        """Replaces the version that was read; a concurrent change is a Conflict. Only for the author."""
        body = {"text": text, "version": version}
        return self._put(Note, "channels", channel_id, "stocks", ticker, "notes", note_id, body=body)

    def delete_note(self, channel_id: str, ticker: str, note_id: str) -> None:
        """Only its author may."""
        self._delete("channels", channel_id, "stocks", ticker, "notes", note_id)
