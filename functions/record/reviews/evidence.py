"""The text around a quote in a transcript. No I/O."""

import re
from dataclasses import dataclass

from functions.reading.transcripts import Transcript

SENTENCES = 3
WORDS = 40
"""Used instead of sentences in captions without punctuation."""
MAX_CHARACTERS = 1500
MAX_OCCURRENCES = 1000
SENTENCE_END = re.compile(r"[.!?…][\"'”\u2019)\]]{0,3} ")


@dataclass(frozen=True, slots=True)
class Surroundings:
    before: str | None = None
    after: str | None = None


UNKNOWN = Surroundings()


def surroundings(transcript: Transcript | None, quote: str | None, start_seconds: int | None) -> Surroundings:
    """Returns three sentences before the quote and after it; none if it is not in the transcript."""
    if transcript is None or not quote or (place := _place(transcript, quote, start_seconds)) is None:
        return UNKNOWN
    end = place + len(quote)
    return Surroundings(_before(transcript.text, place), _after(transcript.text, end))


def _place(transcript: Transcript, quote: str, start_seconds: int | None) -> int | None:
    """Returns the position of the quote: the occurrence at its second, or else the first one."""
    first = place = transcript.text.find(quote)
    if first < 0:
        return None
    for _ in range(MAX_OCCURRENCES):
        if place < 0:
            break
        if transcript.second_at(place) == start_seconds:
            return place
        place = transcript.text.find(quote, place + len(quote))
    return first


def _before(text: str, end: int) -> str:
    begin = max(0, end - MAX_CHARACTERS)
    window = text[begin:end]
    ends = [match.end() for match in SENTENCE_END.finditer(window)]
    if not ends:
        words = window.split()
        return " ".join((words[1:] if begin else words)[-WORDS:])
    starts = ends if begin else [0, *ends]
    # After the last of them the quote's own sentence begins.
    return window[starts[max(0, len(starts) - 1 - SENTENCES)] :].strip()


def _after(text: str, begin: int) -> str:
    end = min(len(text), begin + MAX_CHARACTERS)
    window = text[begin:end]
    ends = [match.end() for match in SENTENCE_END.finditer(window)]
    if not ends:
        words = window.split()
        return " ".join((words[:-1] if end < len(text) else words)[:WORDS])
    if end == len(text):
        ends.append(len(window))
    # The quote may end within its sentence, so the rest of that is shown too.
    wanted = SENTENCES if SENTENCE_END.match(f"{text[begin - 1]} ") else SENTENCES + 1
    return window[: ends[min(wanted, len(ends)) - 1]].strip()
