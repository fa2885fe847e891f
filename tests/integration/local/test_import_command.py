"""The command that imports a file says what it does, and what to do where it cannot."""

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from botocore.exceptions import NoCredentialsError

from functions.record.store.channels import every_channel
from functions.record.store.scorecards import scorecard_of_channel
from functions.runtime.settings import settings
from functions.transfers.imports.problems import FileRefused
from functions.transfers.imports.writing import Progress
from local import engine, import_data
from local.engine import dynoxide_binary, running_engine
from operations import check
from tests.conftest import cannot_run
from tests.fakes import RecordingDispatcher
from tests.old_application import write_csv_files


@pytest.fixture(autouse=True)
def _own_environment(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command sets the endpoint and the dispatcher for its process."""
    RecordingDispatcher().install(monkeypatch)
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)
    settings.cache_clear()


def test_a_dry_run_writes_nothing_and_an_import_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(write_csv_files(tmp_path / "old"))

    dry = import_data.main([folder, "--dry-run"]), capsys.readouterr().out.splitlines()
    channels_before = list(every_channel())
    done = import_data.main([folder]), capsys.readouterr().out.splitlines()
    again = import_data.main([folder]), capsys.readouterr().out.splitlines()

    assert dry[0] == done[0] == again[0] == 0
    assert dry[1][-1] == "The file is valid: 2 channels, 4 videos, 3 mentions. Nothing was written."
    assert dry[1][-3].endswith(", 3 videos: would be imported")
    assert channels_before == []
    assert "channels.csv: not read: video_count, processed_video_count, legacy_flag" in done[1]
    assert done[1][-2:] == [
        "7 of 7 items",
        "Imported: 2 channels, 4 videos, 3 mentions, the closes of 0 stocks. Skipped: 0.",
    ]
    assert again[1][-2:] == [
        "Use --replace to replace channels that are there.",
        "Imported: 0 channels, 0 videos, 0 mentions, the closes of 0 stocks. Skipped: 2.",
    ]
    assert all(scorecard_of_channel(channel.id) for channel in every_channel())
    assert list(check.problems(check.read_everything())) == []


def test_a_wrong_file_is_refused_with_all_its_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_csv_files(tmp_path / "old")
    (folder / "videos.csv").write_text((folder / "videos.csv").read_text().replace("2023-04-04,", "then,"))

    code = import_data.main([str(folder)])

    assert code == import_data.REFUSED
    assert capsys.readouterr().err.splitlines() == [
        "videos.csv, line 5: published_at must be a day, not 'then'",
        "videos.csv, line 6: published_at must be a day, not 'then'",
        "Nothing was imported: 2 problems.",
    ]
    assert list(every_channel()) == []


def test_without_credentials_the_folder_of_the_data_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_credentials(*_: object, **__: object) -> None:
        raise NoCredentialsError

    monkeypatch.setattr(import_data, "write_contents", no_credentials)

    code = import_data.main([str(write_csv_files(tmp_path / "old"))])

    assert code == import_data.REFUSED
    assert "name its folder: --data .local" in capsys.readouterr().err


def test_the_number_of_problems_is_told_beyond_those_shown() -> None:
    assert import_data.refusal_lines(FileRefused(["a", "b"], 1_002)) == [
        "a",
        "b",
        "… and 1,000 more",
        "Nothing was imported: 1,002 problems.",
    ]


def test_a_new_folder_gets_the_channels_and_a_folder_in_use_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not dynoxide_binary().exists():
        cannot_run("it needs the embedded engine")
    monkeypatch.setattr(engine, "UNLOCK_SECONDS", 0)
    old, data = str(write_csv_files(tmp_path / "old")), tmp_path / "data"

    dry, is_made = import_data.main([old, "--data", str(data), "--dry-run"]), data.exists()
    told = capsys.readouterr().out
    first = import_data.main([old, "--data", str(data)])
    again = import_data.main([old, "--data", str(data)])
    out = capsys.readouterr().out
    del os.environ["DYNAMODB_ENDPOINT"]
    settings.cache_clear()
    with running_engine(data):
        in_use = import_data.main([old, "--data", str(data)])
    error = capsys.readouterr().err

    assert (dry, is_made, "Nothing was written." in told) == (0, False, True)
    assert (first, again, in_use) == (0, 0, import_data.REFUSED)
    assert f"{data} is new: the channels of this file will be the only ones." in out
    assert "Imported: 2 channels, 4 videos, 3 mentions" in out
    assert "Skipped: 2." in out
    assert f"The data in {data} is in use by another run" in error
    assert "Stop that one" in error


def test_a_terminal_gets_a_bar_and_a_file_plain_lines() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal, file = Terminal(), io.StringIO()
    for out in (terminal, file):
        bar = import_data.ProgressBar(out)
        for done in range(0, 201, 5):
            bar.show(Progress(done, 200, "A\nname"))
        bar.end()

    assert terminal.getvalue().split("\r\x1b[K")[21] == f"[{'#' * 15}{'.' * 15}]  50% A name"
    assert file.getvalue().splitlines()[-1] == "200 of 200 items"
    assert len(file.getvalue().splitlines()) == 11
