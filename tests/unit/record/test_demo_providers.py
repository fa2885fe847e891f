"""The demo runs like the outside world: channels resolve, videos come newest first, prices are those of the source."""

import json
import re
import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator
from datetime import date, time
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from functions.reading.analyst import Speech
from functions.reading.models.recorded import RecordedAnalyst
from functions.reading.policy import calls_of
from functions.reading.rules import RulesAnalyst
from functions.reading.statements import Speaker
from functions.reading.terms import Sentiment
from functions.record.sources.demo import DemoPrices, DemoTranscripts, DemoVideos
from functions.record.sources.protocols import DailyClose
from functions.runtime.new_york import NEW_YORK
from functions.runtime.provider_errors import NotFound

DATA = Path(__file__).parents[3] / "functions" / "record" / "sources" / "demo" / "channels.json"
CHANNELS: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))
HANDLES = ["DemoValueInvestor", "DemoMomentumTrader", "DemoMarketTalk"]
LAST_DAY = date(2022, 12, 28)
LONG_AGO = date(2000, 1, 1)
SIDES = {"buy": 1, "sell": -1}

each_channel = pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: str(channel["handle"]))


def transcribed_videos() -> Iterator[dict[str, Any]]:
    return (video for channel in CHANNELS for video in channel["videos"] if video["transcript"])


def demo_closes(ticker: str, start: date, end: date) -> tuple[DailyClose, ...]:
    try:
        return DemoPrices().history(ticker, start, end).closes
    except NotFound:
        return ()


def excesses(handle: str) -> list[float]:
    """Each call's return beyond the index over the 63 sessions from its first close, signed by its side."""
    channel = next(channel for channel in CHANNELS if channel["handle"] == handle)
    index = demo_closes("^GSPC", LONG_AGO, LAST_DAY)
    found = []
    for video in channel["videos"]:
        entry = sum(close.day <= date.fromisoformat(video["published_at"]) for close in index)
        for call in video["calls"]:
            stock = demo_closes(call["ticker"], LONG_AGO, LAST_DAY)
            if call["sentiment"] in SIDES and stock and entry + 63 < len(index):
                changes = [closes[entry + 63].close / closes[entry].close for closes in (stock, index)]
                found.append(SIDES[call["sentiment"]] * (changes[0] - changes[1]))
    return found


@pytest.mark.parametrize("handle", HANDLES)
@pytest.mark.parametrize("spell", [str, str.lower, str.upper])
def test_a_handle_resolves_however_it_is_spelled(handle: str, spell: Any) -> None:
    found = DemoVideos().resolve(f"handle:{spell(handle)}")

    assert found.youtube_channel_id == f"UC{handle}".ljust(24, "0")
    assert found.title.endswith("(demo)")


@each_channel
def test_a_channel_resolves_by_its_youtube_id(channel: dict[str, Any]) -> None:
    videos = DemoVideos()

    by_id = videos.resolve(f"channel_id:{channel['youtube_channel_id']}")

    assert re.fullmatch(r"UC[\w-]{22}", by_id.youtube_channel_id)
    assert by_id == videos.resolve(f"handle:{channel['handle']}")


@pytest.mark.parametrize(
    "identifier", ["handle:someone", "channel_id:UC1234567890123456789012", "custom:x", "user:x", ""]
)
def test_any_other_channel_is_refused_with_the_demo_urls_and_the_settings_for_real_ones(identifier: str) -> None:
    with pytest.raises(NotFound) as refusal:
        DemoVideos().resolve(identifier)

    message = str(refusal.value)
    assert all(f"https://www.youtube.com/@{handle}" in message for handle in HANDLES)
    assert "demo" in message
    assert "PROVIDERS=live" in message
    assert "YOUTUBE_API_KEY" in message


def test_videos_of_an_unknown_channel_are_refused_at_once() -> None:
    with pytest.raises(NotFound, match="PROVIDERS=live"):
        DemoVideos().published_since("UC1234567890123456789012", LONG_AGO)


@each_channel
def test_videos_come_newest_first_and_from_the_requested_day_on(channel: dict[str, Any]) -> None:
    since = date.fromisoformat(channel["videos"][10]["published_at"])

    listed = list(DemoVideos().published_since(channel["youtube_channel_id"], since))

    assert all(newer.published_at > older.published_at for newer, older in pairwise(listed))
    assert listed[-1].published_at == since


def test_the_day_of_each_video_is_its_day_in_new_york_and_some_videos_come_before_the_open_or_the_close() -> None:
    videos = [
        video
        for channel in CHANNELS
        for video in DemoVideos().published_since(channel["youtube_channel_id"], LONG_AGO)
        if video.published_time
    ]
    published = [video.published_time.astimezone(NEW_YORK) for video in videos if video.published_time]
    on_weekdays = [at.time() for at in published if at.weekday() < 5]

    assert len(videos) == sum(len(channel["videos"]) for channel in CHANNELS)
    assert [at.date() for at in published] == [video.published_at for video in videos]
    assert sum(at < time(9, 30) for at in on_weekdays) >= 5
    assert sum(time(9, 30) <= at < time(16) for at in on_weekdays) >= 5
    assert sum(at >= time(16) for at in on_weekdays) > len(on_weekdays) / 2


@each_channel
def test_longer_time_ranges_hold_more_videos(channel: dict[str, Any]) -> None:
    starts = [date(2022, 6, 28), date(2021, 12, 28), date(2020, 12, 28), date(2019, 12, 28)]

    counts = [len(list(DemoVideos().published_since(channel["youtube_channel_id"], start))) for start in starts]

    assert counts[0] > 0
    assert all(shorter < longer for shorter, longer in pairwise(counts))
    assert counts[-1] == len(channel["videos"])
    assert counts[-1] >= 36


@each_channel
def test_no_video_is_newer_than_the_demos_today(channel: dict[str, Any]) -> None:
    newest = next(DemoVideos().published_since(channel["youtube_channel_id"], LONG_AGO))

    assert newest.published_at <= DemoPrices().today()


def test_video_ids_look_like_youtubes_and_are_unique() -> None:
    ids = [
        video.youtube_video_id
        for channel in CHANNELS
        for video in DemoVideos().published_since(channel["youtube_channel_id"], LONG_AGO)
    ]

    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"demo[\w-]{7}", video_id) for video_id in ids)


@each_channel
def test_every_transcript_can_be_read_but_those_marked_as_missing(channel: dict[str, Any]) -> None:
    transcripts = DemoTranscripts()
    missing = [video for video in channel["videos"] if video["transcript"] is None]

    for video in channel["videos"]:
        if video not in missing:
            assert transcripts.read(video["youtube_video_id"]).text == video["transcript"]
    assert len(missing) >= 2
    for video in missing:
        with pytest.raises(NotFound, match=video["youtube_video_id"]):
            transcripts.read(video["youtube_video_id"])


def test_each_sentence_begins_when_a_speaker_would_come_to_it() -> None:
    for video in transcribed_videos():
        transcript = DemoTranscripts().read(video["youtube_video_id"])

        assert (transcript.source, transcript.language) == ("demo", "en")
        assert transcript.offsets[0] == transcript.seconds[0] == 0
        assert len(transcript.offsets) > 5
        for offset, second in zip(transcript.offsets, transcript.seconds, strict=True):
            said = transcript.text[:offset]
            assert re.search(r"(^|[.!?]\s)$", said)
            assert second == len(said.split()) * 60 // 150


def test_a_quote_has_the_second_at_which_its_sentence_begins() -> None:
    analyst = RecordedAnalyst(RulesAnalyst)
    for video in transcribed_videos():
        transcript = DemoTranscripts().read(video["youtube_video_id"])
        for statement in analyst.analyse(Speech(transcript.text)).statements:
            position = statement.quotes[0].position
            sentence = transcript.offsets[bisect_right(transcript.offsets, position) - 1]

            words_before = len(transcript.text[:sentence].split())
            assert transcript.second_at(position) == words_before * 60 // 150, (video["title"], statement.ticker)


def test_transcripts_are_as_long_as_a_short_video() -> None:
    lengths = [len(video["transcript"].split()) for video in transcribed_videos()]

    assert min(lengths) >= 120
    assert max(lengths) <= 350


def test_no_sentence_comes_twice_in_one_channel() -> None:
    for channel in CHANNELS:
        text = "\n".join(video["transcript"] for video in channel["videos"] if video["transcript"])
        sentences = [sentence.strip().lower() for sentence in re.split(r"[.!?]+\s+", text) if sentence.count(" ") >= 5]

        assert len(sentences) > 300
        assert len(sentences) == len(set(sentences))


def test_each_video_intends_one_call_per_stock() -> None:
    for video in transcribed_videos():
        tickers = [call["ticker"] for call in video["calls"]]

        assert 1 <= len(tickers) == len(set(tickers)) <= 7, video["title"]
        assert {call["sentiment"] for call in video["calls"]} <= set(Sentiment)


def test_the_value_investor_calls_every_stock_that_has_prices() -> None:
    nora = next(channel for channel in CHANNELS if channel["handle"] == "DemoValueInvestor")
    header = DATA.with_name("prices.csv").read_text(encoding="utf-8").partition("\n")[0].split(",")[1:]

    called = {call["ticker"] for video in nora["videos"] for call in video["calls"] if call["sentiment"] in SIDES}

    assert called >= set(header) - {"^GSPC"}


def test_few_calls_are_of_stocks_without_demo_prices() -> None:
    unpriced = {
        channel["handle"]: {
            call["ticker"]
            for video in channel["videos"]
            for call in video["calls"]
            if not demo_closes(call["ticker"], LONG_AGO, LAST_DAY)
        }
        for channel in CHANNELS
    }

    assert unpriced == {
        "DemoValueInvestor": {"COST", "NVDA", "QFBX", "TSLA"},
        "DemoMomentumTrader": {"GME", "TSLA"},
        "DemoMarketTalk": {"AMZN", "GME"},
    }


@pytest.mark.parametrize(
    ("ticker", "day", "price"),
    [
        ("AAPL", date(2019, 1, 2), 37.994),
        ("XOM", date(2020, 3, 23), 26.336),
        ("AMD", date(2021, 11, 29), 161.91),
        ("UNH", date(2022, 12, 28), 524.422),
        ("^GSPC", date(2022, 1, 3), 4796.56),
    ],
)
def test_closes_are_those_of_the_source(ticker: str, day: date, price: float) -> None:
    closes = demo_closes(ticker, day, day)

    assert [close.day for close in closes] == [day]
    assert closes[0].close == pytest.approx(price, abs=0.005)


def test_closes_run_from_start_to_end_oldest_first_without_weekends() -> None:
    closes = demo_closes("msft", date(2021, 1, 1), date(2021, 1, 11))

    assert [close.day.day for close in closes] == [4, 5, 6, 7, 8, 11]


@pytest.mark.parametrize("period", [(date(2021, 1, 2), date(2021, 1, 3)), (date(2023, 1, 1), date(2023, 2, 1))])
def test_a_period_without_trading_has_no_closes(period: tuple[date, date]) -> None:
    assert DemoPrices().history("AAPL", *period).closes == ()


def test_an_unknown_ticker_has_no_closes_and_no_quote() -> None:
    prices = DemoPrices()

    for request in (lambda: prices.quote("NVDA"), lambda: prices.history("NVDA", LONG_AGO, LAST_DAY)):
        with pytest.raises(NotFound, match="no prices of NVDA"):
            request()


def test_today_is_the_last_day_of_the_prices() -> None:
    prices = DemoPrices()

    assert prices.today() == LAST_DAY
    assert prices.quote("KO").as_of == LAST_DAY
    assert prices.quote("KO").price == demo_closes("KO", LAST_DAY, LAST_DAY)[0].close


def test_the_value_investor_is_right_more_often_than_not_and_the_momentum_trader_less_often() -> None:
    good, bad = excesses("DemoValueInvestor"), excesses("DemoMomentumTrader")

    assert 0.03 < mean(good) < 0.07
    assert mean(bad) < -0.05
    assert 0.55 < sum(excess > 0 for excess in good) / len(good) < 0.7
    assert 0.2 < sum(excess > 0 for excess in bad) / len(bad) < 0.45


def test_market_talk_is_mostly_news_and_its_guests_make_nearly_all_of_its_calls() -> None:
    talk = next(channel for channel in CHANNELS if channel["handle"] == "DemoMarketTalk")
    sentiments = [call["sentiment"] for video in talk["videos"] for call in video["calls"]]
    analyst = RecordedAnalyst(RulesAnalyst)
    calls = [
        call
        for video in talk["videos"]
        if video["transcript"]
        for call in calls_of(analyst.analyse(Speech(video["transcript"])).statements)
        if call.sentiment in SIDES
    ]

    assert sentiments.count("mentioned") / len(sentiments) > 0.7
    assert [call.ticker for call in calls if call.statement.speaker is Speaker.HOST] == ["PG", "MRK"]
    assert len(calls) == 28


def test_listing_and_reading_pause_so_that_progress_can_be_watched() -> None:
    pauses: list[float] = []
    channel = CHANNELS[0]
    spoken = next(transcribed_videos())

    DemoVideos(pause=0.5, sleep=pauses.append).published_since(channel["youtube_channel_id"], LONG_AGO)
    DemoTranscripts(pause=0.25, sleep=pauses.append).read(spoken["youtube_video_id"])

    assert pauses == [0.5, 0.25]


def test_importing_the_demo_reads_none_of_its_data() -> None:
    script = (
        "import functions.record.sources.demo.channels as c, functions.record.sources.demo.prices as p\n"
        "assert c.channels.cache_info().currsize == p._histories.cache_info().currsize == 0"
    )

    run = subprocess.run([sys.executable, "-c", script], cwd=DATA.parents[4], capture_output=True, text=True)

    assert run.returncode == 0, run.stderr
