"""Everything that is installed is locked: each package, for every platform, by version and hash."""

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from local.engine import ROOT

EXPORTED = {"layers/requirements.txt": "layer", "requirements.txt": "run", "requirements-dev.txt": "dev"}
"""The dependency group of pyproject.toml that each is exported from."""
SEPARATE = sorted(
    path.relative_to(ROOT).with_suffix(".txt").as_posix()
    for folder in (ROOT, ROOT / "tests" / "deploy", ROOT / "tests" / "infrastructure")
    for path in folder.glob("*requirements*.in")
)
NODE_LOCKS = ("package-lock.json", "web/package-lock.json")
WITHOUT_HASH = {f"node_modules/@dynoxide/{platform}" for platform in ("darwin-arm64", "darwin-x64", "linux-arm64")}
"""Written into the lock by hand, on a machine whose registry has only the engine of its own platform."""


def pins(file: str) -> set[str]:
    """The direct dependencies that a lock is made from."""
    if file in EXPORTED:
        return set(pins_of_group(EXPORTED[file]))
    lines = (ROOT / file).with_suffix(".in").read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def pins_of_group(name: str) -> Iterator[str]:
    for entry in tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"][name]:
        if isinstance(entry, dict):
            yield from pins_of_group(entry["include-group"])
        else:
            yield entry


@pytest.mark.parametrize("file", [*EXPORTED, *SEPARATE])
def test_the_lock_has_what_is_requested_with_hashes_and_names_no_registry(file: str) -> None:
    lock = (ROOT / file).read_text()
    locked = re.findall(r"^([a-z0-9.\[\]_-]+==\S+)(.*)$", lock, re.MULTILINE)

    missing = {re.sub(r"\[.*\]", "", pin).lower() for pin in pins(file)} - {
        re.sub(r"\[.*\]", "", name) for name, _ in locked
    }

    assert missing == set(), "run `make lock`"
    assert all(rest.endswith("\\") for _, rest in locked), "each is followed by its hashes"
    assert lock.count("--hash=sha256:") >= len(locked)
    assert "://" not in lock


def test_the_exported_locks_hold_the_versions_of_uv_lock_which_names_the_public_registry_alone() -> None:
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    third_party = [package for package in lock["package"] if "registry" in package["source"]]

    exported = {
        file: set(re.findall(r"^([a-z0-9._-]+)(?:\[.*\])?==([^\s;]+)", (ROOT / file).read_text(), re.MULTILINE))
        for file in EXPORTED
    }

    locked = {(package["name"], package["version"]) for package in third_party}
    assert exported["layers/requirements.txt"] < exported["requirements.txt"] < exported["requirements-dev.txt"]
    assert exported["requirements-dev.txt"] == locked, "run `make lock`"
    assert {urlsplit(url).netloc for url in re.findall(r'"(https?://[^"]+)"', (ROOT / "uv.lock").read_text())} == {
        "pypi.org",
        "files.pythonhosted.org",
    }


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
