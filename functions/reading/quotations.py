"""Finds the words of a transcript that support a statement."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property

from functions.reading.listings import listing
from functions.reading.statements import Quote

MAX_QUOTE_LENGTH = 200
MIN_QUOTE_WORDS = 3
"""One or two words may match by chance."""
NEAR = 1_500
"""Characters, about a minute and a half of speech: a quote this close to a stock's name may be about it."""
LEGAL_FORM = re.compile(
    r"[\s,]+(incorporated|inc|corporation|corp|company|co|limited|ltd|plc|holdings?|group|class [a-c])\.?$",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?]\s")
WORD = re.compile(r"[^\W_]+")
ELLIPSIS = re.compile(r"\.{3,}|…")


class SearchableTranscript:
    """A transcript whose words can be searched, whatever the case, punctuation and white space."""

    def __init__(self, transcript: str) -> None:
        self.text = transcript

    @cached_property
    def _words(self) -> tuple[str, list[int], list[tuple[int, int]]]:
        """The words joined by spaces, where each starts in that text, and its span in the transcript."""
        spans = [match.span() for match in WORD.finditer(self.text)]
        joined, starts, position = [], [], 0
        for start, end in spans:
            word = self.text[start:end].lower()
            starts.append(position)
            joined.append(word)
            position += len(word) + 1
        return f"{' '.join(joined)} ", starts, spans

    def find(self, words: str) -> tuple[int, int] | None:
        """Returns the span of the first passage with the same words, ignoring case and punctuation."""
        return next(iter(self.find_all(words, most=1)), None)

    def find_all(self, words: str, most: int = 1_000) -> list[tuple[int, int]]:
        text, starts, spans = self._words
        sought = f"{' '.join(WORD.findall(words.lower()))} "
        found: list[tuple[int, int]] = []
        at = text.find(sought) if sought.strip() else -1
        while at >= 0 and len(found) < most:
            first = bisect_left(starts, at)
            if first < len(starts) and starts[first] == at:
                last = bisect_right(starts, at + len(sought) - 2) - 1
                found.append((spans[first][0], spans[last][1]))
            at = text.find(sought, at + 1)
        return found

    def quote(self, begin: int, end: int) -> Quote:
        return Quote(_cut(" ".join(self.text[begin:end].split())), begin)


def quoted(given: str, transcript: SearchableTranscript) -> Quote | None:
    """Returns the passage that a model quotes, if the transcript contains it; of an abridged one, its first part."""
    for part in ELLIPSIS.split(given):
        if len(WORD.findall(part)) >= MIN_QUOTE_WORDS:
            span = transcript.find(part)
            return transcript.quote(*_with_end_mark(transcript.text, *span)) if span else None
    return None


def occurrences(names: Iterable[str], transcript: SearchableTranscript) -> list[tuple[int, int]]:
    """Returns where the transcript names the stock. A name that is an everyday word counts as it is spelled only."""
    return sorted(
        span
        for name in dict.fromkeys(names)
        for span in transcript.find_all(name)
        if not _is_word_ticker(name) or transcript.text[slice(*span)] == name
    )


def is_near(quote: Quote, places: list[tuple[int, int]]) -> bool:
    """True if the quote names the stock, or stands close to a place that does."""
    return any(
        begin - NEAR <= quote.position <= end + NEAR or quote.position <= begin <= quote.position + len(quote.text)
        for begin, end in places
    )


def sentence_at(span: tuple[int, int], transcript: SearchableTranscript) -> Quote:
    """Returns the sentence around a name, or the words around it where captions lack full stops."""
    return transcript.quote(*_around(transcript.text, *span))


def spoken_names(company: str) -> list[str]:
    """Returns the company's name, with and without its legal form."""
    name = " ".join(company.split())
    short = name
    while (shorter := LEGAL_FORM.sub("", short)) != short:
        short = shorter
    # Shorter names match by chance.
    return [candidate for candidate in dict.fromkeys([name, short]) if len(candidate) >= 3]


def _is_word_ticker(name: str) -> bool:
    """True for ALL, but not for all: in capitals it means the share."""
    share = listing(name) if name.isupper() else None
    return share is not None and share.word_ticker


def _with_end_mark(text: str, begin: int, end: int) -> tuple[int, int]:
    return begin, end + (text[end : end + 1] in {".", "!", "?"})


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
