"""Settings and keys for the clients of external services."""

from functools import cache
from typing import TYPE_CHECKING

from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import base_url, settings

if TYPE_CHECKING:
    from functions.runtime.secrets import Keys


def model_temperature() -> float | None:
    """None leaves it unset: current models reject any value."""
    given = provider_keys().find("MODEL_TEMPERATURE")
    try:
        temperature = float(given) if given else None
    except ValueError:
        temperature = -1.0
    if temperature is not None and not 0 <= temperature <= 2:
        raise InvalidSetting(f"MODEL_TEMPERATURE must be a number from 0 to 2, not {given!r}")
    return temperature


def model_window(default: int) -> int:
    """The context window of the model, in tokens."""
    return _tokens("MODEL_WINDOW_TOKENS", lowest=4_096) or default


def model_daily_tokens() -> int | None:
    """The most tokens that models may use a day; None for any number."""
    return _tokens("MODEL_DAILY_TOKENS", lowest=1)


def model_prices() -> tuple[float, float] | None:
    """Dollars per million tokens in and out, if both are set."""
    given = [provider_keys().find(name) for name in ("MODEL_PRICE_IN", "MODEL_PRICE_OUT")]
    try:
        prices = [float(price) for price in given if price]
    except ValueError:
        prices = [-1.0]
    if not all(0 <= price <= 10_000 for price in prices) or len(prices) == 1:
        raise InvalidSetting("MODEL_PRICE_IN and MODEL_PRICE_OUT must both be dollars per million tokens, such as 0.25")
    return (prices[0], prices[1]) if prices else None


def provider_url(name: str, default: str) -> str:
    given = provider_keys().find(name)
    return base_url(name, given) if given else default


@cache
def provider_keys() -> "Keys":
    from functions.runtime.secrets import Keys

    return Keys(settings().keys, settings().secret_id, region=settings().region)


def _tokens(name: str, *, lowest: int) -> int | None:
    given = provider_keys().find(name)
    if not given:
        return None
    digits = given.replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdigit()) or int(digits) < lowest:
        raise InvalidSetting(f"{name} must be a whole number of tokens of at least {lowest:,}, not {given!r}")
    return int(digits)
