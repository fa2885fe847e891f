"""An import writes a file wholly or not at all, goes on after a crash, and leaves data that holds together."""

import gzip
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from functions.core import ids
from functions.core.models import AnalysisStatus, ChannelStatus, Sentiment
from functions.dispatch import Job, dispatch_with
from functions.logic.imports.problems import FileRefused, Findings
from functions.logic.imports.reading import read_file
from functions.logic.imports.writing import Summary, write_contents
from functions.store import imports
from functions.store.channels import channel_by_id, every_channel
from functions.store.logs import logs_of_channel
from functions.store.stocks import stocks_by_ticker
from functions.store.videos import videos_of_channel
from operations import check
from tests.old_application import OLD_TABLES, dump_of, write_csv_files

OLD_GOLD = ids.imported_channel_id("YT#UCaaaaaaaaaaaaaaaaaaaaaa")


class Jobs:
    """A dispatcher that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[Job] = []

    def start_run(self, channel_id: str, run_id: str) -> None:
        raise NotImplementedError

    def stop_run(self, channel_id: str, run_id: str) -> None:
        raise NotImplementedError

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        self.sent.append(job)


@pytest.fixture(autouse=True)
def jobs(tables: str) -> Iterator[Jobs]:
    jobs = Jobs()
    dispatch_with(jobs)
    yield jobs


@pytest.fixture(autouse=True)
def _leases_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "LEASE_SECONDS", -1)


def import_file(path: Path, **options: Any) -> tuple[Summary, Findings]:
    findings = Findings()
    with read_file(path, findings) as contents:
        return write_contents(contents, **options), findings


def problems() -> list[str]:
    return list(check.problems(check.read_everything()))


def refusal_of(path: Path) -> list[str]:
    with pytest.raises(FileRefused) as refused, read_file(path, Findings()):
        pass
    assert not list(every_channel())
    return refused.value.complaints


def test_old_tables_become_channels_like_any_other(tmp_path: Path) -> None:
    summary, findings = import_file(write_csv_files(tmp_path / "old"))

    channel = channel_by_id(OLD_GOLD)
    videos = {video.youtube_video_id: video for video in videos_of_channel(OLD_GOLD)}
    first, second = videos["aaaaaaaaaa1"], videos["aaaaaaaaaa2"]
    assert (summary.channels, summary.videos, summary.mentions, summary.skipped) == (2, 4, 3, [])
    assert channel
    assert (channel.status, channel.video_count, channel.processed_video_count) == (ChannelStatus.COMPLETED, 3, 3)
    assert channel.name == "Old, but \"gold\" it's"
    assert channel.guards == ("UCaaaaaaaaaaaaaaaaaaaaaa", "handle:OldGold")
    assert first.title == "Line one line two"
    assert [(call.ticker, call.sentiment, call.price_at_mention) for call in first.calls] == [
        ("AAPL", Sentiment.BUY, 145.3),
        ("META", Sentiment.SELL, None),
    ]
    assert first.calls[0].context_snippet == "I'm buying Apple; \"all in\".\nNow."
    assert (second.published_at, second.published_time) == ("2023-04-03", "2023-04-03T22:30:00.000Z")
    assert second.analysis_status == AnalysisStatus.COMPLETED
    assert [line.message for line in logs_of_channel(OLD_GOLD)] == [
        "Started",
        "a\\b 'c'",
        "Imported: 3 videos, 3 mentions.",
    ]
    assert stocks_by_ticker(["AAPL"])["AAPL"].last_price == 180.5
    assert findings.remarks == [
        "channels.csv: not read: video_count, processed_video_count, legacy_flag",
        "stocks.csv: not read: id",
        "videos.csv: not read: url",
        "1 mentions are left out: not listed in New York that day (XXXXX)",
        "1 mentions are left out: a video has one of each stock",
        "1 videos count as read, since they have mentions",
    ]
    assert problems() == []
