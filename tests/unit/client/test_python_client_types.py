"""The Python client's arguments and results match the API's document."""

import inspect
import json
import subprocess
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import httpx

from functions.routes import find_route
from functions.runtime.http.documentation import openapi_document
from local.engine import ROOT
from stock_track_record_client import Client, Pages

MODELS = ROOT / "clients" / "python" / "stock_track_record_client" / "models.py"
NO_ROUTES = {"close", "download_export"}
"""Methods that request no route, or more than one."""
METHODS = [
    name
    for name, _ in inspect.getmembers(Client, inspect.isfunction)
    if not name.startswith("_") and name not in NO_ROUTES
]


def test_the_types_are_those_of_the_apis_document() -> None:
    made = subprocess.run([sys.executable, "scripts/write_client_models.py"], cwd=ROOT, capture_output=True, check=True)

    assert made.stdout.decode() == MODELS.read_text("utf-8"), "the API has changed: run `make types`"


def test_a_method_requests_a_route_as_documented_and_gives_its_response() -> None:
    assert [problem for name in METHODS for problem in problems_of(name)] == []


def problems_of(name: str) -> Iterator[str]:
    """Returns how a method, called with all its arguments, differs from the document."""
    sent: list[httpx.Request] = []
    method = getattr(Client, name)
    hints = get_type_hints(method)
    arguments = {each: value_of(hints[each]) for each in inspect.signature(method).parameters if each != "self"}
    with Client("https://api.test", transport=httpx.MockTransport(lambda request: respond(request, sent))) as client:
        given = getattr(client, name)(**arguments)
        if isinstance(given, Pages):
            list(given)

    (request,) = sent
    route = find_route(request.method, request.url.path)
    if not route:
        yield f"{name}: {request.method} {request.url.path} is no route"
        return
    operation = openapi_document()["paths"][route.path][request.method.lower()]
    queries = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
    if unknown := set(request.url.params) - queries:
        yield f"{name}: the route takes no {unknown}"
    if not takes_body(operation, request):
        yield f"{name}: the route does not take {request.content!r}"
    if not responds_with(operation, hints["return"]):
        yield f"{name}: the response is no {hints['return']}"


def respond(request: httpx.Request, sent: list[httpx.Request]) -> httpx.Response:
    """A body that ends every page and every wait."""
    sent.append(request)
    body: dict[str, Any] = {"items": [], "mentions": [], "prices": [], "nextToken": None, "status": "completed"}
    return httpx.Response(200, json=body)


def takes_body(operation: Mapping[str, Any], request: httpx.Request) -> bool:
    content = operation.get("requestBody", {}).get("content", {})
    kind = request.headers.get("Content-Type")
    if kind != "application/json":
        return (kind in content) == bool(request.content)
    schema = resolved(content.get(kind, {}).get("schema", {}))
    fields = json.loads(request.content).keys()
    return set(schema.get("required", ())) <= fields <= schema.get("properties", {}).keys()


def resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object that a schema refers to; of an optional one, the object."""
    for choice in schema.get("anyOf", (schema,)):
        if "$ref" in choice:
            found: Mapping[str, Any] = openapi_document()["components"]["schemas"][choice["$ref"].rpartition("/")[2]]
            return found
    return schema


def responds_with(operation: Mapping[str, Any], returned: Any) -> bool:
    """True if a method's type is that of the documented response, or of a list in it."""
    success = next(response for status, response in operation["responses"].items() if status.startswith("2"))
    if returned in (None, type(None)):
        return "content" not in success
    if returned is str:
        return {"type": "string"} in (content["schema"] for content in success["content"].values())
    content = success["content"]["application/json"]
    choices = content["schema"].get("anyOf", [content["schema"]])
    names = {choice["$ref"].rpartition("/")[2] for choice in choices}
    if get_origin(returned) is Pages:
        page, item = get_args(returned)
        return page.__name__ in names and get_args(get_type_hints(page)["items"]) == (item,)
    if get_origin(returned) is list:
        parts = resolved(content["schema"])["properties"].values()
        items = {part["items"].get("$ref") for part in parts if part.get("type") == "array"}
        return f"#/components/schemas/{get_args(returned)[0].__name__}" in items
    return {each.__name__ for each in get_args(returned) or (returned,)} == names


def value_of(hint: Any) -> Any:
    """Some value of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return arguments[0]
    if origin in (Union, types.UnionType):
        return value_of(arguments[0])
    if origin in (Sequence, Iterable, list):
        return [value_of(arguments[0])]
    if inspect.isclass(hint) and issubclass(hint, dict):
        return {name: value_of(each) for name, each in get_type_hints(hint).items()}
    values = {
        bool: True,
        int: 1,
        float: 1.5,
        str: "x",
        date: date(2022, 1, 31),
        datetime: datetime(2022, 1, 31, tzinfo=UTC),
    }
    return values[hint]
