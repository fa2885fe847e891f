"""Prints the types of the Python client, from the API's own document: one for each of its schemas."""

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from functions.runtime.http.documentation import ERRORS, openapi_document

HEADER = '''"""The objects of the API. Written from its document by `make types`; change the API's schemas instead."""

from __future__ import annotations
'''
TYPING = ("Any", "Literal", "NotRequired", "TypedDict")
WIDTH = 116
SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

Schema = Mapping[str, Any]


def models_source() -> str:
    """As ruff formats it."""
    schemas: Mapping[str, Schema] = openapi_document()["components"]["schemas"]
    # The errors are exceptions of the client.
    own = {name: schemas[name] for name in sorted(schemas) if name not in ERRORS}
    aliases = [line for name, schema in own.items() if "properties" not in schema for line in _alias(name, schema)]
    classes = [line for name, schema in own.items() if "properties" in schema for line in _class(name, schema)]
    lines = [*aliases, *classes, ""]
    used = [name for name in TYPING if any(re.search(rf"\b{name}\b", line) for line in lines)]
    source = "\n".join([HEADER, f"from typing import {', '.join(used)}", "", *lines])
    formatting = [sys.executable, "-m", "ruff", "format", "--line-length", "120", "-"]
    return subprocess.run(formatting, input=source, capture_output=True, text=True, check=True).stdout


def _alias(name: str, schema: Schema) -> Iterator[str]:
    yield f"{name} = {_type(schema)}"
    yield from _docstring(schema, "")


def _class(name: str, schema: Schema) -> Iterator[str]:
    required = set(schema.get("required", ()))
    yield ""
    yield f"class {name}(TypedDict):"
    if description := list(_docstring(schema, "    ")):
        yield from description
        yield ""
    for field, of_field in schema["properties"].items():
        if not field.isidentifier() or iskeyword(field):
            raise ValueError(f"{name}.{field} cannot be a field of a class")
        kind = _type(of_field)
        yield f"    {field}: {kind if field in required else f'NotRequired[{kind}]'}"
        yield from _docstring(of_field, "    ")


def _docstring(schema: Schema, indent: str) -> Iterator[str]:
    text = " ".join(schema.get("description", "").split())
    if not text:
        return
    # In a docstring, a backslash and quotes would mean something else.
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = textwrap.wrap(
        text if text.endswith((".", "…")) else f"{text}.", WIDTH - len(indent), break_long_words=False
    )
    if len(lines) == 1:
        yield f'{indent}"""{lines[0]}"""'
    else:
        yield f'{indent}"""{lines[0]}'
        yield from (indent + line for line in lines[1:])
        yield f'{indent}"""'


def _type(schema: Schema) -> str:
    """The type of a value, as Python writes it."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for choices in ("anyOf", "oneOf", "allOf"):
        if choices in schema:
            return " | ".join(dict.fromkeys(map(_type, schema[choices])))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"Literal[{', '.join(map(repr, values))}]"
    kind = schema.get("type")
    if kind == "array":
        return f"list[{_type(schema.get('items', {}))}]"
    if kind == "object":
        more = schema.get("additionalProperties")
        return f"dict[str, {_type(more) if isinstance(more, Mapping) else 'Any'}]"
    return SIMPLE[kind] if isinstance(kind, str) else "Any"


def main() -> int:
    print(models_source(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
