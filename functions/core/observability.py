"""Structured logs and metrics of every function, under one name."""

import json
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from functions.core.settings import SERVICE, settings

NAMESPACE = "StockTrackRecord"
SECONDS_OF_A_TIMESTAMP = len("2026-01-31 12:00:00")
NOT_SHOWN_TO_PEOPLE = {"level", "location", "message", "timestamp", "service", "exception"}


class LogFormatter(LambdaPowertoolsFormatter):
    """A line of JSON for CloudWatch, or one that people read in a terminal: the setting LOG_FORMAT says which."""

    def serialize(self, log: Any) -> str:
        return as_text(log) if settings().log_format == "text" else as_json(log)


def as_json(log: dict[str, Any]) -> str:
    """All in ASCII: nothing that a caller sent can end a line, or reach the terminal on which it is read."""
    return json.dumps(log, default=str, separators=(",", ":"))


def as_text(log: dict[str, Any]) -> str:
    """The time, the level and the message, with the other fields behind them and a traceback below."""
    fields = " ".join(f"{name}={value}" for name, value in log.items() if name not in NOT_SHOWN_TO_PEOPLE)
    first = f"{log['timestamp'][:SECONDS_OF_A_TIMESTAMP]} {log['level']} {log['message']}" + (
        f" ({fields})" if fields else ""
    )
    # What follows the first line is indented, so that no text of a caller can pass for a line of its own.
    return "\n    ".join(map(_printable, [first, *str(log.get("exception", "")).splitlines()]))


def describe(problem: BaseException) -> dict[str, str]:
    """The fields of a log line about an error that needs no traceback."""
    return {"exception_name": type(problem).__name__, "reason": str(problem)}


def _printable(line: str) -> str:
    """Nothing in it ends the line, moves the cursor or turns the direction of reading."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)


logger = Logger(service=SERVICE, logger_formatter=LogFormatter(serialize_stacktrace=False))
metrics = Metrics(namespace=NAMESPACE, service=SERVICE)
