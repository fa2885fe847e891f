"""The pace of requests to a service, kept by all processes and functions together."""

import time
from collections.abc import Callable

from functions.core import tables
from functions.core.attributes import Value, decode
from functions.core.errors import StockTrackRecordError
from functions.store.requests import TRANSACTION_TRIES, ConditionNotMet, update, wait_before_retry

ENTITY = "Pace"


class NoTurn(StockTrackRecordError):
    """The next turn is too far away to wait for; it was not taken."""

    def __init__(self, service: str, seconds: float, reason: str | None) -> None:
        super().__init__(f"{service} may be asked again in {seconds:.0f} seconds")
        self.seconds = seconds
        self.reason = reason
        """Why the service is not asked for so long, as given to `hold`."""


def wait_for_turn(
    service: str,
    per_second: float,
    longest: float,
    *,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Waits until this caller may send a request; NoTurn if that would take longer than `longest` seconds.

    An item holds the moment of the next free turn, and each caller moves it on by one turn.
    """
    for attempt in range(TRANSACTION_TRIES):
        now = _milliseconds(clock())
        turn = _take_turn(service, now, _milliseconds(1 / per_second), _milliseconds(longest))
        if turn is not None:
            if turn > now:
                sleep((turn - now) / 1000)
            return
        wait_before_retry(attempt)
    raise NoTurn(service, longest, None)


def hold(service: str, seconds: float, reason: str, *, clock: Callable[[], float] = time.time) -> None:
    """Nobody gets a turn for that long, because the service refused a request. A longer hold stays as it is."""
    until = _milliseconds(clock() + seconds)
    try:
        update(
            tables.pace_key(service),
            "SET #next_turn = :until, #held_until = :until, #reason = :reason, #entity = :entity",
            "attribute_not_exists(PK) OR #next_turn < :until",
            {"until": until, "reason": reason, "entity": ENTITY},
        )
    except ConditionNotMet:
        return


def _take_turn(service: str, now: int, interval: int, longest: int) -> int | None:
    """The turn taken, in milliseconds; None if another caller changed the item between the two updates."""
    values: dict[str, Value] = {
        "now": now,
        "interval": interval,
        "after": now + interval,
        "latest": now + longest,
        "entity": ENTITY,
    }
    try:
        item = update(
            tables.pace_key(service),
            "SET #next_turn = #next_turn + :interval",
            "#next_turn BETWEEN :now AND :latest",
            values,
        )
        return int(item["next_turn"]["N"]) - interval
    except ConditionNotMet as refused:
        queue = decode(refused.item) if refused.item else {}
        turn = queue.get("next_turn")
        if isinstance(turn, int) and turn > now + longest:
            held = turn == queue.get("held_until")
            reason = queue.get("reason")
            raise NoTurn(service, (turn - now) / 1000, str(reason) if held and reason else None) from None
    try:
        update(
            tables.pace_key(service),
            "SET #next_turn = :after, #entity = :entity",
            "attribute_not_exists(PK) OR #next_turn < :now",
            values,
        )
    except ConditionNotMet:
        return None
    return now


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
