"""Checks each stock of a model's response: it must have been named, be a share, and rest on words that were said."""

import math
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from functions.reading.company_names import is_known_ticker, listed_names, share_meant, share_named, sounds_like
from functions.reading.quotations import (
    Places,
    SearchableTranscript,
    is_beside_an_order,
    occurrences,
    quoted,
    sentence_at,
    show_the_act,
    spoken_names,
)
from functions.reading.statements import MAX_PHRASE_LENGTH, MAX_QUOTES, Act, Quote, Speaker, Statement
from functions.runtime.text import cut_to, one_line

UNSURE = 0.5
"""Assumed where a model gives no confidence. With less, the act is only a possibility."""
TICKER = re.compile(r"[A-Z]{1,5}(\.[A-Z]{1,2})?")
MAX_TARGET = 1_000_000.0
NO_PHRASE = frozenset({"", "none", "null", "n/a", "no", "-"})


class Rejected(Exception):
    """The stock fails a check. The message says why, for the channel's log."""


def statement_of(entry: Mapping[str, Any], transcript: SearchableTranscript, day: date | None) -> Statement:
    """Returns the statement with its quotes found in the transcript. Raises Rejected."""
    given, company, heard = (_text(entry, name) for name in ("ticker", "company", "heard"))
    spelled = given.upper().rpartition(":")[2].strip().removeprefix("$").replace("-", ".").replace("/", ".")
    if not TICKER.fullmatch(spelled):
        raise Rejected(f"{_shown(given or company or heard)} isn't a ticker")
    proper = [*(name for each in (company, *listed_names(spelled)) for name in spoken_names(each)), spelled]
    names = [*filter(None, [heard]), *proper]
    places = occurrences(names, transcript)
    if not places:
        raise Rejected(f"{spelled} isn't named in the transcript")
    ticker, listed = _share(spelled, company or heard, day)
    # Any words of the transcript can be given as the name. Those that don't sound like it prove nothing.
    is_misheard = heard and not sounds_like(heard, company, ticker)
    proofs = occurrences(proper, transcript) if is_misheard else places
    act, quotes = _act(entry.get("act")), _quotes(entry, transcript, proofs)
    possible: Act | None = None
    if not show_the_act(quotes, proofs, names) or is_beside_an_order(quotes[0], transcript):
        # The words said don't show the act, so that it stays a possibility for a person to review.
        quotes, possible = [sentence_at(places[0], transcript)], act if act is not Act.REPORTS else None
        act = Act.REPORTS
    elif _confidence(entry.get("confidence")) < UNSURE and act is not Act.REPORTS:
        act, possible = Act.REPORTS, act
    return Statement(
        ticker=ticker,
        act=act,
        quotes=tuple(quotes[:MAX_QUOTES]),
        confidence=_confidence(entry.get("confidence")),
        possible_act=possible,
        speaker=_speaker(entry.get("speaker")),
        company=_phrase(entry, "company"),
        heard=_phrase(entry, "heard"),
        condition=_phrase(entry, "condition"),
        horizon=_phrase(entry, "horizon"),
        target=_target(entry.get("target")),
        conviction=_conviction(entry.get("conviction")),
        sponsored=entry.get("sponsored") is True,
        listed=listed,
    )


def _share(spelled: str, company: str, day: date | None) -> tuple[str, bool]:
    """Returns the share's key, and whether a list knows it. A ticker of another company would bring wrong prices."""
    if key := share_meant(spelled, company, day):
        return key, True
    if key := share_named(company, day):
        return key, True
    if is_known_ticker(spelled):
        raise Rejected(f"{spelled} wasn't the ticker of {_shown(company)} on that day")
    return spelled, False


def _quotes(entry: Mapping[str, Any], transcript: SearchableTranscript, places: Places) -> list[Quote]:
    given = entry.get("quotes")
    texts = given if isinstance(given, list) else [given]
    found = (quoted(text, transcript, places) for text in texts[: 2 * MAX_QUOTES] if isinstance(text, str))
    return list(dict.fromkeys(quote for quote in found if quote))


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    return value.strip() if isinstance(value, str) else ""


def _phrase(entry: Mapping[str, Any], name: str) -> str | None:
    words = one_line(_text(entry, name), MAX_PHRASE_LENGTH)
    return None if words.lower() in NO_PHRASE else words


def _act(given: Any) -> Act:
    try:
        return Act(str(given).strip().lower().replace(" ", "_").replace("-", "_"))
    except ValueError:
        return Act.REPORTS


def _speaker(given: Any) -> Speaker:
    """An unknown speaker counts as somebody else: their words must not become the channel's call."""
    try:
        return Speaker(str(given).strip().lower())
    except ValueError:
        return Speaker.OTHER


def _target(given: Any) -> float | None:
    number = _number(given)
    return number if number is not None and 0 < number <= MAX_TARGET else None


def _conviction(given: Any) -> int | None:
    number = _number(given)
    return int(number) if number in (1, 2, 3) else None


def _confidence(given: Any) -> float:
    number = _number(given)
    return UNSURE if number is None else min(max(number, 0.0), 1.0)


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        return None
    return float(given)


def _shown(words: str) -> str:
    return f"“{cut_to(words, 40)}”"
