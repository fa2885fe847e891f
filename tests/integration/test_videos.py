"""Videos of a channel: all, by page, by id and by YouTube id."""

import pytest

from functions.core.models import LogLevel
from functions.store import mentions, runs, videos
from tests.builders import a_channel, a_mention, a_video, commit, finished, in_a_run

pytestmark = pytest.mark.usefixtures("tables")


def test_the_videos_of_a_channel_are_found_without_those_of_another() -> None:
    _, listed = in_a_run(a_channel(), videos=5)
    in_a_run(a_channel(), videos=3)

    found = videos.videos_of_channel(listed[0].channel_id)

    assert sorted(found, key=lambda video: video.youtube_video_id) == listed
    assert videos.videos_of_channel(listed[0].channel_id, consistent=True) == found


def test_a_channel_without_videos_has_none() -> None:
    assert videos.videos_of_channel("nobody") == []


def test_a_video_is_found_by_its_id_within_its_channel() -> None:
    _, (video,) = in_a_run(a_channel(), videos=1)

    assert videos.video_by_id(video.channel_id, video.id) == video
    assert videos.video_by_id(video.channel_id, video.id, consistent=True) == video
    assert videos.video_by_id(video.channel_id, "unknown") is None
    assert videos.video_by_id("another", video.id) is None


def test_many_videos_are_found_by_id_and_unknown_ones_are_left_out() -> None:
    _, listed = in_a_run(a_channel(), videos=130)
    channel_id = listed[0].channel_id

    found = videos.videos_by_id(channel_id, [*(video.id for video in listed), "unknown", listed[0].id])

    assert found == {video.id: video for video in listed}
    assert videos.videos_by_id(channel_id, []) == {}


def test_a_video_is_found_by_its_youtube_id() -> None:
    channel = a_channel()
    run_id, _ = in_a_run(channel)
    video = a_video(channel.id, "dQw4w9WgXcQ", title="A whole video, not its keys alone")
    runs.add_videos(channel.id, run_id, [video])

    assert videos.video_by_youtube_id("dQw4w9WgXcQ") == video
    assert videos.video_by_youtube_id("dqw4w9wgxcq") is None


def test_videos_with_calls_come_newest_first_by_page_and_the_others_not_at_all() -> None:
    channel = a_channel()
    run_id, _ = in_a_run(channel)
    days = ["2024-02-28", "2024-03-01", "2024-02-29", "2023-12-31", "2024-03-01", "2024-01-15", "2024-03-02"]
    listed = [a_video(channel.id, f"video{n:06d}", published_at=day) for n, day in enumerate(days)]
    runs.add_videos(channel.id, run_id, listed)
    for video in listed[:-1]:
        commit(run_id, video, "AAPL")
    commit(run_id, listed[-1])

    first = videos.newest_videos_with_calls(channel.id, 4)
    second = videos.newest_videos_with_calls(channel.id, 4, first.next_key)

    found = [*first.items, *second.items]
    assert [video.published_at for video in found] == sorted(days[:-1], reverse=True)
    assert {video.id for video in found} == {video.id for video in listed[:-1]}
    assert second.next_key is None


def test_a_page_of_videos_finds_its_mentions_by_key() -> None:
    channel = a_channel()
    run_id, listed = in_a_run(channel, videos=30)
    tickers = ["AAPL", "MSFT", "NVDA", "KO"]
    written = [a_mention(video, ticker) for video in listed for ticker in tickers]
    for video in listed:
        own = [mention for mention in written if mention.video_id == video.id]
        runs.commit_video(run_id, finished(video, run_id, tuple(tickers)), own, LogLevel.INFO, "Done")
    page = videos.newest_videos_with_calls(channel.id, 30)

    found = mentions.mentions_of_videos(page.items)

    assert sorted(found, key=lambda mention: mention.id) == sorted(written, key=lambda mention: mention.id)
    assert mentions.mentions_of_videos([]) == []


def test_a_video_that_is_processed_again_without_calls_leaves_the_timeline() -> None:
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    commit(run_id, video, "AAPL")
    runs.cancel_run(channel.id, "Cancelled")
    runs.claim_run(channel.id, "next")
    runs.begin_run(channel.id, "next", "Started again")

    commit("next", video)

    assert videos.newest_videos_with_calls(channel.id, 10).items == []
