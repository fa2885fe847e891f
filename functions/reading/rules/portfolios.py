"""Finds the stocks that a speaker presents as holdings: `in my portfolio, § …`, `§, forty shares`."""

import re
from itertools import takewhile

from functions.reading.rules.context import Mention
from functions.reading.rules.lists import ASKS_VIEWERS, LEAD_TO_NAME, LISTING, Pick
from functions.reading.rules.reading import Reading
from functions.reading.rules.text import Clause
from functions.reading.rules.vocabulary import pattern, phrases, words
from functions.reading.terms import Sentiment

HOLDINGS_GAP = 100
"""Maximum words from one holding to the next."""
ROW_GAP = 6
"""Maximum words from one holding to the next when read out in a row."""
FIGURE_FOLLOWS = 20
"""Maximum words from a holding's name to its weight or gain."""

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
"""Prefilter: clauses without one of these words are not searched for a tour."""
SHOWING = words("shows a portfolio")
"""`Let's go through my positions`; where only `my portfolio` was said, a gain may be any share's."""
OF_THE_SPEAKER = words("first person") | words("own portfolio")
"""Words that show whose portfolio it is: `my positions`, `reading it off the sheet`."""
THE_PORTFOLIO = pattern(r"(?<!\w)the (?:rest of the portfolio|portfolio itself)(?!\w)")
"""Implies the speaker's portfolio."""
CLOSE_TO = pattern(r"(?<!\w)close to(?!\w)")
"""`Close to a tenth of the portfolio`, where nothing is closed."""
NO_TOUR = words("not of an own portfolio")
"""`I closed all my positions`, `the top holdings of that index`: what follows is not owned, or not by the speaker."""
TOUR_ENDS = words("ends a portfolio tour")
"""`Now to the recap`"""
TRADED = pattern(
    r"(?<!\w)(?:{buy,add,sell,trim,close,exit,open,initiate}|put|removed|topped|top up|going in|went and|pick|picked"
    r"|purchased|cut|doubled)(?!\w)"
)
"""`I put § and § into my account`: bought or sold, which is more than owned."""
TOUR_ITEM = phrases("portfolio tour item")
PLACE = pattern(r"(?:(?:at|here|in|is|still|the) )*(?:number (?:{ten}|\d+)|spot)(?!\w)")
"""A stock's rank, which doesn't end the list: `§ at number four, §`."""
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
"""`§, up sixty percent`"""
WEIGHT = pattern(
    rf"{_LEAD}{_SO_MUCH}(?: (?:{_NUMBER}|and|a|half|point|quarter|percent))*"
    r" (?:shares|weight|weighting|waiting|weighted|allocation|position)(?!\w)"  # waiting is weighting, misheard
    rf"|{_LEAD}(?:(?:a|an|my|our|the|only|much|{{ten}}|second|third|fourth|fifth|relatively) )*"
    r"(?:biggest|largest|smaller|smallest|small|larger|new|newer|newest|decent|tiny|big) (?:position|holding)(?!\w)"
)
"""`§, forty shares`, `a four percent weighting`"""
PERCENT = pattern(
    rf"{_LEAD}{_SO_MUCH}(?: (?:{_NUMBER}|and|a|half|point|quarter))* percent"
    r"(?=$| (?:and|then|so|there|here|right|now|position|of (?:it|that|the|my|our)|which|but|with|up|down)(?!\w))"
)
"""`§ at eleven percent`"""
BARE_NUMBER = pattern(
    rf"{_LEAD}{_SO_MUCH}(?: (?:{_NUMBER}|and|a|half|point|change|dollars|bucks|grand|quid|pounds|cents|year|month|each"
    r"|then|so))*$"
)
"""`§ nine`, in a row of such figures."""
GAIN_BEFORE = pattern(
    rf"(?<!\w)(?:up|down) {_SO_MUCH}(?: \S+){{0,5}} (?:on|in)(?: my)? §$"
    rf"|(?<!\w){_SO_MUCH} (?:up|down) move (?:\S+ ){{0,3}}on §"
)
"""`Up forty on §`"""
MARKET_MOVE = pattern(
    r"(?<!\w)(?:today|yesterday|tomorrow|premarket|after hours|since (?:earnings|friday|monday)"
    r"|(?:on|after) (?:earnings|results|the (?:day|week|news|report))"
    r"|(?:this|last|in (?:a|one)|for the|over the) (?:past )?(?:week|morning|day|session|month|quarter|year)"
    r"|(?:past|last) (?:{ten}|\d+|few|couple(?: of)?) (?:days|weeks|months|quarters|years)|year to date"
    r"|year over year|from (?:its|the|their|that|where|a)|off (?:its|the|their)|revenue|sales|margins?"
    r"|earnings|income|eps|traffic|volume|guidance|analysts?|targets?|market cap|billion|million|trillion|times|upside"
    r"|downside|outstanding|buybacks?|index|etfs?|fund|forward|multiples?|levels?|chart|occupied|trucks|units)(?!\w)"
)
"""Figures of a share, a business or a fund, not of the speaker's holding."""


class Portfolio:
    """The portfolio that a speaker goes through."""

    def __init__(self) -> None:
        self._opened: Clause | None = None
        self._tour_ends = -1
        self._is_shown = False
        """True if the speaker announced a tour of it, rather than only mentioning it."""
        self._row_ends = -1
        """The word by which the next holding follows, if they are read out in a row."""
        self._named: Mention | None = None
        """The stock whose weight or gain may follow."""

    def holdings(self, reading: Reading, previous: Reading | None) -> list[Pick]:
        """Returns the stocks that a clause presents as holdings."""
        self._open_or_end(reading, previous)
        named = self._named_at_once(reading)
        if reading.clause.first <= self._tour_ends:
            named = named or self._shown(reading)
            known = self._known_by_figure(reading)
        else:
            known, self._named = [], None
        if not (named or known) or TRADED.search(reading.text):
            return []
        self._row_ends = reading.clause.last + ROW_GAP
        self._tour_ends = max(self._tour_ends, reading.clause.last + HOLDINGS_GAP)
        return [
            Pick(mention, Sentiment.HOLD, "list", ("portfolio item" if mention in named else "portfolio figure",))
            for mention in dict.fromkeys((*named, *known))
        ]

    def _open_or_end(self, reading: Reading, previous: Reading | None) -> None:
        said = set(CLOSE_TO.sub("", reading.text).split())
        if TOURED.isdisjoint(said) or not TOUR.search(reading.text):
            if not TOUR_ENDS.isdisjoint(said) or ("know" in said and ASKS_VIEWERS.search(reading.text)):
                self._tour_ends = -1
            return
        if not NO_TOUR.isdisjoint(said):
            self._tour_ends = -1
            return
        around = said.union(previous.text.split()) if previous else said
        if OF_THE_SPEAKER.isdisjoint(around) and not THE_PORTFOLIO.search(reading.text):
            return
        goes_on = reading.clause.first <= self._tour_ends
        self._is_shown = (goes_on and self._is_shown) or not SHOWING.isdisjoint(around)
        self._tour_ends = reading.clause.last + HOLDINGS_GAP

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

    def _shown(self, reading: Reading) -> list[Mention]:
        """`We have §`, `§ at number three` and lists of names."""
        if not reading.mentions:
            return []
        listed = _longest_run(reading)
        several = _only_joins(reading.text) and (len(listed) > 1 or self._goes_on_in_a_row(reading))
        if several or (len(listed) >= LONG_RUN and self._is_shown):
            return listed
        return _listed_first(reading) if TOUR_ITEM.search(reading.text) else []

    def _known_by_figure(self, reading: Reading) -> list[Mention]:
        """`§. That's up sixty percent`, `§, forty shares`."""
        waiting = self._waiting_for_a_figure(reading)
        said = [part.rstrip() for part in re.split("[§¤]", reading.text)]
        figures = list(zip((*waiting, *reading.mentions), said if waiting else said[1:], strict=False))
        moves = MARKET_MOVE.search(TOUR.sub("", reading.text))
        known = [] if moves else [mention for mention, after in figures if self._is_figure(after, reading)]
        bare = [] if moves else [mention for mention, after in figures if BARE_NUMBER.search(after)]
        if (len(bare) > 1 and self._is_shown) or known or self._goes_on_in_a_row(reading):
            known += [mention for mention in bare if mention not in known]
        if self._is_shown and not moves and len(reading.mentions) == 1 and GAIN_BEFORE.search(reading.text):
            known = list(reading.mentions)
        last = (*waiting, *reading.mentions)[-1:]
        self._named = last[0] if last and last[0] not in known and _awaits_a_figure(last[0], reading) else None
        return known

    def _waiting_for_a_figure(self, reading: Reading) -> list[Mention]:
        near = self._named and reading.clause.first - self._named.last <= FIGURE_FOLLOWS
        return [self._named] if self._named and near else []

    def _is_figure(self, after: str, reading: Reading) -> bool:
        if WEIGHT.search(after):
            return True
        figure = GAIN.search(after) or PERCENT.search(after)
        return bool(figure) and (self._is_shown or self._goes_on_in_a_row(reading))


def _awaits_a_figure(named: Mention, reading: Reading) -> bool:
    """True if the next clause may continue about a stock: it ends or starts this clause, or precedes it."""
    if not reading.mentions or named.last == reading.clause.last:
        return True
    return len(reading.mentions) == 1 and named.first - reading.clause.first <= LEAD_TO_NAME


def _only_joins(said: str) -> bool:
    """True if the words only join or rank the names of a list."""
    return LISTING.issuperset(PLACE.sub("", said).split())


def _longest_run(reading: Reading) -> list[Mention]:
    """Returns the longest run of names in a clause with only joining words between them."""
    longest: list[Mention] = []
    run: list[Mention] = []
    for mention, said in zip(reading.mentions, re.split("[§¤]", reading.text), strict=False):
        run = [*run, mention] if run and _only_joins(said) else [mention]
        longest = max(longest, run, key=len)
    return longest


def _listed_first(reading: Reading) -> list[Mention]:
    """The first name of a clause, and those that are only joined to it: `We have § at number four, § and §`."""
    joined = takewhile(_only_joins, re.split("[§¤]", reading.text)[1:-1])
    return reading.mentions[: 1 + sum(1 for _ in joined)]


def opens_portfolio(reading: Reading) -> bool:
    """`In my portfolio, § is up …`"""
    return bool(reading.triggers) and bool(OPENS_PORTFOLIO.search(reading.text))
