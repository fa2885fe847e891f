"""Stock mentions: of a video, of a channel, of a ticker; and how many requests the questions about them make."""

from collections import Counter
from collections.abc import Callable

import pytest

from functions.reading.terms import Sentiment
from functions.record.models.records import Channel, Video
from functions.record.prices import refresh as price_keeping
from functions.record.stocks import track_record
from functions.record.store import mentions
from local.entities import put_entities
from tests.builders import a_channel, a_video, commit, finished, in_a_run

Question = Callable[[str], object]

pytestmark = pytest.mark.usefixtures("tables")


def two_videos(name: str | None = None) -> tuple[Channel, list[Video]]:
    """A channel with a video of AAPL and MSFT, and one of AAPL alone."""
    channel = a_channel(name)
    run_id, listed = in_a_run(channel, videos=2)
    commit(run_id, listed[0], "AAPL", "MSFT")
    commit(run_id, listed[1], "AAPL")
    return channel, listed


def test_the_mentions_of_a_video_are_found_all_or_of_one_ticker() -> None:
    _, (video, _) = two_videos()

    assert sorted(mention.ticker for mention in mentions.mentions_of_video(video.id)) == ["AAPL", "MSFT"]
    (only,) = mentions.mentions_of_video(video.id, ticker="MSFT", consistent=True)
    assert (only.ticker, only.video_id, only.sentiment) == ("MSFT", video.id, Sentiment.BUY)
    assert mentions.mentions_of_video(video.id, ticker="NVDA") == []
    assert mentions.mentions_of_video("unknown") == []


def test_the_mentions_of_a_whole_channel_are_found_all_or_of_one_ticker() -> None:
    channel, listed = two_videos()
    two_videos()

    everything = mentions.mentions_of_channel(channel.id)
    of_apple = mentions.mentions_of_channel(channel.id, ticker="AAPL")

    assert Counter(mention.ticker for mention in everything) == {"AAPL": 2, "MSFT": 1}
    assert {mention.video_id for mention in of_apple} == {video.id for video in listed}
    assert {mention.ticker for mention in of_apple} == {"AAPL"}
    assert mentions.mentions_of_channel(channel.id, ticker="NVDA") == []
    assert mentions.mentions_of_channel("nobody") == []


def test_the_mentions_of_a_ticker_are_found_in_every_channel_oldest_first() -> None:
    channel = a_channel()
    run_id, (late, early) = in_a_run(channel, videos=2)
    commit(run_id, late, "AAPL", "MSFT", published_at="2024-03-02")
    commit(run_id, early, "AAPL", published_at="2023-01-01")
    other, _ = two_videos()

    found = mentions.mentions_of_ticker("AAPL")

    assert [mention.published_at for mention in found] == ["2023-01-01", "2024-03-01", "2024-03-01", "2024-03-02"]
    assert {mention.channel_id for mention in found} == {channel.id, other.id}
    assert mentions.mentions_of_ticker("NVDA") == []


class TestRequests:
    """The number of requests must not grow with the number of videos, only with the bytes."""

    @pytest.fixture
    def made(self, requests_made: Counter[str]) -> Callable[[Question], Counter[str]]:
        """The requests that a question makes: as many for a channel of ten videos as for one of three hundred."""
        sizes = [a_channel("ten"), a_channel("threehundred")]
        for channel, count in zip(sizes, (10, 300), strict=True):
            listed = [finished(a_video(channel.id, f"video{number:06d}"), "run") for number in range(count)]
            put_entities([channel, *listed, *(call for video in listed for call in video.calls)])

        def count_requests(question: Question) -> Counter[str]:
            counts = []
            for channel in sizes:
                requests_made.clear()
                question(channel.id)
                counts.append(Counter(requests_made))
            assert counts[0] == counts[1]
            return counts[0]

        return count_requests

    def test_the_stocks_of_a_channel(self, made: Callable[[Question], Counter[str]]) -> None:
        """During a run; at rest they are kept."""
        assert made(track_record.stocks_of_channel) == {"GetItem": 2, "Query": 1, "BatchGetItem": 1}

    def test_the_timeline(self, made: Callable[[Question], Counter[str]]) -> None:
        assert made(track_record.timeline_of_channel) == {"GetItem": 1, "Query": 1}

    def test_a_page_of_the_timeline(self, made: Callable[[Question], Counter[str]]) -> None:
        assert made(lambda channel_id: track_record.timeline_after(channel_id, None, 9)) == {"GetItem": 1, "Query": 2}

    def test_the_drill_down(self, made: Callable[[Question], Counter[str]]) -> None:
        assert made(lambda channel_id: track_record.mentions_of_stock(channel_id, "AAPL")) == {"GetItem": 1, "Query": 1}

    def test_counting_what_has_no_price(self, made: Callable[[Question], Counter[str]]) -> None:
        assert made(price_keeping.request_backfill) == {"GetItem": 1, "Query": 1}

    def test_every_mention_as_an_item(self, made: Callable[[Question], Counter[str]]) -> None:
        assert made(mentions.mentions_of_channel) == {"Query": 1}
