"""Finds the stocks a transcript names: cashtags, tickers, company names and the aliases people use for them."""

import csv
import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from functions.providers.listings import DATA, Listing, all_listings, current_ticker, is_listed
from functions.providers.rules import vocabulary
from functions.providers.rules.text import WORD, Word

LEGAL_FORMS = vocabulary.words("legal forms")
CONSUMER_TICKERS = vocabulary.words("consumer tickers")
"""Words of English in lower case, yet in capitals the share is what everyone means."""
ABBREVIATIONS = vocabulary.words("abbreviations")

SPOKEN_LETTERS = re.compile(r"[a-z]")
TICKER_CUES = vocabulary.words("ticker cues")
SHARE_NOUNS = vocabulary.words("share nouns")
MARKET_WORDS = SHARE_NOUNS | vocabulary.words("market words")
BUSINESS_WORDS = MARKET_WORDS | vocabulary.words("business words")
EVERYDAY_WORDS = vocabulary.words("everyday words")
"""Words that show a brand in use, not on the market."""
ARTICLES = vocabulary.words("articles")
DETERMINERS = ARTICLES | vocabulary.words("determiners")
VERB_LEADS = vocabulary.words("verb leads")

BROKERS = vocabulary.words("brokers")
BROKER_VERBS = vocabulary.words("broker verbs")
BROKER_TERMS = vocabulary.words("broker terms")
"""A bank that rates others is not spoken of as a stock."""

NEAR = 14
AROUND = 25
"""Words to either side that count as context: the narrow reach for bare captions, the wide one elsewhere."""

OTHER_ASSETS = vocabulary.names("other assets")
"""What a speaker may buy or sell that is no US-listed share: advice about it must not land on a stock."""


@dataclass(frozen=True, slots=True)
class Name:
    words: tuple[str, ...]
    ticker: str | None
    """None for something that is not a listed share."""
    kind: str
    """`name`, `brand` or `word` (see aliases.csv), `capitals` if it counts only when written large, or `other`."""
    unless: tuple[str, ...] = ()


class Mention(NamedTuple):
    first: int
    last: int
    ticker: str | None
    certainty: float


def mentions_of(words: list[Word]) -> list[Mention]:
    """In order of appearance. Those without a ticker are other assets."""
    keys = [word.key for word in words]
    capitals = _uses_capitals(words)
    about_business = not BUSINESS_WORDS.isdisjoint(keys)
    names = known_names()
    found: list[Mention] = []
    tickers: set[str | None] = set()
    index = 0
    while index < len(words):
        text, key = words[index].text, keys[index]
        mention = None
        if text[0] == "$" or (capitals and text.isupper()) or (index and _ticker_cue(keys, index)):
            mention = _ticker_at(words, keys, index, capitals)
        if key in names or "'" in key:
            named = _name_at(words, keys, index, capitals, about_business, tickers)
            if named and (mention is None or named.last > mention.last):
                mention = named
        if mention:
            found.append(mention)
            tickers.add(mention.ticker)
        index = mention.last if mention else index + 1
    return found


def _ticker_cue(keys: list[str], index: int) -> bool:
    return keys[index - 1] in TICKER_CUES or (keys[index - 1] == "is" and keys[index - 2] in TICKER_CUES)


def _uses_capitals(words: list[Word]) -> bool:
    """Whether a capital letter means something: neither all captions in lower case nor all in upper case."""
    letters = [word.text for word in words if word.text[0].isalpha() and len(word.text) > 1]
    shouted = sum(word.isupper() for word in letters)
    return 2 * shouted < len(letters) or len(letters) < 4


def _ticker_at(words: list[Word], keys: list[str], index: int, capitals: bool) -> Mention | None:
    word = words[index]
    if word.text[0] == "$":
        return _cashtag(word, index)
    if index and _ticker_cue(keys, index):
        spoken = _after_ticker_cue(words, keys, index)
        if spoken:
            return spoken
    if not capitals or not word.text.isupper() or not 1 <= len(word.text) <= 6 or not word.text[0].isalpha():
        return None
    ticker = current_ticker(word.text)
    known = all_listings().get(ticker)
    if known is None:
        return None
    if _is_word_ticker(word.text, known) and not _ticker_context(words, keys, index):
        return None
    return Mention(index, index + 1, ticker, 0.95)


def _cashtag(word: Word, index: int) -> Mention | None:
    ticker = current_ticker(word.text[1:])
    if not is_listed(ticker):
        return Mention(index, index + 1, None, 1.0) if word.text[1:].isalpha() else None
    return Mention(index, index + 1, ticker, 1.0)


def _after_ticker_cue(words: list[Word], keys: list[str], index: int) -> Mention | None:
    """`ticker KSS`, `ticker symbol s o`, `ticker symbol is n v d a`."""
    last = index
    while last < len(keys) and last - index < 5 and len(keys[last]) == 1 and SPOKEN_LETTERS.fullmatch(keys[last]):
        last += 1
    for end in range(last, index, -1):
        spelled = current_ticker("".join(keys[index:end]))
        if (end - index > 1 or words[index].text.isupper()) and is_listed(spelled):
            return Mention(index, end, spelled, 0.95)
    written = current_ticker(keys[index])
    known = all_listings().get(written)
    if known and (words[index].text.isupper() or not known.word_ticker):
        return Mention(index, index + 1, written, 0.9)
    return None


def _is_word_ticker(text: str, known: Listing) -> bool:
    if text in CONSUMER_TICKERS:
        return False
    return len(text) == 1 or known.word_ticker or text in ABBREVIATIONS


def _ticker_context(words: list[Word], keys: list[str], index: int) -> bool:
    """`NOW stock`, `shares of NOW`, `NYSE: NOW`."""
    following = keys[index + 1] if index + 1 < len(keys) else ""
    previous = keys[index - 1] if index else ""
    if previous in TICKER_CUES:
        return True
    if words[index].key in {"a", "i"}:
        return False
    shouting = (
        index > 0 and len(previous) > 1 and words[index - 1].text.isupper() and previous.upper() not in all_listings()
    )
    if following in {"stock", "shares", "calls", "puts"} and not shouting:
        return words[index + 1].text.islower()
    return keys[max(0, index - 2) : index] in (["shares", "of"], ["stock", "of"]) and not shouting


def _name_at(
    words: list[Word], keys: list[str], index: int, capitals: bool, about_business: bool, tickers: set[str | None]
) -> Mention | None:
    following = _variants(keys[index + 1]) if index + 1 < len(keys) else ()
    for first in _variants(keys[index]):
        for name in _candidates(first, following):
            last = index + len(name.words)
            if not _reads(name, keys, index, last):
                continue
            if name.kind == "brand" and not about_business and _everyday(keys, index, last):
                continue
            certainty = _certainty(name, words, keys, index, last, capitals, name.ticker in tickers)
            if certainty:
                return Mention(index, last, name.ticker, certainty)
    return None


def _candidates(first: str, following: tuple[str, ...]) -> list[Name]:
    by_second_word = known_names().get(first)
    if by_second_word is None:
        return []
    longer = [name for second in following for name in by_second_word.get(second, ())]
    return [*longer, *by_second_word.get("", ())]


def _reads(name: Name, keys: list[str], first: int, last: int) -> bool:
    if last > len(keys):
        return False
    return all(part in _variants(key) for part, key in zip(name.words[2:], keys[first + 2 : last], strict=True))


def _variants(key: str) -> tuple[str, ...]:
    """`kohl's` is heard as `kohls`, and `apple's` is still Apple."""
    if "'" not in key:
        return (key,)
    bare = key.replace("'", "")
    return (bare, key[:-2]) if key.endswith("'s") else (bare,)


def _certainty(
    name: Name, words: list[Word], keys: list[str], first: int, last: int, capitals: bool, spoken_of: bool
) -> float:
    if name.kind == "other":
        return 1.0
    if any(_near(phrase, keys, first, last) for phrase in name.unless):
        return 0.0
    if name.ticker in BROKERS and _speaks_as_analyst(keys, first, last):
        return 0.0
    written_large = capitals and all(
        word.text[0].isupper() or word.text[0].isdigit() for word in words[first:last] if len(word.key) > 3
    )
    following = keys[last] if last < len(keys) else ""
    previous = keys[first - 1] if first else ""
    if name.kind == "capitals":
        return 0.7 if written_large and len(name.words) > 1 else 0.0
    if name.kind == "brand" and previous in ARTICLES and following not in SHARE_NOUNS:
        return 0.0
    if name.kind != "word":
        return 0.95 if name.kind == "name" else 0.9
    if written_large and spoken_of and not _starts_sentence(words, first):
        return 0.8
    return _word_certainty(keys, first, last, previous, following, written_large)


def _speaks_as_analyst(keys: list[str], first: int, last: int) -> bool:
    if {"analyst", "analysts"}.intersection(keys[max(0, first - 2) : first] + keys[last : last + 2]):
        return True
    opinion = not BROKER_VERBS.isdisjoint(keys[last : last + 3])
    return opinion and not BROKER_TERMS.isdisjoint(keys[last : last + 14])


def _everyday(keys: list[str], first: int, last: int) -> bool:
    return not EVERYDAY_WORDS.isdisjoint(keys[max(0, first - NEAR) : last + NEAR])


def _starts_sentence(words: list[Word], first: int) -> bool:
    return first == 0 or words[first].start - words[first - 1].end > 1


def _word_certainty(
    keys: list[str], first: int, last: int, previous: str, following: str, written_large: bool
) -> float:
    if following in SHARE_NOUNS and previous not in ARTICLES:
        return 0.9
    if written_large:
        return 0.8 if _market_talk(keys, first, last, AROUND) else 0.0
    if previous in DETERMINERS or previous in VERB_LEADS:
        return 0.0
    return 0.7 if _market_talk(keys, first, last, NEAR) else 0.0


def _market_talk(keys: list[str], first: int, last: int, reach: int) -> bool:
    return any(key in MARKET_WORDS for key in keys[max(0, first - reach) : first]) or any(
        key in MARKET_WORDS for key in keys[last : last + reach]
    )


def _near(phrase: str, keys: list[str], first: int, last: int) -> bool:
    if " " not in phrase:
        return phrase in keys[max(0, first - AROUND) : last + AROUND]
    reach = phrase.count(" ")
    return f" {phrase} " in f" {' '.join(keys[max(0, first - reach) : last + reach])} "


@cache
def known_names() -> dict[str, dict[str, tuple[Name, ...]]]:
    """By first and second word (empty for names of one word), the longest names first."""
    names: dict[tuple[str, ...], Name] = {}
    for name in (*_other_assets(), *_aliases(), *_listed_names()):
        names.setdefault(name.words, name)
    index: dict[str, dict[str, tuple[Name, ...]]] = {}
    for name in sorted(names.values(), key=lambda name: -len(name.words)):
        second = name.words[1] if len(name.words) > 1 else ""
        group = index.setdefault(name.words[0], {})
        group[second] = (*group.get(second, ()), name)
    return index


def _other_assets() -> list[Name]:
    return [Name(_name_words(phrase), None, "other") for phrase in OTHER_ASSETS]


def _aliases() -> list[Name]:
    with (DATA / "aliases.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return [
        Name(_name_words(alias), row["ticker"], row["kind"] or "name", tuple(filter(None, row["unless"].split("|"))))
        for row in rows
        for alias in row["names"].split("|")
    ]


def _listed_names() -> list[Name]:
    names = []
    first_words: dict[str, list[str]] = {}
    for known in all_listings().values():
        words = _core_words(known.name)
        if not words or sum(map(len, words)) < 4:
            continue
        names.append(Name(words, known.ticker, "capitals" if known.word_name else "name"))
        if known.telling_first_word:
            first_words.setdefault(words[0], []).append(known.ticker)
    names += [Name((word,), tickers[0], "name") for word, tickers in first_words.items() if len(tickers) == 1]
    return names


def _core_words(company: str) -> tuple[str, ...]:
    words = list(_name_words(company))
    while words and words[-1] in LEGAL_FORMS:
        words.pop()
    return tuple(words[1:] if words[:1] == ["the"] else words)


def _name_words(phrase: str) -> tuple[str, ...]:
    found = WORD.findall(phrase.lower().replace("\u2019", "'"))
    return tuple("and" if word == "&" else word.replace("'", "") for word in found)
