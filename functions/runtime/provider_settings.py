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


def provider_url(name: str, default: str) -> str:
    given = provider_keys().find(name)
    return base_url(name, given) if given else default


@cache
def provider_keys() -> "Keys":
    from functions.runtime.secrets import Keys

    return Keys(settings().keys, settings().secret_id, region=settings().region)
