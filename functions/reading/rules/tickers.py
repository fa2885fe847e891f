"""Finds tickers in a transcript: cashtags, capitals, spelled-out letters, and lower case in raw captions."""

from datetime import date

from functions.reading.listings import Listing, all_listings, listing, listing_on
from functions.reading.rules import vocabulary
from functions.reading.rules.context import MARKET_REACH, NEAR, UNKNOWN, Caption, Mention
from functions.reading.rules.known import known_names, other_meanings, well_known, with_alias
from functions.reading.rules.text import Word

CONSUMER_TICKERS = vocabulary.words("consumer tickers")
"""English words that in capitals always mean the share."""
ABBREVIATIONS = vocabulary.words("abbreviations")
SECTORS = vocabulary.words("abbreviations for a sector or a thing")
"""`an AI stock`, `API calls`: a description of the share, not its ticker."""
NAMES_ALIKE = vocabulary.words("names written like another ticker")
"""`HP` is HP Inc. to everyone who says it; only `$HP` and `ticker HP` are Helmerich & Payne."""
TICKER_CUES = vocabulary.words("ticker cues")
DETERMINERS = vocabulary.words("articles") | vocabulary.words("determiners")
STRESSED = vocabulary.words("words said with stress")
CHART_VERBS = vocabulary.words("what a chart does") | {"is", "was"}
ADVERBS = vocabulary.words("between a name and its chart") - {"is", "was"}
RARE_WORDS = vocabulary.words("rare words that are tickers", "soundalikes.txt")
SHORTEST_IN_LOWER_CASE = 3
SHORTEST_IN_CAPITALS = 2
SHORTEST_SPELLED = 3
SHORTEST_WITHOUT_VOWEL = 4
VOWELS = frozenset("aeiouy")
MAX_TICKER = 5
MEASURES = (["basis"], ["ratio"], ["ratios"])
"""`a PG ratio` is a misheard PEG ratio."""
OFTEN = 2


def ticker_at(caption: Caption, index: int) -> Mention | None:
    word = caption.words[index]
    if word.text[0] == "$":
        return _cashtag(word.text[1:], index, caption.day)
    if index and follows_cue(caption.keys, index):
        spoken = _after_cue(caption, index)
        if spoken:
            return spoken
    spelled = _spelled(caption, index) if len(word.key) == 1 else None
    if spelled:
        return spelled
    if caption.capitals and word.text.isupper():
        return _in_two(caption, index) or _in_capitals(caption, index)
    if caption.lower_case or _is_no_word(word):
        return _in_lower_case(caption, index)
    return None


def _is_no_word(word: Word) -> bool:
    """`bmnr`: four letters without a vowel are a ticker even in small letters."""
    return len(word.key) >= SHORTEST_WITHOUT_VOWEL and word.text.islower() and VOWELS.isdisjoint(word.key)


def follows_cue(keys: list[str], index: int) -> bool:
    return keys[index - 1] in TICKER_CUES or (keys[index - 1] == "is" and keys[index - 2] in TICKER_CUES)


def _cashtag(text: str, index: int, day: date | None) -> Mention | None:
    known = listing_on(text, day)
    if known is None:
        return Mention(index, index + 1, None, 1.0) if text.isalpha() else None
    return Mention(index, index + 1, known.ticker, 1.0)


def _after_cue(caption: Caption, index: int) -> Mention | None:
    """`ticker KSS`, `ticker symbol s o`, `ticker symbol is n v d a`."""
    keys, text = caption.keys, caption.words[index].text
    large = text.isupper() and caption.capitals
    last = index
    while last < len(keys) and last - index < 5 and len(keys[last]) == 1 and "a" <= keys[last] <= "z":
        last += 1
    for end in range(last, index, -1):
        known = listing_on("".join(keys[index:end]), caption.day)
        alone = end - index == 1
        if known and last - end > 1:
            return Mention(index, last, None, UNKNOWN)  # ticker g o g l
        if known and (not alone or (large and known.ticker in with_alias())):
            return Mention(index, end, known.ticker, 0.95)
    known = listing_on(keys[index], caption.day) if len(text) > 1 else None
    if known and (large or not known.word_ticker or _is_said_alone(caption, index)):
        return Mention(index, index + 1, known.ticker, 0.9)
    unknown = known is None and large and text.isalpha() and 1 < len(text) <= MAX_TICKER
    return Mention(index, index + 1, None, UNKNOWN) if unknown else None


def _is_said_alone(caption: Caption, index: int) -> bool:
    """`… with the ticker symbol road.`: a word that ends its sentence right after the cue."""
    if len(caption.keys[index]) < SHORTEST_IN_CAPITALS or caption.lower_case or caption.starts_sentence(index):
        return False
    return index + 1 == len(caption.keys) or caption.starts_sentence(index + 1)


def _spelled(caption: Caption, index: int) -> Mention | None:
    """`c v s is cheap`: a well-known ticker, letter by letter, and no letter beside it."""
    keys = caption.keys
    if index and len(keys[index - 1]) == 1:
        return None
    last = index
    while last < len(keys) and last - index <= MAX_TICKER and len(keys[last]) == 1 and "a" <= keys[last] <= "z":
        last += 1
    if last - index > SHORTEST_SPELLED and keys[last - 1] in {"a", "i"}:  # k k r i like
        shorter = listing_on("".join(keys[index : last - 1]), caption.day)
        last -= shorter is not None and listing_on("".join(keys[index:last]), caption.day) is None
    joined = "".join(keys[index:last]).upper()
    if not SHORTEST_SPELLED <= len(joined) <= MAX_TICKER or joined in ABBREVIATIONS:
        return None
    known = listing_on(joined, caption.day)
    if known is None or _is_word_ticker(joined, known) or known.ticker not in well_known():
        return None
    near = caption.market_talk(index, last, MARKET_REACH)
    return Mention(index, last, known.ticker, 0.75) if near else None


def _in_two(caption: Caption, index: int) -> Mention | None:
    """`PL TR`, `KRT X`: a well-known ticker that captions have cut in two."""
    words = caption.words[index : index + 2]
    if len(words) < 2 or words[1].start - words[0].end > 1 or not words[1].text.isupper():
        return None
    joined = words[0].text + words[1].text
    if not SHORTEST_WITHOUT_VOWEL <= len(joined) <= MAX_TICKER or words[1].text in {"I", "A"} or not joined.isalpha():
        return None
    if words[0].text in ABBREVIATIONS or words[0].text in STRESSED:
        return None
    known = listing(joined)
    if known is None or known.word_ticker or known.ticker not in well_known():
        return None
    on_day = listing_on(joined, caption.day)
    return Mention(index, index + 2, on_day.ticker if on_day else None, 0.9)


def _in_capitals(caption: Caption, index: int) -> Mention | None:
    text = caption.words[index].text
    if not 1 <= len(text) <= 6 or not text[0].isalpha() or text in NAMES_ALIKE:
        return None
    known = listing_on(text, caption.day)
    if known is None or caption.keys[index + 1 : index + 2] in MEASURES or _is_something_else(caption, index, known):
        return None
    if _is_word_ticker(text, known) and not _has_share_noun(caption, index) and not _is_charted(caption, index):
        return None
    if known.ticker not in with_alias() and index and caption.keys[index - 1] in DETERMINERS:
        # `I bought this LGCY`
        telling = len(text) >= SHORTEST_WITHOUT_VOWEL and caption.about_trading
        if not telling or not caption.trading_talk(index, index + 1, NEAR):
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


def _is_charted(caption: Caption, index: int) -> bool:
    """`AG looked good`, `EGO broke out`: a word in capitals before a chart verb, near other tickers."""
    text, keys = caption.words[index].text, caption.keys
    if len(text) < SHORTEST_IN_CAPITALS or text in ABBREVIATIONS or text in STRESSED or text not in with_alias():
        return False
    if not caption.about_trading or (index and keys[index - 1] in DETERMINERS):
        return False
    after = [key for key in keys[index + 1 : index + 5] if key not in ADVERBS]
    if not after or after[0] not in CHART_VERBS or not keys[index + 1].islower():
        return False
    around = caption.words[max(0, index - MARKET_REACH) : index] + caption.words[index + 1 : index + MARKET_REACH]
    capitals = [word.text for word in around if word.text.isupper() and len(word.text) >= SHORTEST_IN_CAPITALS]
    known = [listing_on(other, caption.day) for other in capitals if other not in ABBREVIATIONS | STRESSED]
    return any(
        other and other.ticker != text and (not other.word_ticker or other.ticker in with_alias()) for other in known
    )


def _has_share_noun(caption: Caption, index: int) -> bool:
    """`NOW stock`, `shares of NOW`, `NYSE: NOW`."""
    words, keys = caption.words, caption.keys
    following = keys[index + 1] if index + 1 < len(keys) else ""
    previous = keys[index - 1] if index else ""
    if previous in TICKER_CUES:
        return len(keys[index]) > 1 or keys[index].upper() in with_alias()
    if keys[index] in {"a", "i"} or words[index].text in SECTORS:
        return False
    shouting = (
        index > 0 and len(previous) > 1 and words[index - 1].text.isupper() and previous.upper() not in all_listings()
    )
    if following in {"stock", "shares", "calls", "puts"} and not shouting:
        return words[index + 1].text.islower()
    return keys[max(0, index - 2) : index] in (["shares", "of"], ["stock", "of"]) and not shouting
