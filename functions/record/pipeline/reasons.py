"""Turns the error caught by the state machine into a reason for the channel's log and the operator's."""

import json
from collections.abc import Mapping
from typing import Any

from functions.runtime.observability import logger
from functions.runtime.reasons import reason_of_kind
from functions.steps import EXPECTED_ERRORS

TOO_LONG = "It took too long and was given up."
TIMEOUTS = ("States.Timeout", "Sandbox.Timedout")


def reason(event: Mapping[str, Any]) -> str:
    """Returns a sentence for the user, from the caught `{"Error", "Cause"}`."""
    kind, message = _caught(event["error"])
    return TOO_LONG if kind in TIMEOUTS else reason_of_kind(kind, message)


def log_failure(what: str, event: Mapping[str, Any]) -> None:
    """Logs an error for the operator, or a warning if the user has to act."""
    kind, _ = _caught(event["error"])
    log = logger.warning if kind in EXPECTED_ERRORS else logger.error
    log(f"{what} failed. {reason(event)}", exception_name=kind)


def as_caught(problem: BaseException) -> dict[str, str]:
    """Returns the error as Step Functions would have caught it from a Lambda function."""
    kind = type(problem).__name__
    return {"Error": kind, "Cause": json.dumps({"errorType": kind, "errorMessage": str(problem)})}


def _caught(error: Mapping[str, str]) -> tuple[str, str]:
    """Returns the class of the error and its message."""
    try:
        cause = json.loads(error.get("Cause", ""))
    except ValueError:
        cause = None
    details = cause if isinstance(cause, dict) else {}
    # Lambda reports a function that timed out as an error of its runtime.
    return str(details.get("errorType", error.get("Error", "unknown"))), str(details.get("errorMessage", ""))
