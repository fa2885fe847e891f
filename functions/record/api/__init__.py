"""The routes about channels, runs, calls, reviews and prices, and the responses of their errors."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError

from functions.reading.errors import EmptyTranscript, NotText
from functions.record.errors import (
    CallNotFound,
    ChannelAlreadyExists,
    ChannelAlreadyProcessing,
    ChannelNotFound,
    ChannelNotProcessing,
    ChannelUnderWay,
    NotWhatThePolicySays,
    NotWhatWasRead,
    PricesUnavailable,
    RunNotFound,
    StockNotFound,
    VideoNotFound,
)
from functions.runtime.http.resolver import invalid_request, register_errors


def _wrong_part(problem: NotWhatWasRead | NotWhatThePolicySays) -> "Response[Any]":
    error = {"type": "value_error", "loc": ("body", problem.part), "msg": str(problem), "input": problem.given}
    return invalid_request(RequestValidationError([error]))


def _empty_file(problem: EmptyTranscript) -> "Response[Any]":
    error = {"type": "value_error", "loc": ["body"], "msg": str(problem), "input": None}
    return Response(422, content_type="application/json", body={"detail": [error]})


register_errors(
    {
        ChannelNotFound: (404, "Channel not found"),
        RunNotFound: (404, "Run not found"),
        CallNotFound: (404, "Call not found"),
        ChannelAlreadyExists: (400, "Channel already exists"),
        ChannelAlreadyProcessing: (400, "Channel is already processing"),
        ChannelUnderWay: (409, "The channel is being processed; try again when it has finished"),
        VideoNotFound: (404, "Video not found"),
        ChannelNotProcessing: (400, "Channel is not processing"),
        StockNotFound: (404, "Stock not found"),
        PricesUnavailable: (503, "Prices cannot be fetched at the moment; try again later"),
        NotText: (415, "This file is not text; hand in a transcript as plain text, SRT or WebVTT"),
        NotWhatWasRead: _wrong_part,
        NotWhatThePolicySays: _wrong_part,
        EmptyTranscript: _empty_file,
    }
)
