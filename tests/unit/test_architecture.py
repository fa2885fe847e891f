"""The rules that keep the rooms apart, held by walking the source."""

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from local.engine import ROOT

OUTSIDE = {"local", "infra", "operations", "scripts", "tests"}
"""Packages that run around the functions."""
NOT_IN_LOGIC = {"boto3", "botocore", "aws_lambda_powertools", "http", "urllib3", "requests", "httpx"}
ROOMS = {"runtime", "reading", "record", "news", "alerts", "people", "transfers", "plans", "service"}
TALKS_TO_OTHERS = {"api", "pipeline", "sources", "store", "models"}
"""Packages inside a room that speak to AWS, to other services or HTTP."""

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


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Every module that a file imports, anywhere in it; a name imported from a package counts as a module."""
    return frozenset(_imports_of(path))


def _imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def calls_of(path: Path) -> frozenset[str]:
    return frozenset(ast.unparse(node.func) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call))


def those_that(paths: list[Path], breaks_the_rule: Callable[[Path], object]) -> list[str]:
    """The names of the files that break a rule; all files are looked at in one test, which takes a moment."""
    return [name_of(path) for path in paths if breaks_the_rule(path)]


def test_functions_import_nothing_that_runs_around_them() -> None:
    """Import-linter checks what the rooms may import of each other: see `[tool.importlinter]` in pyproject.toml."""

    def points_outside(path: Path) -> set[str]:
        return {module.split(".")[0] for module in imports_of(path)} & OUTSIDE

    assert those_that(FUNCTIONS, points_outside) == []


def test_every_file_is_in_a_room() -> None:
    assert {room_of(path) for path in FUNCTIONS} == ROOMS | {"routes", "steps"}


def test_logic_knows_neither_aws_nor_http() -> None:
    talkers = {"alerts/webhooks.py", "alerts/signing_keys.py", "alerts/email.py", "alerts/api/atom.py"}
    logic = [
        path
        for path in FUNCTIONS
        if room_of(path) in ROOMS - {"runtime"}
        and not TALKS_TO_OTHERS & set(path.relative_to(ROOT / "functions").parts)
        and str(path.relative_to(ROOT / "functions")) not in talkers
    ]

    assert logic
    assert those_that(logic, lambda path: {module.split(".")[0] for module in imports_of(path)} & NOT_IN_LOGIC) == []


def test_the_environment_is_read_in_the_settings_alone() -> None:
    def reads_the_environment(path: Path) -> bool:
        text = ast.unparse(tree_of(path))
        return "os.environ" in text or "getenv" in text or "os.environ" in imports_of(path)

    assert those_that(FUNCTIONS, reads_the_environment) == ["functions/runtime/settings.py"]


def test_nothing_scans() -> None:
    def scans(path: Path) -> bool:
        words = {
            node.value.casefold()
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        return "scan" in words or any(call.endswith(".scan") or call == "scan" for call in calls_of(path))

    assert those_that(FUNCTIONS, scans) == []


def test_nothing_prints_but_the_program_for_readers_of_an_archive() -> None:
    part_of_every_archive = "functions/transfers/archive/recompute.py"

    assert those_that(FUNCTIONS, lambda path: "print" in calls_of(path)) == [part_of_every_archive]


def test_a_module_starts_with_a_sentence_that_says_what_it_is_for() -> None:
    def says_nothing(path: Path) -> bool:
        if path.name == "__init__.py" and not path.read_text().strip():
            return False
        first_line = (ast.get_docstring(tree_of(path)) or "").partition("\n")[0]
        return not ((first_line[:1].isupper() or first_line.startswith("`")) and first_line.endswith("."))

    assert those_that(OURS, says_nothing) == []


def test_only_stores_speak_to_dynamodb() -> None:
    def is_store(path: Path) -> bool:
        return "store" in path.parts or path.stem == "store" or path.stem.endswith("_store") or "dynamodb" in path.parts

    speakers = [path for path in FUNCTIONS if "functions.runtime.dynamodb.connection" in _modules(imports_of(path))]

    assert speakers
    assert those_that(speakers, lambda path: not is_store(path)) == []


def _modules(imports: frozenset[str]) -> set[str]:
    return {module.rpartition(".")[0] for module in imports} | imports
