"""Describes a field for the OpenAPI document without importing pydantic, which the pipeline does not load."""

from collections.abc import Callable
from typing import Any


class JsonSchema:
    """An annotation that adds keywords to a field's JSON schema: `Annotated[int, JsonSchema(description="…")]`."""

    def __init__(self, **keywords: str) -> None:
        self._keywords = keywords

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {**handler(schema), **self._keywords}
