"""Finds the stocks named in a transcript: by ticker, company name or alias, including misspellings in captions."""

from datetime import date

from functions.reading.listings import is_listed, listing_on
from functions.reading.rules import vocabulary
from functions.reading.rules.context import MARKET_REACH, NEAR, SHARE_NOUNS, Caption, Mention, caption_of
from functions.reading.rules.known import (
    Name,
    heard_as,
    known_names,
    means_a_company,
    written_in_two,
    written_without_apostrophe,
)
from functions.reading.rules.text import Word
from functions.reading.rules.tickers import ticker_at

ARTICLES = vocabulary.words("articles")
DETERMINERS = ARTICLES | vocabulary.words("determiners")
VERB_LEADS = vocabulary.words("verb leads")

BROKERS = vocabulary.words("brokers")
BROKER_VERBS = vocabulary.words("broker verbs")
BROKER_TERMS = vocabulary.words("broker terms")
"""A bank that rates a stock isn't itself the stock in question."""
BROKER_PAPERS = vocabulary.words("broker papers")
AMONG_OTHERS = 0.85
TRADING = vocabulary.words("takes an object")
STOCK = frozenset({"stock", "shares"})
FIRST_NAMES = vocabulary.words("first names")
"""`Larry Culp` and `Bill Pulte` are people."""
AMONG = 4
"""Maximum distance in words at which a company's name makes an ambiguous word count as a company too."""
LONGEST_INITIALS = 3
SURE = 0.85
FUNCTION_WORDS = vocabulary.words("function words that begin a name")


def mentions_of(words: list[Word], day: date | None = None) -> list[Mention]:
    """Returns mentions in order of appearance. Those without a ticker are other assets."""
    caption = caption_of(words, day)
    names = known_names()
    found: list[Mention] = []
    tickers: set[str | None] = set()
    index = 0
    while index < len(words):
        key = caption.keys[index]
        mention = ticker_at(caption, index)
        if mention and mention.ticker in BROKERS and _speaks_as_analyst(caption.keys, index, mention.last):
            mention = None
        if key in names or "'" in key:
            named = _name_at(caption, index, tickers, found[-1] if found else None)
            if named and (mention is None or _is_meant_rather(caption, named, mention)):
                mention = named
        mention = mention or _misheard_at(caption, index)
        if mention:
            found.append(mention)
            tickers.add(mention.ticker)
        index = mention.last if mention else index + 1
    return found


def _name_at(caption: Caption, index: int, tickers: set[str | None], before: Mention | None) -> Mention | None:
    keys = caption.keys
    following = _variants(keys[index + 1]) if index + 1 < len(keys) else ()
    yet_to_come: Mention | None = None
    for first in _variants(keys[index]):
        for name in _candidates(first, following):
            last = index + len(name.words)
            if not _reads(name, keys, index, last) or _is_broken(caption, index, last):
                continue
            if name.kind == "brand" and not caption.about_business and caption.everyday_talk(index, last):
                continue
            certainty = _certainty(name, caption, index, last, name.ticker in tickers, before)
            if not certainty:
                continue
            mention = Mention(index, last, _listed(name, caption), certainty)
            if mention.ticker or not name.ticker or listing_on(name.ticker, None) is None:
                return mention
            yet_to_come = yet_to_come or mention  # Honeywell Aerospace was a part of Honeywell
    return yet_to_come


def _is_meant_rather(caption: Caption, named: Mention, ticker: Mention) -> bool:
    """True if a word is a name rather than the ticker with the same spelling; but `WOLF stock` is the ticker."""
    if named.last > ticker.last:
        return True
    if caption.keys[ticker.first][0] == "$" or caption.keys[named.last : named.last + 1] in (["stock"], ["shares"]):
        return False
    return named.ticker is None or named.certainty == AMONG_OTHERS


def _listed(name: Name, caption: Caption) -> str | None:
    """Returns the ticker if the share was listed on the day."""
    if name.earlier and is_listed(name.earlier, caption.day):
        return name.earlier
    return name.ticker if name.ticker and is_listed(name.ticker, caption.day) else None


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


def _is_broken(caption: Caption, first: int, last: int) -> bool:
    """`… of our service. Now …`: a name doesn't span sentences; the full stop of an initial doesn't end one."""
    return any(
        caption.starts_sentence(index)
        and caption.words[index].text[0].isupper()
        and len(caption.keys[index - 1]) > LONGEST_INITIALS
        for index in range(first + 1, last)
    )


def _variants(key: str) -> tuple[str, ...]:
    """`kohl's` is heard as `kohls`, and `apple's` is still Apple; but `energy's` is not Energys."""
    if "'" not in key:
        return (key,)
    bare = key.replace("'", "")
    stripped = key[:-2] if key.endswith("'s") else bare
    return (bare, stripped) if bare in written_without_apostrophe() else (stripped,)


def _misheard_at(caption: Caption, index: int) -> Mention | None:
    """`Palanteer`, `crowd strike`: a name spelled as it sounds, in a market context."""
    key = caption.keys[index].removesuffix("'s")
    name = heard_as(key)
    last = index + 1
    if name is None and last < len(caption.keys) and not caption.starts_sentence(last):
        last = index + 2
        name = written_in_two(key, caption.keys[index + 1].removesuffix("'s"))
    if name is None or _is_a_surname(caption, index):
        return None
    written_large = caption.written_large(index, last) and not caption.lower_case and caption.about_business
    if not written_large and not caption.market_talk(index, last, MARKET_REACH):
        return None
    if any(caption.near(phrase, index, last) for phrase in name.unless):
        return None
    return Mention(index, last, _listed(name, caption), 0.75)


def _is_a_surname(caption: Caption, first: int) -> bool:
    """`Larry Culp`: a word directly after a first name is a surname."""
    if not first or caption.keys[first - 1] not in FIRST_NAMES or caption.starts_sentence(first):
        return False
    return caption.lower_case or caption.written_large(first - 1, first)


def _certainty(name: Name, caption: Caption, first: int, last: int, spoken_of: bool, before: Mention | None) -> float:
    if name.kind == "other":
        return 1.0
    if _means_another(name, caption, first, last, before) or _is_a_thing(name, caption, first, last):
        return 0.0
    match name.kind:
        case "capitals":
            return 0.7 if caption.written_large(first, last) and len(name.words) > 1 else 0.0
        case "usual":
            return 0.9 if _is_talk_of_companies(caption, first, last, before) else 0.0
        case "among":
            return AMONG_OTHERS if _is_meant_among_others(name, caption, first, last) else 0.0
    return _certainty_of_writing(name, caption, first, last, spoken_of, before)


def _means_another(name: Name, caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    """The words name something else than the listed company: an analyst's bank, a person, what `unless` lists."""
    if any(caption.near(phrase, first, last) for phrase in name.unless):
        return True
    if name.ticker in BROKERS and _speaks_as_analyst(caption.keys, first, last):
        return True
    alone = last - first == 1 and (name.kind in {"word", "large", "among"} or not caption.lower_case)
    follows_a_stock = before is not None and before.last == first
    return alone and not follows_a_stock and _is_a_surname(caption, first)


def _is_a_thing(name: Name, caption: Caption, first: int, last: int) -> bool:
    """`a Tesla`, but not `a Tesla share` or `companies like a Tesla`"""
    keys = caption.keys
    if name.kind not in {"brand", "usual"} or not first or keys[first - 1] not in ARTICLES:
        return False
    return not (last < len(keys) and keys[last] in SHARE_NOUNS) and not (first > 1 and keys[first - 2] == "like")


def _is_talk_of_companies(caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    talk = caption.about_market or caption.market_talk(first, last, MARKET_REACH)
    talk = talk or (caption.about_business and caption.written_large(first, last) and not caption.lower_case)
    another = before is not None and before.ticker is not None
    return bool(talk or another or _among_names(caption, first, last, before))


def _is_meant_among_others(name: Name, caption: Caption, first: int, last: int) -> bool:
    written_large = caption.written_large(first, last)
    following = caption.keys[last] if last < len(caption.keys) else ""
    small = caption.lower_case or len(name.words) > 1
    traded = following in STOCK and written_large and not caption.starts_sentence(first)  # Archer stock
    meant = traded or caption.surrounded_by(name.near, first, last)
    ordinary = not written_large and len(name.words) == 1 and following not in SHARE_NOUNS
    ordinary = ordinary and _is_in_a_phrase(caption, first)
    return bool(meant and (written_large or small) and not ordinary)


def _certainty_of_writing(
    name: Name, caption: Caption, first: int, last: int, spoken_of: bool, before: Mention | None
) -> float:
    """For names that are told from ordinary words by their capitals."""
    keys, written_large = caption.keys, caption.written_large(first, last)
    if name.kind == "large" and (not written_large or caption.lower_case or caption.starts_sentence(first)):
        return 0.0
    if len(name.words) > 1 and keys[first] in FUNCTION_WORDS and not caption.lower_case and not written_large:
        return 0.0  # profits on semiconductor stocks
    if name.kind not in {"word", "large"}:
        # `ups` isn't the parcel service where names are capitalised.
        small = (
            caption.capitals and not caption.lower_case and not written_large and len(keys[first]) <= LONGEST_INITIALS
        )
        if small and len(name.words) == 1 and name.ticker == keys[first].upper():
            return 0.0
        return 0.9 if name.kind == "brand" else 0.95
    previous = keys[first - 1] if first else ""
    if spoken_of and (previous in TRADING or (written_large and not caption.starts_sentence(first))):
        return 0.8
    return _word_certainty(caption, first, last, written_large, before)


def _word_certainty(caption: Caption, first: int, last: int, written_large: bool, before: Mention | None) -> float:
    """An ordinary English word must be capitalised, where names are, and occur in a market context."""
    previous = caption.keys[first - 1] if first else ""
    following = caption.keys[last] if last < len(caption.keys) else ""
    if following in SHARE_NOUNS and previous not in ARTICLES:
        return 0.9
    if written_large:
        inside = not caption.starts_sentence(first)
        if inside and first > 1 and _is_part_of_a_name(caption, first):
            return 0.0
        shares = caption.market_talk(first, last, MARKET_REACH) or _among_names(caption, first, last, before)
        shares = shares or (inside and caption.about_market and not caption.lower_case)
        return 0.8 if shares else 0.0
    if not caption.lower_case or _is_in_a_phrase(caption, first):
        return 0.0
    near = caption.market_talk(first, last, NEAR) or _among_names(caption, first, last, before)
    return 0.7 if near else 0.0


def _among_names(caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    """`Meta and Amazon`, `Delta and United`: a word next to a company is likely another company."""
    if before and before.ticker and before.certainty >= SURE and first - before.last < AMONG:
        return True
    return any(means_a_company(key.removesuffix("'s")) for key in caption.keys[last : last + AMONG])


def _is_in_a_phrase(caption: Caption, first: int) -> bool:
    """`the ford`, `to match`: words that only precede an ordinary word."""
    previous = caption.keys[first - 1] if first else ""
    return previous in DETERMINERS or previous in VERB_LEADS or previous.endswith("'s") or previous[:1] == "$"


def _is_part_of_a_name(caption: Caption, first: int) -> bool:
    """`Herald Square`"""
    before = caption.words[first - 1]
    if not before.text[0].isupper() or caption.starts_sentence(first - 1) or len(before.text) == 1:
        return False
    return not before.text.isupper() and means_a_company(before.key.removesuffix("'s")) is None


def _speaks_as_analyst(keys: list[str], first: int, last: int) -> bool:
    if {"analyst", "analysts"}.intersection(keys[max(0, first - 2) : first] + keys[last : last + 3]):
        return True
    if {"from", "by", "at"}.intersection(keys[max(0, first - 1) : first]) and BROKER_PAPERS.intersection(
        keys[max(0, first - 4) : first]
    ):
        return True
    opinion = not BROKER_VERBS.isdisjoint(keys[last : last + 4])
    return opinion and not BROKER_TERMS.isdisjoint(keys[last : last + 14])
