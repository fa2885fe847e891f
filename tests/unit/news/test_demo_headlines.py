"""The demo's headlines fit its stocks, its years and its channels."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from functions.news.sources.demo_headlines import demo_headlines
from functions.news.tone import read_tone
from functions.record.models.tones import NewsSentiment
from functions.record.sources.demo import channels as demo
from functions.record.sources.demo.prices import DemoPrices

DATA = Path(demo.__file__)
TICKERS = set(DATA.with_name("prices.csv").read_text(encoding="utf-8").split("\n", 1)[0].split(",")[1:]) - {"^GSPC"}
FIRST_DAY = date(2020, 1, 1)
FIVE_DAYS = timedelta(days=5)
SIDES = {"buy": NewsSentiment.POSITIVE, "sell": NewsSentiment.NEGATIVE}


def calls_of(handle: str) -> Iterator[tuple[datetime, str, NewsSentiment]]:
    """When it was made, the ticker, and the tone of headlines that would have led to it."""
    channels = json.loads(DATA.with_name("channels.json").read_text(encoding="utf-8"))
    for video in next(channel for channel in channels if channel["handle"] == handle)["videos"]:
        for call in video["calls"]:
            if call["sentiment"] in SIDES:
                yield datetime.fromisoformat(video["published_time"]), call["ticker"], SIDES[call["sentiment"]]


def test_headlines_are_dated_tagged_and_told_apart() -> None:
    headlines = demo_headlines()

    assert 300 <= len(headlines) <= 400
    assert len({headline.url for headline in headlines}) == len(headlines)
    assert all(headline.url.startswith("https://news.example/") for headline in headlines)
    assert all(1 <= len(headline.tags) == len(set(headline.tags)) <= 5 for headline in headlines)
    assert all(headline.published_at.tzinfo == UTC for headline in headlines)
    assert all(FIRST_DAY <= headline.published_at.date() <= DemoPrices().today() for headline in headlines)
    assert all(before.published_at <= after.published_at for before, after in pairwise(headlines))
    assert {headline.source_name.split()[0] for headline in headlines} == {"Demo"}
    assert all(10 < len(headline.title) < 120 and headline.text.endswith(".") for headline in headlines)


def test_every_stock_of_the_demo_has_headlines_and_no_other_stock() -> None:
    counts = Counter(tag for headline in demo_headlines() for tag in headline.tags)

    assert set(counts) == TICKERS
    assert min(counts.values()) >= 8
    assert any(len(headline.tags) > 1 for headline in demo_headlines())


def test_the_momentum_trader_follows_the_news_and_the_value_investor_does_not() -> None:
    read = [
        (headline.published_at, tag, read_tone(headline.title, tag).sentiment)
        for headline in demo_headlines()
        for tag in headline.tags
    ]

    def share_that_follow(handle: str) -> float:
        calls = list(calls_of(handle))
        leading = [
            sum(at - FIVE_DAYS <= published < at and (tag, tone) == (ticker, side) for published, tag, tone in read)
            for at, ticker, side in calls
        ]
        return sum(count >= 2 for count in leading) / len(calls)

    assert share_that_follow("DemoMomentumTrader") > 0.5
    assert 0 < share_that_follow("DemoValueInvestor") < 0.2


def test_moves_that_headlines_tell_of_agree_with_the_prices() -> None:
    moves = {"surges": 1, "soars": 1, "jumps": 1, "climbs": 1, "plunges": -1, "tumbles": -1, "sinks": -1, "slumps": -1}
    told = [
        (headline, sign)
        for headline in demo_headlines()
        for verb, sign in moves.items()
        if f" {verb} " in headline.title and f"profit {verb}" not in headline.title
    ]

    def agrees(ticker: str, published: date, sign: int) -> bool:
        """On the day, or on the day after it for what came out in the evening."""
        closes = DemoPrices().history(ticker, published - timedelta(days=7), published + timedelta(days=4)).closes
        before = [close.close for close in closes if close.day < published][-1]
        after = [close.close for close in closes if close.day >= published][:2]
        return any(sign * (close - before) > 0 for close in after)

    assert len(told) > 50
    assert [
        headline.title
        for headline, sign in told
        if not any(agrees(tag, headline.published_at.date(), sign) for tag in headline.tags)
    ] == []
