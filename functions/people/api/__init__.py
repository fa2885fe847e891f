"""The routes for people and their notes, settings and watchlists, and the responses to their errors."""

import functions.record.api  # noqa: F401 - its errors may be raised here too
from functions.record.errors import NoteNotFound, NotTheAuthor
from functions.runtime.http.resolver import register_errors

register_errors(
    {
        NoteNotFound: (404, "Note not found"),
        NotTheAuthor: (403, "Only its author may change or delete a note"),
    }
)
