"""The keys that sign webhooks: derived per person from one secret, so that none of them is stored."""

import base64
import hashlib
import hmac
from functools import cache
from pathlib import Path
from typing import Any

from functions.runtime.provider_errors import MissingSetting
from functions.runtime.settings import settings

PREFIX = "whsec_"


def are_available() -> bool:
    return bool(settings().alert_key_secret_id or settings().alert_key_file)


def signing_key(user_id: str, number: int) -> bytes:
    return hmac.digest(_master_key(), f"{number}/{user_id}".encode(errors="surrogatepass"), hashlib.sha256)


def as_text(key: bytes) -> str:
    """The format in which receivers are configured."""
    return PREFIX + base64.b64encode(key).decode()


def reset_cache() -> None:
    """For tests that change the settings."""
    _of_secret.cache_clear()


def _master_key() -> bytes:
    if secret_id := settings().alert_key_secret_id:
        return _of_secret(secret_id, settings().region)
    if file := settings().alert_key_file:
        return Path(file).read_bytes()
    raise MissingSetting("ALERT_KEY_SECRET_ID", "sign webhooks")


@cache
def _of_secret(secret_id: str, region: str, client: Any = None) -> bytes:
    from functions.runtime.secrets import read_secret

    return read_secret(secret_id, region, client=client).encode()
