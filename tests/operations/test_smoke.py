"""The smoke test finds a working system in order, names what is wrong with another, and leaves nothing behind."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.routes import ROUTES
from local.engine import ROOT
from operations.smoke import Smoke, main
from tests.conftest import cannot_run
from tests.local_server import LocalServer, running_server

TOKEN = "right"


@pytest.fixture(scope="module")
def server(scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with running_server(tmp_path_factory.mktemp("smoke"), scored_demo) as server:
        yield server


class Deployment:
    """A deployment that guards its changes with a token, in memory; each test breaks it in one way."""

    def __init__(self, **broken: Callable[[httpx.Request], httpx.Response]) -> None:
        self.channels: dict[str, dict[str, Any]] = {}
        self._broken = broken

    def __call__(self, request: httpx.Request) -> httpx.Response:
        name = {"/": "page", "/health": "health", "/openapi.json": "openapi"}.get(request.url.path, request.method)
        return (self._broken.get(name) or getattr(self, f"_{name.lower()}"))(request)

    def _page(self, _: httpx.Request) -> httpx.Response:
        return httpx.Response(200, text='<div id="root"></div>')

    def _health(self, _: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"status": "ok"})

    def _openapi(self, _: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"paths": {route.path: {} for route in ROUTES}})

    def _get(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/api/channels":
            return httpx.Response(200, json={"items": [], "total": 0, "page": 1, "per_page": 20})
        channel = self.channels.get(request.url.path.rpartition("/")[2])
        return httpx.Response(200, json=channel) if channel else httpx.Response(404, json={})

    def _post(self, request: httpx.Request) -> httpx.Response:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return httpx.Response(401, json={})
        self.channels["new"] = {"id": "new", **json.loads(request.content)}
        return httpx.Response(201, json=self.channels["new"])

    def _delete(self, request: httpx.Request) -> httpx.Response:
        del self.channels[request.url.path.rpartition("/")[2]]
        return httpx.Response(204)


def look_at(deployment: Deployment, token: str | None = TOKEN) -> tuple[Smoke, list[str]]:
    said: list[str] = []
    with httpx.Client(base_url="https://example.com", transport=httpx.MockTransport(deployment)) as client:
        smoke = Smoke(client, token, said.append)
        smoke.run()
    return smoke, said


def test_the_local_system_is_in_order_and_as_it_was(server: LocalServer) -> None:
    if not (ROOT / "web/dist/index.html").exists():
        cannot_run("the page is not built; `make test` builds it")
    before = server.request("GET", "/api/channels")[1]["total"]

    ended = subprocess.run(
        [sys.executable, "-m", "operations.smoke", server.base_url],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "everyone may change something here" in ended.stdout
    assert "a channel was created, read and deleted" in ended.stdout
    assert server.request("GET", "/api/channels")[1]["total"] == before


def test_a_guarded_deployment_is_in_order_and_as_it_was() -> None:
    deployment = Deployment()

    smoke, said = look_at(deployment)

    assert smoke.failed == [], said
    assert "ok       changes: refused without the token" in said
    assert deployment.channels == {}


def test_without_the_token_nothing_is_changed() -> None:
    deployment = Deployment()

    smoke, said = look_at(deployment, token=None)

    assert smoke.failed == []
    assert said[-1] == "skipped  round trip: no TOKEN was given"


def _status(code: int, body: object = None) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(code, json=body)


def _cut(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("connection refused")


@pytest.mark.parametrize(
    ("broken", "failed"),
    [
        ({"page": _status(403)}, ["page"]),
        ({"page": lambda _: httpx.Response(200, text="Welcome to nginx")}, ["page"]),
        ({"health": _status(503)}, ["health"]),
        ({"health": _status(200, {"status": "unwell"})}, ["health"]),
        ({"health": _cut}, ["health"]),
        ({"openapi": _status(200, {"paths": {}})}, ["OpenAPI"]),
        ({"openapi": lambda _: httpx.Response(200, text="<html>")}, ["OpenAPI"]),
        ({"POST": _status(422)}, ["changes", "round trip"]),
        ({"POST": _status(500)}, ["changes", "round trip"]),
        ({"DELETE": _status(500)}, ["round trip"]),
    ],
)
def test_what_is_wrong_is_named(broken: dict[str, Any], failed: list[str]) -> None:
    smoke, said = look_at(Deployment(**broken))

    assert smoke.failed == failed, said


def test_a_channel_that_reads_wrong_is_deleted_all_the_same() -> None:
    deployment = Deployment()
    deployment._broken = {"GET": lambda request: httpx.Response(200, json={"url": "another", "items": []})}

    smoke, _ = look_at(deployment)

    assert "round trip" in smoke.failed
    assert deployment.channels == {}


def test_what_could_not_be_deleted_is_told_by_its_id() -> None:
    _, said = look_at(Deployment(DELETE=_status(500)))

    assert said[-1] == "FAILED   round trip: the channel new could not be deleted (500): delete it by hand"


def test_the_token_is_read_with_the_profile_that_deployed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `make deploy CONTEXT='--profile … -c …'` calls it."""
    arn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:StockTrackRecord/api-token-abcdef"
    outputs = tmp_path / "outputs.json"
    outputs.write_text(json.dumps({"api": {"ApiTokenSecret": arn}, "web": {"PageUrl": "https://page.example"}}))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))

    ended = main(["--outputs", str(outputs), "-c", "stage=dev", "--profile", "theirs"])

    assert ended == 2
    assert "theirs" in capsys.readouterr().err


def test_no_address_and_outputs_that_are_not_there_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main([]) == 2
    assert main(["--outputs", str(tmp_path / "missing.json")]) == 2
    assert "make smoke URL=" in capsys.readouterr().err
