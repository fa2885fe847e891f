"""All calls of a channel at a horizon as a CSV file."""

from functions.record.files.csv import MAX_BYTES, CsvFile, csv_file
from functions.record.scores.calls import CallFilter, ScoredCall, every_call_of_channel
from functions.record.scoring.types import Horizon

MIN_BYTES_OF_CALL = 120
"""A line has at least an id, a URL and a date. More calls than can fit are refused before they are scored."""


def calls_as_csv(channel_id: str, horizon: Horizon, only: CallFilter) -> CsvFile:
    """Newest video first; raises CsvTooLarge if they do not fit in a response."""
    channel, calls = every_call_of_channel(channel_id, horizon, only, most=MAX_BYTES // MIN_BYTES_OF_CALL)
    return csv_file("calls", channel, ScoredCall, calls, horizon=horizon)
