"""Alerts from a new score: the verdict on a channel changed, or calls on watched stocks have matured."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from functions.record.alerts.calls import start_of
from functions.record.alerts.verdicts import VerdictChange
from functions.record.models.alerts import Alert, AlertKind
from functions.record.models.records import StockMention
from functions.record.models.scores import StandingItem
from functions.record.scores.calls import CallInVideo, to_call
from functions.record.scoring.returns import Market, has_result, position_of, result_of
from functions.record.scoring.types import DEFAULT_HORIZON, CallStatus
from functions.record.store.watchlists import watched_tickers
from functions.runtime import ids
from functions.runtime.clock import now

MAX_MATURED = 50
"""Maximum calls in one alert."""
MAX_OVERDUE = 200


def newly_matured(
    before: StandingItem | None, said: Sequence[CallInVideo], market: Market
) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Returns the calls whose horizon has ended since the previous score, and those that only lack their stock's close.

    The benchmark's closes may arrive a while before a stock's.
    """
    as_of = before.as_of if before else None
    known = set(before.overdue) if before else set()
    first = bisect_right(market.sessions, date.fromisoformat(as_of)) if as_of else 0
    matured: list[dict[str, Any]] = []
    overdue: list[str] = []
    for mention, _ in said:
        position = position_of(to_call(mention), DEFAULT_HORIZON, market)
        end = position.entry + position.sessions
        if end > market.last or not (end >= first or mention.id in known):
            continue
        if has_result(position.status) and as_of:
            matured.append(_detail(mention, market))
        elif position.status is CallStatus.PENDING:
            overdue.append(mention.id)
    return matured, tuple(overdue[:MAX_OVERDUE])


def score_alerts(
    standing: StandingItem, turned: VerdictChange | None, matured: Sequence[dict[str, Any]]
) -> list[Alert]:
    """Alerts to write with the score."""
    alerts: list[Alert] = []
    if standing.as_of is None:
        return alerts
    if turned:
        alerts.append(_alert(standing, AlertKind.VERDICT, [asdict(turned)]))
    if matured:
        watched = watched_tickers()
        if wanted := [detail for detail in matured if detail["ticker"] in watched]:
            alerts.append(_alert(standing, AlertKind.MATURED, wanted[:MAX_MATURED]))
    return alerts


def _detail(mention: StockMention, market: Market) -> dict[str, Any]:
    result = result_of(to_call(mention), DEFAULT_HORIZON, market)
    return {
        "ticker": mention.ticker,
        "sentiment": mention.sentiment,
        "horizon": DEFAULT_HORIZON,
        "excess_percent": result.excess_percent,
        "video_id": mention.video_id,
    }


def _alert(standing: StandingItem, kind: AlertKind, details: Iterable[dict[str, Any]]) -> Alert:
    assert standing.as_of
    return Alert(
        id=ids.new_alert_id(),
        channel_id=standing.channel_id,
        kind=kind,
        occurred_at=start_of(standing.as_of),
        created_at=now(),
        details=tuple(details),
        undelivered=True,
    )
