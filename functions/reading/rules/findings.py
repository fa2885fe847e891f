"""Walks through a transcript clause by clause and collects the evidence about each stock."""

from dataclasses import dataclass
from datetime import date
from itertools import takewhile

from functions.reading.rules.answers import ASKED_WITHIN, Question, Questions, is_asked_about
from functions.reading.rules.context import Mention
from functions.reading.rules.evidence import NOT_FAR, Findings, circumstances, in_sum
from functions.reading.rules.history import is_long_ago
from functions.reading.rules.lists import Lists
from functions.reading.rules.names import mentions_of
from functions.reading.rules.portfolios import Portfolio, opens_portfolio
from functions.reading.rules.reading import Reading, read, runs_on
from functions.reading.rules.speakers import Story
from functions.reading.rules.stance import Stance, stances
from functions.reading.rules.targets import Target, about
from functions.reading.rules.text import Clause, Word, clauses_of
from functions.reading.rules.topics import Topics
from functions.reading.rules.unnamed import Unnamed
from functions.reading.rules.vocabulary import pattern, phrases
from functions.reading.rules.weighing import Evidence
from functions.reading.rules.wording import Stretches
from functions.reading.terms import SIDES, Sentiment

MAX_SENTENCE = 40
"""Maximum average words per sentence of a transcript with punctuation."""
SENTENCE_REACH = 3
"""Preceding clauses that may govern a clause in punctuated text; in raw captions only the last one does."""
ASIDES, MOST_ASIDES = frozenset({"then", "yes", "yeah", "yep", "okay", "ok", "oh", "well", "man", "hey", "gosh"}), 3
"""Clauses without content: `if it doubles | then | yes | I would sell`."""
SHORT_CLIP = 250
"""Maximum words of a short clip, where anything said about a stock is the point."""

CHANGE_OF_MIND = phrases("change of mind")
SHORT_IS_CLOSED = phrases("short is closed")
SHORTS = "shorts and puts"
SAME_AGAIN = pattern(
    r"^(?:(?:and|so|but|okay|then|it is|that is|pretty much|i did) )*(?:the )?(?:exact )?"
    r"(?:(?:same|similar)(?: (?:thing|goes|deal|story|treatment|again|here|i|we|have|did|do|gave|given|done|applies))*"
    r" (?:for|with|to|on|in)|ditto(?: for| with)?) (?:my |our )?§"
    r"|^(?:(?:and|then) )*(?:my |our )?§"
    r" (?:too|(?:a )?similar (?:thing|story|idea)|same (?:thing|story|deal|answer)|ditto)$"
    r"|^(?:(?:and|so|then|i think) )*§ (?:is|was|would be) (?:another|the other)(?: one| name| stock| pick| buy)?"
    r"(?: of (?:those|them|these))?$"
    r"|^(?:(?:and|so|then) )*(?:another|the other)(?: one| name| stock| pick| buy)? (?:is|was|would be) §$"
    r"|^(?:(?:and|so|then) )*(?:i|we) (?:would|will) (?:add|put|throw|include) §"
    r" (?:(?:to|on|in|into) )?(?:that|there|this)(?=$| (?:as|too|list|group|camp|category|bucket|basket)(?!\w))"
    r"|^(?:(?:and|then) )*followed (?:closely |then )?by (?:my |our |a |an )?§"
)
"""`Same with §`, `§ too`, `§ is another`, `followed by §`: repeats the last action for this stock."""
NO_THANKS = pattern(r"(?:no|nah)(?: no)*,? thank(?:s| you)(?!\w)")
"""`Would I sell it? | No thank you.` is an answer, not a warning."""
OWN_TRADES = frozenset({"speaker i", "speaker we"})
"""After the speaker trades a stock, later clauses refer to it."""


@dataclass(frozen=True, slots=True)
class Acted:
    """The last action stated about a stock."""

    evidence: Evidence
    last: int

    def ends_near(self, reading: Reading) -> bool:
        return reading.clause.first - self.last <= NOT_FAR


def findings_of(
    transcript: str, words: list[Word], day: date | None = None
) -> tuple[list[Clause], dict[str, Findings]]:
    """Returns the transcript's clauses, and the findings about each stock, in order of appearance."""
    mentions = mentions_of(words, day)
    if not any(mention.ticker for mention in mentions):
        return [], {}
    names = {index: mention.first for mention in mentions for index in range(mention.first, mention.last)}
    clauses = clauses_of(transcript, words, names)
    return clauses, _Finder(_readings(clauses, words, mentions), mentions).find()


def _readings(clauses: list[Clause], words: list[Word], mentions: list[Mention]) -> list[Reading]:
    readings = []
    position = 0
    for clause in clauses:
        inside = []
        while position < len(mentions) and mentions[position].first < clause.last:
            inside.append(mentions[position])
            position += 1
        readings.append(read(clause, words, inside))
    return readings


class _Finder:
    """The findings so far, and the context that later clauses need."""

    def __init__(self, readings: list[Reading], mentions: list[Mention]) -> None:
        self._findings = _mentioned(mentions)
        self._readings = readings
        self._starts = {reading.clause.sentence: reading.clause.first for reading in reversed(readings)}
        """Index of the first word of each sentence."""
        punctuated = _is_punctuated(readings)
        self._reach = SENTENCE_REACH if punctuated else 1
        short = readings[-1].clause.last <= SHORT_CLIP
        self._manner = (*(() if punctuated else ("bare captions",)), *(("short clip",) if short else ()))
        self._topics = Topics(len(self._findings))
        self._lists = Lists()
        self._portfolio = Portfolio()
        self._unnamed = Unnamed()
        self._questions = Questions()
        self._stretches = Stretches()
        self._story = Story()
        self._short: dict[str, int] = {}
        """Open short positions by ticker, with the index of their first evidence."""
        self._forgotten: dict[str, int] = {}
        """First word of the sentence in which the speaker last changed their mind about each stock."""
        self._acted: Acted | None = None
        self._traded: Mention | None = None
        """The stock that the speaker trades in the current clause."""

    def find(self) -> dict[str, Findings]:
        for number, reading in enumerate(self._readings):
            self._read(number, reading)
        for ticker, entry in self._findings.items():
            entry.evidence = in_sum(entry.evidence)
            entry.stretches = self._stretches.found.get(ticker, [])
        return self._findings

    def _read(self, number: int, reading: Reading) -> None:
        previous = self._reading_at(number - 1)
        self._forget_if_mind_changed(reading)
        self._story.note(reading)
        answers = self._questions.answered_by(reading)
        for ticker, evidence in answers:
            self._findings[ticker].evidence.append(evidence)
        holdings = self._portfolio.holdings(reading, previous)
        for pick in (*self._lists.picks(reading, previous, of_a_portfolio=bool(holdings)), *holdings):
            self._add(pick.sentiment, pick.traits, pick.mention.first, Target(pick.mention, pick.link), reading)
        for stance, target in self._unnamed.named_by(reading):
            self._add(stance.sentiment, stance.traits, stance.first, target, reading)
        self._topics.turns_to_another(reading, previous)
        declines = answers and NO_THANKS.match(reading.text)
        found = [] if declines or opens_portfolio(reading) else self._stances(number, reading)
        if found:
            self._questions.drop()
        else:
            self._do_the_same_again(reading)
        self._traded = None
        for stance in found:
            self._give_to_stocks(stance, found, number, reading)
        self._forget_if_covered(reading)
        self._stretches.add(number, reading, self._topics.one(reading))
        self._topics.note(reading)
        if self._traded:
            self._topics.turn_to(self._traded)

    def _forget_if_mind_changed(self, reading: Reading) -> None:
        """`I was wrong`: drops the evidence about the stock from earlier sentences."""
        if not CHANGE_OF_MIND.search(reading.text):
            return
        starts = self._starts[reading.clause.sentence]
        for mention in reading.mentions or self._topics.one(reading):
            if not mention.ticker:
                continue
            self._short.pop(mention.ticker, None)
            if self._forgotten.get(mention.ticker) != starts:
                said = self._findings[mention.ticker].evidence
                said[:] = [e for e in said if e.first >= starts]
                self._forgotten[mention.ticker] = starts

    def _forget_if_covered(self, reading: Reading) -> None:
        """`We shorted it at ninety and covered at forty`: drops the evidence of the closed short position."""
        if not self._short or not SHORT_IS_CLOSED.search(reading.text):
            return
        for mention in reading.mentions or self._topics.one(reading):
            if mention.ticker in self._short:
                said, since = self._findings[mention.ticker].evidence, self._short.pop(mention.ticker)
                said[since:] = [e for e in said[since:] if SHORTS not in e.traits]

    def _add(self, sentiment: Sentiment, traits: tuple[str, ...], first: int, target: Target, reading: Reading) -> None:
        if target.mention.ticker:
            entry = self._findings[target.mention.ticker]
            traits = (*traits, *circumstances(target, entry, reading, self._manner))
            entry.evidence.append(Evidence(sentiment, traits, first))

    def _stances(self, number: int, reading: Reading) -> list[Stance]:
        return stances(reading, _sentence_before(self._readings, number, self._reach), self._reading_at(number + 1))

    def _reading_at(self, number: int) -> Reading | None:
        return self._readings[number] if 0 <= number < len(self._readings) else None

    def _do_the_same_again(self, reading: Reading) -> None:
        """`Same with §`: repeats the last action for these stocks."""
        if not self._acted or not SAME_AGAIN.search(reading.text) or not self._acted.ends_near(reading):
            return
        for mention in reading.mentions:
            if mention.ticker:
                done = self._acted.evidence
                self._findings[mention.ticker].evidence.append(Evidence(done.sentiment, done.traits, mention.first))

    def _give_to_stocks(self, stance: Stance, found: list[Stance], number: int, reading: Reading) -> None:
        previous = self._reading_at(number - 1)
        targets = about(stance, found, reading, previous, self._reading_at(number + 1), self._topics)
        if not targets and not reading.mentions and not self._topics.one(reading):
            self._unnamed.note(stance, reading)
        self._note_those_beside(targets, reading)
        if len(targets) == 1 and targets[0].link == "object" and not OWN_TRADES.isdisjoint(stance.traits):
            self._traded = targets[0].mention
        for ticker, target in {target.mention.ticker: target for target in targets}.items():
            if ticker:
                entry = self._findings[ticker]
                around = circumstances(
                    target, entry, reading, self._manner, self._topics.spoken_of, self._topics.named_in_a_row
                )
                asked_about = is_asked_about(stance, self._readings[number + 1 : number + 1 + ASKED_WITHIN])
                past = stance.sentiment in SIDES and "tense past" in stance.traits
                checks = {
                    "asked about": asked_about,
                    "long ago": past and is_long_ago(self._readings, number),
                    "reported": self._story.tells(stance.traits, reading),
                }
                traits = (*stance.traits, *around, *(name for name, holds in checks.items() if holds))
                self._note(stance, traits, ticker, reading)

    def _note_those_beside(self, targets: list[Target], reading: Reading) -> None:
        """`I bought Visa, Deere was up`: records that the phrase about Visa says nothing about Deere."""
        meant = {target.mention.ticker for target in targets}
        for mention in reading.mentions if meant else ():
            if mention.ticker and mention.ticker not in meant:
                self._findings[mention.ticker].beside.add(reading.clause.first)

    def _note(self, stance: Stance, traits: tuple[str, ...], ticker: str, reading: Reading) -> None:
        if stance.asked:
            self._questions.note(Question(ticker, stance, traits), reading)
            return
        if SHORTS in traits:
            self._short.setdefault(ticker, len(self._findings[ticker].evidence))
        evidence = Evidence(stance.sentiment, traits, stance.first)
        self._findings[ticker].evidence.append(evidence)
        self._acted = Acted(evidence, reading.clause.last)


def _mentioned(mentions: list[Mention]) -> dict[str, Findings]:
    """Returns empty findings for each stock of a transcript, in order of appearance."""
    findings: dict[str, Findings] = {}
    for mention in mentions:
        if mention.ticker:
            findings.setdefault(mention.ticker, Findings(mention)).mentions += 1
    return findings


def _is_punctuated(readings: list[Reading]) -> bool:
    marks = sum(reading.clause.ends_with in {".", "?"} for reading in readings)
    return marks * MAX_SENTENCE >= readings[-1].clause.last


def _sentence_before(readings: list[Reading], number: int, reach: int) -> list[Reading]:
    """Returns the preceding clauses of the same sentence, nearest first."""
    before = takewhile(runs_on, reversed(readings[max(0, number - reach - MOST_ASIDES) : number]))
    return [reading for reading in before if reading.text not in ASIDES][:reach]
