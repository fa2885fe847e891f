"""Finds the words of a transcript that support a statement."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property

from functions.reading.listings import listing
from functions.reading.statements import Quote

MAX_QUOTE_LENGTH = 200
MIN_QUOTE_WORDS = 3
"""One or two words may match by chance."""
NEAR = 600
"""Characters, about forty seconds of speech: a quote this close to a stock's name may be about it."""
LEGAL_FORM = re.compile(
    r"[\s,]+(incorporated|inc|corporation|corp|company|co|limited|ltd|plc|holdings?|group|class [a-c])\.?$",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?]\s")
WORD = re.compile(r"[^\W_]+")
ELLIPSIS = re.compile(r"\.{3,}|…")
FORMULAS = re.compile(
    r"(financial|investment) advi[cs]\w+|your own (research|due diligence|risk)|due diligence|past performance"
    r"( is)?( not?| never)?( a)?( guarantee\w*| indicat\w+)?( of)?( future results)?"
    r"|(educational|entertainment|informational) purposes|(like|subscribe|bell|notification) (button|channel)"
)
"""Disclaimers and requests to subscribe, which say nothing of any stock."""
OCCUR_EVERYWHERE = """
a about advice advisor after again ah all alright also am an and any anyone anything anyway are around as at be
because been before being but by can channel click comment comments constitute could did didn disclaimer do does
doesn doing don done each episode er even ever every everybody everyone everything folks follow for forget forth
from further get go going gonna got guys had has have having he hello help her here hey hi him his hit how i if
in into is isn it its just kind know let like likes link ll lot m may maybe me mean might mine month my never
next no not now of off oh ok okay on one ones only or other others our out over own please professional re
really remember right s said same say says see seen she should show so some somebody someone something sort
still subscribe subscribed such t take taken tell than thank thanks that the their them then there these they
thing things think this those though through thus time to today together told tomorrow tonight too tuned uh um
up upon us ve very video videos was watch watched watching way we week welcome well went were what whatever when
where whether which while who whole whose why will with would yeah year yes yet you your yours yourself
"""
SAYS_NOTHING = frozenset(OCCUR_EVERYWHERE.split())
"""A quote of these words alone isn't a statement about a stock."""
ORDERS = re.compile(
    r"(ignore|disregard|forget|override) (all |any |every |the |your |my |these |those |of )*"
    r"(previous|prior|above|earlier|preceding|system|existing) (instruction|prompt|rule|message|direction)"
    r"|system prompt|(you are|you re|as) (an? )?(ai|language model|large language model|helpful assistant)\b"
    r"|(dear|hey|attention|note to( the)?) (ai|model|language model|assistant|analyst software)\b"
    r"|(respond|reply|answer|output|return) (only )?(with|in) (the )?(following )?json"
    r"|(record|report|output|return|add) (the |this |that |a |an )*(statement|act|entry|ticker)\b"
)
"""Instructions to a language model. What stands beside one was said to the model, not to people."""
BESIDE = 200
"""Characters."""
SEVERAL = frozenset({"all", "any", "both", "each", "every", "list", "stocks", "these", "they", "those"})
"""Words of a verdict over a list, which may stand far from the names."""
POSITIONS = frozenset({"in", "into", "out", "own", "up"})
"""Words of the list above that say something beside a stock's name: "I'm in Palantir", "my own Apple"."""

Places = Sequence[tuple[int, int]]
"""Spans of a transcript, in order."""


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


def quoted(given: str, transcript: SearchableTranscript, places: Places = ()) -> Quote | None:
    """Returns the passage that a model quotes, if the transcript contains it; of an abridged one, its first part. Of
    words that are said more than once, the passage nearest to one of the places."""
    for part in ELLIPSIS.split(given):
        if len(WORD.findall(part)) >= MIN_QUOTE_WORDS:
            spans = transcript.find_all(part)
            span = min(spans, key=lambda span: _distance(span, places)) if spans else None
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


def show_the_act(quotes: Sequence[Quote], places: Places, names: Sequence[str]) -> bool:
    """True if a statement about the stock may rest on the quotes. The first has to support it, or to speak of several
    stocks at once ("they're all buys today") while another one names this stock."""
    if not quotes or not places:
        return False
    first, *others = quotes
    if _supports(first, places, names):
        return True
    words = set(WORD.findall(first.text.lower()))
    return bool(words & SEVERAL and words - SAYS_NOTHING) and any(_names(each, places) for each in others)


def is_beside_an_order(quote: Quote, transcript: SearchableTranscript) -> bool:
    """True if the words around the quote are addressed to a language model."""
    around = transcript.text[max(0, quote.position - BESIDE) : quote.position + len(quote.text) + BESIDE]
    return ORDERS.search(" ".join(WORD.findall(around.lower()))) is not None


def _names(quote: Quote, places: Places) -> bool:
    return _distance((quote.position, quote.position + len(quote.text)), places) == 0


def _supports(quote: Quote, places: Places, names: Iterable[str]) -> bool:
    """True if a statement about the stock may rest on the quote: it stands close to a place that names the stock, and
    says more than the name and words that occur everywhere."""
    distance = _distance((quote.position, quote.position + len(quote.text)), places)
    return distance <= NEAR and _says_something(quote.text, names, names_it=distance == 0)


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


def _distance(span: tuple[int, int], places: Places) -> int:
    """Returns the characters between a passage and the nearest of the places, which are in order; 0 if it has one."""
    begin, end = span
    following = bisect_left(places, span)
    return min(
        (max(0, at - end, begin - until) for at, until in places[max(0, following - 1) : following + 1]),
        default=NEAR + 1,
    )


def _says_something(text: str, names: Iterable[str], *, names_it: bool) -> bool:
    ignored = SAYS_NOTHING.union(*(WORD.findall(name.lower()) for name in names))
    said = WORD.findall(FORMULAS.sub(" ", " ".join(WORD.findall(text.lower()))))
    return any(word not in ignored or (names_it and word in POSITIONS) for word in said)


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
