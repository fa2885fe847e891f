"""Finds the words of a transcript that support a call."""

import re

MAX_QUOTE_LENGTH = 200
LEGAL_FORM = re.compile(
    r"[\s,]+(incorporated|inc|corporation|corp|company|co|limited|ltd|plc|holdings?|group|class [a-c])\.?$",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?]\s")


def quoted(context: str, transcript: str) -> str | None:
    """The context if the transcript contains it, ignoring white space; else None."""
    words = _normalise(context)
    # One or two words occur in any text and prove nothing.
    return _cut(words) if words.count(" ") >= 2 and words in _normalise(transcript) else None


def sentence_naming(names: list[str], transcript: str) -> str | None:
    """The first sentence with one of those names. Captions often have no full stops: then the words around it."""
    text = _normalise(transcript)
    found = [match for name in names if (match := _pattern(name).search(text))]
    if not found:
        return None
    first = min(found, key=lambda match: match.start())
    return _around(text, first.start(), first.end())


def spoken_names(company: str) -> list[str]:
    """The company's name, with and without its legal form."""
    name = _normalise(company)
    short = name
    while (shorter := LEGAL_FORM.sub("", short)) != short:
        short = shorter
    # A shorter name would be found in any text.
    return [candidate for candidate in dict.fromkeys([name, short]) if len(candidate) >= 3]


def _pattern(name: str) -> re.Pattern[str]:
    # A ticker in capitals is looked for in capitals: ALL is a stock, all is a word.
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", 0 if name.isupper() else re.IGNORECASE)


def _around(text: str, start: int, end: int) -> str:
    begin = max((match.end() for match in SENTENCE_END.finditer(text, 0, start)), default=0)
    stop = SENTENCE_END.search(text, end)
    sentence_stop = stop.start() + 1 if stop else len(text)
    if end - begin > MAX_QUOTE_LENGTH:
        # The sentence is too long to start at its beginning and still contain the name.
        begin = text.find(" ", max(0, start - MAX_QUOTE_LENGTH // 2), start) + 1 or start
    return _cut(text[begin:sentence_stop])


def _cut(text: str) -> str:
    if len(text) <= MAX_QUOTE_LENGTH:
        return text
    whole_words = text[: MAX_QUOTE_LENGTH + 1].rpartition(" ")[0]
    return whole_words or text[:MAX_QUOTE_LENGTH]


def _normalise(text: str) -> str:
    return " ".join(text.split())
