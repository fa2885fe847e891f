"""Sends a transcript to a language model in pieces that fit, and reads its responses."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from functions.reading.analyst import NO_TOKENS, Analysis, Speech, TokenUsage
from functions.reading.models.checks import Rejected, statement_of
from functions.reading.models.prompt import LIST, prompt
from functions.reading.policy import main_statements
from functions.reading.quotations import SearchableTranscript
from functions.reading.statements import Statement
from functions.runtime.provider_errors import ProviderError, Unavailable
from functions.runtime.text import one_line

PIECE_WORDS = 60_000
"""About 80,000 tokens, which the window of any current hosted model holds: six hours of speech in one request."""
OVERLAP_WORDS = 300
MIN_PIECE_WORDS = 400
"""Pieces this short are not split again: no genuine response to them exceeds a model's limit."""
MAX_CAUSE_LENGTH = 200
MAX_ENTRIES = 500
MAX_REJECTED = 20

JSON_START = re.compile(r"[\[{]")
MAX_JSON_STARTS = 50


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's response to one request."""

    content: Any
    """The parsed JSON."""
    usage: TokenUsage = NO_TOKENS


class TooLong(Exception):
    """The piece, or the response to it, exceeds the model's limit: retry with halves."""

    def __init__(self, error: ProviderError, usage: TokenUsage = NO_TOKENS) -> None:
        super().__init__(str(error))
        self.error = error
        """Raised instead if the piece is too short to split."""
        self.usage = usage


Complete = Callable[[str], Completion]
"""Sends a user message."""


def analyse(speech: Speech, complete: Complete, service: str, piece_words: int = PIECE_WORDS) -> Analysis:
    """Sends each piece to the model and checks the responses against the whole transcript."""
    searchable = SearchableTranscript(speech.text)
    statements: list[Statement] = []
    rejected: dict[str, None] = {}
    usage = NO_TOKENS
    for piece in pieces(speech.text, piece_words):
        for completion in _completions(speech, piece, complete):
            usage += completion.usage
            for entry in entries_of(completion.content, service):
                try:
                    statements.append(statement_of(entry, searchable, speech.day))
                except Rejected as problem:
                    rejected[str(problem)] = None
    return Analysis(main_statements(statements), usage, tuple(islice(rejected, MAX_REJECTED)))


def pieces(transcript: str, size: int = PIECE_WORDS, overlap: int = OVERLAP_WORDS) -> Iterator[str]:
    """Yields parts for one request each. They overlap, so that a sentence at a boundary is complete in one of them."""
    words = transcript.split()
    overlap = min(overlap, size // 8)
    for start in range(0, max(len(words) - overlap, min(len(words), 1)), size - overlap):
        yield " ".join(words[start : start + size])


def entries_of(response: Any, service: str) -> list[dict[str, Any]]:
    """Returns the stocks of a response. Raises Unavailable if there is no list of them."""
    entries = _list_in(response)
    if not isinstance(entries, list) or (entries and not any(isinstance(entry, dict) for entry in entries)):
        raise Unavailable(f"{service} did not return a list of statements.")
    return [entry for entry in entries if isinstance(entry, dict)][:MAX_ENTRIES]


def read_json(text: str) -> Any:
    """Parses the JSON in a text, which models may wrap in a code fence or a sentence.

    Prefers the first value that can hold statements, since the sentence may contain brackets too. Raises ValueError if
    there is no JSON.
    """
    found = list(_json_values(text))
    if not found:
        raise ValueError("the text contains no JSON")
    return next((value for value in found if _can_hold_statements(value)), found[0])


def cause(words: Any) -> str:
    """Returns the service's error message on one line, or an empty string."""
    return one_line(words, MAX_CAUSE_LENGTH) if isinstance(words, str) else ""


def _json_values(text: str) -> Iterator[Any]:
    decoder, end = json.JSONDecoder(), 0
    for start in islice(JSON_START.finditer(text), MAX_JSON_STARTS):
        if start.start() < end:
            continue
        try:
            value, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        yield value


def _can_hold_statements(value: Any) -> bool:
    return LIST in value if isinstance(value, dict) else any(isinstance(entry, dict) for entry in value)


def _completions(speech: Speech, piece: str, complete: Complete) -> Iterable[Completion]:
    """Yields the response to a piece or, if that is too long, the responses to its halves, recursively."""
    words = len(piece.split())
    try:
        completion = complete(prompt(speech, piece))
    except TooLong as problem:
        if words <= MIN_PIECE_WORDS:
            raise problem.error from None
        # The tokens of a response that was cut off are spent as well.
        yield Completion([], problem.usage)
    else:
        yield completion
        return
    overlap = min(OVERLAP_WORDS, words // 8)
    for half in pieces(piece, (words + overlap + 1) // 2, overlap):
        yield from _completions(speech, half, complete)


def _list_in(response: Any) -> Any:
    """Returns the list of statements, which some models send without its wrapper, or as a JSON string."""
    entries = response.get(LIST) if isinstance(response, dict) else response
    if not isinstance(entries, str):
        return entries
    try:
        inner = read_json(entries)
    except ValueError:
        return None
    return inner.get(LIST) if isinstance(inner, dict) else inner
