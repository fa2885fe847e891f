"""Stores a person's own closes, such as those of a dead share: `python -m local.import_prices FILE.csv [--replace]`."""

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError

from functions.reading.listings import Listing, current_ticker, listing
from functions.record.models.series import PriceProblem, Series, SeriesHeader
from functions.record.prices.restatement import what_changed
from functions.record.prices.series import update_series
from functions.record.prices.validation import checked_series
from functions.record.sources.protocols import DailyClose, History
from functions.record.store.price_series import save_series, whole_series_of
from functions.runtime.clock import now
from functions.runtime.dispatch import dispatch_with
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.provider_errors import Nonsense
from local.engine import EngineProblem, using_data
from local.import_data import InThisProcess

REFUSED, FAILED = 1, 2
"""Exit codes: nothing was written; not all was written."""
SOURCE = "uploaded"
"""The source of such a series."""
COLUMNS = ("ticker", "date", "close")
TOTAL = "adjusted_close"
MOST_PROBLEMS = 10


class FileRefused(StockTrackRecordError):
    """The file has problems, so nothing of it is stored."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        uploaded = read_closes(options.file)
        with using_data(options.data) if options.data else nullcontext():
            dispatch_with(InThisProcess())
            for share, series in uploaded:
                print(store_closes(share, series, replacing=options.replace))
    except (FileRefused, EngineProblem) as problem:
        print(f"{problem}\nNothing was stored.", file=sys.stderr)
        return REFUSED
    except (StockTrackRecordError, BotoCoreError, ClientError) as problem:
        print(f"The import stopped: {problem}\nRun it again: what is stored is skipped.", file=sys.stderr)
        return FAILED
    return 0


def read_closes(path: Path) -> list[tuple[Listing, Series]]:
    """Returns the shares of a file with their closes, checked like those of a source."""
    problems: list[str] = []
    rows: dict[str, list[DailyClose]] = defaultdict(list)
    for line, row in _lines(path):
        try:
            close = _close(row)
            rows[row["ticker"].strip().upper()].append(close)
        except ValueError as problem:
            problems.append(f"Line {line}: {problem}")
    shares = []
    for ticker, closes in rows.items():
        try:
            shares.append(_checked(ticker, sorted(closes, key=lambda close: close.day)))
        except (ValueError, Nonsense) as problem:
            problems.append(str(problem))
    if problems:
        more = [f"… and {len(problems) - MOST_PROBLEMS:,} more problems."] if len(problems) > MOST_PROBLEMS else []
        raise FileRefused("\n".join([*problems[:MOST_PROBLEMS], *more]))
    if not shares:
        raise FileRefused(f"{path} has no closes.")
    return shares


def store_closes(share: Listing, series: Series, *, replacing: bool) -> str:
    """Stores the closes of a share, prices its calls with them, and returns what was done in a sentence."""
    header, known = whole_series_of(share.ticker)
    if header and header.source == SOURCE and known == series:
        if header.restating:
            update_series([share.ticker])
        return f"{share.ticker}: already stored."
    if header and known.days and header.source != SOURCE and not replacing:
        return (
            f"{share.ticker}: skipped, closes to {header.last_day} from {header.source} are stored. "
            "Use --replace to replace them."
        )
    is_needed = header is not None and header.next_check_at is not None
    save_series(_header(share, series, known, header, is_needed=is_needed), series, known)
    if is_needed:
        update_series([share.ticker])
    return f"{share.ticker} ({share.name}): {len(series):,} closes stored, {series.days[0]} to {series.days[-1]}."


def _header(
    share: Listing, series: Series, known: Series, header: SeriesHeader | None, *, is_needed: bool
) -> SeriesHeader:
    """Returns a header whose note has the calls priced, as after a source's response: also by the next check, if this
    process is killed before."""
    first_day = series.days[0].isoformat()
    before = header or SeriesHeader(share.ticker, wanted_from=first_day)
    return replace(
        before,
        source=SOURCE,
        currency="USD",
        splits=(),
        fetched_from=min(before.wanted_from, first_day),
        as_of=now(),
        misses=0,
        problem=PriceProblem.DELISTED if share.left else None,
        problem_detail=None,
        next_check_at=now() if is_needed else None,
        restating=what_changed(known, series, (), ()) if is_needed else None,
    )


def _lines(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file, restval="")
            missing = [column for column in COLUMNS if column not in (rows.fieldnames or ())]
            if missing:
                raise FileRefused(f"{path} lacks the columns {', '.join(missing)}; it needs {', '.join(COLUMNS)}.")
            for row in rows:
                yield rows.line_num, row
    except OSError as error:
        raise FileRefused(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileRefused(f"{path} is not a CSV file in UTF-8.") from error


def _close(row: dict[str, str]) -> DailyClose:
    close = _number(row["close"])
    return DailyClose(_day(row["date"]), close, _number(row[TOTAL]) if TOTAL in row else close)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f"{text!r} is not a day such as 2023-06-30.") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a price.") from None


def _checked(ticker: str, closes: Sequence[DailyClose]) -> tuple[Listing, Series]:
    """The first day tells which share a ticker that was reused means."""
    first_day, today = closes[0].day, datetime.now(UTC).date()
    share = listing(current_ticker(ticker, first_day))
    if share is None:
        raise ValueError(f"No list of US shares has {ticker or 'a share without a ticker'}.")
    # Later closes are those of trading outside the exchanges: a call settles at the last close on one.
    on_exchange = tuple(close for close in closes if share.left is None or close.day <= share.left)
    if not on_exchange:
        raise ValueError(f"{share.ticker} ({share.name}) left on {share.left}, before the first close of the file.")
    return share, checked_series(share.ticker, History(on_exchange, SOURCE), first_day, today)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m local.import_prices",
        description="Stores your own daily closes, such as those of a dead share. It can be repeated.",
    )
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE.csv",
        help=f"with the columns {', '.join(COLUMNS)} and, if known, {TOTAL}: with dividends",
    )
    parser.add_argument("--replace", action="store_true", help="also replace closes that a price source gave")
    parser.add_argument("--data", type=Path, help="a folder of `make run`, stopped; else the tables of the settings")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
