"""Imports an export, or the tables of the old application: `python -m local.import_data FILE [--dry-run]`."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO

from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

from functions.record.models.records import Channel
from functions.record.pipeline.keep_score import keep_score
from functions.record.prices.calls import price_channel
from functions.record.store.channels import ensure_channel_counter
from functions.runtime.dispatch import BackfillPrices, Job, ScoreChannel, dispatch_with
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.settings import settings
from functions.runtime.text import one_line
from functions.transfers.imports.contents import Contents
from functions.transfers.imports.problems import FileRefused, Findings
from functions.transfers.imports.reading import read_file
from functions.transfers.imports.writing import Progress, Summary, existing_channels, write_contents
from local.data_file import DATABASE
from local.engine import EngineProblem, using_data
from local.tables import create_tables

REFUSED, FAILED = 1, 2
"""Exit codes: nothing was written; not all was written."""
BAR = 30
NAME_LENGTH = 30


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    findings = Findings()
    try:
        with read_file(options.file, findings) as contents:
            _print_all(findings.remarks)
            if options.dry_run:
                _print_all(_dry_run(contents, options.data, replacing=options.replace))
                return 0
            with _tables_of(options.data):
                dispatch_with(InThisProcess())
                bar = ProgressBar(sys.stdout)
                summary = write_contents(contents, replacing=options.replace, on_progress=bar.show)
                bar.end()
                _print_all(summary_lines(summary))
    except FileRefused as refused:
        _print_all(findings.remarks)
        print("\n".join(refusal_lines(refused)), file=sys.stderr)
        return REFUSED
    except EngineProblem as problem:
        print(problem, file=sys.stderr)
        return REFUSED
    except NoCredentialsError:
        print(
            "Nothing was imported: there are no AWS credentials. "
            "For the data of `make run` name its folder: --data .local",
            file=sys.stderr,
        )
        return REFUSED
    except (StockTrackRecordError, BotoCoreError, ClientError) as problem:
        print(f"The import stopped: {_sentence(problem)}\nRun it again: it goes on where it stopped.", file=sys.stderr)
        return FAILED
    return 0


def refusal_lines(refused: FileRefused) -> list[str]:
    more = refused.number - len(refused.complaints)
    number = "1 problem" if refused.number == 1 else f"{refused.number:,} problems"
    return [
        *refused.complaints,
        *([f"… and {more:,} more"] if more > 0 else []),
        f"Nothing was imported: {number}.",
    ]


def summary_lines(summary: Summary) -> list[str]:
    return [
        *summary.skipped.values(),
        *(["Use --replace to replace channels that are there."] if summary.skipped else []),
        f"Imported: {_counts(summary.channels, summary.videos, summary.mentions)}, "
        f"the closes of {summary.series:,} stocks. Skipped: {len(summary.skipped):,}.",
    ]


class ProgressBar:
    """A progress bar on a terminal; otherwise one line per ten percent."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._is_terminal = out.isatty()
        self._told = -1

    def show(self, progress: Progress) -> None:
        share = progress.done / progress.total if progress.total else 1.0
        name = one_line(progress.name, NAME_LENGTH)
        if self._is_terminal:
            filled = int(BAR * share)
            self._out.write(f"\r\x1b[K[{'#' * filled}{'.' * (BAR - filled)}] {share:4.0%} {name}")
        elif int(10 * share) > self._told:
            self._told = int(10 * share)
            self._out.write(f"{progress.done:,} of {progress.total:,} items\n")
        self._out.flush()

    def end(self) -> None:
        if self._is_terminal:
            self._out.write("\r\x1b[K")


class InThisProcess:
    """A dispatcher for a process without workers: it does prices and scores itself. The scheduler finds the series to
    fetch."""

    def start_run(self, channel_id: str, run_id: str) -> None:
        raise NotImplementedError

    def stop_run(self, channel_id: str, run_id: str) -> None:
        raise NotImplementedError

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        if isinstance(job, BackfillPrices):
            price_channel(job.channel_id)
        elif isinstance(job, ScoreChannel):
            keep_score(job.channel_id)


@contextmanager
def _tables_of(folder: Path | None) -> Iterator[None]:
    """The tables of a `make run` folder, which may be new, or those of the settings."""
    if folder and _is_new(folder):
        print(f"{folder} is new: the channels of this file will be the only ones. `make run DATA={folder}` shows them.")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / DATABASE).touch()
    with using_data(folder) if folder else nullcontext():
        if folder or settings().dynamodb_endpoint:
            create_tables(dynamodb(), settings().table_prefix)
            ensure_channel_counter()
        yield


def _is_new(folder: Path) -> bool:
    return not (folder / DATABASE).exists()


def _dry_run(contents: Contents, folder: Path | None, *, replacing: bool) -> list[str]:
    """A new folder has no channels, and is not created."""
    if folder and _is_new(folder):
        return _plan(contents, lambda channel: [], replacing=replacing)
    with _tables_of(folder):
        return _plan(contents, existing_channels, replacing=replacing)


def _plan(contents: Contents, existing_of: Callable[[Channel], list[str]], *, replacing: bool) -> list[str]:
    lines = []
    for channel in contents.channels():
        existing = existing_of(channel)
        fate = "would be imported" if not existing else "would be replaced" if replacing else "is there: skipped"
        lines.append(f"{channel.name} ({channel.id}), {channel.video_count:,} videos: {fate}")
    return [
        *lines,
        f"The file is valid: {_counts(len(lines), contents.videos, contents.mentions)}. Nothing was written.",
    ]


def _counts(channels: int, videos: int, mentions: int) -> str:
    return f"{channels:,} channels, {videos:,} videos, {mentions:,} mentions"


def _print_all(lines: Sequence[str]) -> None:
    for line in lines:
        print(line)


def _sentence(problem: Exception) -> str:
    if isinstance(problem, ClientError) and problem.response["Error"]["Code"] == "ResourceNotFoundException":
        return (
            f"there are no tables with the prefix {settings().table_prefix}. "
            "Give --data FOLDER, or set DYNAMODB_ENDPOINT or DYNAMODB_TABLE_PREFIX."
        )
    return str(problem).splitlines()[0]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m local.import_data",
        description="Imports an export, or the tables of the old application. It can be repeated.",
    )
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="a zip of an export; or the old tables: a folder or zip of CSV files, or a mysqldump (.sql, .sql.gz)",
    )
    parser.add_argument("--dry-run", action="store_true", help="only validate, and say what would be imported")
    parser.add_argument("--replace", action="store_true", help="delete channels that are there, and import them again")
    parser.add_argument("--data", type=Path, help="a folder of `make run`, stopped; else the tables of the settings")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
