"""The analyst itself: gives each phrase to the stock it is about, and each stock one result."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise, takewhile

from functions.core.models import Sentiment
from functions.providers.protocols import Call
from functions.providers.rules import lexicon, vocabulary
from functions.providers.rules.context import UNKNOWN, Mention
from functions.providers.rules.lists import LEAD_TO_NAME, LISTING, Lists, opens_portfolio
from functions.providers.rules.names import mentions_of
from functions.providers.rules.objects import SUCH_AS
from functions.providers.rules.phrases import OWNING
from functions.providers.rules.reading import Reading, read, runs_on, with_lead_in
from functions.providers.rules.stance import DOUBTS, Stance, stances
from functions.providers.rules.text import Clause, Word, clauses_of, words_of
from functions.providers.rules.weighing import Evidence, learned_weights, odds, probabilities
from functions.providers.rules.wording import CALLS, Stretch, Stretches, Worth, learned_worth, likeness

NAME = "rules 3.1"
CALL_THRESHOLD = 0.55
"""As in functions/core/settings.py."""
POSSIBLE = 0.25
"""How likely a call is at least that a person may want to look at."""
MOST_CERTAIN = 0.99
SIDES = (Sentiment.BUY, Sentiment.SELL)
MAX_CONTEXT = 200
MAX_SENTENCE = 40
"""Words a sentence has at most, on average, in a transcript with punctuation."""
SENTENCE_REACH = 3
"""Clauses back that still govern a clause, where sentences are marked; else only the last one does."""
ASIDES, MOST_ASIDES = frozenset({"then", "yes", "yeah", "yep", "okay", "ok"}), 3
"""Clauses that say nothing themselves: `if it doubles | then | yes | I would sell`."""
TOPIC_LASTS, ONLY_TOPIC_LASTS = 200, 400
"""Words after which `it` no longer means the stock last spoken of, and the only one spoken of."""
NAME_COMES, NAME_COMES_NEXT = 80, 20
"""Words within which a stock is named after what was said of it: by a clause that presents it, and by any other."""
LIST_GAP, BETWEEN_NAMES = 12, 4
"""Words from a list to what is said of it, and between two names of one, at most."""
GROUP_LASTS, LARGEST_GROUP = 150, max(lexicon.COUNTS.values())
"""Words after which `all three` no longer means the last three stocks named together, and how many they may be."""
NEARBY, NOT_FAR, FAR = 12, 40, 100
KEPT_UP = frozenset({"topic by pronoun", "topic by shares"})
"""Links that hold for as long as the stock is spoken of, though its name lies far back."""
SHORT_CLIP = 250
"""Words of a transcript in which whatever is said of a stock is the point."""
FARTHEST_OBJECT, NEXT_WORDS = 10, 5
"""Words from a phrase to its object, at most: past words that may lead to it, and past a pronoun or an adverb."""
OFTEN = 4
PAST = frozenset({"tense past", "tense past recent"})
ASKED_WITHIN = 4
"""Clauses after which a question is no longer about what was said."""
ASKERS = frozenset({"speaker i", "speaker i loosely", "speaker own", "speaker dropped"})
STANDS_FOR_ONE = frozenset({"pronoun", "nothing", "shares", "subject"})
"""Objects that may mean a stock that has no name yet."""
UNCLEAR_WITHOUT_A_NAME = DOUBTS | {"speaker you", "speaker you can", "narrated"}
ASKING = frozenset({"hedged", "conditional"})
"""Traits of a question that its answer does away with."""
WORDING, WORDING_ALONE = "wording", "wording alone"
"""How much a phrase, and the words around a name by themselves, are worth by their likeness to those of a call."""
USUAL_LIKENESS = -1.5
"""That of most that is said of a stock: only what differs from it speaks for or against a phrase."""
JOINING = vocabulary.words("joining")
OBLIQUE = vocabulary.words("oblique")
COMPARING = frozenset({"as", "than", "versus"})
"""`It is as big as §` still speaks of the stock before."""


@dataclass(slots=True)
class Findings:
    """What a transcript says of one stock."""

    mention: Mention
    mentions: int = 0
    evidence: list[Evidence] = field(default_factory=list)
    """What phrases say of it."""
    stretches: list[Stretch] = field(default_factory=list)
    """All that is said of it."""


@dataclass(frozen=True, slots=True)
class Target:
    """A stock that a phrase is about, and how it was reached."""

    mention: Mention
    link: str


@dataclass(frozen=True, slots=True)
class Question:
    """A phrase that was asked of a stock, and counts once it is answered."""

    ticker: str
    stance: Stance
    traits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """What was said last to be done with a stock."""

    evidence: Evidence
    last: int

    def ends_near(self, reading: Reading) -> bool:
        return reading.clause.first - self.last <= NOT_FAR


@dataclass(frozen=True, slots=True)
class RulesAnalyst:
    threshold: float = CALL_THRESHOLD
    """How likely a call must be to count as one."""

    @property
    def name(self) -> str:
        return NAME if self.threshold == CALL_THRESHOLD else f"{NAME}, threshold {self.threshold:g}"

    def calls(self, transcript: str, day: date | None = None) -> list[Call]:
        words = words_of(transcript)
        clauses, findings = findings_of(transcript, words, day)
        calls = []
        for ticker, found in findings.items():
            sentiment, confidence, possible, first = _verdict(found, self.threshold)
            context, position = _context(transcript, words, clauses, first)
            calls.append(Call(ticker, sentiment, confidence, context, possible, position))
        return calls


def findings_of(
    transcript: str, words: list[Word], day: date | None = None
) -> tuple[list[Clause], dict[str, Findings]]:
    """The transcript's clauses, and what they say of each stock, in order of appearance."""
    mentions = mentions_of(words, day)
    if not any(mention.ticker for mention in mentions):
        return [], {}
    names = {index: mention.first for mention in mentions for index in range(mention.first, mention.last)}
    clauses = clauses_of(transcript, words, names)
    return clauses, _findings(_readings(clauses, words, mentions), mentions)


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


def _findings(readings: list[Reading], mentions: list[Mention]) -> dict[str, Findings]:
    findings: dict[str, Findings] = {}
    for mention in mentions:
        if mention.ticker:
            findings.setdefault(mention.ticker, Findings(mention)).mentions += 1
    marks = sum(reading.clause.ends_with in {".", "?"} for reading in readings)
    punctuated = marks * MAX_SENTENCE >= readings[-1].clause.last
    reach = SENTENCE_REACH if punctuated else 1
    short = readings[-1].clause.last <= SHORT_CLIP
    topics = Topics(ONLY_TOPIC_LASTS if len(findings) == 1 else TOPIC_LASTS)
    lists = Lists()
    unnamed = Unnamed()
    stretches = Stretches()
    starts = {reading.clause.sentence: reading.clause.first for reading in reversed(readings)}
    asked: list[Question] = []
    acted: Acted | None = None
    for number, reading in enumerate(readings):
        previous = readings[number - 1] if number else None
        following = readings[number + 1] if number + 1 < len(readings) else None
        if lexicon.CHANGE_OF_MIND.search(reading.text):
            for mention in reading.mentions or topics.one(reading):
                if mention.ticker:
                    found_before = findings[mention.ticker].evidence
                    found_before[:] = [e for e in found_before if e.first >= starts[reading.clause.sentence]]
        asked = _answer(asked, reading, findings)
        for pick in lists.picks(reading, previous):
            if pick.mention.ticker:
                target = Target(pick.mention, pick.link)
                entry = findings[pick.mention.ticker]
                traits = (*pick.traits, *_circumstances(target, entry, reading, punctuated, short))
                entry.evidence.append(Evidence(pick.sentiment, traits, pick.mention.first))
        for stance, target in unnamed.named_by(reading):
            if target.mention.ticker:
                entry = findings[target.mention.ticker]
                traits = (*stance.traits, *_circumstances(target, entry, reading, punctuated, short))
                entry.evidence.append(Evidence(stance.sentiment, traits, stance.first))
        topics.turns_to_another(reading, previous)
        found = (
            [] if opens_portfolio(reading) else stances(reading, _sentence_before(readings, number, reach), following)
        )
        asked = [] if found else asked
        if lexicon.SAME_AGAIN.search(reading.text) and not found and acted and acted.ends_near(reading):
            for mention in reading.mentions:
                if mention.ticker:
                    findings[mention.ticker].evidence.append(
                        Evidence(acted.evidence.sentiment, acted.evidence.traits, mention.first)
                    )
        for stance in found:
            about = _about(stance, found, reading, previous, following, topics)
            if not about and not reading.mentions and not topics.one(reading):
                unnamed.note(stance, reading)
            for ticker, target in {target.mention.ticker: target for target in about}.items():
                if not ticker:
                    continue
                traits = (
                    *stance.traits,
                    *_circumstances(target, findings[ticker], reading, punctuated, short, topics.spoken_of),
                    *(["asked about"] if _asks_about(stance, readings[number + 1 : number + 1 + ASKED_WITHIN]) else []),
                )
                if stance.asked and lexicon.ASKS_FOR_A_WORD.search(reading.text):
                    continue
                if stance.asked:
                    asked.append(Question(ticker, stance, traits))
                else:
                    evidence = Evidence(stance.sentiment, traits, stance.first)
                    findings[ticker].evidence.append(evidence)
                    acted = Acted(evidence, reading.clause.last)
        stretches.add(number, reading, topics.one(reading))
        topics.note(reading)
    for ticker, entry in findings.items():
        entry.evidence = _in_sum(entry.evidence)
        entry.stretches = stretches.found.get(ticker, [])
    return findings


def all_evidence(found: Findings, worth: dict[str, Worth]) -> list[Evidence]:
    """What phrases say of a stock, and what the wording of all that is said of it does."""
    alike = likeness(found.stretches, worth)
    by_phrases = [
        replace(e, measured=((WORDING, alike[e.sentiment].odds - USUAL_LIKENESS),)) if e.sentiment in alike else e
        for e in found.evidence
    ]
    by_wording = [
        Evidence(
            sentiment,
            (f"worded as a {sentiment}", _what_phrases_say(sentiment, found.evidence, like.first), *_how_often(found)),
            like.first,
            ((WORDING_ALONE, like.odds),),
        )
        for sentiment, like in alike.items()
    ]
    return by_phrases + by_wording


def _in_sum(found: list[Evidence]) -> list[Evidence]:
    """Whoever owns a stock and calls it a buy calls it a buy; and the last word may weigh more."""
    acted = any(e.sentiment in SIDES and DOUBTS.isdisjoint(e.traits) and "liking" not in e.traits for e in found)
    found = _undone(found)
    summed = [
        Evidence(e.sentiment, (*e.traits, "owned and acted on"), e.first)
        if acted and not OWNING.isdisjoint(e.traits)
        else e
        for e in found
    ]
    return [*summed[:-1], *(Evidence(e.sentiment, (*e.traits, "said last"), e.first) for e in summed[-1:])]


def _undone(found: list[Evidence]) -> list[Evidence]:
    """`I bought it at ninety and sold it at two hundred`: the first trade is over."""
    trades = [e for e in found if e.sentiment in SIDES and DOUBTS.isdisjoint(e.traits) and "liking" not in e.traits]
    over = {
        id(e)
        for e, later in pairwise(trades)
        if e.sentiment is not later.sentiment and later.first - e.first <= NOT_FAR and not PAST.isdisjoint(e.traits)
    }
    return [replace(e, traits=(*e.traits, "undone")) if id(e) in over else e for e in found]


def _what_phrases_say(sentiment: Sentiment, by_phrases: list[Evidence], at: int) -> str:
    """Of a wording like that of a buy, a hold or a sell, which is so most in the clause that starts `at` a word."""
    if not by_phrases:
        return "no phrases"
    same = [e for e in by_phrases if e.sentiment is sentiment]
    if not same:
        return "phrases differ"
    if any(DOUBTS.isdisjoint(e.traits) for e in same):
        return "phrases agree"
    return "phrases in doubt" if any(at <= e.first < at + NOT_FAR for e in same) else "phrases in doubt elsewhere"


def _circumstances(
    target: Target, found: Findings, reading: Reading, punctuated: bool, short: bool, spoken_of: int = 0
) -> list[str]:
    traits = [f"link {target.link}"]
    if target.link.startswith("topic"):
        distance = reading.clause.first - target.mention.last
        kept_up = target.link in KEPT_UP and reading.clause.first - spoken_of <= NOT_FAR
        traits.append(_how_far(distance, kept_up))
    traits += _how_often(found)
    if not punctuated:
        traits.append("bare captions")
    if short:
        traits.append("short clip")
    if target.mention.certainty < 0.9:
        traits.append("uncertain name")
    return traits


def _how_far(distance: int, kept_up: bool) -> str:
    if distance <= NEARBY:
        return "nearby"
    if distance <= NOT_FAR or kept_up:
        return "not far"
    return "far" if distance <= FAR else "very far"


def _how_often(found: Findings) -> tuple[str, ...]:
    return ("often spoken of",) if found.mentions >= OFTEN else ()


def _asks_about(stance: Stance, later: list[Reading]) -> bool:
    """`I own it. Should I sell?`: whoever asks for advice gives none."""
    told = not (OWNING | {"tense past"}).isdisjoint(stance.traits)
    if not told or ASKERS.isdisjoint(stance.traits):
        return False
    unmarked = takewhile(lambda reading: not reading.clause.ends_with, later)
    if lexicon.ASKS_OUTRIGHT.search(" ".join((stance.after, *(reading.text for reading in unmarked)))):
        return True
    asks = any(reading.clause.ends_with == "?" for reading in later)
    return asks and bool(lexicon.ASKS_ADVICE.search(" ".join(reading.text for reading in later)))


def _sentence_before(readings: list[Reading], number: int, reach: int) -> list[Reading]:
    """The clauses that run on into this one, nearest first."""
    before = takewhile(runs_on, reversed(readings[max(0, number - reach - MOST_ASIDES) : number]))
    return [reading for reading in before if reading.text not in ASIDES][:reach]


def _answer(asked: list[Question], reading: Reading, findings: dict[str, Findings]) -> list[Question]:
    """`Should you buy it? Yes.` is advice; `Am I selling? No.` is a hold. Hands back what is still unanswered."""
    if not asked:
        return asked
    yes, no = lexicon.YES.search(reading.text), lexicon.NO.search(reading.text)
    for question in asked if yes or no else ():
        stance = question.stance
        sentiment = stance.sentiment if yes else stance.denied
        answer = "answered yes" if yes else "answered no"
        traits = (answer, *(trait for trait in question.traits if trait not in ASKING))
        findings[question.ticker].evidence.append(Evidence(sentiment, traits, stance.first))
    return [] if yes or no else asked


class Topics:
    """Which stocks `it` and `them` mean."""

    def __init__(self, lasts: int) -> None:
        self._lasts = lasts
        self._one: Mention | None = None
        self._list: list[Mention] = []
        self._named_together = False
        self._joined: list[Mention] = []
        self._together: dict[str | None, Mention] = {}
        self._groups: dict[int, list[Mention]] = {}
        """By their size, the stocks named last in one breath."""
        self.spoken_of = 0

    def turns_to_another(self, reading: Reading, previous: Reading | None) -> None:
        """`A stock I sold today`, which nobody has named yet, is not the one spoken of before."""
        named = reading.mentions or (previous and runs_on(previous) and previous.mentions)
        if named:
            return
        said = with_lead_in(reading, previous)
        if lexicon.STOCK_TO_COME.search(said) or lexicon.UNKNOWN_NAME_IS.search(said):
            self._one = None
        if lexicon.UNKNOWN_POSITION.search(reading.text):
            self._one = None

    def note(self, reading: Reading) -> None:
        if not reading.mentions:
            if self._one and lexicon.SPEAKS_ON.search(reading.text):
                self.spoken_of = reading.clause.last
            return
        self.spoken_of = 0
        first = reading.mentions[0]
        led_by = reading.text.split("§")[0].split("¤")[0].split()
        oblique = len(led_by) > 1 and led_by[-1] in OBLIQUE and not lexicon.TURNS_TO.search(reading.text)
        subject = len(led_by) <= 3 and not oblique
        fresh = self._one is None or first.first - self._one.last > LIST_GAP or self._one.ticker is None
        unknown = reading.mentions[-1].certainty == UNKNOWN
        compared = bool(self._one and led_by and led_by[-1] in COMPARING)
        if (subject or fresh or not oblique or unknown) and not compared:
            self._one = first if subject and not unknown else reading.mentions[-1]
        self._named_together = len({mention.ticker for mention in reading.mentions}) > 1
        self._joined = _coordinated(reading.mentions)
        for mention in reading.mentions:
            if self._list and mention.first - self._list[-1].last > BETWEEN_NAMES:
                self._list, self._together = [], {}
            self._list.append(mention)
            self._together[mention.ticker] = mention
        if len(self._together) <= LARGEST_GROUP:
            self._groups[len(self._together)] = list(self._together.values())

    def one(self, reading: Reading) -> list[Mention]:
        if self._one and reading.clause.first - self._one.last <= self._lasts:
            return [self._one]
        return []

    def several(self, reading: Reading) -> list[Mention]:
        if self._named_together and reading.clause.first - self._list[-1].last <= LIST_GAP:
            return list({mention.ticker: mention for mention in self._list}.values())
        return []

    def counted(self, said: re.Match[str] | None, reading: Reading) -> list[Mention]:
        """`All three`: the last three that were named together."""
        named = self._groups.get(lexicon.COUNTS[said[1]], []) if said else []
        return named if named and reading.clause.first - named[-1].last <= GROUP_LASTS else []

    def joined(self, reading: Reading) -> list[Mention]:
        """`My § and § shares`, if the last clause with a name ended so."""
        if len(self._joined) > 1 and reading.clause.first - self._joined[-1].last <= LIST_GAP:
            return self._joined
        return []


class Unnamed:
    """What is said of a stock before its name: `Everyone hates it, and I'm buying. … The company is §.`"""

    def __init__(self) -> None:
        self._said: list[tuple[Stance, Clause]] = []

    def note(self, stance: Stance, reading: Reading) -> None:
        doubted = stance.asked or not UNCLEAR_WITHOUT_A_NAME.isdisjoint(stance.traits)
        named = lexicon.UNKNOWN_NAME_IS.search(reading.text) or lexicon.UNKNOWN_POSITION.search(reading.text)
        if stance.object in STANDS_FOR_ONE and not doubted and not named:
            self._said.append((stance, reading.clause))

    def named_by(self, reading: Reading) -> list[tuple[Stance, Target]]:
        """What was said of the stock that this clause gives the name of."""
        if not self._said or not reading.mentions:
            return []
        said, self._said = self._said, []
        named = reading.mentions[0]
        presented = bool(lexicon.PRESENTS.search(reading.text))
        turned = lexicon.TURNS_TO.search(reading.text)  # as for §, back to §
        if not presented and (turned or len(reading.mentions) > 1 or not lexicon.NAMED_NEXT.search(reading.text)):
            return []
        lasts = NAME_COMES if presented else NAME_COMES_NEXT
        target = Target(named, "announced" if presented else "named next")
        return [(stance, target) for stance, clause in said if named.first - clause.last <= lasts]


def _about(
    stance: Stance,
    found: list[Stance],
    reading: Reading,
    previous: Reading | None,
    following: Reading | None,
    topics: Topics,
) -> list[Target]:
    before = [mention for mention in reading.mentions if mention.last <= stance.first]
    after = _objects(stance, found, reading)
    if stance.about_subject and before and not stance.after.startswith(" rating on"):
        spoken_of = [mention for mention in before if not _is_compared(mention, reading)]
        return [Target(mention, "subject") for mention in _coordinated(spoken_of or before)]
    if after and not lexicon.PRONOUN_OBJECT.search(stance.after) and _reaches(stance, after[0]):
        if stance.object == "thing" and lexicon.NO_OBJECT_LEAD.search(_text_between(stance, after[0], reading)):
            return []
        return [Target(mention, "object" if stance.object == "named" else "later") for mention in after]
    those = bool(previous and runs_on(previous) and lexicon.THOSE_ARE.search(previous.text))
    plural = those or bool(lexicon.PLURAL.search(reading.text))
    free = [mention for mention in before if not _is_object(mention, stance, found)]
    if free and stance.object == "thing" and stance.trades:
        return []
    if free:
        return [Target(mention, "before") for mention in (free if plural else free[-1:])]
    if before and stance.object == "pronoun" and not plural:
        return [Target(before[-1], "topic by pronoun")]  # bought § and sold | it
    if following and following.mentions and not reading.mentions and _announces(stance, reading, following):
        presented = lexicon.PRESENTS.search(following.text)
        return [Target(mention, "announced") for mention in following.mentions[: 1 if presented else None]]
    if following and following.mentions and not reading.mentions and _names_members(stance, following):
        return [Target(mention, "announced") for mention in following.mentions]
    group = topics.counted(lexicon.ALL_OF.search(stance.after), reading)
    if group:
        return [Target(mention, "topic list") for mention in group]
    if stance.object in {"thing", "belonging", "asset", "stocks"} and not (plural and stance.object == "stocks"):
        return []
    several = (
        (
            topics.several(reading)
            or topics.counted(lexicon.HOW_MANY.search(with_lead_in(reading, previous if those else None)), reading)
        )
        if plural
        else []
    )
    if several:
        left_out = following.mentions[0].ticker if following and lexicon.EXCEPT.search(following.text) else None
        return [Target(mention, "topic list") for mention in several if mention.ticker != left_out]
    if stance.object == "named" or lexicon.SOME_STOCKS.search(stance.after):
        return []
    if lexicon.NEXT_PICK.match(stance.words) and stance.after.startswith((" is ", " was ", " would ", " has ")):
        return []
    if stance.object == "shares" and topics.joined(reading):
        return [Target(mention, "topic by shares") for mention in topics.joined(reading)]
    return [Target(mention, f"topic by {stance.object}") for mention in topics.one(reading)]


def _announces(stance: Stance, reading: Reading, following: Reading) -> bool:
    """`One stock I'm adding: §`, `our next pick, §`, `our next pick, Somebody Systems, ticker §`"""
    if reading.clause.ends_with == ":":
        return True
    if lexicon.PRESENTS.search(following.text) and (stance.about_subject or not stance.after.strip()):
        return True
    if lexicon.OF_THE_LAST.search(reading.text):
        return False
    leads = following.mentions[0].first - following.clause.first <= LEAD_TO_NAME or "ticker §" in following.text
    return reading.clause.ends_with == "," and stance.about_subject and leads


def _names_members(stance: Stance, following: Reading) -> bool:
    """`I'm adding to the banks, | especially §`, `we've been buying software. | §, § and §.`"""
    if stance.about_subject or stance.object not in {"stocks", "thing", "shares", "nothing"}:
        return False
    if lexicon.MEMBERS_FOLLOW.search(following.text):
        return True
    return stance.object in {"stocks", "thing"} and LISTING.issuperset(following.text.split())


def _reaches(stance: Stance, mention: Mention) -> bool:
    """Whether a name after a phrase is near enough to be its object."""
    distance = mention.first - stance.last
    return stance.object == "named" or distance <= (FARTHEST_OBJECT if stance.object == "thing" else NEXT_WORDS)


def _objects(stance: Stance, found: list[Stance], reading: Reading) -> list[Mention]:
    """The stock after the phrase and those joined to it, up to the next phrase that has objects of its own."""
    later = [other.first for other in found if other.first >= stance.last and not other.about_subject]
    end = min(later, default=reading.clause.last)
    after = [mention for mention in reading.mentions if stance.first <= mention.first < end]
    if not after or (_is_compared(after[0], reading) and not SUCH_AS.match(stance.after)):
        return []
    if stance.sentiment is Sentiment.SELL and lexicon.INTO.search(_text_before(after[0], reading)):
        return []
    joined = after[:1]
    for mention in after[1:]:
        if _leads_on(joined[-1], mention, reading) or _is_compared(mention, reading):
            break
        joined.append(mention)
    if len(joined) > 1 and lexicon.SUBJECT_OF.match(_text_after(joined[-1], reading)):
        joined.pop()  # bought §, | § is up
    return joined


def _leads_on(earlier: Mention, later: Mention, reading: Reading) -> bool:
    """Whether the words between two names do more than join them."""
    between = [
        reading.text[start:].split(" ", 1)[0]
        for start, index in zip(reading.starts, reading.indexes, strict=True)
        if earlier.last <= index < later.first
    ]
    return any(word not in JOINING and not word.lstrip("$").isdigit() for word in between)


def _is_object(mention: Mention, stance: Stance, found: list[Stance]) -> bool:
    """Whether another phrase before this one has already taken the stock: `sold § to buy more` buys something else."""
    return any(
        other.last <= mention.first and other.first < stance.first and not other.about_subject for other in found
    )


def _is_compared(mention: Mention, reading: Reading) -> bool:
    """Whether something is only compared with the stock: `rather Visa than Mastercard`."""
    return bool(lexicon.COMPARED.search(_text_before(mention, reading)))


def _text_before(mention: Mention, reading: Reading) -> str:
    position = reading.starts[reading.indexes.index(max(mention.first, reading.clause.first))]
    return reading.text[:position].rstrip()


def _text_after(mention: Mention, reading: Reading) -> str:
    position = bisect_left(reading.indexes, mention.last)
    return reading.text[reading.starts[position] :] if position < len(reading.starts) else ""


def _text_between(stance: Stance, mention: Mention, reading: Reading) -> str:
    return _text_before(mention, reading).rpartition(stance.words)[2]


def _coordinated(before: list[Mention]) -> list[Mention]:
    """The last stock, with those joined to it by `and` or a comma."""
    group = [before[-1]]
    for mention in reversed(before[:-1]):
        if group[0].first - mention.last > 1:
            break
        group.insert(0, mention)
    return group


def _verdict(found: Findings, threshold: float) -> tuple[Sentiment, float, Sentiment | None, int]:
    """The sentiment if it is clear, how likely it is, the sentiment if it is not clear, and the word it is said at."""
    weights = learned_weights()
    evidence = all_evidence(found, learned_worth())
    likely = probabilities(evidence, weights)
    best = max(CALLS, key=lambda sentiment: likely[sentiment])
    if likely[best] < min(threshold, POSSIBLE):
        return Sentiment.MENTIONED, _rounded(likely[Sentiment.MENTIONED]), None, found.mention.first
    strongest = max((e for e in evidence if e.sentiment is best), key=lambda e: odds(e, weights))
    if likely[best] < threshold:
        return Sentiment.MENTIONED, _rounded(likely[best]), best, strongest.first
    return best, _rounded(likely[best]), None, strongest.first


def _rounded(probability: float) -> float:
    return round(min(probability, MOST_CERTAIN), 2)


def _context(transcript: str, words: list[Word], clauses: list[Clause], first: int) -> tuple[str, int]:
    """The clause in question with as much of its sentence as fits, and where it begins."""
    number = bisect_right(clauses, first, key=lambda clause: clause.first) - 1
    start, end = words[clauses[number].first].start, words[clauses[number].last - 1].end
    if end - start > MAX_CONTEXT:
        start = max(start, words[first].start - MAX_CONTEXT // 2)
        part = transcript[start : min(end, start + MAX_CONTEXT)]
        return part.strip(), start + len(part) - len(part.lstrip())
    sentence = clauses[number].sentence
    for clause in reversed(clauses[max(0, number - MAX_CONTEXT) : number]):
        if clause.sentence != sentence or end - words[clause.first].start > MAX_CONTEXT:
            break
        start = words[clause.first].start
    for clause in clauses[number + 1 : number + MAX_CONTEXT]:
        if clause.sentence != sentence or words[clause.last - 1].end - start > MAX_CONTEXT:
            break
        end = words[clause.last - 1].end
    return transcript[start:end], start
