"""The analyst itself: gives each stance to the stock it is about, and each stock one answer."""

from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile

from functions.core.models import Sentiment
from functions.providers.protocols import Call
from functions.providers.rules import lexicon, vocabulary
from functions.providers.rules.names import Mention, mentions_of
from functions.providers.rules.stance import Reading, Stance, read, runs_on, stances
from functions.providers.rules.text import Clause, Word, clauses_of, words_of

LONGEST_CONTEXT = 200
LONGEST_SENTENCE = 40
"""Words a sentence has at most, on average, in a transcript with punctuation."""
SENTENCE_REACH = 3
"""Clauses back that still govern a clause, where sentences are marked; else only the last one does."""
TOPIC_LASTS = 90
"""Words after which `it` no longer means the stock last spoken of."""
JOINING = vocabulary.words("joining")
OBLIQUE = vocabulary.words("oblique")


@dataclass(frozen=True, slots=True)
class Signal:
    sentiment: Sentiment
    weight: float
    first: int
    """The word it starts at."""


@dataclass(slots=True)
class Evidence:
    """What a transcript says of one stock."""

    mention: Mention
    signals: list[Signal] = field(default_factory=list)


class RulesAnalyst:
    def calls(self, transcript: str, day: date | None = None) -> list[Call]:
        words = words_of(transcript)
        mentions = mentions_of(words)
        if not any(mention.ticker for mention in mentions):
            return []
        names = {index: mention.first for mention in mentions for index in range(mention.first, mention.last)}
        clauses = clauses_of(transcript, words, names)
        readings = _readings(clauses, words, mentions)
        evidence = _evidence(readings, mentions)
        return [_call(ticker, found, transcript, words, clauses) for ticker, found in evidence.items()]


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


def _evidence(readings: list[Reading], mentions: list[Mention]) -> dict[str, Evidence]:
    evidence: dict[str, Evidence] = {}
    for mention in mentions:
        if mention.ticker:
            evidence.setdefault(mention.ticker, Evidence(mention))
    topics = Topics()
    marks = sum(reading.clause.ends_with in {".", "?"} for reading in readings)
    reach = SENTENCE_REACH if marks * LONGEST_SENTENCE >= readings[-1].clause.last else 1
    asked: list[tuple[str, Stance]] = []
    for number, reading in enumerate(readings):
        following = readings[number + 1] if number + 1 < len(readings) else None
        if lexicon.CHANGE_OF_MIND.search(reading.text):
            for mention in topics.of(reading, None):
                _forget_earlier(evidence, mention)
        _answer(asked, reading, evidence)
        found = stances(reading, _sentence_before(readings, number, reach), following)
        asked = [] if found else asked
        for stance in found:
            for mention in _about(stance, found, reading, following, topics):
                if mention.ticker and stance.asked:
                    asked.append((mention.ticker, stance))
                elif mention.ticker:
                    signal = Signal(stance.sentiment, stance.weight, stance.first)
                    evidence[mention.ticker].signals.append(signal)
        topics.note(reading)
    return evidence


def _sentence_before(readings: list[Reading], number: int, reach: int) -> list[Reading]:
    """The clauses that run on into this one, nearest first."""
    return list(takewhile(runs_on, reversed(readings[max(0, number - reach) : number])))


def _answer(asked: list[tuple[str, Stance]], reading: Reading, evidence: dict[str, Evidence]) -> None:
    """`Should you buy it? Yes.` is advice; `Am I selling? No.` is a hold."""
    if not asked:
        return
    yes, no = lexicon.YES.search(reading.text), lexicon.NO.search(reading.text)
    for ticker, stance in asked if yes or no else ():
        sentiment = stance.sentiment if yes else stance.denied
        weight = stance.weight if yes else 0.5
        evidence[ticker].signals.append(Signal(sentiment, weight, stance.first))


def _forget_earlier(evidence: dict[str, Evidence], mention: Mention) -> None:
    if mention.ticker:
        evidence[mention.ticker].signals.clear()


class Topics:
    """Which stocks `it` and `them` mean."""

    def __init__(self) -> None:
        self._one: Mention | None = None
        self._several: list[Mention] = []

    def note(self, reading: Reading) -> None:
        if not reading.mentions:
            return
        first = reading.mentions[0]
        led_by = reading.text.split("§")[0].split("¤")[0].split()
        oblique = len(led_by) > 1 and led_by[-1] in OBLIQUE
        subject = len(led_by) <= 3 and not oblique
        fresh = self._one is None or first.first - self._one.last > 12 or self._one.ticker is None
        if subject or fresh or not oblique:
            self._one = first if subject else reading.mentions[-1]
        self._several = reading.mentions

    def of(self, reading: Reading, stance: Stance | None) -> list[Mention]:
        if stance is None and reading.mentions:
            return reading.mentions
        if stance and len(self._several) > 1 and lexicon.PLURAL.search(reading.text):
            return self._several
        if self._one and reading.clause.first - self._one.last <= TOPIC_LASTS:
            return [self._one]
        return []


def _about(
    stance: Stance, found: list[Stance], reading: Reading, following: Reading | None, topics: Topics
) -> list[Mention]:
    before = [mention for mention in reading.mentions if mention.last <= stance.first]
    after = _objects(stance, found, reading)
    if stance.about_subject and before and not stance.after.startswith(" rating on"):
        return _coordinated(before)
    if after and not lexicon.PRONOUN_OBJECT.search(stance.after):
        return after
    if before:
        free = [mention for mention in before if not _is_object(mention, stance, found)]
        if free:
            return free if lexicon.PLURAL.search(reading.text) else free[-1:]
    if reading.clause.ends_with == ":" and following and following.mentions and not reading.mentions:
        return following.mentions
    return topics.of(reading, stance)


def _objects(stance: Stance, found: list[Stance], reading: Reading) -> list[Mention]:
    """The stock after the phrase and those joined to it, up to the next phrase that has objects of its own."""
    later = [other.first for other in found if other.first >= stance.last and not other.about_subject]
    end = min(later, default=reading.clause.last)
    after = [mention for mention in reading.mentions if stance.first <= mention.first < end]
    if not after or _is_compared(after[0], reading):
        return []
    if stance.sentiment is Sentiment.SELL and lexicon.INTO.search(_text_before(after[0], reading)):
        return []
    joined = after[:1]
    for mention in after[1:]:
        if _leads_on(joined[-1], mention, reading) or _is_compared(mention, reading):
            break
        joined.append(mention)
    return joined


def _leads_on(earlier: Mention, later: Mention, reading: Reading) -> bool:
    """Whether the words between two names do more than join them."""
    between = [
        reading.text[start:].split(" ", 1)[0]
        for start, index in zip(reading.starts, reading.indexes, strict=True)
        if earlier.last <= index < later.first
    ]
    return any(word not in JOINING for word in between)


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


def _coordinated(before: list[Mention]) -> list[Mention]:
    """The last stock, with those joined to it by `and` or a comma."""
    group = [before[-1]]
    for mention in reversed(before[:-1]):
        if group[0].first - mention.last > 1:
            break
        group.insert(0, mention)
    return group


def _call(ticker: str, found: Evidence, transcript: str, words: list[Word], clauses: list[Clause]) -> Call:
    sentiment, confidence, first = _verdict(found)
    return Call(ticker, sentiment, confidence, _context(transcript, words, clauses, first))


def _verdict(found: Evidence) -> tuple[Sentiment, float, int]:
    """The main stance, how sure it is, and the word where it is said."""
    scores: dict[Sentiment, float] = {}
    count = len(found.signals)
    for number, signal in enumerate(found.signals, 1):
        recency = 0.8 + 0.4 * number / count
        scores[signal.sentiment] = scores.get(signal.sentiment, 0.0) + signal.weight * recency
    advice = {sentiment: score for sentiment, score in scores.items() if sentiment is not Sentiment.MENTIONED}
    denied = scores.get(Sentiment.MENTIONED, 0.0)
    if not advice or max(advice.values()) <= denied:
        confidence = found.mention.certainty * (0.55 if found.signals else 0.75)
        return Sentiment.MENTIONED, round(confidence, 2), found.mention.first
    best = max(advice, key=lambda sentiment: advice[sentiment])
    total = sum(scores.values())
    strength = min(1.0, 0.6 + 0.2 * advice[best])
    confidence = found.mention.certainty * strength * (0.5 + 0.5 * advice[best] / total)
    strongest = max((s for s in found.signals if s.sentiment is best), key=lambda s: (s.weight, s.first))
    return best, round(min(confidence, 0.99), 2), strongest.first


def _context(transcript: str, words: list[Word], clauses: list[Clause], first: int) -> str:
    """The clause in question with as much of its sentence as fits."""
    number = bisect_right(clauses, first, key=lambda clause: clause.first) - 1
    start, end = words[clauses[number].first].start, words[clauses[number].last - 1].end
    if end - start > LONGEST_CONTEXT:
        start = max(start, words[first].start - LONGEST_CONTEXT // 2)
        return transcript[start : min(end, start + LONGEST_CONTEXT)].strip()
    sentence = clauses[number].sentence
    for clause in reversed(clauses[max(0, number - LONGEST_CONTEXT) : number]):
        if clause.sentence != sentence or end - words[clause.first].start > LONGEST_CONTEXT:
            break
        start = words[clause.first].start
    for clause in clauses[number + 1 : number + LONGEST_CONTEXT]:
        if clause.sentence != sentence or words[clause.last - 1].end - start > LONGEST_CONTEXT:
            break
        end = words[clause.last - 1].end
    return transcript[start:end]
