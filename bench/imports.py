"""Measures imports of a synthetic channel, beside the BatchWriteItem requests that its items need at least."""

import tempfile
from pathlib import Path
from typing import Any

from bench.measure import requests_of, seeded, table, timed
from functions.record.files.tables import FileFormat
from functions.record.store.channels import delete_channel, remove_below
from functions.runtime import dispatch
from functions.runtime.dispatch import Job
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import batch_put
from functions.transfers.archive.writing import write_archive
from functions.transfers.imports.contents import Contents
from functions.transfers.imports.problems import Findings
from functions.transfers.imports.reading import read_file
from functions.transfers.imports.writing import write_contents

SIZES = ((500, 10), (2_000, 10))
ROUNDS = 3


class Nobody:
    """Skips prices and scores, which are measured elsewhere."""

    def start_run(self, channel_id: str, run_id: str) -> None: ...

    def stop_run(self, channel_id: str, run_id: str) -> None: ...

    def send(self, job: Job, delay_seconds: float = 0) -> None: ...


def run() -> tuple[str, dict[str, Any]]:
    dispatch.dispatch_with(Nobody())
    figures = {f"{videos}x{mentions}": _measured(videos, mentions) for videos, mentions in SIZES}
    text = table(
        "Imports: an export as CSV into a system without the channel, best of three",
        ("videos x mentions", "validate, s", "write, s", "whole, s", "BatchWriteItem alone, s", "ratio", "requests"),
        [
            (
                size,
                f"{each['read_seconds']:.2f}",
                f"{each['seconds'] - each['read_seconds']:.2f}",
                f"{each['seconds']:.2f}",
                f"{each['floor_seconds']:.2f}",
                f"{each['ratio']:.2f}",
                each["requests"],
            )
            for size, each in figures.items()
        ],
    )
    return text, figures


def _measured(videos: int, mentions: int) -> dict[str, Any]:
    channel_id = seeded(videos, mentions)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.zip"
        with path.open("wb") as file:
            write_archive([channel_id], FileFormat.CSV, file)
        whole: list[float] = []
        floor: list[float] = []
        items = _items(path)
        delete_channel(channel_id)
        for _ in range(ROUNDS):
            whole.append(timed(lambda: _import(path)))
            delete_channel(channel_id)
            floor.append(timed(lambda: batch_put(main_table(), items)))
            remove_below(channel_id, kept=encode(tables.channel_import_key(channel_id)))
        read = min(timed(lambda: _validate(path)) for _ in range(ROUNDS))
        # Leaves the channel as it was, for other benchmarks.
        requests = requests_of(lambda: _import(path))
    return {
        "items": len(items),
        "read_seconds": read,
        "seconds": min(whole),
        "floor_seconds": min(floor),
        "ratio": min(whole) / min(floor),
        "requests": requests,
    }


def _import(path: Path) -> None:
    with read_file(path, Findings()) as contents:
        write_contents(contents)


def _validate(path: Path) -> None:
    with read_file(path, Findings()):
        pass


def _items(path: Path) -> list[Any]:
    """The items that any import of the file has to write, as they are sent."""

    def encoded(contents: Contents) -> list[Any]:
        (channel,) = contents.channels()
        videos = list(contents.videos_of(channel.id))
        return [entity.to_item() for video in videos for entity in (video, *video.calls)]

    with read_file(path, Findings()) as contents:
        return encoded(contents)
