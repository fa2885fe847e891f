"""Videos of a channel: all, by page, by id, by YouTube id and by stock, and the prices of their calls."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from functions.record.models.records import Channel, Video
from functions.record.stocks.track_record import newest_first
from functions.record.store import channels, mentions, runs, videos
from functions.record.store.call_prices import Priced, set_prices
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.errors import InvalidValue
from operations import check
from tests.builders import a_channel, a_video, commit, in_a_run
from tests.fakes import everything

pytestmark = pytest.mark.usefixtures("tables")


class _AnyTimestamp(dict[str, str]):
    def __missing__(self, ticker: str) -> str:
        return "2024-06-28T21:00:00.000Z"


AS_OF = _AnyTimestamp()
"""All series were fetched at the same time."""


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


def test_videos_of_one_day_come_in_the_order_of_their_times() -> None:
    channel = a_channel()
    run_id, listed = in_a_run(channel, videos=3)
    morning, evening = "2024-03-01T13:00:00.000Z", "2024-03-02T00:30:00.000Z"
    for video, published_time in zip(listed, (morning, evening, None), strict=True):
        commit(run_id, replace(video, published_time=published_time), "AAPL", published_time=published_time)

    page = videos.newest_videos_with_calls(channel.id, 10, before="2024-03-02")

    assert [video.published_time for video in page.items if video.published_time] == [evening, morning]
    assert page.items == newest_first(videos.videos_of_channel(channel.id))
    assert {call for video in page.items for call in video.calls} == set(mentions.mentions_of_channel(channel.id))


def test_videos_know_what_they_say() -> None:
    channel = a_channel()
    run_id, listed = in_a_run(channel, videos=3)
    commit(run_id, listed[0], "AAPL", "MSFT")
    commit(run_id, listed[1], "MSFT")

    found = videos.videos_of_channel(channel.id)
    page = videos.newest_videos_with_calls(channel.id, 10)

    spoken = {call for video in found for call in video.calls}
    assert spoken == set(mentions.mentions_of_channel(channel.id))
    assert {call for video in page.items for call in video.calls} == spoken
    assert videos.tickers_of_channel(channel.id) == {"AAPL", "MSFT"}
    assert [video.id for video in videos.videos_about(channel.id, "AAPL")] == [listed[0].id]
    assert videos.videos_about(channel.id, "AAP") == []
    assert videos.tickers_of_channel("nobody") == set()


def test_a_video_that_is_processed_again_without_calls_leaves_the_timeline() -> None:
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    commit(run_id, video, "AAPL")
    runs.cancel_run(channel.id, "Cancelled")
    runs.claim_run(channel.id, "next")
    runs.begin_run(channel.id, "next", "Started again")

    commit("next", video)

    assert videos.newest_videos_with_calls(channel.id, 10).items == []


class TestPricing:
    def unpriced(self) -> tuple[Channel, list[Video]]:
        """A channel whose first video has two calls without a price, the second one with a price of nothing."""
        channel = a_channel()
        run_id, listed = in_a_run(channel, videos=3)
        commit(run_id, listed[0], "AAPL", "MSFT", price_at_mention=None)
        commit(run_id, listed[1], "AAPL", price_at_mention=0.0)
        commit(run_id, listed[2], "NVDA", price_at_mention=None)
        return channel, listed

    def test_what_has_no_price_is_counted_and_priced(self) -> None:
        channel, _ = self.unpriced()
        assert videos.count_unpriced_calls(channel.id) == 3

        assert self.price(channel, {"AAPL": 12.34}) == Priced(filled=1, restated=1)
        assert videos.count_unpriced_calls(channel.id) == 2
        assert self.price(channel, {"MSFT": 1.0, "NVDA": 5.0}) == Priced(filled=2)
        assert videos.count_unpriced_calls(channel.id) == 0

    def test_a_price_that_turned_out_wrong_is_taken_away(self) -> None:
        channel, _ = self.unpriced()

        assert self.price(channel, {"AAPL": None}) == Priced(restated=1)

        assert videos.count_unpriced_calls(channel.id) == 4
        assert {each.price_at_mention for each in mentions.mentions_of_channel(channel.id)} == {None}
        assert list(check.problems(check.read_everything())) == []

    def test_the_mention_and_the_copy_of_its_video_get_the_price(self) -> None:
        channel, (video, _, _) = self.unpriced()

        self.price(channel, {"AAPL": 12.34, "MSFT": 0.1 + 0.2})

        priced = videos.video_by_id(channel.id, video.id, consistent=True)
        assert priced is not None
        assert [call.price_at_mention for call in priced.calls] == [12.34, 0.1 + 0.2]
        assert priced.calls[0].context_snippet == "I am buying AAPL here."
        of_video = mentions.mentions_of_video(video.id, consistent=True)
        assert sorted(of_video, key=lambda mention: mention.ticker) == list(priced.calls)
        assert list(check.problems(check.read_everything())) == []

    def test_twenty_who_price_the_same_calls_at_once_price_each_once(self) -> None:
        channel, _ = self.unpriced()

        with ThreadPoolExecutor(20) as threads:
            priced = list(threads.map(lambda _: self.price(channel, {"AAPL": 1.0, "MSFT": 2.0}), range(20)))

        assert (sum(each.filled for each in priced), sum(each.restated for each in priced)) == (2, 1)
        assert videos.count_unpriced_calls(channel.id) == 1
        assert list(check.problems(check.read_everything())) == []

    def test_calls_that_are_not_written_as_we_write_them_are_given_up_after_a_while(self) -> None:
        channel, (video, _, _) = self.unpriced()
        stored = videos.video_by_id(channel.id, video.id)
        assert stored
        text = str(stored.call_attributes()["calls"]).replace(",", ", ")
        dynamodb().put_item(TableName=main_table(), Item={**stored.to_item(), "calls": {"S": text}})

        assert self.price(channel, {"MSFT": 12.34}) == Priced()

    def test_what_is_gone_gets_no_price(self) -> None:
        channel, _ = self.unpriced()
        before = videos.videos_of_channel(channel.id)
        channels.delete_channel(channel.id)
        after_delete = everything()

        prices = {"AAPL": 1.0, "NVDA": 1.0}
        assert set_prices(channel.id, before, lambda _: prices, AS_OF) == Priced()

        assert everything() == after_delete

    def test_many_videos_are_priced_in_few_transactions(self, requests_made: Counter[str]) -> None:
        channel = a_channel()
        run_id, listed = in_a_run(channel, videos=60)
        for video in listed:
            commit(run_id, video, "AAPL", price_at_mention=None)
        requests_made.clear()

        assert self.price(channel, {"AAPL": 12.34}) == Priced(filled=60)

        assert requests_made["TransactWriteItems"] == 3

    def test_a_video_with_as_many_calls_as_one_can_have_is_priced(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        tickers = [f"T{number}" for number in range(MAX_MENTIONS_PER_VIDEO)]
        commit(run_id, video, *tickers, price_at_mention=None)

        filled = self.price(channel, dict.fromkeys(tickers, 1.0))
        restated = self.price(channel, dict.fromkeys(tickers, 2.0))

        assert (filled, restated) == (Priced(filled=len(tickers)), Priced(restated=len(tickers)))
        assert list(check.problems(check.read_everything())) == []

    @pytest.mark.parametrize("price", [float("nan"), float("inf"), "12"])
    def test_a_price_that_is_no_number_is_refused(self, price: float) -> None:
        channel, _ = self.unpriced()
        before = everything()

        with pytest.raises(InvalidValue, match="price_at_mention must be a finite number"):
            self.price(channel, dict.fromkeys(("AAPL", "NVDA"), price))

        assert everything() == before

    def price(self, channel: Channel, prices: dict[str, float | None]) -> Priced:
        return set_prices(channel.id, videos.videos_of_channel(channel.id, consistent=True), lambda _: prices, AS_OF)
