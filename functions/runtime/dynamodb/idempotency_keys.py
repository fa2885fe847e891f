"""One response per Idempotency-Key: Powertools' idempotency on the main table, with records kept for a day."""

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
"""A longer response is kept compressed: an item holds 400 kB, and the response to a large plan is longer."""


def respond_once(request: dict[str, str], context: Any, respond: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The first response to a request's `key`. A request that failed is not recorded, so it can be tried again."""
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
