"""Alerts as text, one line per detail: for feeds, e-mails and test messages."""

from collections.abc import Iterable, Mapping
from typing import Any

from functions.record.models.alerts import TURNED_BY_REVIEWS, VERDICT_WORDS, AlertKind

HORIZONS = {"1w": "a week", "1m": "a month", "3m": "three months", "6m": "six months", "1y": "a year"}


def headline(document: Mapping[str, Any], detail: Mapping[str, Any]) -> str:
    """Says what happened, beginning with the channel's name."""
    name = document["channel_name"]
    match document["kind"]:
        case AlertKind.CALLS:
            turned = f" (before: {detail['before']})" if detail["is_reversal"] else ""
            return f"{name}: {detail['sentiment']} {detail['ticker']}{turned}"
        case AlertKind.VERDICT:
            turned = ", turned by reviews and not by the market" if detail.get("by_review") else ""
            return f"{name}: {_verdict(detail['verdict'])} (before: {_verdict(detail['before'])}){turned}"
    horizon = HORIZONS.get(detail["horizon"], detail["horizon"])
    return f"{name}: {detail['sentiment']} {detail['ticker']} after {horizon}: {_excess(detail['excess_percent'])}"


def explanation(document: Mapping[str, Any], detail: Mapping[str, Any]) -> str:
    """A sentence or two for below the headline."""
    match document["kind"]:
        case AlertKind.CALLS:
            quote = f"“{detail['quote']}” " if detail["quote"] else ""
            return f"{quote}In “{document['video_title']}”."
        case AlertKind.VERDICT:
            changed = f"The verdict at {HORIZONS.get(detail['horizon'], detail['horizon'])} has changed."
            return f"{changed} {TURNED_BY_REVIEWS}" if detail.get("by_review") else changed
    return f"The call has reached the end of its horizon: {_excess(detail['excess_percent'])}."


def lines_of(documents: Iterable[Mapping[str, Any]]) -> list[str]:
    """Returns the headline of every detail of these alerts."""
    return [headline(document, detail) for document in documents for detail in document["details"]]


def _verdict(verdict: str) -> str:
    return VERDICT_WORDS.get(verdict, verdict)


def _excess(percent: float | None) -> str:
    return "no result" if percent is None else f"{percent:+.1f} % against the S&P 500"
