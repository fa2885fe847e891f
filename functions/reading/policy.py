"""Turns statements into buy, hold, sell or mentioned, with the reason. docs/policy.md explains the table in words."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from functions.reading.statements import Act, Speaker, Statement
from functions.reading.terms import Sentiment


class Reason(StrEnum):
    """Why a statement is the call it is, or why it isn't one."""

    BOUGHT = "bought"
    SOLD = "sold"
    PLANS_TO_BUY = "plans_to_buy"
    PLANS_TO_SELL = "plans_to_sell"
    RECOMMENDS = "recommends"
    ADVISES_AGAINST = "advises_against"
    KEEPS = "keeps"
    OWNS = "owns"
    SPONSORED = "sponsored"
    SOMEBODY_ELSE = "somebody_else"
    ON_CONDITION = "on_condition"
    OPINION = "opinion"
    NEWS = "news"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Decision:
    sentiment: Sentiment
    reason: Reason
    possible_sentiment: Sentiment | None = None
    """For an unclear statement: what it would be if the analyst's best guess were right."""


CALLS = {
    Act.BOUGHT: Sentiment.BUY,
    Act.PLANS_TO_BUY: Sentiment.BUY,
    Act.RECOMMENDS: Sentiment.BUY,
    Act.SOLD: Sentiment.SELL,
    Act.PLANS_TO_SELL: Sentiment.SELL,
    Act.ADVISES_AGAINST: Sentiment.SELL,
    Act.KEEPS: Sentiment.HOLD,
    Act.OWNS: Sentiment.HOLD,
}
"""The acts that are calls, unless a circumstance below says otherwise."""
NOT_CALLS = {
    Act.WOULD_BUY: Reason.ON_CONDITION,
    Act.WOULD_SELL: Reason.ON_CONDITION,
    Act.PRAISES: Reason.OPINION,
    Act.CRITICISES: Reason.OPINION,
    Act.REPORTS: Reason.NEWS,
}
STILL_TO_COME = frozenset({Act.PLANS_TO_BUY, Act.PLANS_TO_SELL, Act.RECOMMENDS, Act.ADVISES_AGAINST})
"""Acts that a condition suspends. What was bought, sold or is owned is a fact, whatever else is said to depend."""
PLAIN_ACTS = {
    Sentiment.BUY: Act.RECOMMENDS,
    Sentiment.SELL: Act.ADVISES_AGAINST,
    Sentiment.HOLD: Act.KEEPS,
    Sentiment.MENTIONED: Act.REPORTS,
}
"""The act assumed where only a sentiment is known: old records, imports, and corrections without an act."""

_ACTS = tuple(Act)
_SPEAKERS = tuple(Speaker)
_EXPLANATIONS = {
    Reason.BOUGHT: "Buy: bought it",
    Reason.SOLD: "Sell: sold it",
    Reason.PLANS_TO_BUY: "Buy: is about to buy it",
    Reason.PLANS_TO_SELL: "Sell: is about to sell it",
    Reason.RECOMMENDS: "Buy: recommends buying it",
    Reason.ADVISES_AGAINST: "Sell: advises against it",
    Reason.KEEPS: "Hold: keeps it",
    Reason.OWNS: "Hold: owns it",
    Reason.SPONSORED: "Mention: part of a sponsored segment",
    Reason.SOMEBODY_ELSE: "Mention: somebody else's view",
    Reason.ON_CONDITION: "Mention: only on a condition",
    Reason.OPINION: "Mention: an opinion, without saying to buy or sell",
    Reason.NEWS: "Mention: news or an example",
    Reason.UNCLEAR: "Mention: the words aren't clear enough for a call",
}


def decide(statement: Statement) -> Decision:
    """Applies the table. The first circumstance that holds decides."""
    act = statement.act
    if statement.possible_act:
        return Decision(Sentiment.MENTIONED, Reason.UNCLEAR, CALLS.get(statement.possible_act))
    if act in NOT_CALLS:
        return Decision(Sentiment.MENTIONED, NOT_CALLS[act])
    if statement.speaker is Speaker.OTHER:
        return Decision(Sentiment.MENTIONED, Reason.SOMEBODY_ELSE)
    if statement.sponsored:
        return Decision(Sentiment.MENTIONED, Reason.SPONSORED)
    if statement.condition and act in STILL_TO_COME:
        return Decision(Sentiment.MENTIONED, Reason.ON_CONDITION)
    return Decision(CALLS[act], Reason(act))


@dataclass(frozen=True, slots=True)
class Call:
    """A statement with what the policy makes of it."""

    statement: Statement
    decision: Decision

    @property
    def ticker(self) -> str:
        return self.statement.ticker

    @property
    def sentiment(self) -> Sentiment:
        return self.decision.sentiment

    @property
    def confidence(self) -> float:
        return self.statement.confidence

    @property
    def context(self) -> str:
        return self.statement.quotes[0].text

    @property
    def position(self) -> int:
        return self.statement.quotes[0].position


def calls_of(statements: Iterable[Statement]) -> list[Call]:
    return [Call(statement, decide(statement)) for statement in statements]


def explain(reason: Reason, condition: str | None = None) -> str:
    """Returns the reason as a sentence for the page, with the speaker's own condition if that is the reason."""
    if reason is Reason.ON_CONDITION and condition:
        return f"{_EXPLANATIONS[reason]} (“{condition}”)."
    return f"{_EXPLANATIONS[reason]}."


def main_statements(statements: Iterable[Statement]) -> list[Statement]:
    """Keeps one statement per stock: the host's before others', then by the order of acts, then the surest."""
    chosen: dict[str, Statement] = {}
    for statement in statements:
        known = chosen.get(statement.ticker)
        if known is None or _precedence(statement) < _precedence(known):
            chosen[statement.ticker] = statement
    return list(chosen.values())


def _precedence(statement: Statement) -> tuple[bool, bool, int, int, float]:
    """Sorts calls before mentions, so that the host's news about a stock doesn't hide a guest's recommendation."""
    decision = decide(statement)
    return (
        decision.sentiment is Sentiment.MENTIONED,
        decision.possible_sentiment is None,
        _SPEAKERS.index(statement.speaker),
        _ACTS.index(statement.act),
        -statement.confidence,
    )
