"""A speaker's own price target, and whether the stock reached it. No I/O."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated

from functions.record.models.series import Split
from functions.record.scoring.returns import Market, has_result, position_of
from functions.record.scoring.types import Call, Horizon
from functions.runtime.clock import Day
from functions.runtime.json_schema import JsonSchema


@dataclass(frozen=True, slots=True)
class OwnTarget:
    """A call by the speaker's own terms."""

    price: Annotated[float, JsonSchema(description="In today's shares, like the price at entry")]
    reached: Annotated[
        bool | None,
        JsonSchema(
            description="If a close reached it within a year of the entry; null while that is open, and for a target "
            "that the price at entry had already passed"
        ),
    ]
    reached_on: Day | None


def own_target(call: Call, target: float, splits: Iterable[Split], market: Market) -> OwnTarget:
    """Compares the target with the closes after the entry: at or above it for a buy, at or below it for a sell."""
    price = _in_todays_shares(target, date.fromisoformat(call.published_at), splits)
    position = position_of(call, Horizon.YEAR, market)
    stock, entry = position.stock, position.entry
    if stock is None or not position.was_entered or call.side * (price - stock.closes[entry]) <= 0:
        return OwnTarget(price, None, None)
    for session in range(entry + 1, position.exit + 1):
        if call.side * (stock.closes[session] - price) >= 0:
            return OwnTarget(price, True, market.sessions[session].isoformat())
    return OwnTarget(price, False if has_result(position.status) else None, None)


def _in_todays_shares(price: float, day: date, splits: Iterable[Split]) -> float:
    """Closes are restated after each split, but a speaker names the price of the shares of that day."""
    return price / math.prod(split.ratio for split in splits if split.day > day)
