"""Why a step failed, in words for the channel's log: as the local runner says it, or as Step Functions caught it."""

import json
from collections.abc import Mapping
from typing import Any

from functions.logic.failures import reason_of_kind

TOO_LONG = "It took too long and was given up."
TIMEOUTS = ("States.Timeout", "Sandbox.Timedout")


def reason(event: Mapping[str, Any]) -> str:
    """`reason` is a sentence for people; `error` is what a Catch of Step Functions adds, `{"Error", "Cause"}`."""
    return event["reason"] if "reason" in event else _caught(event["error"])


def _caught(error: Mapping[str, str]) -> str:
    kind = error.get("Error", "unknown")
    try:
        cause = json.loads(error.get("Cause", ""))
    except ValueError:
        cause = None
    details = cause if isinstance(cause, dict) else {}
    # Lambda reports a function that ran out of time as an error of its runtime.
    if kind in TIMEOUTS or details.get("errorType") in TIMEOUTS:
        return TOO_LONG
    return reason_of_kind(str(details.get("errorType", kind)), str(details.get("errorMessage", "")))
