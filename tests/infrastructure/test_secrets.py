"""No key gets into what is deployed: functions are told where their secret is, and read it there."""

from collections.abc import Callable
from pathlib import Path

import pytest
from aws_cdk import App, Stack

from functions.runtime.errors import InvalidSetting
from infra.config import read_config
from infra.constructs.python_function import PythonFunction
from tests.infrastructure.conftest import MARKER, NAMES_OF_KEYS, RICH, Synthesise
from tests.infrastructure.templates import text

OWN_SECRETS = {"API_TOKEN_SECRET_ID", "ORIGIN_SECRET_ID", "PAGE_TOKEN_KEY"}
MODEL = "BEDROCK_MODEL_ID"
"""Told as it is: the name of a model, which the functions' permissions name too."""


def files_with_the_marker(folder: Path) -> list[str]:
    return [str(file) for file in folder.rglob("*") if file.is_file() and MARKER.encode() in file.read_bytes()]


def test_no_key_of_the_machine_that_deploys_gets_into_what_is_deployed(system: Synthesise) -> None:
    made = system(**RICH)

    assert files_with_the_marker(made.folder) == []
    assert made.functions()
    for module, function in made.functions().items():
        told = function["Environment"]["Variables"]
        assert told.keys() & set(NAMES_OF_KEYS) <= {*OWN_SECRETS, MODEL}, module
        for name in told.keys() & OWN_SECRETS:
            assert text(told[name]).startswith("{"), f"{module} is told what {name} is, and not where"


def test_keys_in_files_beside_the_code_are_not_uploaded_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, out = tmp_path / "root", tmp_path / "out"
    for file, content in {
        "functions/api/health.py": "handler = None\n",
        "layers/requirements.txt": "boto3\n",
        "layers/keys.txt": MARKER,
        ".env": f"YOUTUBE_API_KEY={MARKER}\n",
        ".env.local": f"YOUTUBE_API_KEY={MARKER}\n",
        "keys.json": f'{{"YOUTUBE_API_KEY": "{MARKER}"}}\n',
        "local/keys.py": f'KEY = "{MARKER}"\n',
        ".local/data": MARKER,
    }.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(content)
    monkeypatch.setattr("infra.constructs.python_function.ROOT", root)
    monkeypatch.setattr("infra.constructs.lambda_code.FUNCTIONS", root / "functions")
    stack = Stack(App(outdir=str(out), analytics_reporting=False), "Alone")
    config = read_config({"layer": str(root / "not-built")})

    PythonFunction(
        stack,
        "health",
        config,
        import_name="functions.api.health",
        description="",
        statements=[],
        environment={},
        timeout_seconds=3,
    )

    assert files_with_the_marker(out) == []
    (shipped,) = [file for file in out.rglob("health.py") if file.parts[-3:] == ("functions", "api", "health.py")]
    assert shipped.read_text() == "handler = None\n"


@pytest.mark.parametrize("name", NAMES_OF_KEYS)
@pytest.mark.parametrize("spelled", [str, str.lower], ids=["as it is", "in small letters"])
def test_a_key_is_no_setting_and_is_not_repeated(name: str, spelled: Callable[[str], str]) -> None:
    with pytest.raises(InvalidSetting, match="There is no setting") as refused:
        read_config({spelled(name): MARKER})

    assert MARKER not in str(refused.value)
