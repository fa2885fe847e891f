"""One response per Idempotency-Key: Powertools' idempotency on the main table, with records stored for a day."""

import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)
from aws_lambda_powertools.utilities.idempotency.exceptions import (
    IdempotencyAlreadyInProgressError,
    IdempotencyInconsistentStateError,
    IdempotencyValidationError,
)

from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import REQUEST_SECONDS
from functions.runtime.dynamodb.tables import IDEMPOTENCY, TIME_TO_LIVE
from functions.runtime.errors import IdempotencyKeyInUse, IdempotencyKeyReused

MAX_PLAIN_CHARACTERS = 50_000
"""Longer responses are stored compressed: an item holds at most 400 kB, and a large plan's response exceeds that."""


def respond_once(request: dict[str, str], context: Any, respond: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Returns the first response for the request's `key`. Failed requests are not recorded, so they can be retried."""
    config = IdempotencyConfig(
        event_key_jmespath="key",
        payload_validation_jmespath="body",
        expires_after_seconds=REQUEST_SECONDS,
        lambda_context=context,
    )

    @idempotent_function(  # type: ignore[untyped-decorator]
        data_keyword_argument="request", persistence_store=_records(), config=config, key_prefix=IDEMPOTENCY
    )
    def responded(request: dict[str, str]) -> dict[str, Any]:
        return _kept(json.dumps(respond()))

    try:
        kept: dict[str, Any] = json.loads(_restored(responded(request=request)))
    except IdempotencyValidationError:
        raise IdempotencyKeyReused from None
    except (IdempotencyAlreadyInProgressError, IdempotencyInconsistentStateError):
        raise IdempotencyKeyInUse from None
    return kept


def _kept(response: str) -> dict[str, str]:
    if len(response) <= MAX_PLAIN_CHARACTERS:
        return {"answer": response}
    return {"compressed": b64encode(gzip.compress(response.encode())).decode()}


def _restored(kept: dict[str, str]) -> str:
    return kept["answer"] if "answer" in kept else gzip.decompress(b64decode(kept["compressed"])).decode()


def _records() -> DynamoDBPersistenceLayer:
    return DynamoDBPersistenceLayer(
        table_name=main_table(),
        key_attr="PK",
        sort_key_attr="SK",
        static_pk_value=IDEMPOTENCY,
        expiry_attr=TIME_TO_LIVE,
        boto3_client=dynamodb(),
    )
