"""No error, traceback, log line or repr of a live provider ever shows its key, whatever the service responses."""

import traceback
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from functions.reading.analyst import Speech
from functions.reading.models.bedrock import BedrockAnalyst
from functions.reading.models.openai_compatible import OpenAIAnalyst
from functions.record.sources.prices.finnhub import FinnhubQuotes
from functions.record.sources.prices.tiingo import TiingoPrices
from functions.record.sources.youtube import YouTubeVideos
from functions.runtime.provider_errors import ProviderError
from tests.live_responses import IMPATIENT, aws_client
from tests.stub import Response, Stub, cut_off_response, html_response, json_response

KEY = "hush-hush-0123456789"
Act = Callable[[Any], object]
Make = Callable[[Stub, str], Any]


def bedrock(stub: Stub, key: str) -> BedrockAnalyst:
    client = aws_client("bedrock-runtime", stub, secret=key)
    return BedrockAnalyst("model", "us-east-1", client=client)


def youtube(stub: Stub, key: str) -> YouTubeVideos:
    return YouTubeVideos(key, stub.url, limits=IMPATIENT)


def finnhub(stub: Stub, key: str) -> FinnhubQuotes:
    return FinnhubQuotes(key, stub.url, limits=IMPATIENT)


def tiingo(stub: Stub, key: str) -> TiingoPrices:
    return TiingoPrices(key, stub.url, limits=IMPATIENT)


def openai(stub: Stub, key: str) -> OpenAIAnalyst:
    return OpenAIAnalyst(key, "small", stub.url, limits=IMPATIENT)


PROVIDERS = [
    pytest.param(youtube, lambda it: it.resolve("handle:x"), id="youtube"),
    pytest.param(youtube, lambda it: list(it.published_since("UC1", date(2025, 1, 1))), id="youtube-uploads"),
    pytest.param(finnhub, lambda it: it.quote("AAPL"), id="finnhub"),
    pytest.param(tiingo, lambda it: it.quote("AAPL"), id="tiingo"),
    pytest.param(openai, lambda it: it.analyse(Speech("Buy Apple.")), id="openai"),
    pytest.param(bedrock, lambda it: it.analyse(Speech("Buy Apple.")), id="bedrock"),
]
RESPONSES = [
    pytest.param(json_response({"error": "no"}, status), id=str(status)) for status in (400, 401, 403, 404, 429, 500)
] + [
    pytest.param(html_response(), id="html"),
    pytest.param(cut_off_response(), id="cut-off"),
    pytest.param(Response(silent=True), id="silent"),
    pytest.param(json_response({"items": [{}], "c": "x"}), id="another-shape"),
]
ECHO = json_response({"error": {"message": f"Incorrect API key provided: {KEY}", "code": KEY}, "detail": KEY}, 401)


def everything_shown(provider: Any, act: Act, caplog: pytest.LogCaptureFixture) -> str:
    caplog.set_level("DEBUG")
    with pytest.raises(ProviderError) as raised:
        act(provider)
    error = raised.value
    chained = f"{error.__context__!r} {error.__cause__!r}"
    return " ".join([str(error), repr(error), chained, *traceback.format_exception(error), repr(provider), caplog.text])


@pytest.mark.parametrize(("make", "act"), PROVIDERS)
@pytest.mark.parametrize("response", RESPONSES)
def test_a_failure_does_not_show_the_key(
    stub: Stub, caplog: pytest.LogCaptureFixture, make: Make, act: Act, response: Response
) -> None:
    stub.everywhere(response)

    assert KEY not in everything_shown(make(stub, KEY), act, caplog)


@pytest.mark.parametrize(("make", "act"), [case for case in PROVIDERS if case.id != "bedrock"])
def test_a_service_that_repeats_the_key_is_not_quoted(
    stub: Stub, caplog: pytest.LogCaptureFixture, make: Make, act: Act
) -> None:
    stub.everywhere(ECHO)

    assert KEY not in everything_shown(make(stub, KEY), act, caplog)


@pytest.mark.parametrize(("make", "act"), [case for case in PROVIDERS if case.id != "bedrock"])
def test_a_key_with_a_line_break_is_not_quoted(
    stub: Stub, caplog: pytest.LogCaptureFixture, make: Make, act: Act
) -> None:
    assert KEY not in everything_shown(make(stub, f"{KEY}\n{KEY}"), act, caplog)


@pytest.mark.parametrize(("make", "act"), PROVIDERS)
def test_a_service_out_of_reach_does_not_show_the_key(
    stub: Stub, caplog: pytest.LogCaptureFixture, make: Make, act: Act
) -> None:
    provider = make(stub, KEY)
    stub.close()

    assert KEY not in everything_shown(provider, act, caplog)


@pytest.mark.parametrize(("make", "act"), PROVIDERS)
def test_the_key_never_travels_in_an_address(stub: Stub, make: Make, act: Act) -> None:
    stub.everywhere(html_response(500))

    with pytest.raises(ProviderError):
        act(make(stub, KEY))

    assert all(KEY not in f"{request.path} {request.query}" for request in stub.requests)
