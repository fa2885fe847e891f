"""Seeding: a synthetic channel that is whole, says that it is synthetic, and comes out the same each time."""

import os
import subprocess
import sys
from collections import Counter
from datetime import date

import pytest

from functions.record.models.records import AnalysisStatus, ChannelStatus, LogLevel, TranscriptStatus
from functions.record.store import channels, logs, mentions, stocks, videos
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.ids import mention_id
from local import seed as seeding
from local.engine import ROOT
from local.entities import put_entities
from local.seed import seed
from tests.partitions import snapshot


def silent(_: str) -> None:
    """Tells nobody."""


def everything(channel_id: str) -> object:
    video_ids = [video.id for video in videos.videos_of_channel(channel_id, consistent=True)]
    return snapshot(channel_id, video_ids)


def run_seed(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "local.seed", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.usefixtures("tables")
class TestSeed:
    def test_the_channel_is_completed_and_its_counts_are_right(self) -> None:
        channel_id = seed("Finance", 40, 7, silent)

        channel = channels.channel_by_id(channel_id)
        found = videos.videos_of_channel(channel_id)
        assert channel
        assert (channel.name, channel.status) == ("Finance (synthetic)", ChannelStatus.COMPLETED)
        assert channel.video_count == channel.processed_video_count == len(found) == 40
        assert {video.transcript_status for video in found} == {TranscriptStatus.FETCHED}
        assert {video.analysis_status for video in found} == {AnalysisStatus.COMPLETED}
        assert channels.holder_of(channel.youtube_channel_id) == channel_id
        assert channels.newest_channels(10).items == [channel]

    def test_each_video_has_its_mentions_and_knows_them(self) -> None:
        channel_id = seed("Finance", 40, 7, silent)

        found = videos.videos_of_channel(channel_id)
        spoken = mentions.mentions_of_channel(channel_id)
        assert Counter(mention.video_id for mention in spoken) == {video.id: 7 for video in found}
        expected = {mention_id(video.id, ticker) for video in found for ticker in video.tickers}
        assert {mention.id for mention in spoken} == expected
        assert videos.count_unpriced_calls(channel_id) == 0
        assert len({mention.ticker for mention in spoken}) > 40
        assert len({mention.sentiment for mention in spoken}) == 4
        assert len(videos.newest_videos_with_calls(channel_id, 100).items) == 40

    def test_all_that_is_synthetic_says_so(self) -> None:
        channel_id = seed("Finance", 10, 3, silent)

        assert all("(synthetic)" in video.title for video in videos.videos_of_channel(channel_id))
        spoken = mentions.mentions_of_channel(channel_id)
        assert all("ynthetic" in (mention.context_snippet or "") for mention in spoken)
        assert all("ynthetic" in line.message for line in logs.logs_of_channel(channel_id))

    def test_the_videos_are_spread_over_the_year_that_ends_on_the_last_day(self) -> None:
        channel_id = seed("Finance", 73, 0, silent)

        days = sorted(date.fromisoformat(video.published_at) for video in videos.videos_of_channel(channel_id))
        assert days[-1] == seeding.LAST_DAY
        assert (days[-1] - days[0]).days == 360
        assert len({day.month for day in days}) == 12
        assert mentions.mentions_of_channel(channel_id) == []

    def test_the_log_tells_of_each_video_with_warnings_among_it(self) -> None:
        channel_id = seed("Finance", 40, 1, silent)

        lines = logs.logs_of_channel(channel_id)
        assert len(lines) == 42
        levels = Counter(line.log_level for line in lines)
        assert levels[LogLevel.WARNING] > 0 and levels[LogLevel.INFO] > levels[LogLevel.WARNING]

    def test_the_stocks_have_names_and_prices_and_newer_prices_stay(self) -> None:
        stocks.set_stock_price("KO", 1.23, "2026-01-01T00:00:00.000Z")

        seed("Finance", 1, 1, silent)

        found = stocks.stocks_by_ticker(seeding.TICKERS)
        assert len(found) == len(seeding.TICKERS) == 60
        assert all(stock.name and stock.exchange and stock.last_price for stock in found.values())
        assert found["KO"].last_price == 1.23

    def test_the_same_name_is_the_same_channel_to_the_letter(self) -> None:
        first = everything(seed("Finance", 20, 4, silent))

        again = everything(seed("Finance", 20, 4, silent))

        assert again == first

    def test_seeding_again_replaces_what_was_there_and_nothing_else(self) -> None:
        other = seed("Other", 5, 2, silent)
        before = everything(other)
        channel_id = seed("Finance", 30, 5, silent)

        assert seed("Finance", 3, 2, silent) == channel_id

        assert len(videos.videos_of_channel(channel_id)) == 3
        assert len(mentions.mentions_of_channel(channel_id)) == 6
        assert len(logs.logs_of_channel(channel_id)) == 5
        assert everything(other) == before

    def test_what_died_half_way_is_not_completed_and_is_replaced(self, monkeypatch: pytest.MonkeyPatch) -> None:
        complete = everything(seed("Finance", 20, 4, silent))
        calls = []

        def dies_at_the_second(some: list[object]) -> None:
            calls.append(some)
            if len(calls) == 2:
                raise StockTrackRecordError("killed")
            put_entities(some)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(seeding, "BATCH_ITEMS", 50)
            patched.setattr(seeding, "put_entities", dies_at_the_second)
            with pytest.raises(StockTrackRecordError, match="killed"):
                seed("Finance", 20, 4, silent)
        (half,) = channels.newest_channels(10).items
        assert half.status == ChannelStatus.PENDING

        assert everything(seed("Finance", 20, 4, silent)) == complete

    def test_it_tells_how_far_it_is(self) -> None:
        told: list[str] = []

        seed("Finance", 300, 5, told.append)

        assert told == ["1,000 of 2,102 items", "2,000 of 2,102 items", "2,102 of 2,102 items"]


class TestCommand:
    def test_the_id_comes_last_on_standard_output_and_progress_on_the_other(self, tables: str) -> None:
        done = run_seed("--channel", "Finance", "--videos", "3", "--mentions", "60", DYNAMODB_TABLE_PREFIX=tables)

        assert done.returncode == 0
        channel = channels.channel_by_id(done.stdout.strip())
        assert channel and channel.video_count == 3
        assert len(mentions.mentions_of_channel(channel.id)) == 180
        assert "of 188 items" in done.stderr

    @pytest.mark.usefixtures("engine")
    def test_without_tables_it_says_what_to_run(self) -> None:
        refused = run_seed("--channel", "F", "--videos", "1", "--mentions", "1", DYNAMODB_TABLE_PREFIX="TestNobody")

        assert refused.returncode == 1
        assert refused.stdout == ""
        assert refused.stderr == (
            "Nothing more was written: there are no tables with the prefix TestNobody. "
            "Run `python scripts/create_tables.py` or `make run` first, with the same settings.\n"
        )

    def test_a_wrong_setting_is_one_line(self) -> None:
        refused = run_seed("--channel", "F", "--videos", "1", "--mentions", "1", DYNAMODB_ENDPOINT="nowhere")

        assert refused.returncode == 1
        assert refused.stderr.startswith("Nothing more was written: DYNAMODB_ENDPOINT must be")
        assert refused.stderr.count("\n") == 1

    @pytest.mark.parametrize(
        ("videos", "mentions", "complaint"),
        [
            ("0", "1", "--videos: must be a whole number from 1 to 20000, not '0'"),
            ("-3", "1", "--videos"),
            ("many", "1", "--videos: must be a whole number from 1 to 20000, not 'many'"),
            ("1.5", "1", "--videos"),
            ("20001", "1", "--videos"),
            ("1", "61", "--mentions: must be a whole number from 0 to 60, not '61'"),
            ("1", "²", "--mentions"),
        ],
    )
    def test_wrong_numbers_are_refused(
        self, videos: str, mentions: str, complaint: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit) as left:
            seeding.main(["--channel", "Finance", "--videos", videos, "--mentions", mentions])

        assert left.value.code == 2
        assert complaint in capsys.readouterr().err

    def test_a_channel_needs_a_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit):
            seeding.main(["--channel", " ", "--videos", "1", "--mentions", "1"])

        assert "a channel needs a name" in capsys.readouterr().err
