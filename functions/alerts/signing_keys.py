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
SERVICE = "AWS Secrets Manager"
ADVICE = "Check that the secret of the alerts exists and that this function may read it."


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
    from botocore.exceptions import BotoCoreError, ClientError

    from functions.runtime.aws_errors import refused_or_unavailable
    from functions.runtime.secrets import new_client

    try:
        response = (client or new_client(region)).get_secret_value(SecretId=secret_id)
    except (BotoCoreError, ClientError) as fault:
        error = refused_or_unavailable(fault, SERVICE, ADVICE)
    else:
        return str(response["SecretString"]).encode()
    # Raised outside the except block: a chained error could leak the secret.
    raise error
