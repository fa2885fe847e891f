"""The rules analyst: one statement per stock of a transcript, with the quote that supports it."""

from bisect import bisect_right
from dataclasses import dataclass

from functions.reading.analyst import Analysis, Speech
from functions.reading.policy import PLAIN_ACTS
from functions.reading.rules.clarity import clarity
from functions.reading.rules.evidence import Findings, all_evidence
from functions.reading.rules.findings import SHORT_CLIP, findings_of
from functions.reading.rules.text import Clause, Word, words_of
from functions.reading.rules.weighing import learned_weights, likeliest, odds, probabilities
from functions.reading.rules.wording import learned_wording
from functions.reading.statements import Quote, Statement
from functions.reading.terms import Sentiment
from functions.runtime.settings import CALL_THRESHOLD

NAME = "rules 4.0"
POSSIBLE = 0.25
"""Minimum probability of a call that is suggested for review."""
MOST_CERTAIN = 0.99
MAX_CONTEXT = 200


@dataclass(frozen=True, slots=True)
class RulesAnalyst:
    threshold: float = CALL_THRESHOLD
    """Minimum probability of a call."""

    @property
    def name(self) -> str:
        return NAME if self.threshold == CALL_THRESHOLD else f"{NAME}, threshold {self.threshold:g}"

    def analyse(self, speech: Speech) -> Analysis:
        words = words_of(speech.text)
        clauses, findings = findings_of(speech.text, words, speech.day)
        short = len(words) <= SHORT_CLIP
        statements = []
        for ticker, found in findings.items():
            sentiment, confidence, possible, first = _verdict(found, self.threshold, short=short)
            quote = Quote(*_context(speech.text, words, clauses, first))
            act, possible_act = PLAIN_ACTS[sentiment], PLAIN_ACTS[possible] if possible else None
            statements.append(Statement(ticker, act, (quote,), confidence, possible_act))
        return Analysis(statements)


def _verdict(found: Findings, threshold: float, *, short: bool) -> tuple[Sentiment, float, Sentiment | None, int]:
    """Returns the sentiment, its probability, the possible sentiment if it isn't clear, and the index of its word."""
    weights = learned_weights()
    evidence = all_evidence(found, learned_wording())
    likely = probabilities(evidence, weights)
    best = likeliest(likely)
    clear = likely[best] if short else clarity(best, likely[best], evidence, found.mentions)
    if clear < min(threshold, POSSIBLE) or not likely[best]:  # a threshold of 0 lets every call through
        mere = likely[Sentiment.MENTIONED] if short else 1.0 - clear
        return Sentiment.MENTIONED, _rounded(mere), None, found.mention.first
    strongest = max((e for e in evidence if e.sentiment is best), key=lambda e: odds(e, weights))
    if clear < threshold:
        return Sentiment.MENTIONED, _rounded(clear), best, strongest.first
    return best, _rounded(clear), None, strongest.first


def _rounded(probability: float) -> float:
    return round(min(probability, MOST_CERTAIN), 2)


def _context(transcript: str, words: list[Word], clauses: list[Clause], first: int) -> tuple[str, int]:
    """Returns the clause with as much of its sentence as fits, and its character offset."""
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
