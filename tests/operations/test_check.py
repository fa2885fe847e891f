"""The check of a whole data set finds each kind of damage, and none in data that the store wrote."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from functions.news.models import KnownUrl
from functions.news.store import add_tags, put_news, put_or_find, set_tone
from functions.people.models import User
from functions.reading.terms import Sentiment
from functions.record.models.alerts import Delivery, Subscription, Way
from functions.record.models.notes import Note
from functions.record.models.people import DefaultSettings, PersonalSettings
from functions.record.models.records import (
    AnalysisStatus,
    Change,
    ChangeKind,
    ChannelStatus,
    LogLevel,
    Review,
    ReviewOutcome,
    Unread,
)
from functions.record.models.runs import Check, Run, RunStatus
from functions.record.models.scores import CallsItem, ReviewSampleItem
from functions.record.models.series import Series, SeriesHeader, series_of_rows
from functions.record.models.tones import NewsSentiment
from functions.record.models.watchlists import Watchlist
from functions.record.stocks.track_record import stocks_of_channel
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, count_channels, create_channel, set_channel_counter
from functions.record.store.mentions import mentions_of_video
from functions.record.store.price_series import save_series
from functions.record.store.videos import videos_of_channel
from functions.runtime import dispatch, ids
from functions.runtime.clock import now
from functions.runtime.dynamodb import tables as keys
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.dynamodb.rate_limits import wait_for_turn
from functions.transfers.exports.models import ExportStatus, OpenExports
from functions.transfers.exports.requests import new_export
from functions.transfers.imports.models import ChannelImport
from functions.transfers.store import add_transfer
from local.engine import ROOT, Engine, dynoxide_binary
from local.entities import put_entities
from operations import check
from tests.builders import a_channel, a_mention, a_story, a_video, an_alert, commit, finished, in_a_run
from tests.conftest import cannot_run
from tests.local_server import copy_data, running_server
from tests.seeds import a_finished_channel

pytestmark = pytest.mark.usefixtures("tables")


def put(entity: Entity) -> None:
    dynamodb().put_item(TableName=main_table(), Item=entity.to_item())


def remove(key: dict[str, str]) -> None:
    dynamodb().delete_item(TableName=main_table(), Key=encode(key))


def found() -> list[str]:
    return list(check.problems(check.read_everything()))


def test_what_the_store_wrote_has_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    run_id, videos = in_a_run(channel := a_channel(), videos=2)
    for video in videos:
        commit(run_id, video, "AAPL", "MSFT")
    runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
    series = series_of_rows("AAPL", [(date(2023, 12, 29), 192.53, 191.1), (date(2024, 1, 2), 185.64, 184.2)])
    save_series(SeriesHeader("AAPL", "2023-01-01", next_check_at="2024-01-03T00:00:00.000Z"), series, Series("AAPL"))
    wait_for_turn("Yahoo", 2, 60)

    status = check.main()

    assert status == 0
    assert capsys.readouterr().out == "1 channels, 2 videos, 4 mentions, 5 log lines, 0 news: no problems\n"


@pytest.mark.parametrize("status", [RunStatus.PENDING, RunStatus.COMPLETED])
def test_a_record_of_a_run_that_differs_from_its_channel_is_found(status: RunStatus) -> None:
    run_id, _ = in_a_run(channel := a_channel())
    put(Run(run_id, channel.id, now(), status))

    assert found() == [f"run {run_id} is {status}, its channel {channel.id} is processing"]


def test_a_record_of_a_run_that_is_not_under_way_is_found() -> None:
    in_a_run(channel := a_channel())
    put(Run(ids.new_run_id(), channel.id, now(), RunStatus.INTERRUPTED))
    put(Run(lost := ids.new_run_id(), channel.id, now(), RunStatus.PROCESSING))

    assert found() == [f"run {lost} is processing, its channel {channel.id} is processing"]


def test_a_run_without_its_channel_is_found() -> None:
    put(Run(run_id := ids.new_run_id(), gone := a_channel().id, now(), RunStatus.COMPLETED))

    assert found() == [f"run {run_id} belongs to channel {gone}, which is not there"]


def test_a_check_that_the_clock_does_not_know_or_has_at_another_time_is_found() -> None:
    timestamp, other = "2024-01-01T00:00:00.000Z", "2025-01-01T00:00:00.000Z"
    unknown = a_channel(status=ChannelStatus.COMPLETED, next_check_at=timestamp)
    create_channel(unknown)
    remove(keys.check_key(unknown.id))
    assert found() == [f"channel {unknown.id} is checked at {timestamp}, the queue says None"]

    put(Check(unknown.id, other))
    assert found() == [f"channel {unknown.id} is checked at {timestamp}, the queue says {other}"]

    put(Check(unknown.id, timestamp))
    put(Check(gone := a_channel().id, timestamp))
    assert found() == [f"a check belongs to channel {gone}, which is not there"]


def test_an_export_that_is_not_in_the_list_of_its_user_or_is_there_too_long_is_found() -> None:
    add_transfer(export := new_export(ids.new_export_id(), "somebody", (), "csv"))
    assert found() == []

    put(OpenExports("somebody"))
    assert found() == [f"export {export.id} is under way, and not in the list of somebody"]

    remove(export.primary_key)
    put(replace(export, status=ExportStatus.FAILED))
    put(OpenExports("somebody", frozenset({export.id, ids.new_export_id()})))
    assert found() == [f"export {export.id} has ended, and is still in the list of somebody"]


def test_a_counter_that_is_off_is_found() -> None:
    run_id, (video,) = in_a_run(channel := a_channel(), videos=1)
    commit(run_id, video, "AAPL")
    runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
    put(replace(channel, status=ChannelStatus.COMPLETED, video_count=2, processed_video_count=1))

    assert found() == [f"channel {channel.id} is completed with 1 videos, but counts 1 of 2"]


def test_a_counter_of_channels_that_is_off_is_found_and_mended(capsys: pytest.CaptureFixture[str]) -> None:
    in_a_run(a_channel())
    set_channel_counter(7, replacing=1)
    assert found() == ["the counter of channels says 7, there are 1"]

    status = check.main(["--mend"])

    assert status == 0
    assert "The counter of channels was set to 1\n" in capsys.readouterr().out
    assert count_channels() == 1


def test_a_missing_counter_of_channels_is_found_and_mended() -> None:
    assert found() == []
    in_a_run(a_channel())
    in_a_run(a_channel())
    remove(keys.CHANNEL_COUNTER_KEY)
    assert found() == ["the counter of channels is missing, there are 2"]

    status = check.main(["--mend"])

    assert status == 0
    assert found() == []


def test_calls_from_before_the_series_are_priced_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dispatch, "_dispatchers", [])
    run_id, (video,) = in_a_run(a_channel(), videos=1)
    commit(run_id, replace(video, published_at="2022-03-01"), "AAPL", "ZZZZ", price_at_mention=647.97)

    status = check.main(["--mend"])

    assert status == 0
    assert "The closes of 3 stocks were fetched to price calls\n" in capsys.readouterr().out
    prices = {mention.ticker: mention.price_at_mention for mention in mentions_of_video(video.id)}
    assert prices == {"AAPL": 161.993, "ZZZZ": 647.97}


def test_a_wrong_sample_is_found() -> None:
    channel = a_finished_channel()
    (video,) = videos_of_channel(channel.id)
    put(ReviewSampleItem(channel.id, (f"{video.id} AAPL",)))
    right = found()

    put(ReviewSampleItem(channel.id, (f"{video.id} AAPL", f"{video.id} AAPL")))
    twice = found()
    put(ReviewSampleItem(channel.id, (f"{channel.id} AAPL",)))

    assert right == []
    assert twice == [f"the sample of channel {channel.id} holds a call twice, or more than 20"]
    assert found() == [f"the sample of channel {channel.id} names a video that is not there"]


def test_orphans_are_found() -> None:
    _, (video,) = in_a_run(channel := a_channel(), videos=1)
    remove(keys.channel_key(channel.id))
    remove(keys.guard_key(channel.youtube_channel_id))
    put(a_mention(a_video(channel.id, "gone")))
    put(CallsItem(channel.id, revision=1))
    put(ReviewSampleItem(channel.id))

    sentences = found()

    assert f"video {video.id} belongs to channel {channel.id}, which is not there" in sentences
    assert f"log lines belong to channel {channel.id}, which is not there" in sentences
    assert f"a score belongs to channel {channel.id}, which is not there" in sentences
    assert f"a sample belongs to channel {channel.id}, which is not there" in sentences
    assert any(sentence.startswith("mention") and "which is not there" in sentence for sentence in sentences)


def test_a_missing_and_a_needless_guard_are_found() -> None:
    in_a_run(first := a_channel("first"))
    remove(keys.guard_key("handle:first"))
    stray = {**keys.guard_key("handle:stray"), "channel_id": first.id, "entity": "Guard"}
    dynamodb().put_item(TableName=main_table(), Item=encode(stray))

    assert sorted(found()) == [
        f"YT#handle:stray is held for channel {first.id}, which does not know of it",
        f"channel {first.id} should hold YT#handle:first, which is held by nobody",
    ]


def test_a_doubled_mention_is_found() -> None:
    run_id, (video,) = in_a_run(a_channel(), videos=1)
    commit(run_id, video, "AAPL")
    another = {**a_mention(video, "AAPL").to_item(), **encode({"SK": "MENTION#another", "id": "another"})}
    dynamodb().put_item(TableName=main_table(), Item=another)

    assert f"video {video.id} has more than one mention of AAPL" in found()


def test_a_mention_that_its_video_tells_otherwise_is_found() -> None:
    run_id, (video,) = in_a_run(a_channel(), videos=1)
    commit(run_id, video, "AAPL", "MSFT")
    put(a_mention(video, "MSFT", price_at_mention=5.0))

    assert f"video {video.id} differs from its mentions on MSFT" in found()


def test_calls_that_cannot_be_read_and_what_is_kept_beside_them_are_found() -> None:
    run_id, videos = in_a_run(a_channel(), videos=3)
    damaged, forgetful = (dict(finished(video, run_id).to_item()) for video in videos[:2])
    dynamodb().put_item(TableName=main_table(), Item=damaged | {"calls": {"S": "[[1]]"}})
    del forgetful["tickers"]
    dynamodb().put_item(TableName=main_table(), Item=forgetful | {"unpriced": {"N": "1"}})

    sentences = found()

    assert any(videos[0].id in sentence and "not enough values" in sentence for sentence in sentences)
    assert any(
        videos[1].id in sentence and "tickers, unpriced should be what its calls say" in sentence
        for sentence in sentences
    )


def test_calls_that_a_video_lacks_are_mended_from_its_mentions(capsys: pytest.CaptureFixture[str]) -> None:
    run_id, (video, other) = in_a_run(channel := a_channel(), videos=2)
    commit(run_id, video, "MSFT", "AAPL")
    commit(run_id, other, "KO")
    put(finished(video, run_id, ()))

    status = check.main(["--mend"])

    assert status == 0
    assert capsys.readouterr().out.startswith("1 videos got their calls from their mentions\n")
    assert {stock.ticker for stock in stocks_of_channel(channel.id).stocks} == {"AAPL", "MSFT", "KO"}


def test_the_data_of_a_product_that_is_stopped_is_read_from_its_folder(scored_demo: Path, tmp_path: Path) -> None:
    if not dynoxide_binary().exists():
        cannot_run("only the embedded engine keeps its data")
    copy_data(scored_demo, tmp_path / "data")
    elsewhere = {"DYNAMODB_ENDPOINT": "http://127.0.0.1:9", "DYNAMODB_TABLE_PREFIX": ""}
    command = [sys.executable, "-m", "operations.check", "--data", str(tmp_path / "data")]

    made = subprocess.run(command, cwd=ROOT, env=os.environ | elsewhere, capture_output=True, text=True, check=False)

    assert made.returncode == 0, made.stdout + made.stderr
    assert "3 channels, " in made.stdout


def test_a_start_counts_the_channels_of_older_data(engine: Engine, tables: str, tmp_path: Path) -> None:
    in_a_run(a_channel())
    remove(keys.CHANNEL_COUNTER_KEY)

    with running_server(tmp_path, DYNAMODB_ENDPOINT=engine.endpoint, DYNAMODB_TABLE_PREFIX=tables):
        counter = dynamodb().get_item(TableName=main_table(), Key=encode(keys.CHANNEL_COUNTER_KEY))["Item"]

    assert counter["total"] == {"N": "1"}


def test_mentions_of_a_video_that_was_not_analysed_are_found() -> None:
    run_id, (video,) = in_a_run(a_channel(), videos=1)
    commit(run_id, video, "AAPL")
    put(replace(finished(video, run_id), analysis_status=AnalysisStatus.FAILED))

    assert f"video {video.id} has mentions, but its analysis is failed" in found()


def test_a_status_that_does_not_exist_is_found() -> None:
    in_a_run(channel := a_channel())
    dynamodb().put_item(TableName=main_table(), Item={**channel.to_item(), "status": {"S": "done"}})

    assert any("must be one of pending" in sentence for sentence in found())


def test_of_a_half_deleted_channel_an_attempt_may_be_left_without_its_video() -> None:
    run_id, (video,) = in_a_run(channel := a_channel(), videos=1)
    commit(run_id, video, "AAPL")
    remove(keys.video_key(channel.id, video.id))
    assert any(problem.startswith("attempt belongs to") for problem in found())

    dynamodb().put_item(TableName=main_table(), Item={**channel.to_item(), "deleting": {"BOOL": True}})

    assert not any(problem.startswith("attempt belongs to") for problem in found())


def test_a_half_deleted_channel_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    in_a_run(channel := a_channel())
    dynamodb().put_item(TableName=main_table(), Item={**channel.to_item(), "deleting": {"BOOL": True}})

    assert check.main() == 1
    assert f"channel {channel.id} is half deleted: delete it again" in capsys.readouterr().out


def test_reviews_changes_and_transcripts_to_read_of_a_channel_that_is_gone_are_found() -> None:
    gone = a_channel().id
    video = a_video(gone)
    put(Review(gone, video.id, "AAPL", 1, Sentiment.BUY, "somebody", now(), ReviewOutcome.CONFIRMED))
    put(Change("01HXXXXXXXXXXXXXXXXXXXXXXX", gone, ChangeKind.REVIEWED, "Something changed.", now()))
    put(Unread(gone, video.id, now()))

    sentences = found()

    assert f"review belongs to video {video.id} of channel {gone}, which is not there" in sentences
    assert f"unread belongs to video {video.id} of channel {gone}, which is not there" in sentences
    assert f"changes belong to channel {gone}, which is not there" in sentences


def test_alerts_without_their_channel_video_or_reader_are_found() -> None:
    run_id, (video,) = in_a_run(channel := a_channel(), videos=1)
    commit(run_id, video, "AAPL")
    good, gone = an_alert(channel.id, video_id=video.id), an_alert(a_channel().id)
    empty, lost = replace(good, id="1" * 26, details=()), replace(good, id="2" * 26, video_id="x")
    for entity in (
        *(good, gone, empty, lost),
        Subscription("reader", version=1),
        Watchlist("reader", 1, ("AAPL",)),
        Delivery("reader", good.id, Way.EMAIL, channel.id, good.occurred_at, now()),
        Delivery("nobody", good.id, Way.EMAIL, channel.id, good.occurred_at, now()),
    ):
        put(entity)

    assert sorted(found()) == sorted(
        [
            f"alerts belong to channel {gone.channel_id}, which is not there",
            f"alert {empty.id} has no details",
            f"alert {lost.id} refers to video x, which does not exist",
            f"delivery of alert {good.id} waits for nobody, who wants no alerts",
        ]
    )


def test_people_and_notes_are_known_and_notes_without_their_channel_are_found() -> None:
    create_channel(channel := a_channel(status=ChannelStatus.COMPLETED))
    kept, lost = (Note("0" * 26, each, "AAPL", "Hm", "ann", now(), now()) for each in (channel.id, a_channel().id))
    for entity in (
        *(User("ann", now(), now(), "Ann@example.com"), User("local", now(), now())),
        *(PersonalSettings(user_id="ann", version=1, horizon="6m"), DefaultSettings(version=1, cost_bps=5)),
        *(kept, lost),
    ):
        put(entity)

    assert found() == [f"notes belong to channel {lost.channel_id}, which is not there"]


def test_a_review_of_a_stock_that_is_no_longer_mentioned_is_no_problem() -> None:
    run_id, (video,) = in_a_run(a_channel(), videos=1)
    commit(run_id, video, "AAPL")
    put(Review(video.channel_id, video.id, "TSLA", 1, Sentiment.SELL, "somebody", now(), ReviewOutcome.CORRECTED))

    assert found() == []


def test_a_channel_beside_which_an_import_is_left_is_not_removed_with_it(tables: str) -> None:
    """As a restore of single items may leave it."""
    channel = channel_by_id(a_finished_channel([("2024-03-01", ("AAPL",))]).id)
    assert channel
    put_entities([ChannelImport(channel.id, "somebody", "a file", "2020-01-01T00:00:00.000Z")])

    removed = check.mend_half_imports(check.read_everything())

    assert (removed, channel_by_id(channel.id)) == (0, channel)
    assert found() == [f"channel {channel.id} is there, and so is its item IMPORT, which should be deleted"]


def test_news_whose_copies_differ_are_found(tables: str) -> None:
    item = a_story(tags=["AAPL", "MSFT"])
    put_news(item)
    set_tone(item, NewsSentiment.POSITIVE, 0.8, "v1.0.0", {"MSFT": (NewsSentiment.NEGATIVE, 0.7)})
    assert list(check.problems(check.read_everything())) == []

    later, unread = (a_story(f"https://example.com/{name}") for name in ("later", "unread"))
    put_news(later)
    known = put_or_find(later)
    assert known and add_tags(known, ["KO"]) == ("KO",)
    put_news(unread)
    assert list(check.problems(check.read_everything())) == []
    analysed = replace(item, sentiment=NewsSentiment.POSITIVE, score=0.8, model_version="v1.0.0")
    put_entities(
        [replace(analysed, tag="AAPL", text_snippet="Other."), replace(analysed, source_id="rss#other", tag="KO")]
    )
    put_entities([KnownUrl("gone", "rss#gone"), replace(known, tags=("AAPL", "PEP"))])
    put_entities([replace(unread, tag="AAPL", sentiment=NewsSentiment.NEUTRAL)])

    assert set(check.problems(check.read_everything())) == {
        f"the copy of news {item.source_id} under AAPL differs from the record",
        f"news {item.source_id} has no right copy under AAPL",
        "news rss#other has a copy under KO and no record",
        "the URL of news rss#gone is known, and there is no such news",
        f"the URL of news {later.source_id} has other tags than the record",
        f"the copy of news {unread.source_id} under AAPL and the record differ on whether it was read",
        f"news {unread.source_id} has no right copy under AAPL",
    }


def test_what_is_left_of_expired_news_is_no_problem(tables: str) -> None:
    past = int(time.time()) - 60
    record, other, third = (replace(a_story(f"https://example.com/{n}"), ttl_timestamp=past) for n in range(3))

    put_entities([record, *other.copies(), KnownUrl(third.digest, third.source_id, past)])

    assert found() == []
