"""Finds the words of a transcript that support a call."""

import re
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

MAX_QUOTE_LENGTH = 200
LEGAL_FORM = re.compile(
    r"[\s,]+(incorporated|inc|corporation|corp|company|co|limited|ltd|plc|holdings?|group|class [a-c])\.?$",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?]\s")
WORD = re.compile(r"\S+")


class Quotation(NamedTuple):
    text: str
    position: int
    """Character offset in the original transcript."""


class SearchableTranscript:
    """A transcript with normalised white space, to search for quotations."""

    def __init__(self, transcript: str) -> None:
        self.text = _normalise(transcript)
        self._given = transcript
        self._starts: tuple[list[int], list[int]] | None = None

    def quotation(self, begin: int, end: int) -> Quotation:
        return Quotation(_cut(self.text[begin:end]), self._given_position(begin))

    def _given_position(self, position: int) -> int:
        if self.text == self._given:
            return position
        starts, given = self._word_starts()
        word = bisect_right(starts, position) - 1
        return given[word] + position - starts[word]

    def _word_starts(self) -> tuple[list[int], list[int]]:
        """Offsets of each word, in the normalised text and in the original."""
        if self._starts is None:
            spans = [match.span() for match in WORD.finditer(self._given)]
            starts = accumulate((end - start + 1 for start, end in spans), initial=0)
            self._starts = list(starts), [start for start, _ in spans]
        return self._starts


def quoted(context: str, transcript: SearchableTranscript) -> Quotation | None:
    """Returns the context as a quotation if the transcript contains it, ignoring white space."""
    words = _normalise(context)
    # One or two words may match by chance.
    begin = transcript.text.find(words) if words.count(" ") >= 2 else -1
    return transcript.quotation(begin, begin + len(words)) if begin >= 0 else None


def sentence_naming(names: list[str], transcript: SearchableTranscript) -> Quotation | None:
    """Returns the first sentence with one of the names, or the words around it where captions lack full stops."""
    found = [match for name in names if (match := _pattern(name).search(transcript.text))]
    if not found:
        return None
    first = min(found, key=lambda match: match.start())
    return transcript.quotation(*_around(transcript.text, first.start(), first.end()))


def spoken_names(company: str) -> list[str]:
    """Returns the company's name, with and without its legal form."""
    name = _normalise(company)
    short = name
    while (shorter := LEGAL_FORM.sub("", short)) != short:
        short = shorter
    # Shorter names match by chance.
    return [candidate for candidate in dict.fromkeys([name, short]) if len(candidate) >= 3]


def _pattern(name: str) -> re.Pattern[str]:
    # Names in capitals match case-sensitively: ALL is a stock, all is a word.
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", 0 if name.isupper() else re.IGNORECASE)


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    begin = max((match.end() for match in SENTENCE_END.finditer(text, 0, start)), default=0)
    stop = SENTENCE_END.search(text, end)
    sentence_stop = stop.start() + 1 if stop else len(text)
    if end - begin > MAX_QUOTE_LENGTH:
        # Starting at the beginning of so long a sentence would cut off the name.
        begin = text.find(" ", max(0, start - MAX_QUOTE_LENGTH // 2), start) + 1 or start
    return begin, sentence_stop


def _cut(text: str) -> str:
    if len(text) <= MAX_QUOTE_LENGTH:
        return text
    whole_words = text[: MAX_QUOTE_LENGTH + 1].rpartition(" ")[0]
    return whole_words or text[:MAX_QUOTE_LENGTH]


def _normalise(text: str) -> str:
    return " ".join(text.split())
