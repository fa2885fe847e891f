"""The page of access patterns and the store are one: nothing is named that is not there, nothing is there unnamed."""

import importlib
import inspect
import re

from local.engine import ROOT

PAGE = (ROOT / "docs" / "access-patterns.md").read_text()
NAMED = set(re.findall(r"`(\w+)\.(\w+)`", PAGE))
NOT_QUESTIONS = {"__init__", "connection", "files", "requests"}


def store_functions() -> set[tuple[str, str]]:
    modules = {path.stem for path in (ROOT / "functions" / "store").glob("*.py")} - NOT_QUESTIONS
    return {
        (module, name)
        for module in modules
        for name, function in inspect.getmembers(importlib.import_module(f"functions.store.{module}"))
        if inspect.isfunction(function)
        and function.__module__ == f"functions.store.{module}"
        and not name.startswith("_")
    }


def test_every_function_the_page_names_is_there() -> None:
    assert NAMED - store_functions() == set()


def test_every_function_of_the_store_is_on_the_page() -> None:
    assert store_functions() - NAMED == set()


def test_each_of_the_fourteen_questions_has_a_row() -> None:
    numbered = {int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)}

    assert numbered == set(range(1, 15))
