"""The contract of every implementation of a Protocol, live or demo. A new one is added to the list of its Protocol."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from functions.reading.analyst import Analyst, Speech
from functions.reading.models.bedrock import BedrockAnalyst
from functions.reading.models.openai_compatible import OpenAIAnalyst
from functions.reading.policy import Call, calls_of
from functions.reading.rules import RulesAnalyst
from functions.reading.terms import Sentiment
from functions.record.models.series import PriceProblem
from functions.record.prices.problems import problem_of
from functions.record.prices.validation import checked_series
from functions.record.sources.demo import DemoPrices, DemoTranscripts, DemoVideos
from functions.record.sources.demo.channels import channels
from functions.record.sources.prices.combined import PriceSources
from functions.record.sources.prices.finnhub import FinnhubQuotes
from functions.record.sources.prices.tiingo import TiingoPrices
from functions.record.sources.prices.yahoo import YahooPrices
from functions.record.sources.protocols import Prices, Transcripts, Videos
from functions.record.sources.youtube import YouTubeVideos
from functions.record.sources.youtube_captions import TranscriptsFolder, YouTubeTranscripts
from functions.runtime.provider_errors import NotFound
from tests.live_responses import (
    UNLISTED,
    VIDEO,
    at_new_york,
    aws_client,
    call,
    channel,
    chart,
    chart_error,
    completion,
    converse,
    listing,
    player,
    serve_transcript,
    session_to,
    tiingo_row,
    upload,
    watch_page,
)
from tests.stub import Request, Response, Stub, json_response


@dataclass(frozen=True)
class VideosCase:
    videos: Videos
    known: str
    """An identifier of a channel with at least two videos of different days."""
    unknown: str


@dataclass(frozen=True)
class TranscriptsCase:
    transcripts: Transcripts
    known: str
    unknown: str


@dataclass(frozen=True)
class AnalystCase:
    analyst: Analyst
    transcript: str
    """One that speaks of at least one stock, more than once."""


@dataclass(frozen=True)
class PricesCase:
    prices: Prices
    known: str
    unknown: str
    start: date
    end: date
    """A week or so in which the known ticker was traded."""


def youtube_videos(stub: Stub, folder: Path) -> VideosCase:
    def channels(request: Request) -> Response:
        known = {"moneytalks", "UCabc"} & set(request.query.values())
        return listing(channel()) if known else listing()

    stub.on("/channels", channels)
    stub.on("/playlistItems", listing(upload("v2", "2025-01-12T10:00:00Z"), upload("v1", "2025-01-11T10:00:00Z")))
    return VideosCase(YouTubeVideos("key", stub.url), "handle:moneytalks", "handle:nobody")


def youtube_transcripts(stub: Stub, folder: Path) -> TranscriptsCase:
    def by_video(request: Request) -> Response:
        return player() if request.json["videoId"] == VIDEO else player(languages=())

    serve_transcript(stub, "I am buying Apple.")
    stub.on("/watch", watch_page())
    stub.on("/youtubei/v1/player", by_video)
    return TranscriptsCase(YouTubeTranscripts(session=lambda: session_to(stub)), VIDEO, "AAAAAAAAAAA")


def handed_in_transcripts(stub: Stub, folder: Path) -> TranscriptsCase:
    (folder / "handedin111.txt").write_text("I am buying Apple.")
    otherwise = youtube_transcripts(stub, folder)
    return TranscriptsCase(TranscriptsFolder(folder, otherwise.transcripts), "handedin111", otherwise.unknown)


SPOKEN = "I am buying Apple today. Apple is cheap. Tesla fell again."
FOUND = [call(), call(sentiment="mentioned", context="Apple is cheap."), call("TSLA", context="Tesla fell again.")]


def bedrock_analyst(stub: Stub, folder: Path) -> AnalystCase:
    stub.on("/model/m/converse", converse(FOUND))
    client = aws_client("bedrock-runtime", stub)
    return AnalystCase(BedrockAnalyst("m", "us-east-1", client=client), SPOKEN)


def openai_analyst(stub: Stub, folder: Path) -> AnalystCase:
    stub.on("/chat/completions", completion(json.dumps({"statements": FOUND})))
    return AnalystCase(OpenAIAnalyst("key", "small", stub.url), SPOKEN)


MONDAY, TUESDAY = date(2025, 3, 10), date(2025, 3, 11)


def yahoo_prices(stub: Stub, folder: Path) -> PricesCase:
    closes: dict[date, float | None] = {MONDAY: 227.5, TUESDAY: 220.8}
    traded_at = at_new_york(TUESDAY, 16, 0)
    stub.on("/AAPL", chart(closes, regularMarketPrice=220.8, regularMarketTime=traded_at))
    stub.on(f"/{UNLISTED}", chart_error(404, "Not Found", "No data found, symbol may be delisted"))
    return PricesCase(YahooPrices(stub.url), "AAPL", UNLISTED, MONDAY, TUESDAY)


def tiingo_prices(stub: Stub, folder: Path) -> PricesCase:
    stub.on("/AAPL/prices", json_response([tiingo_row("2025-03-10", 227.5), tiingo_row("2025-03-11", 220.8)]))
    stub.on(f"/{UNLISTED}/prices", json_response({"detail": "Not found."}, 404))
    return PricesCase(TiingoPrices("key", stub.url), "AAPL", UNLISTED, MONDAY, TUESDAY)


def tiingo_closes_with_finnhub_quotes(stub: Stub, folder: Path) -> PricesCase:
    def quotes(request: Request) -> Response:
        known = request.query["symbol"] == "AAPL"
        return json_response({"c": 220.8, "t": at_new_york(TUESDAY, 16, 0)} if known else {"c": 0, "t": 0})

    closes = tiingo_prices(stub, folder).prices
    stub.on("/quote", quotes)
    both = PriceSources(history=closes, quote=FinnhubQuotes("key", stub.url))
    return PricesCase(both, "AAPL", UNLISTED, MONDAY, TUESDAY)


def demo_videos(stub: Stub, folder: Path) -> VideosCase:
    return VideosCase(DemoVideos(), "handle:DemoValueInvestor", "handle:nobody")


def demo_transcripts(stub: Stub, folder: Path) -> TranscriptsCase:
    return TranscriptsCase(DemoTranscripts(), next(iter(channels()[0].transcripts)), "AAAAAAAAAAA")


def rules_analyst(stub: Stub, folder: Path) -> AnalystCase:
    return AnalystCase(RulesAnalyst(), SPOKEN)


def demo_prices(stub: Stub, folder: Path) -> PricesCase:
    return PricesCase(DemoPrices(), "AAPL", UNLISTED, date(2022, 12, 19), date(2022, 12, 23))


VIDEOS: list[Callable[[Stub, Path], VideosCase]] = [demo_videos, youtube_videos]
TRANSCRIPTS: list[Callable[[Stub, Path], TranscriptsCase]] = [
    demo_transcripts,
    youtube_transcripts,
    handed_in_transcripts,
]
ANALYSTS: list[Callable[[Stub, Path], AnalystCase]] = [rules_analyst, bedrock_analyst, openai_analyst]
PRICES: list[Callable[[Stub, Path], PricesCase]] = [
    demo_prices,
    yahoo_prices,
    tiingo_prices,
    tiingo_closes_with_finnhub_quotes,
]


class TestVideos:
    @pytest.fixture(params=VIDEOS)
    def case(self, request: pytest.FixtureRequest, stub: Stub, tmp_path: Path) -> VideosCase:
        made: VideosCase = request.param(stub, tmp_path)
        return made

    def test_a_known_channel_is_found(self, case: VideosCase) -> None:
        found = case.videos.resolve(case.known)

        assert found.youtube_channel_id
        assert found.title

    def test_an_unknown_channel_is_not_found(self, case: VideosCase) -> None:
        with pytest.raises(NotFound):
            case.videos.resolve(case.unknown)

    def test_a_channel_resolves_to_itself_by_its_id(self, case: VideosCase) -> None:
        found = case.videos.resolve(case.known)

        assert case.videos.resolve(f"channel_id:{found.youtube_channel_id}") == found

    def test_videos_come_newest_first_and_once(self, case: VideosCase) -> None:
        channel_id = case.videos.resolve(case.known).youtube_channel_id

        found = list(case.videos.published_since(channel_id, date(1990, 1, 1)))

        assert len(found) >= 2
        assert len({video.youtube_video_id for video in found}) == len(found)
        assert found == sorted(found, key=lambda video: video.published_at, reverse=True)

    def test_the_first_day_is_included_and_the_day_before_is_not(self, case: VideosCase) -> None:
        channel_id = case.videos.resolve(case.known).youtube_channel_id
        every = list(case.videos.published_since(channel_id, date(1990, 1, 1)))
        newest = every[0].published_at

        found = list(case.videos.published_since(channel_id, newest))

        assert found == [video for video in every if video.published_at == newest]

    def test_the_newest_come_with_their_channel(self, case: VideosCase) -> None:
        channel = case.videos.resolve(case.known)
        every = list(case.videos.published_since(channel.youtube_channel_id, date(1990, 1, 1)))
        newest = every[0].published_at

        found, videos = case.videos.newest(channel.youtube_channel_id, newest)

        assert found == channel
        assert list(videos) == [video for video in every if video.published_at == newest]

    def test_nothing_is_published_in_the_future(self, case: VideosCase) -> None:
        channel_id = case.videos.resolve(case.known).youtube_channel_id

        assert list(case.videos.published_since(channel_id, date(2999, 1, 1))) == []


class TestTranscripts:
    @pytest.fixture(params=TRANSCRIPTS)
    def case(self, request: pytest.FixtureRequest, stub: Stub, tmp_path: Path) -> TranscriptsCase:
        made: TranscriptsCase = request.param(stub, tmp_path)
        return made

    def test_what_is_said_is_read(self, case: TranscriptsCase) -> None:
        transcript = case.transcripts.read(case.known)

        assert transcript.text == transcript.text.strip() != ""
        assert transcript.source in {"youtube", "demo", "handed in"}
        assert len(transcript.offsets) == len(transcript.seconds)
        assert list(transcript.offsets) == sorted(set(transcript.offsets))

    @pytest.mark.parametrize("video_id", [None, "", "../../etc/passwd", "no such id"])
    def test_what_is_not_there_is_not_found(self, case: TranscriptsCase, video_id: str | None) -> None:
        with pytest.raises(NotFound):
            case.transcripts.read(case.unknown if video_id is None else video_id)


def calls_in(case: AnalystCase, transcript: str) -> list[Call]:
    return calls_of(case.analyst.analyse(Speech(transcript)).statements)


class TestAnalyst:
    @pytest.fixture(params=ANALYSTS)
    def case(self, request: pytest.FixtureRequest, stub: Stub, tmp_path: Path) -> AnalystCase:
        made: AnalystCase = request.param(stub, tmp_path)
        return made

    def test_each_ticker_comes_once(self, case: AnalystCase) -> None:
        found = calls_in(case, case.transcript)

        assert found
        assert len({call.ticker for call in found}) == len(found)

    def test_a_call_is_complete_and_rests_on_the_transcript(self, case: AnalystCase) -> None:
        said = " ".join(case.transcript.split())

        for found in calls_in(case, case.transcript):
            assert re.fullmatch(r"[A-Z]{1,5}([.-][A-Z])?", found.ticker)
            assert isinstance(found.sentiment, Sentiment)
            assert 0.0 <= found.confidence <= 1.0
            assert 0 < len(found.context) <= 200
            assert " ".join(found.context.split()) in said

    def test_a_call_knows_where_its_words_begin(self, case: AnalystCase) -> None:
        transcript = f"\n Good  evening. {case.transcript.replace(' ', '  ')}\n"

        for found in calls_in(case, transcript):
            assert " ".join(transcript[found.position :].split()).startswith(" ".join(found.context.split()))
            assert not transcript[found.position].isspace()

    def test_an_analyst_has_a_name(self, case: AnalystCase) -> None:
        assert case.analyst.name == case.analyst.name.strip() != ""

    @pytest.mark.parametrize("transcript", ["", " \n "])
    def test_silence_speaks_of_nothing(self, case: AnalystCase, transcript: str) -> None:
        assert calls_in(case, transcript) == []

    def test_the_same_transcript_gives_the_same_calls(self, case: AnalystCase) -> None:
        assert calls_in(case, case.transcript) == calls_in(case, case.transcript)


class TestPrices:
    @pytest.fixture(params=PRICES)
    def case(self, request: pytest.FixtureRequest, stub: Stub, tmp_path: Path) -> PricesCase:
        made: PricesCase = request.param(stub, tmp_path)
        return made

    def test_a_history_is_a_series_of_the_window(self, case: PricesCase) -> None:
        history = case.prices.history(case.known, case.start, case.end)

        series = checked_series(case.known, history, case.start, case.end)

        assert len(series) > 1
        assert history.source

    def test_both_ends_of_a_history_are_included(self, case: PricesCase) -> None:
        whole = case.prices.history(case.known, case.start, case.end).closes

        assert case.prices.history(case.known, whole[0].day, whole[-1].day).closes == whole

    def test_an_unknown_ticker_has_no_history(self, case: PricesCase) -> None:
        with pytest.raises(NotFound) as raised:
            case.prices.history(case.unknown, case.start, case.end)

        assert problem_of(raised.value) == PriceProblem.NOT_AT_SOURCE

    def test_a_known_ticker_has_a_quote_of_a_day_that_has_come(self, case: PricesCase) -> None:
        found = case.prices.quote(case.known)

        assert found.price > 0
        assert found.as_of <= case.prices.today()

    def test_an_unknown_ticker_has_no_quote(self, case: PricesCase) -> None:
        with pytest.raises(NotFound):
            case.prices.quote(case.unknown)
