"""Stocks that a speaker shows as his own: `in my portfolio`, `we have § at number four`, `§, up forty percent`."""

import re
from itertools import takewhile

from functions.core.models import Sentiment
from functions.providers.rules.context import Mention
from functions.providers.rules.lists import LEAD_TO_NAME, LISTING, Pick
from functions.providers.rules.reading import Reading
from functions.providers.rules.text import Clause
from functions.providers.rules.vocabulary import pattern, phrases

HOLDINGS_GAP = 100
"""Words from one holding to the next, at most."""
FIGURE_FOLLOWS = 20
"""Words from a holding's name to its weight or its gain, at most."""

OPENS_PORTFOLIO = pattern(
    r"^(?:(?:and|so|now|but|okay|then) )*(?:in|inside|within|across|looking at|as for) (?:of )?(?:my|our) (?:\S+ ){0,2}"
    r"(?:portfolios?|accounts?|holdings|positions)(?: (?:today|right now|now|this (?:week|month|year)))?(?=$| §)"
    r"|^(?:(?:and|so|now|but|okay|then) )*(?:my|our) (?:\S+ )?(?:portfolio|holdings|positions)"
    r" (?:is|are|consists? of|includes?)(?: (?:now|currently|made up of))?$"
    r"|(?<!\w)what (?:is|(?:i|we) (?:own|have|hold)) in (?:the|my|our) (?:\S+ )?(?:portfolio|fund|account)$"
)
"""`In my portfolio | § is up and § is down`: what the sentence goes on to name is owned."""
TOUR = phrases("portfolio tour")
"""`Let's look at my portfolio. We have § at number three`: what the speaker shows one by one is owned."""
TOURED = frozenset(
    {"account", "businesses", "companies", "holdings", "names", "portfolio", "portfolios", "positions", "stocks"}
)
"""Words of which a clause has one before it is searched for that, since most have none."""
NO_TOUR = pattern(r"(?<!\w)(?:not|never|no|no longer|used to|{sell,close,exit,trim})(?!\w)")
"""`I closed all my positions`: what follows is not owned any more."""
TOUR_ITEM = phrases("portfolio tour item")
FIGURE = phrases("portfolio tour figure")
"""`§. That one's up sixty percent, a four percent weighting`: its weight or gain tells that it is owned."""
OF_THE_DAY = pattern(
    r"(?<!\w)(?:today|yesterday|tomorrow|premarket|after hours|since (?:earnings|friday|monday)"
    r"|on (?:earnings|the (?:day|week|news))"
    r"|(?:this|last|in a|for the|over the) (?:past )?(?:week|morning|day|session|month|quarter|year)|year to date"
    r"|from (?:its|the|their|that|where|a)|off (?:its|the|their)|year over year|revenue|sales|margins?|earnings|income"
    r"|eps|traffic|volume|guidance|analysts?|target|market cap)(?!\w)"
)
"""What a share or a business did, whoever owns it."""
PLACE = pattern(r"(?:(?:at|here|in|is|still|the) )*(?:number (?:{ten}|\d+)|spot)(?!\w)")
"""A stock's rank, which does not part it from the next: `§ at number four, §`."""


class Portfolio:
    """The portfolio that a speaker goes through."""

    def __init__(self) -> None:
        self._opened: Clause | None = None
        self._tour_ends = -1
        self._named: Mention | None = None
        """The stock whose weight or gain may follow."""

    def holdings(self, reading: Reading) -> list[Pick]:
        """The stocks that a clause shows as owned."""
        named = self._named_at_once(reading) or self._shown_on_tour(reading)
        if named:
            return [Pick(mention, Sentiment.HOLD, "list", ("portfolio item",)) for mention in named]
        return [
            Pick(mention, Sentiment.HOLD, "list", ("portfolio figure",)) for mention in self._known_by_figure(reading)
        ]

    def _named_at_once(self, reading: Reading) -> list[Mention]:
        """The names that follow `in my portfolio`: in its sentence, or in one that has nothing but names."""
        if opens_portfolio(reading):
            self._opened = reading.clause
        by = self._opened
        if not by or not reading.mentions:
            return []
        goes_on = by.sentence == reading.clause.sentence or LISTING.issuperset(reading.text.split())
        if not goes_on or reading.clause.first - by.last > HOLDINGS_GAP:
            self._opened = None
            return []
        self._opened = by._replace(last=reading.clause.last)
        return reading.mentions

    def _shown_on_tour(self, reading: Reading) -> list[Mention]:
        """`We have §`, `§ at number three` and lists of names, once the speaker goes through a portfolio."""
        if not TOURED.isdisjoint(reading.text.split()) and TOUR.search(reading.text):
            self._tour_ends = -1 if NO_TOUR.search(reading.text) else reading.clause.last + HOLDINGS_GAP
        if not reading.mentions or reading.clause.first > self._tour_ends:
            return []
        several = len(reading.mentions) > 1 and LISTING.issuperset(reading.text.split())
        if not several and not TOUR_ITEM.search(reading.text):
            return []
        self._tour_ends = reading.clause.last + HOLDINGS_GAP
        return _listed_first(reading)

    def _known_by_figure(self, reading: Reading) -> list[Mention]:
        """`§. That's up sixty percent`, `up forty on §`, once the speaker goes through a portfolio."""
        if reading.clause.first > self._tour_ends:
            self._named = None
            return []
        if reading.mentions:
            first = reading.mentions[0]
            opens = first.first - reading.clause.first <= LEAD_TO_NAME and len(reading.mentions) == 1
            self._named = first if opens or FIGURE.search(reading.text) else None
        named = self._named
        if not named or reading.clause.first - named.last > FIGURE_FOLLOWS or OF_THE_DAY.search(reading.text):
            return []
        if not FIGURE.search(reading.text):
            return []
        self._named = None
        self._tour_ends = reading.clause.last + HOLDINGS_GAP
        return [named]


def _listed_first(reading: Reading) -> list[Mention]:
    """The first name of a clause, and those that are only joined to it: `We have § at number four, § and §`."""
    between = re.split("[§¤]", reading.text)[1:-1]
    joined = takewhile(lambda said: LISTING.issuperset(PLACE.sub("", said).split()), between)
    return reading.mentions[: 1 + sum(1 for _ in joined)]


def opens_portfolio(reading: Reading) -> bool:
    """`In my portfolio, § is up …`"""
    return bool(reading.triggers) and bool(OPENS_PORTFOLIO.search(reading.text))
