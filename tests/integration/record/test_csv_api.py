"""The calls and the stocks of a channel as CSV files."""

import csv
import io
from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest

from functions.reading.policy import Reason
from functions.reading.statements import Act
from functions.record.files import csv as csv_files
from functions.record.files.cells import from_cell
from functions.record.files.tables import Column, Kind
from functions.record.models.records import Channel, ChannelStatus
from functions.record.models.said import Said
from functions.record.models.statement import Statement
from functions.record.models.tones import NewsSentiment
from functions.record.scores import csv as csv_calls
from functions.record.scoring.targets import OwnTarget
from functions.record.store.channels import create_channel
from tests.archives import store_videos
from tests.builders import a_channel, a_mention, a_video
from tests.events import Response, call
from tests.markets import falling, rising, store_benchmark, store_closes
from tests.seeds import fill

HOSTILE = ('=HYPERLINK("http://x")', "'=1", "-1", 'a, "b"', "two\r\nlines", "🚀", "\0")
SAID = ("video_title", "quote", "first_mention_video_title")
STATEMENT = Said(Act.BOUGHT, Reason.BOUGHT, target=900.0, sponsored=True, second_quote="=1", conviction=3)
TEXT = Column("text", Kind.TEXT, "", optional=True)


@pytest.fixture
def channel(tables: str) -> Channel:
    """With calls of every status at three months, in the order of their tickers."""
    store_benchmark()
    store_closes("AAPL", rising)
    store_closes("KO", falling)
    channel = a_channel(name='Ünsere "Aktien"; \r\n../🚀 2', status=ChannelStatus.COMPLETED)
    days = ("2024-03-01", "2024-03-04", "2025-06-20")
    videos = [a_video(channel.id, f"video{number:06d}", published_at=day) for number, day in enumerate(days)]
    tickers = ("AAPL", "KO", "MSFT")
    store_videos(
        channel,
        [
            replace(
                video,
                title=HOSTILE[number],
                calls=tuple(
                    a_mention(video, ticker, context_snippet=HOSTILE[number + 3], said=said)
                    for ticker, said in zip(tickers, (None, STATEMENT, STATEMENT), strict=True)
                ),
            )
            for number, video in enumerate(videos)
        ],
    )
    return channel


def rows_of(response: Response) -> list[dict[str, Any]]:
    assert response.status == 200, response.text
    text = response.content.decode("utf-8-sig")
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    return [dict(zip(header, (from_cell(cell, TEXT) for cell in row), strict=True)) for row in rows]


def as_texts(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cells of these objects in a CSV file: numbers with all their digits."""
    return [{name: as_text(value) for name, value in item.items()} for item in items]


def as_text(value: Any) -> str | None:
    return value if value is None else str(value).lower() if isinstance(value, bool) else str(value)


NESTED: dict[str, list[str]] = {
    "news_before": [str(tone) for tone in NewsSentiment],
    "statement": [field.name for field in fields(Statement)],
    "own_target": [field.name for field in fields(OwnTarget)],
}


def flattened(item: dict[str, Any]) -> dict[str, Any]:
    """With a column for each field of an object."""
    columns: dict[str, Any] = {}
    for name, value in item.items():
        if name in NESTED:
            columns |= {f"{name}_{inner}": value and value[inner] for inner in NESTED[name]}
        else:
            columns[name] = value
    return columns


def test_the_calls_are_those_of_all_pages(channel: Channel) -> None:
    path = f"/api/channels/{channel.id}/calls"

    for query in ("horizon=1w", "", "kind=buy&status=scored", "ticker=ko&limit=1", "status=ended"):
        listed = call("GET", path, query=query.replace("&limit=1", "") + "&limit=100").json()
        given = rows_of(call("GET", path, query=f"{query}&format=csv"))

        assert given == as_texts([{"horizon": listed["horizon"], **flattened(item)} for item in listed["items"]])
    everything = rows_of(call("GET", path, query="format=csv"))
    assert {(row["reason"], row["statement_act"], row["statement_sponsored"]) for row in everything} == {
        ("bought", "bought", "true"),
        (None, None, None),
    }
    assert {row["status"] for row in everything} == {"scored", "pending", "unpriced"}
    assert {row["video_title"] for row in everything} == set(HOSTILE[:3])


def test_the_stocks_are_those_of_the_list(channel: Channel) -> None:
    path = f"/api/channels/{channel.id}/stocks"

    listed = call("GET", path)
    given = call("GET", path, query="format=csv")

    assert listed.headers["content-type"] == "application/json"
    assert rows_of(given) == as_texts(listed.json()["stocks"])
    assert len(rows_of(given)) == 3


def test_a_file_has_a_safe_name_and_a_byte_order_mark_on_request(channel: Channel) -> None:
    for what, name in (("calls", "calls-unsere-aktien-2-1m.csv"), ("stocks", "stocks-unsere-aktien-2.csv")):
        path = f"/api/channels/{channel.id}/{what}"
        plain = call("GET", path, query="horizon=1m&format=csv")
        marked = call("GET", path, query="horizon=1m&format=csv&bom=true", headers={"accept-encoding": "gzip"})

        assert plain.headers["content-type"] == "text/csv; charset=utf-8"
        assert plain.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert "Accept" in plain.headers["vary"].split(", ")
        assert marked.text == "\ufeff" + plain.text
        cells = [
            row[name] for row in csv.DictReader(io.StringIO(plain.text, newline="")) for name in row if name in SAID
        ]
        assert "'=HYPERLINK(" in "".join(cells)
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_the_accept_header_chooses_unless_the_query_does(channel: Channel) -> None:
    path = f"/api/channels/{channel.id}/stocks"
    asked = {
        "text/csv": "csv",
        "text/csv;q=0.9, application/json;q=0.5": "csv",
        "TEXT/CSV, */*;q=0.1": "csv",
        "application/json, text/csv": "json",
        "text/csv;q=0, */*": "json",
        "text/csv;q=x": "json",
        "text/html,application/xhtml+xml,*/*;q=0.8": "json",
        "": "json",
    }

    for accept, kind in asked.items():
        for query, expected in (("", kind), ("format=csv", "csv"), ("format=json", "json")):
            response = call("GET", path, query=query, headers={"accept": accept})
            assert expected in response.headers["content-type"], (accept, query)
    assert call("GET", path, query="format=xml").status == 422
    for what in ("calls", "stocks"):
        assert (
            call("GET", f"/api/channels/{'0' * 8}-0000-4000-8000-{'0' * 12}/{what}", query="format=csv").status == 404
        )


def test_what_does_not_fit_is_refused_with_the_way_to_an_export(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = a_channel()
    create_channel(large)
    fill(large, 350, [f"T{number}" for number in range(10)], snippet="I am buying. " * 150)
    path = f"/api/channels/{large.id}/calls"

    refused = call("GET", path, query="format=csv", headers={"accept-encoding": "gzip"})
    filtered = call("GET", path, query="format=csv&ticker=T3")
    monkeypatch.setattr(csv_files, "MAX_BYTES", 10**9)
    in_lambda = call("GET", path, query="format=csv")
    monkeypatch.setattr(csv_calls, "MAX_BYTES", 1000)
    at_once = call("GET", path, query="format=csv")

    for response in (refused, in_lambda, at_once):
        assert response.status == 413
        assert "`POST /api/exports`" in response.json()["detail"]
        assert "content-disposition" not in response.headers
    assert len(rows_of(filtered)) == 350


def test_the_requests_do_not_grow_with_the_videos(tables: str, requests_made: Counter[str]) -> None:
    """One query of the videos, one read of the last score, and a query for the news of each stock it does not know."""
    store_benchmark()
    made = []
    for count in (2, 150):
        channel = a_channel()
        create_channel(channel)
        fill(channel, count, ["AAPL"])
        requests_made.clear()
        assert len(rows_of(call("GET", f"/api/channels/{channel.id}/calls", query="format=csv"))) == count
        made.append(dict(requests_made))

    assert made[0] == made[1] == {"GetItem": 2, "Query": 2, "BatchGetItem": 2}
