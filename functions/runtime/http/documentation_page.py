"""The documentation of the API as one small page without scripts, written from the OpenAPI document."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from typing import Any

from functions.runtime.http.documentation import openapi_document

CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The page is on the origin that holds the token, so nothing on it may run."""
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 0; overflow-wrap: anywhere; }
p { margin: 0.3rem 0; }
pre { overflow-x: auto; font-size: 0.85rem; }
"""


@cache
def documentation_page() -> str:
    document = openapi_document()
    info = document["info"]
    operations = [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return "\n".join(
        (
            "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
            f"<meta name='viewport' content='width=device-width'><title>{escape(info['title'])}: the API</title>",
            f"<style>{STYLE}</style></head><body>",
            f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info['description'])}</p>",
            "<p>For tools: <a href='/openapi.json'>the OpenAPI document</a>.</p><main>",
            *(_operation(method, path, operation) for method, path, operation in operations),
            "</main><h1>Schemas</h1>",
            *(_schema(name, schema) for name, schema in sorted(document["components"]["schemas"].items())),
            "</body></html>",
        )
    )


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    return "\n".join(
        (
            f"<section><h2><code>{method} {escape(path)}</code></h2><p>{escape(operation.get('summary', ''))}</p>",
            *map(_parameter, operation.get("parameters", ())),
            *(f"<p>Body: {link}</p>" for link in _contents(operation.get("requestBody", {}))),
            *(_response(status, response) for status, response in operation["responses"].items()),
            "</section>",
        )
    )


def _parameter(parameter: Mapping[str, Any]) -> str:
    need = "required" if parameter.get("required") else "optional"
    kind = escape(json.dumps(parameter.get("schema", {})))
    return f"<p><code>{escape(parameter['name'])}</code> ({parameter['in']}, {need}): <code>{kind}</code></p>"


def _response(status: str, response: Mapping[str, Any]) -> str:
    links = ", ".join(_contents(response))
    return f"<p>{escape(status)} {escape(response['description'])}{f': {links}' if links else ''}</p>"


def _contents(holder: Mapping[str, Any]) -> Iterator[str]:
    """Names each content type with its schema."""
    for kind, content in holder.get("content", {}).items():
        name = content["schema"].get("$ref", "").rpartition("/")[2]
        shown = f"<a href='#{escape(name)}'>{escape(name)}</a>" if name else escape(json.dumps(content["schema"]))
        yield f"<code>{escape(kind)}</code> {shown}"


def _schema(name: str, schema: Mapping[str, Any]) -> str:
    body = escape(json.dumps(schema, indent=1, ensure_ascii=False))
    return f"<details id='{escape(name)}'><summary>{escape(name)}</summary><pre>{body}</pre></details>"
