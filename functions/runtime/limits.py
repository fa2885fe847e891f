"""How much one person may add or have open."""

from enum import StrEnum

from functions.runtime.caller import Caller, Role
from functions.runtime.settings import settings


class Limited(StrEnum):
    CHANNELS = "channels"
    """Added in a day."""
    NOTES = "notes"
    """Written in a day."""
    NEWS = "news"
    """Added by hand in a day."""
    PLANS = "plans"
    """Open at once."""


FOR_ADMINS = {Limited.CHANNELS: 100_000, Limited.NOTES: 100_000, Limited.NEWS: 100_000, Limited.PLANS: 1_000}
"""Beyond what a person does; they stop programs that run away."""


def limit_of(caller: Caller, what: Limited) -> int:
    chosen = settings().limits[what]
    return max(chosen, FOR_ADMINS[what]) if caller.role is Role.ADMIN else chosen
