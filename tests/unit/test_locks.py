"""Everything that is installed is locked: each package, for every platform, by version and hash."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from local.engine import ROOT

REQUIREMENTS = sorted(
    path.relative_to(ROOT)
    for folder in (ROOT, ROOT / "layers", ROOT / "tests" / "deploy", ROOT / "tests" / "infrastructure")
    for path in folder.glob("*requirements*.in")
)
NODE_LOCKS = ("package-lock.json", "web/package-lock.json")
WITHOUT_HASH = {f"node_modules/@dynoxide/{platform}" for platform in ("darwin-arm64", "darwin-x64", "linux-arm64")}
"""Written into the lock by hand, on a machine whose registry has only the engine of its own platform."""


def pins(file: Path) -> set[str]:
    """What a *.in file requires, and what the files it includes require."""
    found: set[str] = set()
    for line in file.read_text().splitlines():
        if line.startswith("-r "):
            found |= pins(file.parent / line.removeprefix("-r "))
        elif line and not line.startswith(("#", "-c ")):
            found.add(line)
    return found


@pytest.mark.parametrize("file", REQUIREMENTS, ids=str)
def test_the_lock_has_what_is_requested_with_hashes_and_names_no_registry(file: Path) -> None:
    lock = (ROOT / file).with_suffix(".txt").read_text()
    locked = re.findall(r"^([a-z0-9.\[\]_-]+==\S+)(.*)$", lock, re.MULTILINE)

    missing = {re.sub(r"\[.*\]", "", pin).lower() for pin in pins(ROOT / file)} - {
        re.sub(r"\[.*\]", "", name) for name, _ in locked
    }

    assert missing == set(), "run `make lock`"
    assert all(rest.endswith("\\") for _, rest in locked), "each is followed by its hashes"
    assert lock.count("--hash=sha256:") >= len(locked)
    assert "://" not in lock


@pytest.mark.parametrize("name", NODE_LOCKS)
def test_a_node_lock_has_every_platform_with_hashes_and_names_no_registry(name: str) -> None:
    packages: dict[str, dict[str, Any]] = json.loads((ROOT / name).read_text())["packages"]
    installed = {path: package for path, package in packages.items() if path}

    missing = [
        f"{path}: {optional}"
        for path, package in packages.items()
        for optional in package.get("optionalDependencies", {})
        if not {f"node_modules/{optional}", f"{path}/node_modules/{optional}"} & installed.keys()
    ]

    assert missing == []
    assert {path for path, package in installed.items() if "integrity" not in package} <= WITHOUT_HASH
    assert [path for path, package in installed.items() if "resolved" in package] == []
