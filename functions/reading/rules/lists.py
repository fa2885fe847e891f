"""Reads lists of stocks: `five stocks I'm buying`, `my second pick`, final trades."""

import re
from typing import NamedTuple

from functions.reading.rules.context import Mention
from functions.reading.rules.doubts import SPONSOR
from functions.reading.rules.reading import Reading, with_lead_in
from functions.reading.rules.text import Clause
from functions.reading.rules.topics import PRESENTS
from functions.reading.rules.vocabulary import pattern, phrases, words
from functions.reading.terms import Sentiment

JOINING = words("joining")
"""Words between the names of a list."""
LISTING = JOINING | {"§", "¤"}
LEAD_TO_NAME = 3
"""Maximum words before a name at the start of a clause."""
NAME_FOLLOWS = 25
"""Maximum words from the opening of a list item to its name."""
NEXT_SAID = 4
"""Maximum words between a list's announcement and `they are §, § and §`, such as `right?`."""
LIST_LASTS = 600
"""Words after the announcement or the last item at which a list ends: about four minutes on one stock."""
ANSWER_COMES = 25
"""Maximum words from a request for names to the answer."""
ROUND_LASTS = 90
"""Words after the announcement or the last pick at which a panel's round of picks ends."""

ANNOUNCES = (
    (Sentiment.MENTIONED, phrases("announces neither")),
    (Sentiment.BUY, phrases("announces buys")),
    (Sentiment.HOLD, phrases("announces holds")),
    (Sentiment.SELL, phrases("announces sells")),
)
"""`Here are five stocks I'm buying`: the sentiment of each name on the list; `the worst performers` isn't advice."""
ONE_OF_MANY = pattern(r"(?<!\w)(?:§|¤|it|this|that|which) (?:\S+ ){0,3}one of (?:\S+ ){0,2}$")
"""`§ is one of my | favorite stocks` is about that stock, and announces no others."""
LISTED = words("listed")
LISTS_NAMES = pattern(
    r"(?:are|is|include|includes|would be|remain|continue to be|namely) (?:\S+ ){0,2}§"
    r"|(?:stocks|names|companies|positions|holdings) §"
)
"""`My top stocks for this year are §, § and §`, `we opened two positions, § and §`"""
THEY_ARE = pattern(
    r"^(?:(?:and|so|now) )*(?:they|these|those|the (?:stocks|names|companies)) (?:are|include|would be|will be)"
    r"(?: going to be)? (?:(?:stocks|names|companies) like )?(?=(?:\S+ ){0,2}§)"
)
"""`Here is what I bought. | They are going to be names like § and §`"""
LIST_ITEM = phrases("list item")
PUT_FORWARD = phrases("put forward")
"""`My second pick`, `stock number two`: the speaker puts a stock forward, whether or not a list was announced."""
GIVEN_LATER = pattern(
    r"^(?:(?:that|which) )?(?:i|we) (?:\S+ ){1,3}"
    r"(?:highlight|cover|discuss|mention|share|present|talk about|look at|tell you about|go over) (?:\S+ ){0,14}is §"
)
"""`The next name | that I am going to cover is §`"""
ASKS_FOR = ((Sentiment.BUY, phrases("asks for buys")), (Sentiment.SELL, phrases("asks for sells")))
"""`What are you buying here?`: the stock named in the answer is a buy."""
ASKS_VIEWERS = pattern(r"(?<!\w)(?:let (?:me|us) know|in the comments?|comments? (?:below|section))(?!\w)")
"""`Let us know which stocks you like: §, § or §`: the names are options for viewers, not an answer."""
GIVES_A_NAME = pattern(
    r"^(?:(?:well|yeah|yes|so|sure|and|look|okay|i think|i mean) )*(?:(?:i|we) (?:\S+ ){0,4}"
    r"(?:say|like|love|at|with|highlight|mention|favou?r|about|pick|choose|be|is)"
    r"|(?:it|that|there|one) (?:is|would be)) "
    r"(?:(?:a|an|the|some|of|like|course|my|our|names?|stocks?|something) )*§"
)
"""`I would say §`, `we are looking at §`: an answer with a name."""
NAMES_NONE = pattern(
    r"(?<!\w)(?:(?:i|we) (?:\S+ )?(?:do|would|am|are|have) not (?!know (?:if|that|about)|mean)"
    r"|none of (?:them|those|these)|nothing(?= |$)|not (?:really|right now|yet)$)"
)
"""`I don't think that is where the leadership is`: declines to pick, so the next stock isn't an answer."""
ROUND = phrases("round of picks")
"""`Final trades`: each of a panel names a stock, mostly without a verb."""
ROUND_ENDS = phrases("round ends")


class Pick(NamedTuple):
    """A stock that was presented."""

    mention: Mention
    sentiment: Sentiment
    link: str
    traits: tuple[str, ...]


class Lists:
    """Tracks announced lists and the names on them."""

    def __init__(self) -> None:
        self._announced: Sentiment | None = None
        self._announced_by: Clause | None = None
        self._list_ends = -1
        self._name_by = -1
        """Index of the last word at which the name of the opened list item may come."""
        self._asked_for: Sentiment | None = None
        self._answer_by = -1
        self._answered = False
        self._round_ends = -1
        self._picked: set[str] = set()

    def picks(self, reading: Reading, previous: Reading | None, *, of_a_portfolio: bool) -> list[Pick]:
        if reading.clause.first > self._list_ends:
            self._announced = self._announced_by = None
        self._announce(reading, previous)
        answers = self._answers(reading, previous)
        items = self._items(reading)
        return [*(() if of_a_portfolio else items), *answers, *self._round(reading)]

    def _announce(self, reading: Reading, previous: Reading | None) -> None:
        """`Five stocks | I'm buying now`: the names that follow are buys."""
        if LISTED.isdisjoint(reading.text.split()) and not reading.triggers:
            return
        text = with_lead_in(reading, previous)
        for sentiment, announces in ANNOUNCES:
            if sentiment is Sentiment.MENTIONED and self._announced:
                continue  # five stocks I'm buying, | among them the worst performers
            announced = announces.search(text)
            if not announced or SPONSOR.search(text) or ONE_OF_MANY.search(text[: announced.start()]):
                continue
            if self._announced_by is reading.clause and self._announced is Sentiment.MENTIONED:
                continue  # the ten best performing stocks
            if not self._names_its_own(reading):
                self._announced, self._announced_by = sentiment, reading.clause
                self._list_ends = reading.clause.last + LIST_LASTS

    @staticmethod
    def _names_its_own(reading: Reading) -> bool:
        """`I made ten buys in §`: no others are to come."""
        return bool(reading.mentions) and not LISTS_NAMES.search(reading.text)

    def _items(self, reading: Reading) -> list[Pick]:
        if self._goes_on_naming(reading):
            return [self._item(mention) for mention in reading.mentions]
        if self._announced_by is reading.clause:
            return [self._item(mention) for mention in self._named_at_once(reading)]
        opens = self._opening(reading)
        if opens:
            self._name_by = reading.clause.last + NAME_FOLLOWS
        if not reading.mentions or reading.clause.first > self._name_by:
            return []
        self._name_by = -1
        if opens:
            named = [m for m in reading.mentions if m.first >= reading.word_at(opens.start())]
        else:
            named = reading.mentions if self._presents(reading) else []
        return [self._item(mention) for mention in named[:1]]

    @staticmethod
    def _named_at_once(reading: Reading) -> list[Mention]:
        """`My top stocks are § and §`: the names at the end of the clause that announces the list."""
        lists = LISTS_NAMES.search(reading.text)
        if not lists or not LISTING.issuperset(reading.text[lists.end() :].split()):
            return []
        return [mention for mention in reading.mentions if mention.first >= reading.word_at(lists.start())]

    def _opening(self, reading: Reading) -> re.Match[str] | None:
        """Matches the opening of a list item: `number three` or, without a list, `my pick`."""
        listed = LIST_ITEM.search(reading.text) if self._announced else None
        return listed or PUT_FORWARD.search(reading.text)

    def _item(self, mention: Mention) -> Pick:
        if self._announced:
            self._list_ends = mention.last + LIST_LASTS
            return Pick(mention, self._announced, "list", ("list item",))
        return Pick(mention, Sentiment.BUY, "list", ("put forward",))

    def _goes_on_naming(self, reading: Reading) -> bool:
        """`The stocks I'm buying are §, and as a surprise § and §`: the list continues to the end of its sentence.

        So does a list whose names are a sentence by themselves: `I bought two stocks. § and §.`
        """
        by = self._announced_by
        if by is None or by.first >= reading.clause.first:
            return False
        if by.sentence != reading.clause.sentence:
            named = THEY_ARE.sub("", reading.text)
            next_said = NEXT_SAID if named != reading.text else 0
            return reading.clause.first - by.last <= next_said and LISTING.issuperset(named.split())
        return bool(reading.mentions) and LISTING.issuperset(reading.text.partition("§")[2].split())

    @staticmethod
    def _presents(reading: Reading) -> bool:
        """`… | which is going to be §`, `… | §, the chip maker`"""
        starts = reading.mentions[0].first - reading.clause.first <= LEAD_TO_NAME
        return starts or bool(PRESENTS.search(reading.text) or GIVEN_LATER.search(reading.text))

    def _answers(self, reading: Reading, previous: Reading | None) -> list[Pick]:
        """`What are you buying? | I'd say § and §`"""
        if not reading.mentions:
            self._ask(reading, with_lead_in(reading, previous))
            return []
        asked, self._asked_for = self._asked_for, None
        if not asked or reading.clause.first > self._answer_by or reading.clause.ends_with == "?":
            return []
        gives = GIVES_A_NAME.search(reading.text)
        opens = reading.mentions[0].first - reading.clause.first < LEAD_TO_NAME and not self._answered
        if not opens and not gives:
            return []
        if gives:  # I think it's §, | I think it's §
            self._asked_for, self._answer_by, self._answered = asked, reading.clause.last + NEXT_SAID, True
        only_names = LISTING.issuperset(reading.text.partition("§")[2].split())
        named = reading.mentions if only_names else reading.mentions[:1]
        return [Pick(mention, asked, "list", ("named in answer",)) for mention in named]

    def _ask(self, reading: Reading, text: str) -> None:
        if ASKS_VIEWERS.search(text):
            return
        for sentiment, asks in ASKS_FOR:
            if (reading.triggers or "where" in text.split()) and (asks.search(text) or asks.search(reading.text)):
                self._asked_for, self._answer_by = sentiment, reading.clause.last + ANSWER_COMES
                self._answered = False
                return
        if self._asked_for and NAMES_NONE.search(reading.text):
            self._asked_for = None

    def _round(self, reading: Reading) -> list[Pick]:
        """Returns the stocks that a clause in a round of picks names for the first time."""
        if "final" in reading.text and ROUND.search(reading.text):
            self._round_ends = reading.clause.last + ROUND_LASTS
        if reading.clause.first > self._round_ends:
            return []
        found: list[Pick] = []
        for mention in reading.mentions:
            if mention.ticker and mention.ticker not in self._picked:
                self._picked.add(mention.ticker)
                self._round_ends = mention.last + ROUND_LASTS
                opens = mention.first - reading.clause.first <= LEAD_TO_NAME
                position = "pick beside another" if found else "pick put first" if opens else "pick put later"
                found.append(Pick(mention, Sentiment.BUY, "round", ("round pick", position)))
        if ROUND_ENDS.search(reading.text):
            self._round_ends = -1
        return found
