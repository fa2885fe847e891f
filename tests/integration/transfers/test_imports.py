"""An import writes a file wholly or not at all, goes on after a crash, and leaves data that holds together."""

import gzip
import re
import threading
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from functions.reading.terms import Sentiment
from functions.record.models.records import AnalysisStatus, Channel, ChannelStatus
from functions.record.store import channels
from functions.record.store.channels import channel_by_id, create_channel, delete_channel, every_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.stocks import stocks_by_ticker
from functions.record.store.videos import videos_of_channel
from functions.runtime import ids
from functions.runtime.dispatch import ScoreChannel
from functions.runtime.dynamodb import requests
from functions.transfers.imports import store as imports
from functions.transfers.imports import writing
from functions.transfers.imports.problems import Findings
from functions.transfers.imports.reading import read_file
from functions.transfers.imports.writing import Summary, write_contents
from local.entities import put_entities
from operations import check
from tests.builders import a_channel
from tests.crashes import WRITES, Crash, crash_at_write
from tests.fakes import RecordingDispatcher, everything
from tests.old_application import OLD_TABLES, dump_of, write_csv_files
from tests.soak import times
from tests.systems import another_system

OLD_GOLD = ids.imported_channel_id("YT#UCaaaaaaaaaaaaaaaaaaaaaa")


@pytest.fixture(autouse=True)
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)


@pytest.fixture(autouse=True)
def _leases_end_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imports, "LEASE_SECONDS", -1)


def import_file(path: Path, **options: Any) -> tuple[Summary, Findings]:
    findings = Findings()
    with read_file(path, findings) as contents:
        return write_contents(contents, **options), findings


def problems() -> list[str]:
    return list(check.problems(check.read_everything()))


def test_old_tables_become_channels_like_any_other(tmp_path: Path, dispatched: RecordingDispatcher) -> None:
    summary, findings = import_file(write_csv_files(tmp_path / "old"))

    channel = channel_by_id(OLD_GOLD)
    videos = {video.youtube_video_id: video for video in videos_of_channel(OLD_GOLD)}
    first, second = videos["aaaaaaaaaa1"], videos["aaaaaaaaaa2"]
    assert (summary.channels, summary.videos, summary.mentions, summary.skipped) == (2, 4, 3, {})
    assert channel
    assert (channel.status, channel.video_count, channel.processed_video_count) == (ChannelStatus.COMPLETED, 3, 3)
    assert channel.name == 'Old, but "gold" it\'s'
    assert channel.guards == ("UCaaaaaaaaaaaaaaaaaaaaaa", "handle:OldGold")
    assert first.title == "Line one line two"
    assert [(call.ticker, call.sentiment, call.price_at_mention) for call in first.calls] == [
        ("AAPL", Sentiment.BUY, 145.3),
        ("META", Sentiment.SELL, None),
    ]
    assert first.calls[0].context_snippet == 'I\'m buying Apple; "all in".\nNow.'
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
        "1 mention left out: not listed in New York that day (XXXXX)",
        "1 mention left out: a video has one of each stock",
        "1 video taken as read, because of its mentions",
    ]
    assert problems() == []
    assert ScoreChannel(OLD_GOLD) in dispatched.jobs


def test_a_dump_and_a_zip_give_the_same_as_a_folder_of_csv_files(tmp_path: Path) -> None:
    folder = write_csv_files(tmp_path / "old")
    (tmp_path / "old.sql").write_text(dump_of())
    (tmp_path / "old.sql.gz").write_bytes(gzip.compress(dump_of().encode()))
    with zipfile.ZipFile(tmp_path / "old.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in folder.iterdir():
            archive.write(file, f"tables/{file.name}")
    read = []

    for name in ("old", "old.sql", "old.sql.gz", "old.zip"):
        with read_file(tmp_path / name, Findings()) as contents:
            channels = [replace(channel, next_check_at=None) for channel in contents.channels()]
            below = [(list(contents.videos_of(each.id)), list(contents.others_of(each.id))) for each in channels]
            read.append((channels, below, list(contents.stocks())))

    assert len(read[0][0]) == 2
    assert all(each == read[0] for each in read)


def test_what_is_there_stays_and_a_repeat_writes_nothing(tmp_path: Path) -> None:
    import_file(write_csv_files(tmp_path / "old"))
    before = everything()

    summary, _ = import_file(tmp_path / "old")

    assert summary.channels == 0
    assert len(summary.skipped) == 2
    assert everything() == before


def test_a_channel_that_is_known_under_another_id_is_skipped_or_replaced(tmp_path: Path) -> None:
    known = a_channel(youtube_channel_id="handle:oldgold", status="completed")
    create_channel(known)
    write_csv_files(tmp_path / "old")

    skipped, _ = import_file(tmp_path / "old")
    still_there = channel_by_id(known.id)
    replaced, _ = import_file(tmp_path / "old", replacing=True)

    assert skipped.channels == 1
    assert list(skipped.skipped.values()) == [
        f'Old, but "gold" it\'s ({OLD_GOLD}) is skipped: it is there already as channel {known.id}.'
    ]
    assert still_there
    assert (replaced.channels, replaced.skipped) == (2, {})
    assert channel_by_id(known.id) is None
    assert {channel.id for channel in every_channel()} > {OLD_GOLD}
    assert problems() == []


def test_an_imported_channel_is_deleted_like_any_other(tmp_path: Path) -> None:
    summary, _ = import_file(write_csv_files(tmp_path / "old"))

    for channel in list(every_channel()):
        delete_channel(channel.id)

    left = {re.split("[#/]", key)[0] for key in everything()}
    assert summary.channels == 2
    # The record of who changed what outlives the channel.
    assert left == {"AUDIT", "COUNTER", "PRICES", "AAPL"}
    assert problems() == []


def test_killed_at_any_write_an_import_is_invisible_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "ITEMS_AT_ONCE", 3)
    write_csv_files(tmp_path / "old")
    writes = (*WRITES, "BatchWriteItem")
    number, is_done = 0, False

    while not is_done:
        number += times(short=2, long=1)
        with another_system():
            try:
                # A kill after a write and one before the next differ only for the writer.
                with crash_at_write(number, ("before-call", "after-call")[number // 2 % 2], writes):
                    import_file(tmp_path / "old")
                is_done = True
            except Crash:
                there = {channel.id: channel for channel in every_channel()}
                found = problems()
                again, _ = import_file(tmp_path / "old")

                assert all("is half imported" in each for each in found), found
                assert len(found) <= 1
                assert all(len(videos_of_channel(each.id)) == each.video_count for each in there.values())
                assert again.channels == 2 - len(there)
            assert problems() == []
            assert sum(len(videos_of_channel(each.id)) for each in every_channel()) == 4
    assert number > 20


def test_what_another_file_left_half_is_removed_first(tmp_path: Path) -> None:
    write_csv_files(tmp_path / "old")
    fewer = {**OLD_TABLES, "videos": OLD_TABLES["videos"][1:], "stock_mentions": OLD_TABLES["stock_mentions"][4:]}
    write_csv_files(tmp_path / "fewer", fewer)
    with pytest.raises(Crash):
        _crash_before_the_channel(tmp_path / "old")

    half = problems()
    import_file(tmp_path / "fewer")

    assert half == [f"channel {OLD_GOLD} is half imported: import it again, or remove what there is of it with --mend"]
    assert len(videos_of_channel(OLD_GOLD)) == 2
    assert problems() == []


def test_killed_while_what_another_file_left_is_removed_nothing_of_it_is_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "ITEMS_AT_ONCE", 3)
    write_csv_files(tmp_path / "old")
    other = {**OLD_TABLES, "stock_mentions": OLD_TABLES["stock_mentions"][4:]}
    write_csv_files(tmp_path / "other", other)
    expected: set[str] | None = None
    number, is_done = 0, False

    while not is_done:
        number += times(short=3, long=1)
        with another_system():
            with pytest.raises(Crash):
                _crash_before_the_channel(tmp_path / "old")
            try:
                with crash_at_write(number, "after-call", (*WRITES, "BatchWriteItem")):
                    import_file(tmp_path / "other")
                is_done = True
            except Crash:
                import_file(tmp_path / "other")
            assert problems() == []
            mentions = {key for key in everything() if "MENTION#" in key}
            expected = mentions if expected is None else expected
            assert mentions == expected
    assert number > 6


def test_a_worker_that_clears_what_another_file_left_renews_the_lease_and_stops_when_it_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channels, "REMOVED_AT_ONCE", 1)
    write_csv_files(tmp_path / "old")
    write_csv_files(tmp_path / "other", {**OLD_TABLES, "stock_mentions": OLD_TABLES["stock_mentions"][4:]})
    with pytest.raises(Crash):
        _crash_before_the_channel(tmp_path / "old")
    monkeypatch.setattr(imports, "LEASE_SECONDS", 60)
    left_over = len(_below(OLD_GOLD))
    leases: list[str] = []
    delete = requests.batch_delete

    def take_the_place(table: str, keys: list[Any]) -> None:
        delete(table, keys)
        marker = imports.channel_import(OLD_GOLD)
        assert marker
        leases.append(marker.lease_until)
        if len(leases) == 4:
            put_entities([replace(marker, owner="another")])

    monkeypatch.setattr(channels, "batch_delete", take_the_place)

    summary, _ = import_file(tmp_path / "other")

    assert "another process is importing it" in summary.skipped[OLD_GOLD]
    assert len(set(leases)) > 1
    assert 0 < len(_below(OLD_GOLD)) < left_over


def _below(channel_id: str) -> list[str]:
    return [key for key in everything() if key.startswith(f"CHANNEL#{channel_id}/")]


def test_mentions_whose_videos_were_not_written_yet_are_removed_with_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_csv_files(tmp_path / "old")
    put = requests.batch_put

    def crash_after_the_mentions(table: str, items: list[Any]) -> None:
        put(table, items)
        if any(item["entity"]["S"] == "StockMention" for item in items):
            raise Crash

    monkeypatch.setattr(imports, "batch_put", crash_after_the_mentions)
    with pytest.raises(Crash):
        import_file(tmp_path / "old")

    check.mend_half_imports(check.read_everything())

    assert not [key for key in everything() if key.startswith(("CHANNEL", "VIDEO"))]


def test_a_channel_that_is_named_by_its_id_twice_is_guarded_once(tmp_path: Path) -> None:
    youtube_id = f"UC{'x' * 22}"
    first, *rest = OLD_TABLES["channels"]
    named = {**first, "youtube_channel_id": youtube_id, "url": f"https://www.youtube.com/channel/{youtube_id}"}
    write_csv_files(tmp_path / "old", {**OLD_TABLES, "channels": [named, *rest]})

    summary, _ = import_file(tmp_path / "old")

    assert summary.channels == 2
    assert (youtube_id,) in {channel.guards for channel in every_channel()}
    assert problems() == []


def test_half_imports_can_be_removed(tmp_path: Path) -> None:
    write_csv_files(tmp_path / "old")
    with pytest.raises(Crash):
        _crash_before_the_channel(tmp_path / "old")

    removed = check.mend_half_imports(check.read_everything())

    assert removed == 1
    assert problems() == []
    assert not [key for key in everything() if key.startswith(("CHANNEL", "VIDEO"))]


def test_a_channel_added_during_an_import_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_csv_files(tmp_path / "old")
    added = a_channel(youtube_channel_id="handle:OLDGOLD", status="completed")
    finish = imports.finish_import

    def finish_late(channel: Channel, *rest: Any) -> None:
        if channel.id == OLD_GOLD:
            create_channel(added)
        finish(channel, *rest)

    monkeypatch.setattr(imports, "finish_import", finish_late)

    summary, _ = import_file(tmp_path / "old")

    assert summary.channels == 1
    assert f"it was added meanwhile as channel {added.id}" in summary.skipped[OLD_GOLD]
    assert channel_by_id(OLD_GOLD) is None
    assert problems() == []


def test_of_two_imports_at_once_one_writes_each_channel(
    concurrent_tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "LEASE_SECONDS", 60)
    monkeypatch.setattr(writing, "LOOK_AGAIN_SECONDS", 0.01)
    write_csv_files(tmp_path / "old")
    summaries: list[Summary] = []
    threads = [threading.Thread(target=lambda: summaries.append(import_file(tmp_path / "old")[0])) for _ in range(3)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(summary.channels for summary in summaries) == 2
    assert sum(len(summary.skipped) for summary in summaries) == 4
    assert problems() == []


def _crash_before_the_channel(path: Path) -> None:
    """Kills an import just before its first channel is there."""

    def crash(*_: object) -> None:
        raise Crash

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(imports, "finish_import", crash)
        import_file(path)
