"""The rules that keep the rooms apart, held by walking the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from local.engine import ROOT

BELOW = {
    "core": set(),
    "routes": {"core"},
    "steps": {"core", "routes"},
    "dispatch": {"core"},
    "store": {"core"},
    "providers": {"core", "store"},
    "logic": {"core", "dispatch", "store", "providers"},
    "pipeline": {"core", "dispatch", "steps", "store", "providers", "logic"},
    "api": {"core", "routes", "store", "providers", "logic"},
}
"""The packages and modules of functions/, and those that each may import beside itself."""
NOT_IN_LOGIC = {"boto3", "botocore", "aws_lambda_powertools", "http", "urllib3", "requests", "httpx"}

FUNCTIONS = [path for path in sorted((ROOT / "functions").rglob("*.py")) if path != ROOT / "functions" / "__init__.py"]
OURS = [
    path
    for room in ("functions", "local", "infra", "operations", "scripts")
    for path in sorted((ROOT / room).rglob("*.py"))
]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def room_of(path: Path) -> str:
    """The room of a module of functions/, or its own name where it stands beside the rooms."""
    return path.relative_to(ROOT / "functions").parts[0].removesuffix(".py")


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def imports_of(path: Path) -> Iterator[str]:
    """Every module that a file imports, anywhere in it; a name imported from a package counts as a module."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls_of(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)


@pytest.mark.parametrize("path", FUNCTIONS, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    imported = {module.split(".")[1] for module in imports_of(path) if module.startswith("functions.")}
    others = {name for name in imported if name in BELOW} - {room}

    assert others <= BELOW[room]
    assert not {module.split(".")[0] for module in imports_of(path)} & {
        "local",
        "infra",
        "operations",
        "scripts",
        "tests",
    }


def test_every_room_has_its_place_in_the_order() -> None:
    assert {room_of(path) for path in FUNCTIONS} == set(BELOW)


@pytest.mark.parametrize("path", [path for path in FUNCTIONS if room_of(path) == "logic"], ids=name_of)
def test_logic_knows_neither_aws_nor_http(path: Path) -> None:
    assert not {module.split(".")[0] for module in imports_of(path)} & NOT_IN_LOGIC


@pytest.mark.parametrize("path", FUNCTIONS, ids=name_of)
def test_the_environment_is_read_in_the_settings_alone(path: Path) -> None:
    if path == ROOT / "functions" / "core" / "settings.py":
        return
    text = ast.unparse(tree_of(path))

    assert "os.environ" not in text and "getenv" not in text
    assert "os.environ" not in set(imports_of(path))


@pytest.mark.parametrize("path", FUNCTIONS, ids=name_of)
def test_nothing_scans(path: Path) -> None:
    words = {
        node.value.casefold()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Constant) and node.value and isinstance(node.value, str)
    }

    assert not [call for call in calls_of(path) if call.endswith(".scan") or call == "scan"]
    assert "scan" not in words


@pytest.mark.parametrize("path", FUNCTIONS, ids=name_of)
def test_nothing_prints(path: Path) -> None:
    assert "print" not in set(calls_of(path))


@pytest.mark.parametrize("path", OURS, ids=name_of)
def test_a_module_starts_with_a_sentence_that_says_what_it_is_for(path: Path) -> None:
    if path.name == "__init__.py" and not path.read_text().strip():
        return
    first_line = (ast.get_docstring(tree_of(path)) or "").partition("\n")[0]

    assert first_line[:1].isupper() or first_line.startswith("`")
    assert first_line.endswith(".")


def test_only_the_store_speaks_to_dynamodb() -> None:
    speakers = {
        room_of(path)
        for path in FUNCTIONS
        if any(module.startswith("functions.store.connection") for module in imports_of(path))
    }

    assert speakers <= {"store"}
