"""The page of access patterns and the store are one: nothing is named that is not there, nothing is there unnamed."""

import importlib
import inspect
import re

from local.engine import ROOT

PAGE = (ROOT / "docs" / "access-patterns.md").read_text()
STORES = [
    path
    for path in sorted((ROOT / "functions").rglob("*.py"))
    if path.parent.name == "store" or path.stem == "store" or path.stem.endswith("_store")
] + [ROOT / "functions/runtime/dynamodb" / name for name in ("idempotency_keys.py", "rate_limits.py")]
FILES = [ROOT / "functions/transfers/exports/files.py", ROOT / "functions/transfers/imports/files.py"]
"""They keep files in a bucket or a folder, and the page names them too."""
NAMED = set(re.findall(r"`((?:\w+\.)+\w+)`", PAGE))


def store_functions() -> set[str]:
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in STORES + FILES if path.stem != "__init__"
    }
    return {
        f"{module.removeprefix('functions.')}.{name}"
        for module in modules
        for name, function in inspect.getmembers(importlib.import_module(module))
        if inspect.isfunction(function) and function.__module__ == module and not name.startswith("_")
    }


def test_every_function_the_page_names_is_there() -> None:
    rooms = ("record.", "news.", "alerts.", "plans.", "transfers.", "people.", "runtime.")

    assert {name for name in NAMED if name.startswith(rooms)} - store_functions() == set()


def test_every_function_of_the_store_is_on_the_page() -> None:
    assert store_functions() - NAMED == set()


def test_each_of_the_fourteen_questions_has_a_row() -> None:
    numbered = {int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}

    assert numbered == set(range(1, 15))
