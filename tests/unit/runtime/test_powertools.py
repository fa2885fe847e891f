"""The resolver relies on Powertools beyond its documented interface.

Checked with the version below. An upgrade that breaks one of these, or makes it unnecessary, fails here.
"""

import json
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pytest
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from pydantic import BaseModel

from functions.routes import FALLBACK, find_route
from functions.runtime.http.resolver import Resolver, read_json
from local.environments import Context
from tests.events import api_event

CHECKED_WITH = "3.37.0"
NOTE = f"checked with Powertools {CHECKED_WITH}, this is {version('aws-lambda-powertools')}"
CHANNEL = find_route("GET", "/api/channels/x")


def resolve(app: APIGatewayHttpResolver, path: str, method: str = "GET", **request: Any) -> dict[str, Any]:
    return app.resolve(api_event(method, path, **request), Context("test", timeout_seconds=10))  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["\n", "\x00", "\u2028", "#", "?", '"', "\\"])
def test_routes_are_compiled_by_our_own_compile_regex_which_takes_any_character(value: str) -> None:
    assert CHANNEL
    ours, theirs = Resolver(CHANNEL), APIGatewayHttpResolver()
    path = f"/api/channels/{value}"

    ours.endpoint()(lambda channel_id: {"taken": channel_id})
    theirs.get("/api/channels/<channel_id>")(lambda channel_id: {"taken": channel_id})

    assert resolve(ours, path)["statusCode"] == 200, NOTE
    assert resolve(theirs, path)["statusCode"] == 404, f"_compile_regex may no longer be needed: {NOTE}"


def test_a_handler_of_every_exception_leaves_others_to_the_handlers_of_their_own() -> None:
    app = APIGatewayHttpResolver()
    app.exception_handler(KeyError)(lambda _: Response(400))
    app.exception_handler(Exception)(lambda _: Response(500))
    app.exception_handler(ValueError)(lambda _: Response(422))
    raised = {"/key": KeyError("k"), "/value": UnicodeError("u"), "/other": RuntimeError("r")}

    def fail() -> None:
        raise raised[app.current_event.path]

    for path in raised:
        app.get(path)(fail)

    assert [resolve(app, path)["statusCode"] for path in raised] == [400, 422, 500], NOTE


class Named(BaseModel):
    name: str


@pytest.mark.parametrize(("reader", "status"), [(json.loads, 200), (read_json, 422)])
def test_a_list_is_taken_for_its_first_element_unless_it_is_wrapped(reader: Callable[[str], Any], status: int) -> None:
    app = APIGatewayHttpResolver(enable_validation=True, json_body_deserializer=reader)
    app.post("/named")(_name_of)

    assert resolve(app, "/named", method="POST", body='[{"name": "a"}]')["statusCode"] == status, NOTE


def test_a_preflight_names_the_methods_of_one_handler_only() -> None:
    origin = {"origin": "http://localhost:5173"}

    response = resolve(Resolver(FALLBACK), "/api/channels", method="OPTIONS", headers=origin)

    assert response["headers"]["Access-Control-Allow-Methods"] == "OPTIONS", NOTE


def _name_of(named: Named) -> dict[str, str]:
    return {"name": named.name}
