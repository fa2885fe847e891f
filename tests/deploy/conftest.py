"""The whole system, really deployed by `cdk deploy --all` to an emulator of AWS, for all tests here."""

import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import httpx
import pytest

from tests.conftest import cannot_run
from tests.deploy.emulator import EMULATOR, REGION, ROOT, Emulator, running_emulator
from tests.deploy.faults import FAULTS
from tests.soak import SOAKING

LAYER = ROOT / ".layers" / "emulator"
CDK = ROOT / "node_modules" / ".bin" / "cdk"
ACCOUNT = "000000000000"
WITH_PROVIDERS = ("StockTrackRecord-data", "StockTrackRecord-pipeline", "StockTrackRecord-api")
"""The stacks that differ between demo and live."""
LIVE = {"providers": "live", "prices": "tiingo"}
"""Without keys: a call of a provider fails at once and names the missing key, and nothing leaves this machine."""


@dataclass(frozen=True)
class Deployed:
    emulator: Emulator
    folder: Path
    outputs: dict[str, str]
    token: str

    @property
    def host(self) -> str:
        return urlparse(self.outputs["ApiUrl"]).netloc

    def request(self, method: str, path: str, *, token: str | None = None, **options: Any) -> httpx.Response:
        headers = {"Host": self.host, **({"Authorization": f"Bearer {token}"} if token else {})}
        return httpx.request(
            method,
            f"{self.emulator.endpoint}{path}",
            headers=headers,
            verify=self.emulator.trust,
            timeout=60,
            trust_env=False,
            **options,
        )

    def cdk(self, *arguments: str) -> str:
        """Runs the real CDK command line, as `make deploy` does; what it says."""
        return self.run(str(CDK), *arguments, "--app", str(self.folder / "templates"))

    def run(self, *command: str) -> str:
        """Runs a command that takes the emulator for AWS; what it says."""
        ended = subprocess.run(
            command,
            cwd=self.folder,
            env=_environment(self.emulator) | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-6000:]
        return ended.stdout + ended.stderr

    def deploy(self, *stacks: str, **settings: str) -> "Deployed":
        """Deploys these stacks with these settings over what is there, as `make deploy CONTEXT=…` does with all."""
        _synthesise(self, settings)
        self.cdk(
            "deploy",
            *([*stacks, "--exclusively"] if stacks else ["--all"]),
            "--require-approval=never",
            "--concurrency=3",
            "--outputs-file=outputs.json",
        )
        told = json.loads((self.folder / "outputs.json").read_text())
        outputs = {**self.outputs, **{name: value for stack in told.values() for name, value in stack.items()}}
        _mend_origins(self.emulator, self.folder, outputs["ApiUrl"])
        return replace(self, outputs=outputs, token=_token(self.emulator, outputs))


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    if not EMULATOR.exists() or not (LAYER / "python").exists():
        cannot_run("the emulator or its layer is not there; `make test-deploy` makes both")
    folder = tmp_path_factory.mktemp("deployment")
    _write_layer(folder / "layer")
    (folder / "faults.json").write_text(json.dumps(FAULTS))
    with running_emulator(folder, SFN_MOCK_CONFIG=str(folder / "faults.json")) as emulator:
        system = Deployed(emulator, folder, {}, "")
        system.run(str(CDK), "bootstrap", f"aws://{ACCOUNT}/{REGION}")
        # From live to demo, and to live again by the last tests: no setting may lock another one in.
        if SOAKING:
            system.deploy(*WITH_PROVIDERS, **LIVE)
        yield system.deploy()


def until(ready: Callable[[], Any], seconds: float) -> Any:
    """The first true result; an assertion error when there is none in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if result := ready():
            return result
        time.sleep(0.5)
    raise AssertionError(f"still waiting after {seconds} seconds")


def _write_layer(folder: Path) -> None:
    """A layer that leads to the packages: the emulator would unpack all two thousand files for each process."""
    packages = folder / "python" / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
    packages.mkdir(parents=True)
    # Before the emulator's own packages, as a layer comes before those of Lambda.
    (packages / "packages.pth").write_text(f"import sys; sys.path.insert(0, {str(LAYER.resolve() / 'python')!r})\n")


def _synthesise(system: Deployed, settings: Mapping[str, str]) -> None:
    """For the emulator's own interpreter and processor."""
    shutil.rmtree(system.folder / "templates", ignore_errors=True)
    architecture = "arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"
    context = {
        "emulator": True,
        "python": "{}.{}".format(*sys.version_info),
        "architecture": architecture,
        "layer": str(system.folder / "layer"),
        "region": REGION,
        **settings,
    }
    flags = json.loads((ROOT / "cdk.json").read_text())["context"]
    made = subprocess.run(
        [sys.executable, "app.py"],
        cwd=ROOT,
        env=os.environ
        | {"CDK_OUTDIR": str(system.folder / "templates"), "CDK_CONTEXT_JSON": json.dumps({**flags, **context})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr


def _environment(emulator: Emulator) -> dict[str, str]:
    """Nothing of the machine's own credentials or settings of AWS."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "CDK_"))}
    return {**own, **emulator.environment, "CI": "true"}


def _token(emulator: Emulator, outputs: dict[str, str]) -> str:
    secret = emulator.client("secretsmanager").get_secret_value(SecretId=outputs["ApiTokenSecret"])
    return str(json.loads(secret["SecretString"])["token"])


def _mend_origins(emulator: Emulator, folder: Path, api_url: str) -> None:
    """The emulator's CloudFormation keeps the API's origins where its gateway does not look; its API call does not."""
    (template,) = (folder / "templates").glob("*-api.template.json")
    resources = json.loads(template.read_text())["Resources"].values()
    (api,) = [each["Properties"] for each in resources if each["Type"] == "AWS::ApiGatewayV2::Api"]
    emulator.client("apigatewayv2").update_api(
        ApiId=urlparse(api_url).netloc.split(".")[0], CorsConfiguration=api["CorsConfiguration"]
    )
