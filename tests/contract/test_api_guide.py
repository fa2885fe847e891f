"""The examples of docs/api.md, run against the API of this machine."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.engine import ROOT
from tests.contract.steps import Channel, scored

GUIDES = (ROOT / "docs" / "api.md", ROOT / "clients" / "python" / "README.md")
FENCED = re.compile(r"^```(\w+)( runnable)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DOCUMENTED_ADDRESS = "http://127.0.0.1:3000"
ANYTHING = "…"
END = "--- end of an example ---"
MAX_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Example:
    code: str
    shown: str | None
    """The response that follows in the text."""


@pytest.fixture(scope="module")
def environment(base_url: str, api: httpx.Client, demo: Channel) -> dict[str, str]:
    if os.environ.get("BASE_URL"):
        pytest.skip("the examples are for the API of this machine")
    scored(api, demo)
    package = str(ROOT / "clients" / "python")
    return {**os.environ, "PYTHONPATH": package, "NO_PROXY": "*", "API": base_url, "PYTHONWARNINGS": "error"}


def test_the_examples_in_the_shell_work(base_url: str, environment: dict[str, str], tmp_path: Path) -> None:
    examples = examples_in("sh", base_url)
    script = "".join(f"{example.code}\necho '{END}'\n" for example in examples)

    check(examples, run(["bash", "-euo", "pipefail", "-c", script], environment, tmp_path))


def test_the_examples_in_python_work(base_url: str, environment: dict[str, str], tmp_path: Path) -> None:
    examples = examples_in("python", base_url)
    script = "".join(f"{example.code}\nprint('{END}')\n" for example in examples)

    check(examples, run([sys.executable, "-c", script], environment, tmp_path))


def test_the_example_script_draws_a_curve(environment: dict[str, str], demo: Channel, tmp_path: Path) -> None:
    script = ROOT / "clients" / "python" / "examples" / "channel_curve.py"

    said = run([sys.executable, str(script)], {**environment, "CHANNEL": demo["id"], "OUT": "curve.svg"}, tmp_path)

    drawn = (tmp_path / "curve.svg").read_text("utf-8")
    assert demo["name"] in said
    assert drawn.count("<polyline") == 2
    assert demo["name"] in drawn


def examples_in(language: str, base_url: str) -> list[Example]:
    examples = []
    for guide in GUIDES:
        blocks = FENCED.findall(guide.read_text("utf-8"))
        for (name, runnable, code), (next_name, _, next_text) in zip(blocks, [*blocks[1:], ("", "", "")], strict=True):
            if runnable and name == language:
                shown = next_text if next_name == "json" else None
                examples.append(Example(code.replace(DOCUMENTED_ADDRESS, base_url), shown))
    assert examples
    return examples


def run(command: list[str], environment: dict[str, str], folder: Path) -> str:
    ended = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=MAX_SECONDS, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def check(examples: list[Example], output: str) -> None:
    for example, said in zip(examples, output.split(END), strict=False):
        assert said.strip(), f"says nothing: {example.code}"
        if example.shown:
            assert is_like(json.loads(said), json.loads(example.shown)), f"{example.code}{said}"


def is_like(value: Any, shown: Any) -> bool:
    """True if a value is what the text shows, where `…` stands for anything."""
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict) and isinstance(value, dict):
        return value.keys() == shown.keys() and all(is_like(value[key], each) for key, each in shown.items())
    if isinstance(shown, list) and isinstance(value, list):
        return len(value) == len(shown) and all(map(is_like, value, shown))
    return bool(value == shown)
