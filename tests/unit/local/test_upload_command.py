"""`python -m local.hand_in`: which files it takes, what it sends, and what it says of the rest."""

import io
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from local import hand_in
from local.api_client import LONGEST_WAIT

ID, OTHER = "dQw4w9WgXcQ", "-_aB3456789"
TOKEN = "a-token-that-nobody-may-see"


class FakeApi(ThreadingHTTPServer):
    """Two channels, two pages of videos, and refusals that a test asks for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[tuple[str, bytes, dict[str, str]]] = []
        self.statuses: list[int] = []
        """Statuses of the next PUTs; 202 once there are no more."""
        self.listing_status = 200
        self.videos = [(ID, "pending"), (OTHER, "fetched")]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: FakeApi

    def do_GET(self) -> None:
        path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        if self.server.listing_status != 200:
            self._respond(self.server.listing_status, {"detail": "Unauthorized"})
        elif path == "/api/channels":
            self._respond(200, {"items": [{"id": "one"}, {"id": "two"}], "nextToken": None})
        elif path == "/api/channels/two/videos":
            self._respond(200, {"items": [], "nextToken": None})
        else:
            at = int(query.get("nextToken", ["0"])[0])
            youtube_id, status = self.server.videos[at]
            item = {"id": f"id-of-{youtube_id}", "youtube_video_id": youtube_id, "transcript_status": status}
            following = str(at + 1) if at + 1 < len(self.server.videos) else None
            self._respond(200, {"items": [item], "nextToken": following})

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status = self.server.statuses.pop(0) if self.server.statuses else 202
        self.server.received.append((self.path, body, dict(self.headers)))
        problem: Any = [{"msg": "There are no words in this transcript."}] if status == 422 else f"Problem {status}"
        self._respond(status, {"detail": problem})

    def log_message(self, *_: Any) -> None:
        return

    def _respond(self, status: int, body: Any) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:9/")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApi]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = FakeApi()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr("local.api_client.time.sleep", waited.append)
    return waited


def write(folder: Path, name: str, content: bytes = b"Buy Apple.") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "name",
    [
        f"{ID}.txt",
        f"{ID}.srt",
        f"{ID}.VTT",
        f"{ID}.en.vtt",
        f"Why I buy [it] [{ID}].en.vtt",
        f"Why I buy.mp3 [{ID}].en-orig.srt",
        f"[{ID}].vtt",
        f"2024/03/Title [{ID}].de.vtt",
    ],
)
def test_a_file_is_known_by_its_video(tmp_path: Path, name: str) -> None:
    (found,) = hand_in.find_files(write(tmp_path, name) and tmp_path)

    assert found.youtube_video_id == ID


@pytest.mark.parametrize(
    "name",
    [
        f"{ID}.info.json",
        f"Title [{ID}].live_chat.json",
        f"{ID}.mp4",
        f"{ID}",
        f".{ID}.txt",
        f"._{ID}.vtt",
        "notes.txt",
        f"Title {ID}.txt",
        f"Title [{ID}] (1).txt",
        "Title [dQw4w9WgXc].txt",
        "Title [dQw4w9Wg*cQ].txt",
    ],
)
def test_other_files_are_none_of_its_business(tmp_path: Path, name: str) -> None:
    write(tmp_path, name)

    with pytest.raises(hand_in.CannotUpload):
        hand_in.find_files(tmp_path)


def test_a_folder_named_like_a_transcript_is_none(tmp_path: Path) -> None:
    write(tmp_path, f"{ID}.txt/{OTHER}.txt")

    assert [file.youtube_video_id for file in hand_in.find_files(tmp_path)] == [OTHER]


@pytest.mark.parametrize(
    ("best", "others"),
    [
        (f"{ID}.en.vtt", [f"{ID}.de.vtt", f"{ID}.en-orig.vtt"]),
        (f"{ID}.en-US.vtt", [f"{ID}.de.vtt"]),
        (f"Title [{ID}].en.vtt", [f"Title [{ID}].es.vtt", f"Title [{ID}].en.srt"]),
        (f"{ID}.vtt", [f"{ID}.txt", f"{ID}.srt"]),
        (f"{ID}.txt", [f"Title [{ID}].vtt"]),
        (f"Title [{ID}].en.vtt", [f"{ID}.de.txt"]),
    ],
)
def test_of_several_files_english_and_timed_ones_are_preferred(tmp_path: Path, best: str, others: list[str]) -> None:
    for name in (best, *others):
        write(tmp_path, name)

    (found,) = hand_in.find_files(tmp_path)

    assert found.path.name == best


def run(api: FakeApi, folder: Path, *options: str) -> int:
    return hand_in.main([str(folder), "--api", api.url, *options])


def test_a_folder_is_uploaded(
    api: FakeApi, tmp_path: Path, capsys: pytest.CaptureFixture[str], waits: list[float]
) -> None:
    write(tmp_path, f"{ID}.txt", "Kaufe Äpfel.".encode())
    write(tmp_path, "abcdefghijk.txt")
    write(tmp_path, f"{OTHER}.srt")

    assert run(api, tmp_path, "--token", TOKEN) == 0

    ((path, body, headers),) = api.received
    assert path == f"/api/channels/one/videos/id-of-{ID}/transcript"
    assert body.decode() == "Kaufe Äpfel."
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert headers["Authorization"] == f"Bearer {TOKEN}"
    out, error = capsys.readouterr()
    assert TOKEN not in out + error
    assert out.splitlines() == [
        f"1 of 3: {OTHER}.srt",
        "2 of 3: abcdefghijk.txt",
        f"3 of 3: {ID}.txt",
        "1 transcript uploaded. Each is read within seconds; see the channel's log.",
        "1 transcript skipped: the video has been read. --again uploads them too.",
        "1 transcript of videos that no channel has: abcdefghijk.txt",
    ]


def test_what_has_been_read_is_uploaded_again_when_asked(api: FakeApi, tmp_path: Path, waits: list[float]) -> None:
    write(tmp_path, f"{OTHER}.srt")

    assert run(api, tmp_path, "--again", "--channel", "one") == 0

    assert [path for path, _, _ in api.received] == [f"/api/channels/one/videos/id-of-{OTHER}/transcript"]


def test_bytes_that_are_not_utf_8_are_not_called_text(api: FakeApi, tmp_path: Path, waits: list[float]) -> None:
    write(tmp_path, f"{ID}.txt", "Äpfel".encode("utf-16"))

    run(api, tmp_path)

    ((_, body, headers),) = api.received
    assert headers["Content-Type"] == "application/octet-stream"
    assert body.decode("utf-16") == "Äpfel"


def test_what_may_succeed_later_is_tried_again_with_growing_waits(
    api: FakeApi, tmp_path: Path, waits: list[float]
) -> None:
    api.statuses = [409, 429, 503]
    write(tmp_path, f"{ID}.txt")

    assert run(api, tmp_path) == 0

    assert len(api.received) == 4
    assert waits == [1, 2, 4]


def test_a_run_that_does_not_end_is_given_up(
    api: FakeApi, tmp_path: Path, waits: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    api.statuses = [409] * 20
    write(tmp_path, f"{ID}.txt")

    assert run(api, tmp_path) == 1

    assert len(api.received) == hand_in.TRIES
    assert max(waits) == LONGEST_WAIT
    assert f"  {ID}.txt: Problem 409" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("status", "reason"), [(415, "Problem 415"), (422, "There are no words in this transcript."), (404, "Problem 404")]
)
def test_what_is_refused_is_told_with_the_reason_and_the_rest_goes_on(
    api: FakeApi,
    tmp_path: Path,
    waits: list[float],
    capsys: pytest.CaptureFixture[str],
    status: int,
    reason: str,
) -> None:
    api.videos = [(ID, "failed"), (OTHER, "unavailable")]
    api.statuses = [status]
    write(tmp_path, f"{OTHER}.txt")
    write(tmp_path, f"{ID}.txt")

    assert run(api, tmp_path) == 1

    assert len(api.received) == 2
    out = capsys.readouterr().out
    assert "1 transcript uploaded." in out
    assert f"1 transcript refused:\n  {OTHER}.txt: {reason}\n" in out
    assert waits == []


def test_a_file_that_is_too_large_is_not_sent(
    api: FakeApi, tmp_path: Path, capsys: pytest.CaptureFixture[str], waits: list[float]
) -> None:
    write(tmp_path, f"{ID}.txt", b"a" * 5_000_001)

    assert run(api, tmp_path) == 1

    assert api.received == []
    assert "it is larger than 5,000,000 bytes" in capsys.readouterr().out


def test_a_wrong_token_ends_it_and_is_not_shown(
    api: FakeApi, tmp_path: Path, capsys: pytest.CaptureFixture[str], waits: list[float]
) -> None:
    api.statuses = [401, 401]
    api.videos = [(ID, "failed"), (OTHER, "failed")]
    write(tmp_path, f"{ID}.txt")
    write(tmp_path, f"{OTHER}.txt")

    assert run(api, tmp_path, "--token", TOKEN) == 2

    assert len(api.received) == 1
    out, error = capsys.readouterr()
    assert "The API refuses access (401)" in error
    assert TOKEN not in out + error


def test_the_token_is_read_from_standard_input(
    api: FakeApi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: list[float]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{TOKEN}\n"))
    write(tmp_path, f"{ID}.txt")

    assert run(api, tmp_path, "--token", "-") == 0

    assert api.received[0][2]["Authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize("status", [302, 404, 500])
def test_an_address_that_is_not_the_apis_is_told(
    api: FakeApi, tmp_path: Path, capsys: pytest.CaptureFixture[str], waits: list[float], status: int
) -> None:
    api.listing_status = status
    write(tmp_path, f"{ID}.txt")

    assert run(api, tmp_path, "--token", TOKEN) == 2

    assert "The videos cannot be listed" in capsys.readouterr().err


def test_an_address_that_nobody_listens_to_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    write(tmp_path, f"{ID}.txt")

    assert hand_in.main([str(tmp_path), "--api", "http://127.0.0.1:9"]) == 2

    assert "http://127.0.0.1:9 cannot be reached" in capsys.readouterr().err


def test_no_folder_and_no_address_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert hand_in.main([str(tmp_path / "nowhere"), "--api", "http://127.0.0.1:9"]) == 2
    assert "is not a folder" in capsys.readouterr().err
    assert hand_in.main([str(tmp_path), "--api", "file:///etc/passwd"]) == 2
    assert "--api must be an address" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_one_line_that_is_written_over() -> None:
    out = Terminal()
    progress = hand_in.Progress(out)

    progress.show(1, 2, "a.txt")
    progress.show(2, 2, "b.txt")
    progress.end()

    assert out.getvalue() == "\r\x1b[K1 of 2: a.txt\r\x1b[K2 of 2: b.txt\r\x1b[K"
