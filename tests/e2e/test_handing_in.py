"""Transcripts uploaded to the running server, one by HTTP and a folder by the command, also when it is killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from local.engine import ROOT, dynoxide_binary
from tests.conftest import cannot_run
from tests.e2e.server import Server
from tests.fakes import eventually
from tests.local_server import copy_data

MOMENTUM = "https://www.youtube.com/@DemoMomentumTrader"
SAID = "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nI am buying Apple here, it is a strong buy.\n"


@pytest.fixture
def server(scored_demo: Path, tmp_path: Path) -> Iterator[Server]:
    copy_data(scored_demo, tmp_path / "data")
    started = Server(tmp_path / "data")
    yield started
    started.stop(signal.SIGKILL)


def the_channel(server: Server) -> Any:
    (channel,) = [each for each in server.get("/api/channels?per_page=100")["items"] if each["url"] == MOMENTUM]
    return server.ended(channel["id"])


def videos_of(server: Server, channel: Any, status: str = "") -> list[Any]:
    query = f"&status={status}" if status else ""
    items: list[Any] = server.get(f"/api/channels/{channel['id']}/videos?limit=100{query}")["items"]
    return items


def hand_in(server: Server, folder: Path, *options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "local.hand_in", str(folder), "--api", server.base_url, *options]
    environment = {**os.environ, "no_proxy": "127.0.0.1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_folder_as_yt_dlp_writes_it_fills_what_is_missing(server: Server, tmp_path: Path) -> None:
    channel = the_channel(server)
    missing = videos_of(server, channel, "missing")
    assert missing
    assert all(video["problem"] for video in missing)
    folder = tmp_path / "from yt-dlp" / "2022"
    folder.mkdir(parents=True)
    for video in missing:
        (folder / f"A title: [it] [{video['youtube_video_id']}].en.vtt").write_text(SAID, "utf-8")
        (folder / f"A title: [it] [{video['youtube_video_id']}].de.vtt").write_bytes(b"PK\x03\x04")
        (folder / f"A title: [it] [{video['youtube_video_id']}].info.json").write_text("{}", "utf-8")
    (folder / "abcdefghijk.txt").write_text("Of another channel.", "utf-8")

    status, said = hand_in(server, tmp_path / "from yt-dlp")

    assert status == 0, said
    assert f"{len(missing)} transcript{'s' if len(missing) > 1 else ''} uploaded." in said
    assert "abcdefghijk.txt" in said
    eventually(lambda: not videos_of(server, channel, "missing"))
    for video in videos_of(server, channel):
        if video["id"] in {each["id"] for each in missing}:
            assert (video["calls"], video["transcript_kept"], video["problem"]) == (1, True, None)
    after = server.get(f"/api/channels/{channel['id']}")
    assert after["processed_video_count"] == after["video_count"]
    calls = server.get(f"/api/channels/{channel['id']}/stocks/AAPL")["mentions"]
    read = [call for call in calls if call["video_id"] in {each["id"] for each in missing}]
    assert {(call["sentiment"], call["start_seconds"]) for call in read} == {("buy", 1)}
    assert all(call["price_at_mention"] for call in read)
    changes = server.get(f"/api/channels/{channel['id']}/changes")["items"]
    assert [change["kind"] for change in changes] == ["handed_in"] * len(missing)

    again, said = hand_in(server, tmp_path / "from yt-dlp", "--channel", channel["id"])

    assert again == 0
    assert "0 transcripts uploaded." in said


def test_what_was_uploaded_before_a_kill_is_read_after_it(scored_demo: Path, tmp_path: Path) -> None:
    if not dynoxide_binary().exists():
        cannot_run("the embedded engine is not installed, and no other keeps its data")
    copy_data(scored_demo, tmp_path / "data")
    first = Server(tmp_path / "data")
    channel = the_channel(first)
    video = videos_of(first, channel, "missing")[0]
    path = f"/api/channels/{channel['id']}/videos/{video['id']}/transcript"
    response = first._http.put(first.base_url + path, content=SAID, headers={"Content-Type": "text/vtt"})
    assert response.status_code == 202
    first.stop(signal.SIGKILL)

    second = Server(tmp_path / "data")
    try:
        read = eventually(lambda: [each for each in videos_of(second, channel, "fetched") if each["id"] == video["id"]])
        lines = [each["message"] for each in second.get(f"/api/channels/{channel['id']}/logs")["logs"]]
    finally:
        second.stop(signal.SIGKILL)

    assert read[0]["calls"] == 1
    assert sum("transcript handed in" in line for line in lines) == 1
