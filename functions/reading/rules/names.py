"""Finds the stocks named in a transcript: by ticker, company name or alias, including misspellings in captions."""

from datetime import date

from functions.reading.listings import is_listed, listing_on
from functions.reading.rules import vocabulary
from functions.reading.rules.context import MARKET_REACH, NEAR, SHARE_NOUNS, UNKNOWN, Caption, Mention, caption_of
from functions.reading.rules.known import (
    Name,
    heard_as,
    known_names,
    means_a_company,
    misspelt,
    with_alias,
    written_in_two,
    written_without_apostrophe,
)
from functions.reading.rules.text import JOINERS, Word
from functions.reading.rules.tickers import follows_cue, ticker_at

ARTICLES = vocabulary.words("articles")
DETERMINERS = ARTICLES | vocabulary.words("determiners")
VERB_LEADS = vocabulary.words("verb leads")

BROKERS = vocabulary.words("brokers")
BROKER_VERBS = vocabulary.words("broker verbs")
BROKER_TERMS = vocabulary.words("broker terms")
"""A bank that rates a stock isn't itself the stock in question."""
BROKER_PAPERS = vocabulary.words("broker papers")
SHORTEST_SHORT_NAME = 4
SHORTEST_INTRODUCED = 3
"""Minimum letters of an unknown name that is introduced with its ticker."""
LONGEST_NAME, LONGEST_CUE = 4, 5
"""Maximum words of a name, and between it and its ticker (`which trades under the symbol`)."""
NEVER_INTRODUCED = vocabulary.words("days and months")
"""`since Tuesday, ticker TSLA`"""
BEFORE_A_TICKER = vocabulary.words("before a ticker")
AMONG_OTHERS = 0.85
TRADING = vocabulary.words("takes an object")
STOCK = frozenset({"stock", "shares"})
FIRST_NAMES = vocabulary.words("first names")
"""`Larry Culp` and `Bill Pulte` are people."""
MOVES = vocabulary.words("moves of a price")
MANY = 3
"""Minimum companies named around a word for it to count as another company."""
AMONG = 4
"""Maximum distance in words at which a company's name makes an ambiguous word count as a company too."""
LONGEST_INITIALS = 3
SURE = 0.85
NUMBERS = vocabulary.words("numbers")
POSSESSIVES = frozenset({"her", "his", "its", "my", "our", "their", "your"})
TRADES = vocabulary.words("trades a stock")
STANDS_FREE = vocabulary.words("before a name that stands free")
CHART_VERBS = vocabulary.words("what a chart does")
ADVERBS = vocabulary.words("between a name and its chart")
NO_PRODUCT = vocabulary.words("after a name that is no product")
FUNCTION_WORDS = vocabulary.words("function words that begin a name")
COMPARES = vocabulary.words("before one company among others")
COMPARED_TO = vocabulary.words("before to a company")
IS = vocabulary.words("contractions of is")
MAKERS = vocabulary.words("makers of things people own")
NOT_A_THING = vocabulary.words("companies no thing is called after")
AFTER_AN_EXAMPLE = vocabulary.words("verbs after a company named as an example of its kind")
LIKENED = frozenset({"for", "of", "that", "to"})
"""`a Netflix for dogs` isn't a share."""


def mentions_of(words: list[Word], day: date | None = None) -> list[Mention]:
    """Returns mentions in order of appearance. Those without a ticker are other assets."""
    caption = caption_of(words, day)
    names = known_names()
    found: list[Mention] = []
    tickers: set[str | None] = set()
    short: dict[str, Mention] = {}
    introduced: dict[str, Mention] = {}
    index = 0
    while index < len(words):
        key = caption.keys[index]
        mention = ticker_at(caption, index)
        if mention and mention.ticker in BROKERS and _speaks_as_analyst(caption.keys, index, mention.last):
            mention = None
        if key in names or "'" in key:
            named = _name_at(caption, index, tickers, found[-1] if found else None)
            if named and (mention is None or _is_meant_rather(caption, named, mention)):
                full = short.get(key)
                # `United` is United Airlines, unless UnitedHealth was mentioned before.
                meant = full and named.last == index + 1 and named.ticker not in tickers
                mention = named._replace(ticker=full.ticker) if full and meant else named
        if mention and mention.ticker and index and follows_cue(caption.keys, index):
            _introduce(caption, mention, found, introduced)
        elif introduced and key.removesuffix("'s") in introduced and caption.written_large(index, index + 1):
            mention = introduced[key.removesuffix("'s")]._replace(first=index, last=index + 1)
        mention = (
            mention
            or _short_name_at(caption, index, short)
            or _plural_at(caption, index)
            or _misheard_at(caption, index)
            or _misspelt_at(caption, index)
            or _unknown_company_at(caption, index)
        )
        if mention:
            if mention.last - index > 1 and mention.ticker:
                short.setdefault(key, mention)
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


def _short_name_at(caption: Caption, index: int, short: dict[str, Mention]) -> Mention | None:
    """`Range`, once Range Resources was mentioned: capitalised, or the object of a trade."""
    full = short.get(caption.keys[index])
    if full is None or len(caption.keys[index]) < SHORTEST_SHORT_NAME:
        return None
    large = not caption.lower_case and caption.written_large(index, index + 1) and not caption.starts_sentence(index)
    if not large and not (index and caption.keys[index - 1] in TRADING):
        return None
    return Mention(index, index + 1, full.ticker, 0.8)


def _plural_at(caption: Caption, index: int) -> Mention | None:
    """`the Nvidias and the Microsofts of this world`"""
    key = caption.keys[index]
    if not key.endswith("s") or not index or caption.keys[index - 1] != "the":
        return None
    name = means_a_company(key[:-1])
    if name is None:
        return None
    if caption.lower_case:
        meant = caption.trading_talk(index, index + 1, MARKET_REACH)
    else:
        meant = caption.written_large(index, index + 1)
    return Mention(index, index + 1, _listed(name, caption), 0.8) if meant else None


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


def _misspelt_at(caption: Caption, index: int) -> Mention | None:
    """`Seegate Technology`: a capitalised name of several words, one of them misheard."""
    if not caption.words[index].text[0].isupper() or caption.lower_case or not caption.about_business:
        return None
    name = misspelt(tuple(caption.keys[index : index + LONGEST_NAME]))
    if name is None:
        return None
    last = index + len(name.words)
    large = caption.written_large(index, last) and not _is_broken(caption, index, last)
    return Mention(index, last, _listed(name, caption), 0.75) if large else None


def _introduce(caption: Caption, mention: Mention, found: list[Mention], introduced: dict[str, Mention]) -> None:
    """`Skywerd, ticker SKWD`: the words before a ticker name its company, so later uses of that spelling do too."""
    words, last = caption.words, mention.first
    while last and mention.first - last < LONGEST_CUE and caption.keys[last - 1] in BEFORE_A_TICKER:
        last -= 1
    if last == mention.first or not words[last].text[0].islower():
        return
    first = last
    while first and last - first < LONGEST_NAME and words[first - 1].text[0].isupper():
        first -= 1
        if caption.starts_sentence(first):
            break
    key = caption.keys[first]
    if caption.lower_case or first == last or caption.starts_sentence(first) or len(key) < SHORTEST_INTRODUCED:
        return
    if not mention.ticker or key[0] != mention.ticker[0].lower() or key in NEVER_INTRODUCED:
        return
    before = found[-1] if found and found[-1].last > first else None
    if before and before.ticker and (before.ticker == mention.ticker or before.ticker in with_alias()):
        return
    introduced[key] = mention._replace(first=first, last=last, certainty=0.85)
    if before:
        found[-1] = introduced[key]


def _unknown_company_at(caption: Caption, index: int) -> Mention | None:
    """`Fermi stock`: an unknown company still becomes the topic."""
    if index + 1 >= len(caption.keys) or caption.keys[index + 1] not in STOCK or caption.lower_case:
        return None
    word = caption.words[index]
    named = word.text[0].isupper() and not word.text.isupper() and not caption.starts_sentence(index)
    return Mention(index, index + 1, None, UNKNOWN) if named and caption.capitals else None


def _is_a_surname(caption: Caption, first: int) -> bool:
    """`Larry Culp`: a word directly after a first name is a surname."""
    if not first or caption.keys[first - 1] not in FIRST_NAMES or caption.starts_sentence(first):
        return False
    return caption.lower_case or caption.written_large(first - 1, first)


def _certainty(name: Name, caption: Caption, first: int, last: int, spoken_of: bool, before: Mention | None) -> float:
    if name.kind == "other":
        return 1.0
    if _means_another(name, caption, first, last, before) or _is_a_thing(name, caption, first, last, before):
        return 0.0
    match name.kind:
        case "capitals":
            misheard = caption.keys[first] == "in" and caption.written_large(first + 1, last)  # in Video
            return 0.7 if (caption.written_large(first, last) or misheard) and len(name.words) > 1 else 0.0
        case "said":
            return AMONG_OTHERS if _is_said(name, caption, first, last, spoken_of, before) else 0.0
        case "usual":
            return 0.9 if _is_talk_of_companies(caption, first, last, before) else 0.0
        case "among":
            return AMONG_OTHERS if _is_meant_among_others(name, caption, first, last, before) else 0.0
        case "beside":
            return AMONG_OTHERS if _is_beside_a_name(caption, first, last, before) else 0.0
    return _certainty_of_writing(name, caption, first, last, spoken_of, before)


def _means_another(name: Name, caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    """The words name something else than the listed company: an analyst's bank, a person, what `unless` lists."""
    if any(caption.near(phrase, first, last) for phrase in name.unless):
        return True
    if name.ticker in BROKERS and _speaks_as_analyst(caption.keys, first, last):
        return True
    alone = last - first == 1 and (name.kind in {"word", "large", "among", "said"} or not caption.lower_case)
    follows_a_stock = before is not None and before.last == first
    return alone and not follows_a_stock and _is_a_surname(caption, first)


def _is_a_thing(name: Name, caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    """`a Tesla`, but not `a Tesla share` or `companies like a Tesla`"""
    keys = caption.keys
    if name.kind not in {"brand", "usual"} or not first or keys[first - 1] not in ARTICLES:
        return False
    if last < len(keys) and keys[last] in SHARE_NOUNS:
        return False
    alike = first > 1 and (
        keys[first - 2] == "like"
        or _is_one_of_many(caption, first, last, before)
        or (name.ticker not in MAKERS and _is_owned(caption, first, last))
    )
    return not (alike or (name.ticker in NOT_A_THING and _stands_for_others(caption, last)))


def _is_talk_of_companies(caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    talk = caption.about_market or caption.market_talk(first, last, MARKET_REACH)
    talk = talk or (caption.about_business and caption.written_large(first, last) and not caption.lower_case)
    another = before is not None and before.ticker is not None
    return bool(talk or another or _among_names(caption, first, last, before))


def _is_meant_among_others(name: Name, caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    written_large = caption.written_large(first, last)
    following = caption.keys[last] if last < len(caption.keys) else ""
    small = caption.lower_case or len(name.words) > 1
    traded = following in STOCK and written_large and not caption.starts_sentence(first)  # Archer stock
    meant = traded or caption.surrounded_by(name.near, first, last)
    meant = meant or (written_large and _is_beside_a_name(caption, first, last, before))
    ordinary = not written_large and len(name.words) == 1 and following not in SHARE_NOUNS
    ordinary = ordinary and _is_in_a_phrase(caption, first)
    return bool(meant and (written_large or small) and not ordinary)


def _certainty_of_writing(
    name: Name, caption: Caption, first: int, last: int, spoken_of: bool, before: Mention | None
) -> float:
    """For names that are told from ordinary words by their capitals."""
    keys, written_large = caption.keys, caption.written_large(first, last)
    if name.kind == "large" and (not written_large or caption.lower_case):
        return 0.0
    if name.kind == "large" and caption.starts_sentence(first) and not _is_amid_names(caption, first, last):
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


def _among_names(caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    """`Meta and Amazon`, `Delta and United`: a word next to a company is likely another company."""
    if before and before.ticker and before.certainty >= SURE and first - before.last < AMONG:
        return True
    return any(means_a_company(key.removesuffix("'s")) for key in caption.keys[last : last + AMONG])


def _is_amid_names(caption: Caption, first: int, last: int) -> bool:
    """True if several companies are named around a word, as in a list of stocks."""
    around = caption.keys[max(0, first - MARKET_REACH) : first] + caption.keys[last : last + MARKET_REACH]
    named = (means_a_company(key.removesuffix("'s")) for key in around)
    return len({name.ticker for name in named if name}) >= MANY


def _is_beside_a_name(caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    """`Adobe, into it and Oracle`, `Adobe 12%, into it 9%`: beside another company, with a comma or a joiner."""
    keys = caption.keys
    start = first - 1 if first and keys[first - 1] in JOINERS else first
    while start and keys[start - 1][-1].isdigit() and caption.starts_sentence(first):
        start -= 1
    if before and before.ticker and before.certainty >= SURE and before.last == start:
        return start < first or caption.starts_sentence(first)
    if (
        first
        and not caption.starts_sentence(first)
        and not keys[first - 1][-1].isdigit()
        and keys[first - 1] not in STANDS_FREE
    ):
        return False  # anyone who sells into it and Oracle
    following = last + 1 if last < len(keys) and keys[last] in JOINERS else last
    if following >= len(keys) or (following == last and not caption.starts_sentence(last)):
        return False
    return any(map(means_a_company, _variants(keys[following])))


def _is_one_of_many(caption: Caption, first: int, last: int, before: Mention | None) -> bool:
    """`at a Roblox, a SoFi`: companies, not their products."""
    keys = caption.keys
    if keys[first - 1] == "the" or not (caption.about_trading or caption.trading_talk(first, last, MARKET_REACH)):
        return False
    if last < len(keys) and not caption.starts_sentence(last) and keys[last] not in NO_PRODUCT:
        return False
    beside = _among_names(caption, first, last, before) and keys[first - 2] not in TRADES
    return beside or (keys[first - 2] in COMPARES and caption.about_trading)


def _stands_for_others(caption: Caption, last: int) -> bool:
    """`an Amazon would never do that`: one company of its kind; but `an Amazon package` is a thing."""
    if not caption.about_business:
        return False
    return (
        last == len(caption.keys)
        or caption.starts_sentence(last)
        or caption.keys[last] in (NO_PRODUCT | AFTER_AN_EXAMPLE) - LIKENED
    )


def _is_owned(caption: Caption, first: int, last: int) -> bool:
    """`I own a Netflix`, `you can get a Meta`: the company, because its products don't go by its name."""
    keys = caption.keys
    if keys[first - 2] not in TRADES | TRADING or not caption.trading_talk(first, last, MARKET_REACH):
        return False
    return last == len(keys) or caption.starts_sentence(last) or keys[last] in NO_PRODUCT - LIKENED


def _is_said(name: Name, caption: Caption, first: int, last: int, spoken_of: bool, before: Mention | None) -> bool:
    """`I trimmed coin`, `Crowd looks good`: traders' slang for a company, in a text about trading."""
    keys = caption.keys
    if not caption.about_trading or _is_in_a_phrase(caption, first):
        return False
    starts = caption.starts_sentence(first)
    previous = keys[first - 1] if first else ""
    if len(previous) == 1 and previous not in "ai":
        return False
    ends = last == len(keys) or caption.starts_sentence(last)
    if not ends and caption.written_large(last, last + 1) and keys[last] != "i" and not caption.lower_case:
        return False
    if caption.written_large(first, last) and not caption.lower_case and not starts:
        return not _is_part_of_a_name(caption, first) and caption.trading_talk(first, last, MARKET_REACH)
    if previous in TRADES and not starts:
        if previous == "own" and keys[first - 2] in POSSESSIVES:  # their own coin
            return False
        return ends or keys[last] in NO_PRODUCT or keys[last] in ADVERBS
    if not starts and previous not in STANDS_FREE:
        return False
    after = [key for key in keys[last : last + 4] if key not in ADVERBS]
    if after and (after[0] in CHART_VERBS or (after[0] == "i" and len(keys) > last + 1 and len(after) > 1)):
        return after[0] != "i" or after[1] in TRADES | {"have"}
    known = spoken_of or any(phrase in caption.counts for phrase in name.near)
    return known and (ends or keys[last] in NO_PRODUCT) and caption.trading_talk(first, last, NEAR)


def _moves(keys: list[str], last: int) -> bool:
    """`Oscar is up 3`, `lucid at 17`"""
    after = [key for key in keys[last : last + 4] if key not in {"is", "was", "still", "just", "about", "like"}]
    return len(after) > 1 and after[0] in MOVES and (after[1][0].isdigit() or after[1] in NUMBERS)


def _is_in_a_phrase(caption: Caption, first: int) -> bool:
    """`the ford`, `to match`: words that only precede an ordinary word."""
    previous = caption.keys[first - 1] if first else ""
    if previous == "to" and first > 1 and caption.keys[first - 2] in COMPARED_TO:
        return False
    return previous in DETERMINERS or previous in VERB_LEADS or previous.endswith("'s") or previous[:1] == "$"


def _speaks_as_analyst(keys: list[str], first: int, last: int) -> bool:
    if {"analyst", "analysts"}.intersection(keys[max(0, first - 2) : first] + keys[last : last + 3]):
        return True
    if {"from", "by", "at"}.intersection(keys[max(0, first - 1) : first]) and BROKER_PAPERS.intersection(
        keys[max(0, first - 4) : first]
    ):
        return True
    opinion = not BROKER_VERBS.isdisjoint(keys[last : last + 4])
    return opinion and not BROKER_TERMS.isdisjoint(keys[last : last + 14])


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
        shares = shares or (not caption.lower_case and _is_amid_names(caption, first, last))
        return 0.8 if shares else 0.0
    if not caption.lower_case:
        return 0.0
    if _is_in_a_phrase(caption, first):  # it's Visa and Mastercard
        return 0.7 if previous in IS and _among_names(caption, first, last, before) else 0.0
    if caption.market_talk(first, last, NEAR) or _moves(caption.keys, last):
        return 0.7
    return 0.7 if _among_names(caption, first, last, before) else 0.0


def _is_part_of_a_name(caption: Caption, first: int) -> bool:
    """`Herald Square`"""
    before = caption.words[first - 1]
    if not before.text[0].isupper() or caption.starts_sentence(first - 1) or len(before.text) == 1:
        return False
    return not before.text.isupper() and means_a_company(before.key.removesuffix("'s")) is None
