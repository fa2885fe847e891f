"""A backup of the running product, brought back after a channel was deleted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from local.engine import ROOT
from tests.e2e.server import Server

pytestmark = pytest.mark.service


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "local.backup", *arguments]
    return subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)


def test_a_deleted_channel_comes_back_with_its_score(tmp_path: Path) -> None:
    data, saved = tmp_path / "data", tmp_path / "saved.tar.gz"
    server = Server(data)
    channel = next(each for each in server.get("/api/channels")["items"] if "Momentum" in each["url"])
    server.ended(channel["id"])
    calls = f"/api/channels/{channel['id']}/calls"
    before = server.get(calls)

    written = run("--data", str(data), "--to", str(saved))
    refused = run("--data", str(data), "--restore", str(saved))
    deleted, _ = server.request("DELETE", f"/api/channels/{channel['id']}")
    server.stop()
    restored = run("--data", str(data), "--restore", str(saved))
    server = Server(data)
    after = server.get(calls)
    server.stop()

    assert (written.returncode, refused.returncode, deleted, restored.returncode) == (0, 1, 204, 0), written.stderr
    assert "in use by another run" in refused.stderr
    assert "before-restore-" in restored.stdout
    assert before["items"]
    assert [call["video_id"] for call in after["items"]] == [call["video_id"] for call in before["items"]]
