"""The Lambda authorizer of the routes that need the API token."""

from collections.abc import Mapping
from typing import Any

from functions.runtime.http.tokens import bears_token


def handler(event: Mapping[str, Any], context: object) -> dict[str, bool]:
    return {"isAuthorized": bears_token(event.get("headers", {}))}
