"""Measures writing an archive: seconds, peak memory and requests, each in a fresh process."""

import json
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.measure import requests_of, seeded, table, timed
from bench.scores import store_market
from functions.record.files.tables import FileFormat
from functions.transfers.archive.writing import write_archive

SIZES = ((500, 10), (2000, 10), (10_000, 10))
MEGABYTE = 1024 * 1024
STATUS = Path("/proc/self/status")


class Nowhere:
    """Discards the archive."""

    def __init__(self) -> None:
        self.largest = 0

    def write(self, data: bytes) -> int:
        self.largest = max(self.largest, len(data))
        return len(data)


def run() -> tuple[str, dict[str, Any]]:
    store_market()
    figures = {f"{videos} videos x {mentions}": _export(seeded(videos, mentions)) for videos, mentions in SIZES}
    header = ("", "seconds", "peak memory MB", "requests", "archive MB", "largest write kB")
    rows = [
        (
            size,
            f"{each['seconds']:.1f}",
            f"{each['memory'] / MEGABYTE:.0f}",
            each["requests"],
            f"{each['bytes'] / MEGABYTE:.1f}",
            f"{each['largest write'] / 1024:.0f}",
        )
        for size, each in figures.items()
    ]
    return table("Exports of a channel", header, rows), figures


def _export(channel_id: str) -> dict[str, Any]:
    program = [sys.executable, "-m", "bench.exports", channel_id]
    figures: dict[str, Any] = json.loads(subprocess.run(program, check=True, capture_output=True).stdout)
    return figures


def measure(channel_id: str) -> dict[str, float]:
    """In a fresh process. The memory is how far its peak rises above that of writing an empty archive."""
    write_archive([], FileFormat.CSV, Nowhere())
    out, before = Nowhere(), _peak_memory()
    written: dict[str, float] = {}

    def write() -> None:
        written["bytes"] = write_archive([channel_id], FileFormat.CSV, out).bytes

    requests = requests_of(lambda: written.update(seconds=timed(write)))
    return {**written, "requests": requests, "memory": _peak_memory() - before, "largest write": out.largest}


def _peak_memory() -> int:
    """In bytes. On Linux the figure of `getrusage` may be that of the process which started this one."""
    if STATUS.exists():
        (peak,) = re.findall(r"VmHWM:\s+(\d+) kB", STATUS.read_text())
        return int(peak) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))
