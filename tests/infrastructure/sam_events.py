"""Prints how `sam local start-api` reads a template: its functions, its routes, and the event of a request.

Runs in the environment of the SAM CLI: `.venv-sam/bin/python sam_events.py TEMPLATE REQUEST`, the request as JSON.
"""

import json
import sys
from typing import Any

from flask import Flask, request
from samcli.lib.providers.api_provider import ApiProvider  # type: ignore[import-not-found]
from samcli.lib.providers.sam_function_provider import SamFunctionProvider  # type: ignore[import-not-found]
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider  # type: ignore[import-not-found]
from samcli.local.apigw.event_constructor import construct_v2_event_http  # type: ignore[import-not-found]


def described(template: str) -> dict[str, Any]:
    stacks, _ = SamLocalStackProvider.get_stacks(template)
    functions = {
        each.functionname: {
            "handler": each.handler,
            "architectures": each.architectures,
            "environment": (each.environment or {}).get("Variables", {}),
        }
        for each in SamFunctionProvider(stacks).get_all()
    }
    routes = [
        {"path": route.path, "methods": route.methods, "function": route.function_name}
        for route in ApiProvider(stacks).api.routes
    ]
    return {"functions": functions, "routes": routes}


def event_of(sent: dict[str, Any]) -> dict[str, Any]:
    with Flask(__name__).test_request_context(**sent):
        return construct_v2_event_http(request, 3000, [], "$default", route_key=f"{sent['method']} {sent['path']}")


if __name__ == "__main__":
    print(json.dumps({**described(sys.argv[1]), "event": event_of(json.loads(sys.argv[2]))}))
