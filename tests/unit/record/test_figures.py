"""The figures of a track record, without any table."""

from dataclasses import replace
from typing import Any

import pytest

from functions.record.models.records import AnalysisStatus, Stock, TranscriptStatus, Video
from functions.record.stocks.figures import change_percent, coverage_of, summary_of
from tests.builders import a_mention, a_video, finished

STOCKS = {
    "UP": Stock("UP", last_price=150.0, price_updated_at="2024-04-01T00:00:00.000Z"),
    "DOWN": Stock("DOWN", last_price=80.0, price_updated_at="2024-04-02T00:00:00.000Z"),
    "SAME": Stock("SAME", last_price=100.0),
}


def read(name: str, *mentions: tuple[str, str, float | None]) -> Video:
    """A video that was read, with its mentions as ticker, sentiment and price."""
    video = finished(a_video("c", name, published_at=f"2024-01-{name[1:]}"), "run")
    calls = [a_mention(video, ticker, sentiment=kind, price_at_mention=price) for ticker, kind, price in mentions]
    return replace(video, calls=tuple(calls))


VIDEOS = [
    read("v01", ("UP", "mentioned", 10.0), ("DOWN", "buy", 100.0)),
    read("v02", ("UP", "buy", 100.0), ("NEW", "buy", 100.0)),
    read("v03", ("UP", "buy", 200.0), ("DOWN", "sell", 100.0), ("SAME", "hold", 100.0)),
]


@pytest.mark.parametrize(
    ("first", "current", "expected"),
    [
        (100.0, 150.0, 50.0),
        (100.0, 50.0, -50.0),
        (100.0, 100.0, 0.0),
        (3.0, 4.0, (4.0 - 3.0) / 3.0 * 100),
        (None, 100.0, None),
        (100.0, None, None),
        (None, None, None),
        (0.0, 100.0, None),
        (100.0, 0.0, None),
        (0.1, 0.30000000000000004, (0.30000000000000004 - 0.1) / 0.1 * 100),
    ],
)
def test_change_is_exact_and_unknown_without_two_prices(
    first: float | None, current: float | None, expected: float | None
) -> None:
    assert change_percent(first, current) == expected


def test_the_kind_of_each_first_mention_is_told() -> None:
    firsts = summary_of(VIDEOS, STOCKS).first_mentions

    assert firsts == {"UP": "mentioned", "DOWN": "buy", "NEW": "buy", "SAME": "hold"}


def test_prices_are_as_new_as_the_newest_of_them() -> None:
    assert summary_of(VIDEOS, STOCKS).prices_as_of == "2024-04-02T00:00:00.000Z"


def test_nothing_said_has_nothing_to_tell() -> None:
    summary = summary_of([], {})

    assert (summary.first_mentions, summary.prices_as_of) == ({}, None)


def test_coverage_tells_read_skipped_failed_and_waiting_videos_apart() -> None:
    skipped: dict[str, Any] = {
        "transcript_status": TranscriptStatus.UNAVAILABLE,
        "analysis_status": AnalysisStatus.SKIPPED,
    }
    failed: dict[str, Any] = {"transcript_status": TranscriptStatus.FAILED, "analysis_status": AnalysisStatus.FAILED}
    unread: dict[str, Any] = {"transcript_status": TranscriptStatus.FETCHED, "analysis_status": AnalysisStatus.FAILED}
    others = [replace(a_video("c", f"w{number}"), **each) for number, each in enumerate((skipped, failed, unread, {}))]
    silent = read("v04")

    coverage = coverage_of([*VIDEOS, silent, *others], STOCKS)

    assert (coverage.videos, coverage.read, coverage.with_mentions) == (8, 4, 3)
    assert (coverage.without_transcript, coverage.failed) == (1, 2)


def test_unpriced_are_the_calls_without_a_price_then_or_now() -> None:
    then = read("v01", ("UP", "buy", None), ("SAME", "mentioned", None), ("DOWN", "hold", None))
    now = read("v02", ("NEW", "sell", 100.0))

    assert coverage_of([then, now], STOCKS).unpriced == 2
