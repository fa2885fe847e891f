"""Holds the worst habits of our old dialect out of code, page and documents: see "Words" in CONTRIBUTING.md."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from local.engine import ROOT

KINDS = ("py", "md", "ts", "tsx", "css", "html", "sh", "yml", "yaml", "toml", "example")
FILES = [
    ROOT / name
    for name in subprocess.run(
        ["git", "ls-files", "Makefile", *(f"*.{kind}" for kind in KINDS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    if (ROOT / name).exists() and name != "tests/unit/test_words.py"
]
WORDS = re.compile(
    r"(?<![a-z])(anew|whoever|rightly|sign of life|passing faults?|nobody's fault|the clock (does|has|sends)"
    r"|give a moment|this moment (is|has)|tells otherwise)(?![a-z])",
    re.IGNORECASE,
)
"""Names such as `read_anew` count too."""
OPENINGS = re.compile(r"(Of|Those|Whether|What) ")
"""A docstring is a sentence with a verb, or a noun phrase."""
ALLOWED_IN_FUNCTIONS = "What "
"""It may begin the description of a record there."""
SCRIPT_COMMENT = re.compile(r"/\*\*\s+(?:\* )?(.*)")


def test_no_file_has_a_word_of_the_dialect() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in FILES
        for match in WORDS.finditer(path.read_text(encoding="utf-8"))
    }

    assert found == set()


def test_no_docstring_begins_like_half_a_sentence() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {docstring[:60]}"
        for path in FILES
        for docstring in _docstrings(path)
        if OPENINGS.match(docstring)
        and not (path.is_relative_to(ROOT / "functions") and docstring.startswith(ALLOWED_IN_FUNCTIONS))
    }

    assert found == set()


def _docstrings(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix in {".ts", ".tsx"}:
        yield from SCRIPT_COMMENT.findall(text)
    elif path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Expr(value=ast.Constant(value=str(docstring))):
                    yield docstring
