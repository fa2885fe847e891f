"""Prints the score of a channel, or its calls: `python -m local.score CHANNEL [--horizon 3m] [--csv]`."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO

from botocore.exceptions import BotoCoreError, ClientError

from functions.record.files.csv import csv_lines
from functions.record.models.records import Channel
from functions.record.scores.calls import ScoredCall, calls_of_channel
from functions.record.scores.kept import scorecard
from functions.record.scoring.types import DEFAULT_HORIZON, Horizon
from functions.record.store.channels import every_channel
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.errors import StockTrackRecordError
from local.engine import using_data

UNREADABLE = 2
CALLS_PER_PAGE = 100
COLUMNS = {
    "calls": "calls",
    "pending": "pending",
    "excess": "mean_excess_percent",
    "from": "excess_low_percent",
    "to": "excess_high_percent",
    "beat": "beat_rate",
    "base": "base_beat_rate",
    "alpha": "alpha_percent",
    "t": "alpha_t",
    "expected": "expected_alpha_percent",
    "p": "p_value",
    "timing p": "timing_p_value",
}
"""The columns of the table, and the figures they show."""


class NotOneChannel(StockTrackRecordError):
    """The text matches no channel, or several."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        with using_data(options.data) if options.data else nullcontext():
            channel = find_channel(options.channel)
            if options.csv:
                write_calls(channel.id, options.horizon or DEFAULT_HORIZON, sys.stdout)
            else:
                print(table_of(channel, scorecard(channel.id), options.horizon))
    except NotOneChannel as problem:
        print(problem, file=sys.stderr)
        return 1
    except (StockTrackRecordError, BotoCoreError, ClientError) as problem:
        print(f"The data could not be read: {problem}", file=sys.stderr)
        return UNREADABLE
    return 0


def find_channel(text: str) -> Channel:
    """The one channel with this id, address or name, or the only one whose name holds the text."""
    wanted = text.strip().casefold()
    channels = [channel for channel in every_channel() if not channel.deleting]
    exact = [each for each in channels if wanted in (each.id, each.url.casefold(), each.name.casefold())]
    found = exact or [each for each in channels if wanted and wanted in each.name.casefold()]
    if len(found) == 1:
        return found[0]
    names = "; ".join(f"{each.name} ({each.id})" for each in found or channels)
    raise NotOneChannel(
        f"{'Several channels match' if found else 'No channel matches'} {text!r}: {names or 'there are none'}."
    )


def write_calls(channel_id: str, horizon: Horizon, file: TextIO) -> None:
    """In the API's format, but without pagination."""
    file.writelines(csv_lines(ScoredCall, _every_call(channel_id, horizon), horizon=horizon))


def table_of(channel: Channel, card: dict[str, Any], horizon: Horizon | None) -> str:
    scores = [score for score in card["horizons"] if horizon in (None, score["horizon"])]
    figures = ([score["horizon"], *(_figure(score[name]) for name in COLUMNS.values())] for score in scores)
    rows = [["", *COLUMNS], *figures]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    benchmark = card["benchmark"]
    dividends = "with" if benchmark["with_dividends"] else "without"
    until = card["as_of"] or "no day yet"
    return "\n".join(
        [
            f"{channel.name}: {card['reason'] or 'calls beside the ' + benchmark['name']}",
            f"{benchmark['ticker']}, {dividends} dividends, to {until}; method {card['method']}",
            "",
            *lines,
        ]
    )


def _every_call(channel_id: str, horizon: Horizon) -> Iterator[ScoredCall]:
    start: Item | None = None
    while True:
        page = calls_of_channel(channel_id, horizon, start, CALLS_PER_PAGE)
        yield from page.items
        start = page.next_key
        if start is None:
            return


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3g}" if abs(value) < 1 else f"{value:.2f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m local.score", description="Prints the score of a channel, or its calls."
    )
    parser.add_argument("channel", metavar="CHANNEL", help="its id, its address, or a part of its name")
    parser.add_argument(
        "--horizon", type=Horizon, choices=list(Horizon), help="one alone; calls are shown at 3m if none is given"
    )
    parser.add_argument("--csv", action="store_true", help="print the calls with their results, as CSV")
    parser.add_argument("--data", type=Path, help="a folder of `make run`, stopped; else the tables of the settings")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
