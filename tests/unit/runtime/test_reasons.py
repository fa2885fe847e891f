"""The reason of a failure in a log line, wherever it was caught."""

import json
from typing import Any

import pytest

from functions.record.pipeline.reasons import TOO_LONG, as_caught, reason
from functions.record.runs.failures import RunFailed, UnusableResponse
from functions.runtime.provider_errors import MissingSetting, Unavailable
from functions.runtime.reasons import reason_for_people

KEY = "hush-hush-0123456789"
UNEXPECTED = "An unexpected problem (KeyError); the operator's log has the details."


def caught(kind: str, message: str) -> dict[str, Any]:
    """As Step Functions hands over an exception of a Lambda function."""
    cause = {"errorMessage": message, "errorType": kind, "stackTrace": [f"File x, key={KEY}"]}
    return {"error": {"Error": kind, "Cause": json.dumps(cause)}}


@pytest.mark.parametrize(
    "problem",
    [
        Unavailable("YouTube did not respond in time."),
        MissingSetting("YOUTUBE_API_KEY", "list videos"),
        RunFailed("This is the same YouTube channel."),
        UnusableResponse("The analyst calls AAPL 'moon'."),
    ],
)
def test_our_own_sentences_are_told_as_they_are(problem: Exception) -> None:
    assert reason_for_people(problem) == str(problem)
    assert reason(caught(type(problem).__name__, str(problem))) == str(problem)
    assert reason({"error": as_caught(problem)}) == str(problem)


def test_of_anything_else_only_its_kind_is_told() -> None:
    assert reason_for_people(KeyError(KEY)) == UNEXPECTED
    assert reason(caught("KeyError", KEY)) == UNEXPECTED
    assert reason({"error": as_caught(KeyError(KEY))}) == UNEXPECTED


@pytest.mark.parametrize(
    "error",
    [
        {"Error": "States.Timeout"},
        {"Error": "Sandbox.Timedout", "Cause": json.dumps({"errorType": "Sandbox.Timedout", "errorMessage": "…"})},
        {"Error": "Unknown", "Cause": json.dumps({"errorType": "Sandbox.Timedout", "errorMessage": "Task timed out"})},
    ],
)
def test_a_step_that_ran_out_of_time_says_so(error: dict[str, str]) -> None:
    assert reason({"error": error}) == TOO_LONG


@pytest.mark.parametrize("cause", ["", "not json", "[]", "null", KEY])
def test_a_cause_that_cannot_be_read_is_left_out(cause: str) -> None:
    told = reason({"error": {"Error": "Lambda.Unknown", "Cause": cause}})

    assert told == "An unexpected problem (Lambda.Unknown); the operator's log has the details."
