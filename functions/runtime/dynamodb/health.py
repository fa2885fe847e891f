"""Finds out whether the main table can be read."""

from botocore.exceptions import BotoCoreError, ClientError

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import get
from functions.runtime.errors import StockTrackRecordError


class TableUnreadable(StockTrackRecordError):
    """The table did not respond, or refused a read. The message is shown to callers."""


def read_table() -> None:
    """Reads the smallest item; raises TableUnreadable."""
    try:
        get(main_table(), tables.CHANNEL_COUNTER_KEY)
    except ClientError as problem:
        raise TableUnreadable(_sentence(problem.response.get("Error", {}).get("Code", "unknown"))) from problem
    except BotoCoreError as problem:
        raise TableUnreadable(_sentence(type(problem).__name__)) from problem


def _sentence(code: str) -> str:
    return f"The database cannot be read at the moment ({code})"
