"""Transcripts that the user put into a folder."""

from pathlib import Path

import pytest

from functions.reading.transcripts import MAX_BYTES, Transcript
from functions.record.sources.youtube_captions import TranscriptsFolder
from functions.runtime.provider_errors import NotFound, Refused
from tests.live_responses import VIDEO

FROM_ELSEWHERE = Transcript("from elsewhere", "youtube")
CAPTIONS = "00:00:05.000 --> 00:00:07.000\nI am buying Apple.\n"


class Elsewhere:
    def __init__(self) -> None:
        self.requested: list[str] = []

    def read(self, youtube_video_id: str) -> Transcript:
        self.requested.append(youtube_video_id)
        return FROM_ELSEWHERE


@pytest.fixture
def elsewhere() -> Elsewhere:
    return Elsewhere()


def test_a_handed_in_transcript_comes_first(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").write_text("\ufeffI am buying Apple.\n", encoding="utf-8")

    transcript = TranscriptsFolder(tmp_path, elsewhere).read(VIDEO)

    assert transcript == Transcript("I am buying Apple.", "handed in")
    assert elsewhere.requested == []


@pytest.mark.parametrize("content", [None, "", " \n"])
def test_what_was_not_handed_in_is_requested_elsewhere(
    tmp_path: Path, elsewhere: Elsewhere, content: str | None
) -> None:
    if content is not None:
        (tmp_path / f"{VIDEO}.txt").write_text(content)

    assert TranscriptsFolder(tmp_path, elsewhere).read(VIDEO) == FROM_ELSEWHERE


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path, elsewhere: Elsewhere) -> None:
    assert TranscriptsFolder(tmp_path / "none", elsewhere).read(VIDEO) == FROM_ELSEWHERE


@pytest.mark.parametrize(
    "video_id", ["../secret", "..", "", "a/b", "a\\b", "/etc/passwd", "a\x00b", "ä", "x" * 65, "a\n"]
)
def test_an_id_cannot_climb_out_of_the_folder(tmp_path: Path, elsewhere: Elsewhere, video_id: str) -> None:
    folder = tmp_path / "transcripts"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("not yours")

    with pytest.raises(NotFound):
        TranscriptsFolder(folder, elsewhere).read(video_id)

    assert elsewhere.requested == []


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").mkdir()

    with pytest.raises(Refused, match=f"{VIDEO}.txt"):
        TranscriptsFolder(tmp_path, elsewhere).read(VIDEO)


def test_a_file_that_is_far_too_large_is_refused(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").write_bytes(b"x" * (MAX_BYTES + 1))

    with pytest.raises(Refused, match="larger"):
        TranscriptsFolder(tmp_path, elsewhere).read(VIDEO)


def test_bytes_that_are_not_utf_8_do_not_lose_the_rest(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").write_bytes(b"Buy Nestl\xe9 now")

    assert TranscriptsFolder(tmp_path, elsewhere).read(VIDEO).text == "Buy Nestlé now"


@pytest.mark.parametrize(
    ("name", "language"),
    [
        (f"{VIDEO}.vtt", None),
        (f"{VIDEO}.srt", None),
        (f"{VIDEO}.txt", None),
        (f"{VIDEO}.SRT", None),
        (f"{VIDEO}.en.vtt", "en"),
        (f"Some Title [{VIDEO}].en.vtt", "en"),
        (f"Some Title [{VIDEO}].en-orig.srt", "en-orig"),
        (f"Some Title [{VIDEO}].zh-Hans.vtt", "zh-Hans"),
        (f"Some Title [{VIDEO}].vtt", None),
        (f"What? [AAAAAAAAAAA] *No.1* ünï [{VIDEO}].en.vtt", "en"),
        (f"Two\nlines [{VIDEO}].en.vtt", "en"),
    ],
)
def test_captions_are_found_by_their_name(
    tmp_path: Path, elsewhere: Elsewhere, name: str, language: str | None
) -> None:
    (tmp_path / name).write_text(CAPTIONS)

    transcript = TranscriptsFolder(tmp_path, elsewhere).read(VIDEO)

    assert transcript == Transcript("I am buying Apple.", "handed in", language, (0,), (5,))
    assert elsewhere.requested == []


@pytest.mark.parametrize(
    "name",
    [
        "Some Title [AAAAAAAAAAA].en.vtt",
        f"[{VIDEO}] Some Title.en.vtt",
        f"x{VIDEO}.vtt",
        f"Some Title [x{VIDEO}].en.vtt",
        f"Some Title [{VIDEO}].en.vtt.part",
        f"Some Title [{VIDEO}].info.json",
        f"._Some Title [{VIDEO}].en.vtt",
        f"{VIDEO.swapcase()}.vtt",
    ],
)
def test_other_files_are_left_alone(tmp_path: Path, elsewhere: Elsewhere, name: str) -> None:
    (tmp_path / name).write_text(CAPTIONS)

    assert TranscriptsFolder(tmp_path, elsewhere).read(VIDEO) == FROM_ELSEWHERE


def test_the_name_by_id_english_and_times_are_preferred(tmp_path: Path, elsewhere: Elsewhere) -> None:
    by_preference = [
        f"{VIDEO}.vtt",
        f"{VIDEO}.srt",
        f"{VIDEO}.txt",
        f"{VIDEO}.de.vtt",
        f"A title [{VIDEO}].en.vtt",
        f"A title [{VIDEO}].en.txt",
        f"A title [{VIDEO}].de.vtt",
    ]
    for name in by_preference:
        (tmp_path / name).write_text(name.replace(".", " "))

    for name in by_preference:
        assert TranscriptsFolder(tmp_path, elsewhere).read(VIDEO).text == name.replace(".", " ")
        (tmp_path / name).write_text("")
    assert TranscriptsFolder(tmp_path, elsewhere).read(VIDEO) == FROM_ELSEWHERE


def test_the_language_in_the_captions_stands_over_that_of_their_name(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.en.vtt").write_text(f"WEBVTT\nLanguage: en-GB\n\n{CAPTIONS}")

    assert TranscriptsFolder(tmp_path, elsewhere).read(VIDEO).language == "en-GB"


def test_a_file_that_is_no_text_is_reported(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / f"{VIDEO}.txt").write_bytes(b"PK\x03\x04...")

    with pytest.raises(Refused, match=rf"{VIDEO}\.txt .* ZIP .* plain text"):
        TranscriptsFolder(tmp_path, elsewhere).read(VIDEO)


def test_a_folder_that_is_a_file_is_reported(tmp_path: Path, elsewhere: Elsewhere) -> None:
    (tmp_path / "file").write_text("words")

    with pytest.raises(Refused, match="TRANSCRIPTS_FOLDER"):
        TranscriptsFolder(tmp_path / "file", elsewhere).read(VIDEO)
