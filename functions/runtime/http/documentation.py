"""The OpenAPI document, assembled from the handlers in the route table."""

import json
from functools import cache
from http import HTTPStatus
from importlib import import_module
from typing import Any

from functions.routes import CSV, ROUTES, Route
from functions.runtime.version import VERSION

TITLE = "Stock Track Record"
DESCRIPTION = "Audits YouTube finance channels: every stock call, priced on its day and today."
ERRORS = {
    "Problem": {
        "title": "Problem",
        "type": "object",
        "properties": {"detail": {"type": "string"}},
        "required": ["detail"],
    },
    "Invalid": {
        "title": "Invalid",
        "type": "object",
        "properties": {
            "detail": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "type": {"type": "string"},
                        "loc": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
                        "msg": {"type": "string"},
                        "input": {},
                    },
                    "required": ["type", "loc", "msg", "input"],
                },
            }
        },
        "required": ["detail"],
    },
}


IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": "The same key and request get the first response again",
}
FILE = {"type": "string", "format": "binary"}
LOCATION = {"description": "The path of what was created", "required": True, "schema": {"type": "string"}}


@cache
def openapi_document() -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    schemas: dict[str, Any] = dict(ERRORS)
    for route in ROUTES:
        module = import_module(route.import_name)
        own = json.loads(module.app.get_openapi_json_schema(title=TITLE))
        schemas |= own.get("components", {}).get("schemas", {})
        for operation in own.get("paths", {}).get(route.path, {}).values():
            paths.setdefault(route.path, {})[route.method.lower()] = _documented(operation, route, module.__doc__)
    for unused in ("HTTPValidationError", "ResponseValidationError", "ValidationError"):
        schemas.pop(unused, None)
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": VERSION, "description": DESCRIPTION},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _documented(operation: dict[str, Any], route: Route, sentence: str | None) -> dict[str, Any]:
    """Adds the errors from the route table, and the summary from the module's docstring."""
    success = {status: response for status, response in operation["responses"].items() if status.startswith("2")}
    if created := success.get("201"):
        success["201"] = {**created, "headers": {"Location": LOCATION}}
    if route.produces != "application/json":
        content = {route.produces: {"schema": {"type": "string"}}}
        success["200"] = {"description": HTTPStatus.OK.phrase, "content": content}
    if route.gives_csv:
        success["200"] = _with_csv(success["200"])
    if "204" in success:
        success["204"] = {"description": HTTPStatus.NO_CONTENT.phrase}
    refusals = {str(status): _error(status) for status in (*route.errors, 500)}
    if route.versioned:
        refusals["409"] = _conflict(success["200"]["content"]["application/json"]["schema"])
    described = (sentence or "").partition(": ")[2]
    documented = {**operation, "summary": described, "responses": {**success, **refusals}}
    if route.file_types:
        content = {each: {"schema": FILE} for each in route.file_types}
        documented["requestBody"] = {"required": True, "content": content}
    if route.method == "POST":
        documented["parameters"] = [*operation.get("parameters", []), IDEMPOTENCY_KEY]
    return documented


def _with_csv(response: dict[str, Any]) -> dict[str, Any]:
    """Splits the route's union schema into one schema per content type."""
    as_json, as_text = response["content"]["application/json"]["schema"]["anyOf"]
    return {**response, "content": {"application/json": {"schema": as_json}, CSV: {"schema": as_text}}}


def _error(status: int) -> dict[str, Any]:
    schema = "Invalid" if status == HTTPStatus.UNPROCESSABLE_ENTITY else "Problem"
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _conflict(present: dict[str, Any]) -> dict[str, Any]:
    """The 409 response, which includes the stored version in the format of a success."""
    schema = {
        "type": "object",
        "properties": {"detail": {"type": "string"}, "present": present},
        "required": ["detail", "present"],
    }
    return {"description": HTTPStatus.CONFLICT.phrase, "content": {"application/json": {"schema": schema}}}
