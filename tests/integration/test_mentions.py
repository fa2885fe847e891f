"""Stock mentions: of a video, of a channel, of a ticker, and those without a price."""

from collections import Counter
from dataclasses import replace

import pytest

from functions.core.errors import InvalidValue
from functions.core.models import Channel, Sentiment, Video
from functions.store import channels, mentions, stocks, videos
from functions.store.entities import put_entities
from tests.builders import a_channel, a_mention, a_video, commit, in_a_run

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


def test_without_context_everything_but_the_words_and_their_score_is_read() -> None:
    channel, _ = two_videos()

    lean = mentions.mentions_of_channel(channel.id, with_context=False)

    whole = mentions.mentions_of_channel(channel.id)
    assert lean == [replace(mention, context_snippet=None, confidence_score=None) for mention in whole]
    assert all(mention.price_at_mention == 101.25 for mention in lean)


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


def test_mentions_without_a_price_are_counted_listed_and_priced() -> None:
    channel = a_channel()
    run_id, listed = in_a_run(channel, videos=3)
    commit(run_id, listed[0], "AAPL", "MSFT", price_at_mention=None)
    commit(run_id, listed[1], "AAPL", price_at_mention=0.0)
    commit(run_id, listed[2], "NVDA", price_at_mention=None)

    unpriced = mentions.unpriced_mentions(channel.id)

    assert sorted(mention.ticker for mention in unpriced) == ["AAPL", "MSFT", "NVDA"]
    assert mentions.count_unpriced_mentions(channel.id) == 3
    assert mentions.set_mention_price(unpriced[0], 12.34)
    assert mentions.count_unpriced_mentions(channel.id) == 2
    (priced,) = mentions.mentions_of_video(unpriced[0].video_id, ticker=unpriced[0].ticker)
    assert priced.price_at_mention == 12.34
    assert priced.context_snippet == f"I am buying {priced.ticker} here."


def test_a_price_for_a_mention_that_is_gone_writes_nothing() -> None:
    channel, (video, _) = two_videos()
    mention = a_mention(video, "AAPL")
    channels.delete_channel(channel.id)

    assert not mentions.set_mention_price(mention, 12.34)

    assert mentions.mentions_of_video(video.id, consistent=True) == []


@pytest.mark.parametrize("price", [float("nan"), float("inf"), "12"])
def test_a_price_that_is_no_number_is_refused(price: float) -> None:
    _, (video, _) = two_videos()
    before = mentions.mentions_of_video(video.id)

    with pytest.raises(InvalidValue, match="price_at_mention must be a finite number"):
        mentions.set_mention_price(before[0], price)

    assert mentions.mentions_of_video(video.id) == before


class TestRequests:
    """The number of requests must not grow with the number of videos, only with the bytes."""

    @pytest.fixture
    def two_sizes(self) -> list[Channel]:
        sizes = [a_channel("ten"), a_channel("threehundred")]
        for channel, count in zip(sizes, (10, 300), strict=True):
            listed = [a_video(channel.id, f"video{number:06d}", tickers=("AAPL",)) for number in range(count)]
            put_entities([channel, *listed, *map(a_mention, listed)])
        return sizes

    def test_the_stocks_of_a_channel(self, two_sizes: list[Channel], requests_made: Counter[str]) -> None:
        made = []
        for channel in two_sizes:
            requests_made.clear()
            found = mentions.mentions_of_channel(channel.id, with_context=False)
            first_of_each = {mention.ticker: mention for mention in reversed(found)}
            stocks.stocks_by_ticker(first_of_each)
            videos.videos_by_id(channel.id, {mention.video_id for mention in first_of_each.values()})
            made.append(Counter(requests_made))

        assert made == [{"Query": 1, "BatchGetItem": 2}] * 2

    def test_the_timeline(self, two_sizes: list[Channel], requests_made: Counter[str]) -> None:
        made = []
        for channel in two_sizes:
            requests_made.clear()
            videos.videos_of_channel(channel.id)
            mentions.mentions_of_channel(channel.id)
            made.append(Counter(requests_made))

        assert made == [{"Query": 2}] * 2

    def test_a_page_of_the_timeline(self, two_sizes: list[Channel], requests_made: Counter[str]) -> None:
        made = []
        for channel in two_sizes:
            requests_made.clear()
            page = videos.newest_videos_with_calls(channel.id, 9)
            mentions.mentions_of_videos(page.items)
            made.append(Counter(requests_made))

        assert made == [{"Query": 2, "BatchGetItem": 1}] * 2

    def test_the_drill_down(self, two_sizes: list[Channel], requests_made: Counter[str]) -> None:
        made = []
        for channel in two_sizes:
            requests_made.clear()
            mentions.mentions_of_channel(channel.id, ticker="AAPL")
            videos.videos_of_channel(channel.id)
            made.append(Counter(requests_made))

        assert made == [{"Query": 2}] * 2

    def test_counting_what_has_no_price(self, two_sizes: list[Channel], requests_made: Counter[str]) -> None:
        made = []
        for channel in two_sizes:
            requests_made.clear()
            mentions.count_unpriced_mentions(channel.id)
            made.append(Counter(requests_made))

        assert made == [{"Query": 1}] * 2
