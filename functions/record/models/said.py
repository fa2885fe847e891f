"""What was said about a stock, as it is stored with the mention."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from functions.reading.policy import PLAIN_ACTS, Decision, Reason, decide, explain
from functions.reading.statements import Act, Speaker, Statement
from functions.reading.terms import Sentiment


@dataclass(frozen=True, slots=True)
class Said:
    """A statement without its stock and its first quote, which are the mention's own."""

    act: Act
    reason: Reason
    """Why the policy made of it what it did."""
    speaker: Speaker = Speaker.HOST
    possible_act: Act | None = None
    company: str | None = None
    heard: str | None = None
    condition: str | None = None
    horizon: str | None = None
    target: float | None = None
    conviction: int | None = None
    sponsored: bool = False
    listed: bool = True
    second_quote: str | None = None
    second_quote_seconds: int | None = None

    def __post_init__(self) -> None:
        for name, kind in _ENUMS.items():
            value = getattr(self, name)
            if value is not None and type(value) is not kind:
                object.__setattr__(self, name, kind(value))

    @property
    def explanation(self) -> str:
        """The reason in words, for the page."""
        return explain(self.reason, self.condition)

    def compact(self) -> dict[str, Any]:
        """Returns the fields that differ from their defaults."""
        return {name: value for name, value in asdict(self).items() if value != _DEFAULTS.get(name)}

    def to_json(self) -> str:
        return json.dumps(self.compact(), separators=(",", ":"), ensure_ascii=False)

    @classmethod
    def read(cls, stored: Any) -> Self | None:
        """Reads what `compact` or `to_json` returned. Ignores fields of later versions."""
        given = json.loads(stored) if isinstance(stored, str) else stored
        return None if given is None else cls(**{name: value for name, value in given.items() if name in _NAMES})


_ENUMS: dict[str, type[Act | Speaker | Reason]] = {
    "act": Act,
    "possible_act": Act,
    "speaker": Speaker,
    "reason": Reason,
}
_NAMES = frozenset(each.name for each in fields(Said))
_DEFAULTS = {each.name: each.default for each in fields(Said)}


def said_in(statement: Statement, decision: Decision, second_quote_seconds: int | None) -> Said:
    second = statement.quotes[1].text if len(statement.quotes) > 1 else None
    return Said(
        act=statement.act,
        reason=decision.reason,
        speaker=statement.speaker,
        possible_act=statement.possible_act,
        company=statement.company,
        heard=statement.heard,
        condition=statement.condition,
        horizon=statement.horizon,
        target=statement.target,
        conviction=statement.conviction,
        sponsored=statement.sponsored,
        listed=statement.listed,
        second_quote=second,
        second_quote_seconds=second_quote_seconds if second else None,
    )


def corrected(said: Said | None, act: Act, speaker: Speaker, *, sponsored: bool) -> tuple[Said, Sentiment]:
    """Returns the statement as a person corrected it, and what the policy makes of that.

    A condition stays only with an act that says so: a person who corrects "would buy" to "recommends" has decided
    that it isn't one.
    """
    conditional = act in (Act.WOULD_BUY, Act.WOULD_SELL)
    plain = Statement(
        ticker="",
        act=act,
        quotes=(),
        confidence=1.0,
        speaker=speaker,
        sponsored=sponsored,
        condition=said.condition if said and conditional else None,
    )
    decision = decide(plain)
    before = said or Said(act, decision.reason)
    facts = {**asdict(before), "act": act, "possible_act": None, "speaker": speaker, "sponsored": sponsored}
    facts |= {"condition": plain.condition, "reason": decision.reason}
    return Said(**facts), decision.sentiment


def plainly_said(said: Said | None, sentiment: Sentiment) -> Said:
    """Returns the statement for a correction that names only the sentiment."""
    return corrected(said, PLAIN_ACTS[sentiment], Speaker.HOST, sponsored=False)[0]
