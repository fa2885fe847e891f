"""Stocks that a speaker shows as his own: `in my portfolio`, `we have § at number four`, `§, up forty percent`."""

import re
from itertools import takewhile

from functions.core.models import Sentiment
from functions.providers.rules.context import Mention
from functions.providers.rules.lists import LEAD_TO_NAME, LISTING, Pick
from functions.providers.rules.reading import Reading
from functions.providers.rules.text import Clause
from functions.providers.rules.vocabulary import pattern, phrases, words

HOLDINGS_GAP = 100
"""Words from one holding to the next, at most."""
ROW_GAP = 6
"""Words from one holding to the next where they are read out in a row, at most."""
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
TOURED = words("words of a portfolio tour")
"""Words of which a clause has one before it is searched for that, since most have none."""
NO_TOUR = pattern(
    r"(?<!\w)(?:not|never|no|no longer|used to|his|their|her|its|your|{sell,close,exit,trim}"
    r"|index|indexes|etfs?|benchmark|buffett|berkshire|burry)(?!\w)"
)
"""`I closed all my positions`, `the top holdings of that index`: what follows is not owned, or not by the speaker."""
TRADED = pattern(
    r"(?<!\w)(?:{buy,add,sell,trim,close,exit,open,initiate}|put|removed|topped|top up|going in|went|pick|picked"
    r"|purchased|cut|doubled)(?!\w)"
)
"""`I put § and § into my account`: bought or sold, which is more than owned."""
TOUR_ITEM = phrases("portfolio tour item")
PLACE = pattern(r"(?:(?:at|here|in|is|still|the) )*(?:number (?:{ten}|\d+)|spot)(?!\w)")
"""A stock's rank, which does not part it from the next: `§ at number four, §`."""
LONG_RUN = 3
"""Names in a row that are a list, whatever else their clause says."""

_NUMBER = rf"(?:\$?\d+|{'|'.join(sorted(words('numbers') - {'a', 'half'}))})"
_SO_MUCH = (
    rf"(?:(?:about|around|almost|over|like|only|just|another|by|a|some|roughly|nearly|well|more|than) )*{_NUMBER}"
)
_LEAD = (
    r"^ ?(?:(?:and|so|then|okay|is|are|was|has|at|now|right|still|with|that|which|it|one|this|i|we|have|got|paid|gave"
    r"|me|us|came|in|been|sitting) )*"
)
GAIN = pattern(rf"{_LEAD}(?:up|down|plus|minus) {_SO_MUCH}(?!\w)")
SHARE = pattern(
    rf"{_LEAD}{_SO_MUCH}(?: (?:{_NUMBER}|and|a|half|point|quarter))*"
    r" (?:shares|percent|weight|weighting|waiting|weighted|allocation|position)(?!\w)"
    rf"|{_LEAD}(?:(?:a|an|my|our|the|only|much|{{ten}}|second|third|fourth|fifth|relatively) )*"
    r"(?:biggest|largest|smaller|smallest|small|larger|new|newer|newest|decent|tiny|big) (?:position|holding)(?!\w)"
)
AMOUNT = pattern(
    rf"{_LEAD}{_SO_MUCH}(?: (?:{_NUMBER}|and|a|half|point|change|dollars|bucks|grand|quid|pounds|cents|year|month|each"
    r"|then|so))*$"
)
"""What follows a holding's name: `up sixty percent`, `forty shares`, `a four percent weighting`; and in a row of such
figures a bare number."""
GAIN_BEFORE = pattern(
    rf"(?<!\w)(?:up|down) {_SO_MUCH}(?: \S+){{0,5}} (?:on|in)(?: my)? §$"
    rf"|{_SO_MUCH} (?:up|down) move (?:\S+ ){{0,3}}on §"
)
"""`Up forty on §`"""
OF_A_BUSINESS = pattern(
    r"(?<!\w)(?:today|yesterday|tomorrow|premarket|after hours|since (?:earnings|friday|monday)"
    r"|on (?:earnings|the (?:day|week|news))"
    r"|(?:this|last|in a|for the|over the) (?:past )?(?:week|morning|day|session|month|quarter|year)|year to date"
    r"|from (?:its|the|their|that|where|a)|off (?:its|the|their)|year over year|revenue|sales|margins?|earnings|income"
    r"|eps|traffic|volume|guidance|analysts?|target|market cap|billion|million|trillion|times|upside|downside"
    r"|outstanding|buyback)(?!\w)"
)
"""What a share or a business did, whoever owns it."""


class Portfolio:
    """The portfolio that a speaker goes through."""

    def __init__(self) -> None:
        self._opened: Clause | None = None
        self._tour_ends = -1
        self._row_ends = -1
        """The word by which the next holding follows, if they are read out in a row."""
        self._named: Mention | None = None
        """The stock whose weight or gain may follow."""

    def holdings(self, reading: Reading) -> list[Pick]:
        """The stocks that a clause shows as owned."""
        named = self._named_at_once(reading) or self._shown_on_tour(reading)
        known = self._known_by_figure(reading)
        if not named and not known:
            return []
        if TRADED.search(reading.text):
            return []
        self._row_ends = reading.clause.last + ROW_GAP
        trait = "portfolio item" if named else "portfolio figure"
        return [Pick(mention, Sentiment.HOLD, "list", (trait,)) for mention in named or known]

    def _goes_on_in_a_row(self, reading: Reading) -> bool:
        return reading.clause.first <= self._row_ends

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
        listed = _longest_run(reading)
        only_names = LISTING.issuperset(PLACE.sub("", reading.text).split())
        several = only_names and (len(listed) > 1 or self._goes_on_in_a_row(reading))
        if several or len(listed) >= LONG_RUN:
            shown = listed
        elif TOUR_ITEM.search(reading.text):
            shown = _listed_first(reading)
        else:
            return []
        self._tour_ends = reading.clause.last + HOLDINGS_GAP
        return shown

    def _known_by_figure(self, reading: Reading) -> list[Mention]:
        """`§. That's up sixty percent`, `§, forty shares`, once the speaker goes through a portfolio."""
        if reading.clause.first > self._tour_ends:
            self._named = None
            return []
        said = [part.rstrip() for part in re.split("[§¤]", reading.text)]
        waiting = [self._named] if self._named and reading.clause.first - self._named.last <= FIGURE_FOLLOWS else []
        named = [*waiting, *reading.mentions]
        figures = list(zip(named, said if waiting else said[1:], strict=False))
        known = [m for m, after in figures if _is_figure(after)]
        if len(reading.mentions) == 1 and GAIN_BEFORE.search(reading.text) and not OF_A_BUSINESS.search(reading.text):
            known = reading.mentions
        bare = [m for m, after in figures if AMOUNT.search(after) and not OF_A_BUSINESS.search(after)]
        if len(bare) > 1 or known or self._goes_on_in_a_row(reading):
            known += [m for m in bare if m not in known]
        self._named = None
        if named and named[-1] not in known:
            opens = named[-1].last == reading.clause.last or (
                reading.mentions[:1] == named[-1:] and named[-1].first - reading.clause.first <= LEAD_TO_NAME
            )
            self._named = named[-1] if opens or not reading.mentions else None
        if known:
            self._tour_ends = reading.clause.last + HOLDINGS_GAP
        return known


def _is_figure(after: str) -> bool:
    return bool(GAIN.search(after) or SHARE.search(after)) and not OF_A_BUSINESS.search(after)


def _longest_run(reading: Reading) -> list[Mention]:
    """The most names of a clause that are only joined to each other."""
    longest: list[Mention] = []
    run: list[Mention] = []
    for mention, said in zip(reading.mentions, re.split("[§¤]", reading.text), strict=False):
        joined = run and LISTING.issuperset(PLACE.sub("", said).split())
        run = [*run, mention] if joined else [mention]
        longest = max(longest, run, key=len)
    return longest


def _listed_first(reading: Reading) -> list[Mention]:
    """The first name of a clause, and those that are only joined to it: `We have § at number four, § and §`."""
    between = re.split("[§¤]", reading.text)[1:-1]
    joined = takewhile(lambda said: LISTING.issuperset(PLACE.sub("", said).split()), between)
    return reading.mentions[: 1 + sum(1 for _ in joined)]


def opens_portfolio(reading: Reading) -> bool:
    """`In my portfolio, § is up …`"""
    return bool(reading.triggers) and bool(OPENS_PORTFOLIO.search(reading.text))
