"""The command that sends a plan and follows it, against an API in memory."""

import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from local import plan
from local.engine import ROOT

PLAN_ID = "01M7KJEWX64PYDP4N05778Q2DJ"


def a_plan(status: str = "running", ended: int = 0, **changes: Any) -> dict[str, Any]:
    tasks = [
        {"key": "a", "status": "completed" if ended else "running", "error": None},
        {"key": "b", "status": "pending", "error": None},
    ]
    return {
        "id": PLAN_ID,
        "name": "Audit",
        "status": status,
        "total": 2,
        "ended": ended,
        "failed": 0,
        "tasks": tasks,
        **changes,
    }


class FakeApi(ThreadingHTTPServer):
    """Responds with the plans given, one after the other, the last one for ever."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.plans: list[Any] = [a_plan()]
        self.status = 200
        self.received: list[tuple[str, str, Any, dict[str, str]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: FakeApi

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.received.append((self.command, self.path, json.loads(body) if body else None, headers))
        response = self.server.plans.pop(0) if len(self.server.plans) > 1 else self.server.plans[0]
        self.send_response(self.server.status)
        self.end_headers()
        self.wfile.write(json.dumps(response).encode())

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        return


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApi]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr(plan, "LOOK_SECONDS", 0)
    with FakeApi() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def write(folder: Path, text: str) -> str:
    file = folder / "plan.yaml"
    file.write_text(text)
    return str(file)


def test_a_plan_is_sent_with_a_key_and_followed_to_its_end(
    api: FakeApi, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    api.plans = [a_plan(), a_plan(ended=1), a_plan("completed", ended=2)]
    file = write(tmp_path, "name: Audit\nchannels:\n- https://www.youtube.com/@x\n")

    assert plan.main([file, "--url", api.url, "--token", "hush"]) == 0

    (method, path, body, headers), *looks = api.received
    assert (method, path) == ("POST", "/api/plans")
    assert body == {
        "name": "Audit",
        "tasks": [
            {"key": "add-1", "kind": "add_channel", "url": "https://www.youtube.com/@x"},
            {"key": "score-1", "kind": "score", "depends_on": ["add-1"]},
        ],
    }
    assert headers["authorization"] == "Bearer hush"
    assert len(headers["idempotency-key"]) == 32
    assert [path for _, path, _, _ in looks] == [f"/api/plans/{PLAN_ID}"] * 2
    assert capsys.readouterr().out.splitlines() == [
        "[..............................] 0 of 2: a",
        "[###############...............] 1 of 2",
        "[##############################] 2 of 2",
        f"Audit ({PLAN_ID}): completed, 2 of 2 tasks ended",
    ]


def test_a_plan_that_fails_is_told_with_its_reasons(api: FakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    tasks = [
        {"key": "a", "status": "failed", "error": "Channel not found"},
        {"key": "b", "status": "skipped", "error": "Needs a, which failed"},
    ]
    api.plans = [a_plan("failed", ended=2, failed=1, tasks=tasks)]

    assert plan.main(["--follow", PLAN_ID, "--url", api.url]) == 1

    assert capsys.readouterr().out.splitlines()[-2:] == [
        "  a: failed. Channel not found",
        "  b: skipped. Needs a, which failed",
    ]


def test_ctrl_c_leaves_the_plan_running_and_says_so(api: FakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    followed = plan.follow(plan.PlanApi(api.url), a_plan(), plan.ProgressBar(io.StringIO()), pause=interrupt)

    assert followed == 130
    assert f"--cancel {PLAN_ID}" in capsys.readouterr().out
    assert api.received == []


def test_a_plan_is_cancelled(api: FakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    api.plans = [a_plan("cancelled", ended=2)]

    assert plan.main(["--cancel", PLAN_ID, "--url", api.url]) == 0

    assert [(method, path) for method, path, _, _ in api.received] == [("POST", f"/api/plans/{PLAN_ID}/cancel")]
    assert "cancelled" in capsys.readouterr().out


def test_what_the_api_refuses_is_told(api: FakeApi, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    api.status, api.plans = 400, [{"detail": "The tasks depend on each other in a circle: a -> a"}]

    assert plan.main([write(tmp_path, "name: x\ntasks: [{key: a}]"), "--url", api.url]) == 2

    assert capsys.readouterr().err == "Refused: The tasks depend on each other in a circle: a -> a\n"


@pytest.mark.parametrize(
    "text", ["", "- a\n- b\n", "7", "name: [", "tasks: 7", "channels: no list", "!!python/object/apply:os.abort []"]
)
def test_a_file_that_holds_no_plan_is_not_sent(
    api: FakeApi, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert plan.main([write(tmp_path, text), "--url", api.url]) == 2

    assert api.received == []
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_is_not_there_or_an_address_of_something_else(
    api: FakeApi, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    api.plans = [{"status": "ok"}]

    assert plan.main([str(tmp_path / "nowhere.yaml"), "--url", api.url]) == 2
    assert plan.main(["--follow", PLAN_ID, "--url", api.url]) == 2
    assert plan.main(["--follow", PLAN_ID, "--url", "file:///etc/passwd"]) == 2

    assert "is not the address of this API" in capsys.readouterr().err


@pytest.mark.parametrize("file", sorted((ROOT / "docs" / "examples").glob("*.yaml")), ids=lambda file: file.name)
def test_the_examples_are_plans(file: Path) -> None:
    from functions.plans.api.schemas import PlanRequest
    from functions.plans.validation import check_plan

    request = PlanRequest.model_validate(plan.read_plan(file))

    check_plan(request.wanted())
