"""Rate limits of external services, shared by all processes and functions."""

import time
from collections.abc import Callable

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, decode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import TRANSACTION_TRIES, ConditionNotMet, get, update, wait_before_retry
from functions.runtime.errors import StockTrackRecordError

ENTITY = "RateLimit"
FARTHEST_SECONDS = 32 * 24 * 60 * 60.0
"""No turn is this far ahead: such a time was written by a machine with a wrong clock."""
REMEMBERED_SECONDS = 600.0
"""A hold within this many seconds of the previous one's end lasts twice as long."""


class NoTurn(StockTrackRecordError):
    """The next turn is too far in the future to wait for; it was not taken."""

    def __init__(self, service: str, seconds: float, reason: str | None) -> None:
        super().__init__(f"requests to {service} resume in {seconds:.0f} seconds")
        self.seconds = seconds
        self.reason = reason
        """The reason given to `hold`, if the service is on hold."""


def wait_for_turn(
    service: str,
    per_second: float,
    longest: float,
    *,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Waits until this caller may send a request; NoTurn if that would take longer than `longest` seconds.

    An item stores the time of the next free turn, and each caller advances it by one.
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


def take_turn(service: str, seconds_between: float, *, clock: Callable[[], float] = time.time) -> bool:
    """True if nobody has taken a turn for that many seconds. Exactly one of several concurrent callers gets it."""
    try:
        wait_for_turn(service, 1 / seconds_between, 0.0, clock=clock)
    except NoTurn:
        return False
    return True


def hold(service: str, seconds: float, reason: str, *, clock: Callable[[], float] = time.time) -> bool:
    """Blocks all turns for that long after the service refused a request. Never shortens an existing hold.

    Returns False if nothing changed.
    """
    until = _milliseconds(clock() + seconds)
    try:
        update(
            tables.pace_key(service),
            "SET #next_turn = :until, #held_until = :until, #held_for = :length, #reason = :reason, #entity = :entity",
            "attribute_not_exists(PK) OR #next_turn < :until",
            {"until": until, "length": _milliseconds(seconds), "reason": reason, "entity": ENTITY},
        )
    except ConditionNotMet:
        return False
    return True


def hold_longer(
    service: str, shortest: float, longest: float, reason: str, *, clock: Callable[[], float] = time.time
) -> float:
    """Holds for twice as long as the previous hold if that ended recently; returns the length in seconds.

    Returns 0 if the service is already on hold: concurrent requests tend to be refused together.
    """
    item = get(main_table(), tables.pace_key(service), consistent=True)
    last = decode(item) if item else {}
    now, until, length = _milliseconds(clock()), last.get("held_until"), last.get("held_for")
    seconds = shortest
    if isinstance(until, int) and isinstance(length, int):
        if until > now:
            return 0.0
        if now - until < _milliseconds(REMEMBERED_SECONDS):
            seconds = min(longest, 2 * length / 1000)
    return seconds if hold(service, seconds, reason, clock=clock) else 0.0


def _take_turn(service: str, now: int, interval: int, longest: int) -> int | None:
    """Returns the turn in milliseconds; None if another caller changed the item between the two updates."""
    farthest = now + _milliseconds(FARTHEST_SECONDS)
    values: dict[str, Value] = {
        "now": now,
        "interval": interval,
        "after": now + interval,
        "latest": now + longest,
        "farthest": farthest,
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
        if isinstance(turn, int) and now + longest < turn <= farthest:
            held = turn == queue.get("held_until")
            reason = queue.get("reason")
            raise NoTurn(service, (turn - now) / 1000, str(reason) if held and reason else None) from None
    try:
        update(
            tables.pace_key(service),
            "SET #next_turn = :after, #entity = :entity",
            "attribute_not_exists(PK) OR #next_turn < :now OR #next_turn > :farthest",
            values,
        )
    except ConditionNotMet:
        return None
    return now


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
