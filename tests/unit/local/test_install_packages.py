"""Packages are installed with uv, and with pip where uv cannot."""

import subprocess
from pathlib import Path

import pytest

from local.engine import ROOT


def stub(file: Path, status: int) -> None:
    """A program that notes how it was called and ends with this status."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'#!/bin/sh\necho "{file.name} $*" >> calls\nexit {status}\n')
    file.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    stub(tmp_path / ".venv/bin/python", status=0)
    return tmp_path


def install(project: Path) -> tuple[int, list[str], str]:
    done = subprocess.run(
        [ROOT / "scripts/install_packages.sh", ".venv", "requirements.txt"],
        cwd=project,
        env={"PATH": f"{project / 'bin'}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, (project / "calls").read_text().splitlines(), done.stderr


def test_a_uv_that_is_there_does_it_alone(project: Path) -> None:
    stub(project / "bin/uv", status=0)

    assert install(project) == (
        0,
        ["uv pip install --quiet --python .venv/bin/python --requirement requirements.txt"],
        "",
    )


def test_without_uv_it_is_fetched_first_and_pip_does_it_where_that_fails(project: Path) -> None:
    status, calls, _ = install(project)

    assert status == 0
    assert [call.split(" ")[-1] for call in calls] == ["requirements-uv.txt", "requirements.txt"]
    assert all(call.startswith("python -m pip") for call in calls)
    # With their dependencies pip refuses locks in which one package requires an extra of another.
    assert "install --no-deps --requirement requirements.txt" in calls[-1]


def test_pip_does_it_where_uv_fails(project: Path) -> None:
    stub(project / "bin/uv", status=2)

    status, calls, said = install(project)

    assert (status, said) == (0, "uv could not install the packages; trying pip.\n")
    assert [call.split(" ")[0] for call in calls] == ["uv", "python"]
