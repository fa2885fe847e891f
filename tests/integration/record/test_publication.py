"""The date of a video: its time, its day in New York, and what happens when YouTube moves it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from functions.reading.listings import all_listings
from functions.record.errors import RunEnded
from functions.record.models.records import Video
from functions.record.pipeline import finish_run, list_videos, process_video
from functions.record.runs.publication import day_and_time, redated
from functions.record.sources.protocols import VideoInfo
from functions.record.store import runs
from functions.record.store.channels import create_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.mentions import mentions_of_ticker
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO
from functions.record.store.videos import newest_videos_with_calls, videos_of_channel
from functions.runtime import ids
from functions.runtime.dynamodb.connection import dynamodb, main_table
from operations import check
from tests.builders import a_channel
from tests.fakes import TODAY, ImmediateDispatcher, World

ANNOUNCED = VideoInfo("live0000000", "Live: my picks", date(2024, 6, 20), datetime(2024, 6, 20, 14, 0, tzinfo=UTC))
HELD = replace(ANNOUNCED, published_at=date(2024, 6, 24), published_time=datetime(2024, 6, 25, 0, 30, tzinfo=UTC))


@pytest.fixture
def world(tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    ImmediateDispatcher().install(monkeypatch)
    return World().install(monkeypatch)


@pytest.fixture
def channel_id(tables: str) -> Iterator[str]:
    channel = a_channel()
    create_channel(channel)
    yield channel.id
    assert list(check.problems(check.read_everything())) == []


def new_run(channel_id: str) -> dict[str, str]:
    run_id = ids.new_run_id()
    runs.claim_run(channel_id, run_id)
    return {"channel_id": channel_id, "run_id": run_id}


def whole_run(channel_id: str) -> None:
    run = new_run(channel_id)
    for video_id in list_videos.handler(run, None)["video_ids"]:
        process_video.handler({**run, "video_id": video_id}, None)
    finish_run.handler(run, None)


def the_video(channel_id: str) -> Video:
    (video,) = videos_of_channel(channel_id, consistent=True)
    return video


def lines_about_dates(channel_id: str) -> list[str]:
    return [line.message for line in logs_of_channel(channel_id, consistent=True) if "its date" in line.message]


def test_a_video_and_its_mentions_keep_the_time_beside_the_day(world: World, channel_id: str) -> None:
    world.videos.listed = [HELD]

    whole_run(channel_id)

    video = the_video(channel_id)
    assert (video.published_at, video.published_time) == ("2024-06-24", "2024-06-25T00:30:00.000Z")
    assert mentions_of_ticker("AAPL") == list(video.calls)
    assert video.calls[0].published_time == "2024-06-25T00:30:00.000Z"


def test_a_livestream_that_was_read_gets_its_new_date_with_its_mentions(world: World, channel_id: str) -> None:
    world.videos.listed = [ANNOUNCED]
    world.transcripts.default = "AAPL buy, TSLA sell"
    whole_run(channel_id)
    world.videos.listed = [HELD]

    whole_run(channel_id)

    video = the_video(channel_id)
    assert (video.published_at, video.published_time) == ("2024-06-24", "2024-06-25T00:30:00.000Z")
    assert {(call.published_at, call.published_time) for call in video.calls} == {day_and_time(HELD)}
    assert [*mentions_of_ticker("AAPL"), *mentions_of_ticker("TSLA")] == list(video.calls)
    assert newest_videos_with_calls(channel_id, 5, before="2024-06-24").items == []
    assert newest_videos_with_calls(channel_id, 5, before="2024-06-25").items == [video]
    assert lines_about_dates(channel_id) == [
        "“Live: my picks”: its date changed from 2024-06-20 10:00 (New York) to 2024-06-24 20:30 (New York)."
    ]


def test_a_price_of_another_date_is_not_kept_and_one_of_the_same_day_is(world: World, channel_id: str) -> None:
    world.videos.listed = [ANNOUNCED, replace(ANNOUNCED, youtube_video_id="exact000000", published_time=None)]
    whole_run(channel_id)
    world.videos.listed = [HELD, replace(ANNOUNCED, youtube_video_id="exact000000")]

    list_videos.handler(new_run(channel_id), None)

    exact, moved = sorted(videos_of_channel(channel_id, consistent=True), key=lambda video: video.youtube_video_id)
    assert (exact.calls[0].price_at_mention, moved.calls[0].price_at_mention) == (100.0, None)
    assert set(mentions_of_ticker("AAPL")) == {*exact.calls, *moved.calls}


def test_a_premiere_that_waits_for_its_transcript_gets_its_new_date(world: World, channel_id: str) -> None:
    world.videos.listed = [ANNOUNCED]
    world.transcripts.texts = {ANNOUNCED.youtube_video_id: None}
    whole_run(channel_id)
    world.videos.listed, world.transcripts.texts = [HELD], {}

    whole_run(channel_id)

    video = the_video(channel_id)
    assert (video.published_at, video.tickers) == ("2024-06-24", ("AAPL",))
    assert video.calls[0].published_time == "2024-06-25T00:30:00.000Z"
    assert len(lines_about_dates(channel_id)) == 1


def test_a_date_that_only_becomes_more_exact_is_stored_without_a_line(world: World, channel_id: str) -> None:
    world.videos.listed = [replace(HELD, published_time=None)]
    whole_run(channel_id)
    world.videos.listed = [HELD]

    whole_run(channel_id)

    assert the_video(channel_id).published_time == "2024-06-25T00:30:00.000Z"
    assert lines_about_dates(channel_id) == []


def test_a_day_that_was_utcs_becomes_new_yorks(world: World, channel_id: str) -> None:
    world.videos.listed = [replace(HELD, published_at=date(2024, 6, 25), published_time=None)]
    whole_run(channel_id)
    world.videos.listed = [HELD]

    whole_run(channel_id)

    assert the_video(channel_id).published_at == "2024-06-24"
    assert lines_about_dates(channel_id) == [
        "“Live: my picks”: its date changed from 2024-06-25 to 2024-06-24 20:30 (New York)."
    ]


def test_a_listing_without_the_time_takes_none_away_unless_the_day_changed(world: World, channel_id: str) -> None:
    world.videos.listed = [HELD]
    whole_run(channel_id)
    world.videos.listed = [replace(HELD, published_time=None)]
    whole_run(channel_id)
    assert the_video(channel_id).published_time == "2024-06-25T00:30:00.000Z"
    world.videos.listed = [replace(HELD, published_at=TODAY, published_time=None)]

    whole_run(channel_id)

    video = the_video(channel_id)
    assert (video.published_at, video.published_time) == (TODAY.isoformat(), None)
    assert mentions_of_ticker("AAPL") == list(video.calls)


def test_listing_twice_moves_a_video_once(world: World, channel_id: str) -> None:
    world.videos.listed = [ANNOUNCED]
    whole_run(channel_id)
    world.videos.listed = [HELD]
    run = new_run(channel_id)
    list_videos.handler(run, None)

    list_videos.handler(run, None)

    assert len(lines_about_dates(channel_id)) == 1


def test_a_run_that_is_over_moves_nothing(world: World, channel_id: str) -> None:
    world.videos.listed = [ANNOUNCED]
    whole_run(channel_id)
    run = new_run(channel_id)
    list_videos.handler(run, None)
    video = the_video(channel_id)
    moved = redated(video, {video.id: HELD})
    runs.cancel_run(channel_id, "Cancelled")

    with pytest.raises(RunEnded):
        runs.redate_video(run["run_id"], video, moved or video, "moved")

    assert the_video(channel_id) == video


def test_a_video_that_was_read_again_meanwhile_is_left_to_the_next_run(world: World, channel_id: str) -> None:
    world.videos.listed = [ANNOUNCED]
    whole_run(channel_id)
    seen = the_video(channel_id)
    run = new_run(channel_id)
    list_videos.handler(run, None)
    _drop_mentions(seen)

    moved = redated(seen, {seen.id: HELD})
    runs.redate_video(run["run_id"], seen, moved or seen, "moved")

    assert the_video(channel_id) == replace(seen, calls=())


def test_a_video_of_as_many_mentions_as_one_transaction_holds_is_moved(world: World, channel_id: str) -> None:
    world.videos.listed = [ANNOUNCED]
    tickers = list(all_listings())[:MAX_MENTIONS_PER_VIDEO]
    world.transcripts.default = ", ".join(f"{ticker} buy" for ticker in tickers)
    whole_run(channel_id)
    world.videos.listed = [HELD]

    whole_run(channel_id)

    video = the_video(channel_id)
    assert len(video.calls) == MAX_MENTIONS_PER_VIDEO
    assert {call.published_at for call in video.calls} == {"2024-06-24"}


def _drop_mentions(video: Video) -> None:
    client = dynamodb()
    client.put_item(TableName=main_table(), Item=replace(video, calls=()).to_item())
    for call in video.calls:
        key = {name: {"S": call.keys()[name]} for name in ("PK", "SK")}
        client.delete_item(TableName=main_table(), Key=key)
