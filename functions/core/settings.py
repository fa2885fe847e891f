"""What the environment says, read once into one typed object."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from functions.core.errors import InvalidSetting


@dataclass(frozen=True, slots=True)
class Settings:
    dynamodb_endpoint: str | None
    """Where DynamoDB is, for a local engine; None is AWS itself."""
    table_prefix: str
    region: str
    sdk_max_attempts: int

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        return cls(
            dynamodb_endpoint=_endpoint(environment, "DYNAMODB_ENDPOINT"),
            table_prefix=environment.get("DYNAMODB_TABLE_PREFIX") or "StockTrackRecord",
            region=environment.get("DYNAMODB_REGION") or environment.get("AWS_REGION") or "us-east-1",
            sdk_max_attempts=_positive(environment, "AWS_SDK_MAX_ATTEMPTS", default=3),
        )


@cache
def settings() -> Settings:
    return Settings.from_environment(os.environ)


def _endpoint(environment: Mapping[str, str], name: str) -> str | None:
    value = environment.get(name, "").strip()
    if value and not value.startswith(("http://", "https://")):
        raise InvalidSetting(f"{name} must begin with http:// or https://, not {value!r}")
    return value or None


def _positive(environment: Mapping[str, str], name: str, *, default: int) -> int:
    value = environment.get(name) or str(default)
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise InvalidSetting(f"{name} must be a whole number of at least 1, not {value!r}")
    return int(value)
