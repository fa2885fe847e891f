"""Finds tickers in a transcript: cashtags, capitals, spelled-out letters, and lower case in raw captions."""

from datetime import date

from functions.reading.listings import Listing, listing_on
from functions.reading.rules import vocabulary
from functions.reading.rules.context import MARKET_REACH, NEAR, UNKNOWN, Caption, Mention
from functions.reading.rules.known import known_names, other_meanings, well_known, with_alias

CONSUMER_TICKERS = vocabulary.words("consumer tickers")
"""English words that in capitals always mean the share."""
ABBREVIATIONS = vocabulary.words("abbreviations")
SECTORS = vocabulary.words("abbreviations for a sector or a thing")
"""`an AI stock`, `API calls`: a description of the share, not its ticker."""
NAMES_ALIKE = vocabulary.words("names written like another ticker")
"""`HP` is HP Inc. to everyone who says it; only `$HP` and `ticker HP` are Helmerich & Payne."""
TICKER_CUES = vocabulary.words("ticker cues")
DETERMINERS = vocabulary.words("articles") | vocabulary.words("determiners")
RARE_WORDS = vocabulary.words("rare words that are tickers", "soundalikes.txt")
SHORTEST_IN_LOWER_CASE = 3
SHORTEST_IN_CAPITALS = 2
SHORTEST_SPELLED = 3
MAX_TICKER = 5
OFTEN = 2


def ticker_at(caption: Caption, index: int) -> Mention | None:
    word = caption.words[index]
    if word.text[0] == "$":
        return _cashtag(word.text[1:], index, caption.day)
    if index and _follows_cue(caption.keys, index):
        spoken = _after_cue(caption, index)
        if spoken:
            return spoken
    spelled = _spelled(caption, index) if len(word.key) == 1 else None
    if spelled:
        return spelled
    if caption.capitals and word.text.isupper():
        return _in_capitals(caption, index)
    if caption.lower_case:
        return _in_lower_case(caption, index)
    return None


def _follows_cue(keys: list[str], index: int) -> bool:
    return keys[index - 1] in TICKER_CUES or (keys[index - 1] == "is" and keys[index - 2] in TICKER_CUES)


def _cashtag(text: str, index: int, day: date | None) -> Mention | None:
    known = listing_on(text, day)
    if known is None:
        return Mention(index, index + 1, None, 1.0) if text.isalpha() else None
    return Mention(index, index + 1, known.ticker, 1.0)


def _after_cue(caption: Caption, index: int) -> Mention | None:
    """`ticker KSS`, `ticker symbol s o`, `ticker symbol is n v d a`."""
    text = caption.words[index].text
    large = text.isupper() and caption.capitals
    last = max(_end_of_letters(caption.keys, index), index + 1)
    spelled = last - index > 1
    known = listing_on("".join(caption.keys[index:last]), caption.day)
    if known and len(text) == 1 and not spelled:
        return Mention(index, last, known.ticker, 0.95) if large and known.ticker in with_alias() else None
    if known and (spelled or large or not known.word_ticker):
        return Mention(index, last, known.ticker, 0.9)
    unknown = spelled or (large and text.isalpha() and 1 < len(text) <= MAX_TICKER)
    return Mention(index, last, None, UNKNOWN) if unknown and not known else None  # ticker g o g l


def _end_of_letters(keys: list[str], index: int) -> int:
    """Returns the end of the single letters from a word on."""
    last = index
    while last < len(keys) and last - index <= MAX_TICKER and len(keys[last]) == 1 and "a" <= keys[last] <= "z":
        last += 1
    return last


def _spelled(caption: Caption, index: int) -> Mention | None:
    """`c v s is cheap`: a well-known ticker, letter by letter, and no letter beside it."""
    keys = caption.keys
    if index and len(keys[index - 1]) == 1:
        return None
    last = _end_of_letters(keys, index)
    joined = "".join(keys[index:last]).upper()
    if not SHORTEST_SPELLED <= len(joined) <= MAX_TICKER or joined in ABBREVIATIONS:
        return None
    known = listing_on(joined, caption.day)
    if known is None or _is_word_ticker(joined, known) or known.ticker not in well_known():
        return None
    near = caption.market_talk(index, last, MARKET_REACH)
    return Mention(index, last, known.ticker, 0.75) if near else None


def _in_capitals(caption: Caption, index: int) -> Mention | None:
    text = caption.words[index].text
    if not 1 <= len(text) <= 6 or not text[0].isalpha() or text in NAMES_ALIKE:
        return None
    known = listing_on(text, caption.day)
    if known is None or _is_something_else(caption, index, known):
        return None
    if _is_word_ticker(text, known) and not _has_share_noun(caption, index):
        return None
    if known.ticker not in with_alias() and index and caption.keys[index - 1] in DETERMINERS:
        return None
    little_known = len(text) == SHORTEST_IN_CAPITALS and known.ticker not in with_alias()
    if little_known and caption.counts[caption.keys[index]] < OFTEN and not caption.market_talk(index, index + 1, NEAR):
        return None
    return Mention(index, index + 1, known.ticker, 0.95)


def _is_something_else(caption: Caption, index: int, known: Listing) -> bool:
    """`JD Power`, `the ADP report`: the same letters with another meaning."""
    names = known_names().get(caption.keys[index], {}).get("", ())
    beside = [
        phrase
        for name in names
        if name.ticker == known.ticker and name.kind in {"name", "brand", "capitals", "heard"}
        for phrase in name.unless
    ]
    beside += other_meanings().get(known.ticker, ())
    return any(caption.near(phrase, index, index + 1) for phrase in beside)


def _in_lower_case(caption: Caption, index: int) -> Mention | None:
    """`rmbs is flying`, in lower-case captions: not an English word, and in a market context."""
    key = caption.keys[index]
    if not SHORTEST_IN_LOWER_CASE <= len(key) <= 5 or not key.isalpha():
        return None
    if key in RARE_WORDS and caption.counts[key] < OFTEN:
        return None
    known = listing_on(key, caption.day)
    if known is None or known.word_ticker or key.upper() in ABBREVIATIONS:
        return None
    if known.ticker not in with_alias() and index and caption.keys[index - 1] in DETERMINERS:
        return None
    often = caption.about_business and caption.counts[key] >= OFTEN
    amid_market_talk = often or caption.market_talk(index, index + 1, MARKET_REACH)
    return Mention(index, index + 1, known.ticker, 0.8) if amid_market_talk else None


def _is_word_ticker(text: str, known: Listing) -> bool:
    if text in CONSUMER_TICKERS:
        return False
    return len(text) == 1 or known.word_ticker or text in ABBREVIATIONS


def _has_share_noun(caption: Caption, index: int) -> bool:
    """`NOW stock`, `shares of NOW`, `NYSE: NOW`."""
    words, keys = caption.words, caption.keys
    following = keys[index + 1] if index + 1 < len(keys) else ""
    previous = keys[index - 1] if index else ""
    if previous in TICKER_CUES:
        return len(keys[index]) > 1 or keys[index].upper() in with_alias()
    if keys[index] in {"a", "i"} or words[index].text in SECTORS:
        return False
    if following in {"stock", "shares", "calls", "puts"}:
        return words[index + 1].text.islower()
    return keys[max(0, index - 2) : index] in (["shares", "of"], ["stock", "of"])
