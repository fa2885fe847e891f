"""Secrets in AWS Secrets Manager, and the keys of the live providers: from the environment, or from one of them."""

import json
import logging
import threading
from collections.abc import Mapping
from typing import Any

from functions.runtime.aws_errors import refused_or_unavailable
from functions.runtime.provider_errors import MissingSetting, ProviderError, Refused

SERVICE = "AWS Secrets Manager"
ADVICE = "Check that the secret exists and that this function may read it."


class Keys:
    """Looks up a key when it is needed. Not a dataclass, so that no repr exposes the keys."""

    def __init__(
        self,
        environment: Mapping[str, str],
        secret_id: str | None = None,
        *,
        region: str | None = None,
        client: Any = None,
    ) -> None:
        self._environment = environment
        self._secret_id = secret_id
        self._region = region
        self._client = client
        self._lock = threading.Lock()
        self._secret: dict[str, Any] | None = None

    def get(self, name: str, purpose: str) -> str:
        value = self.find(name)
        if value is None:
            raise MissingSetting(name, purpose)
        return value

    def find(self, name: str) -> str | None:
        """Returns the key, or None if it is not set."""
        value = self._environment.get(name) or self._in_secret(name) or ""
        return value.strip() or None

    def _in_secret(self, name: str) -> str | None:
        if not self._secret_id:
            return None
        with self._lock:
            if self._secret is None:
                self._secret = _parsed(self._fetched())
        value = self._secret.get(name)
        return value if isinstance(value, str) else None

    def _fetched(self) -> str:
        return read_secret(str(self._secret_id), self._region, client=self._client)


def read_secret(secret_id: str, region: str | None, *, client: Any = None) -> str:
    from botocore.exceptions import BotoCoreError, ClientError

    # botocore writes whole responses to its debug log, and this one consists of keys.
    logging.getLogger("botocore.parsers").setLevel(logging.INFO)
    error: ProviderError
    try:
        response = (client or new_client(region)).get_secret_value(SecretId=secret_id)
        return str(response.get("SecretString", ""))
    except (BotoCoreError, ClientError) as fault:
        error = refused_or_unavailable(fault, SERVICE, ADVICE)
    # Raised outside the except block: a chained error could leak the secret.
    raise error


def new_client(region: str | None) -> Any:
    """With botocore alone: many functions read a secret at each cold start, and boto3 loads much more."""
    from botocore.config import Config
    from botocore.session import Session

    config = Config(connect_timeout=2, read_timeout=5, retries={"total_max_attempts": 3})
    return Session().create_client("secretsmanager", region_name=region, config=config)


def _parsed(secret: str) -> dict[str, Any]:
    # Raised outside the except block: a chained error would leak the secret.
    try:
        content = json.loads(secret)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise Refused("The secret of the keys is not a JSON object of names and keys.")
    return content
