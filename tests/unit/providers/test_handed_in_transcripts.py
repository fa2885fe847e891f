"""Transcripts that the user put into a folder."""

from pathlib import Path

import pytest

from functions.providers.protocols import NotFound, Refused
from functions.providers.transcripts import HandedInTranscripts
from tests.unit.providers.live_responses import VIDEO


class Elsewhere:
    def __init__(self) -> None:
        self.requested: list[str] = []

    def read(self, youtube_video_id: str) -> str:
        self.requested.append(youtube_video_id)
        return "from elsewhere"


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


def test_a_handed_in_transcript_comes_first(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").write_text("\ufeffI am buying Apple.\n", encoding="utf-8")

    text = HandedInTranscripts(tmp_path, elsewhere).read(VIDEO)

    assert text == "I am buying Apple."
    assert elsewhere.requested == []


@pytest.mark.parametrize("content", [None, "", " \n"])
def test_what_was_not_handed_in_is_requested_elsewhere(
    tmp_path: Path, elsewhere: Elsewhere, content: str | None
) -> None:
    if content is not None:
        (tmp_path / f"{VIDEO}.txt").write_text(content)

    assert HandedInTranscripts(tmp_path, elsewhere).read(VIDEO) == "from elsewhere"


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path, elsewhere: Elsewhere) -> None:
    assert HandedInTranscripts(tmp_path / "none", elsewhere).read(VIDEO) == "from elsewhere"


@pytest.mark.parametrize(
    "video_id", ["../secret", "..", "", "a/b", "a\\b", "/etc/passwd", "a\x00b", "ä", "x" * 65, "a\n"]
)
def test_an_id_cannot_climb_out_of_the_folder(tmp_path: Path, elsewhere: Elsewhere, video_id: str) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("not yours")

    with pytest.raises(NotFound):
        HandedInTranscripts(folder, elsewhere).read(video_id)

    assert elsewhere.requested == []


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").mkdir()

    with pytest.raises(Refused, match=f"{VIDEO}.txt"):
        HandedInTranscripts(tmp_path, elsewhere).read(VIDEO)


def test_a_file_that_is_far_too_large_is_refused(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").write_bytes(b"x" * 5_000_001)

    with pytest.raises(Refused, match="larger"):
        HandedInTranscripts(tmp_path, elsewhere).read(VIDEO)


def test_bytes_that_are_not_utf_8_do_not_lose_the_rest(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").write_bytes(b"Buy Apple \xff now")

    assert HandedInTranscripts(tmp_path, elsewhere).read(VIDEO) == "Buy Apple \ufffd now"
