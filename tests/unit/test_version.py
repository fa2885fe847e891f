"""One version number, which everything else reads."""

import json
import re
import tomllib

from functions.runtime.http.documentation import openapi_document
from functions.runtime.version import VERSION
from local.engine import ROOT


def test_what_carries_a_version_reads_the_one_there_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())

    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "functions.runtime.version.VERSION"}
    assert openapi_document()["info"]["version"] == VERSION
    assert all("version" not in json.loads((ROOT / name).read_text()) for name in ("package.json", "web/package.json"))


def test_the_newest_release_of_the_changelog_is_this_version() -> None:
    releases = re.findall(r"^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)

    assert releases[0] == VERSION
