"""GET /api/channels/{channel_id}/logs."""

import pytest

from functions.record.models.records import LogLevel
from functions.record.store.channels import create_channel
from functions.record.store.logs import logs_of_channel, write_log
from tests.builders import a_channel
from tests.events import call


@pytest.fixture
def path(tables: str) -> str:
    channel = a_channel()
    create_channel(channel)
    for number in range(5):
        write_log(channel.id, LogLevel.INFO, f"line {number}")
    return f"/api/channels/{channel.id}/logs"


def test_lines_come_oldest_first_with_rising_ids(path: str) -> None:
    logs = call("GET", path).json()["logs"]

    assert [line["message"] for line in logs] == [f"line {number}" for number in range(5)]
    assert all(list(line) == ["id", "channel_id", "log_level", "message", "created_at"] for line in logs)
    assert all(isinstance(line["id"], int) for line in logs)
    assert [line["id"] for line in logs] == sorted({line["id"] for line in logs})
    assert all(line["id"] < 2**53 for line in logs)


def test_since_includes_its_own_timestamp(path: str) -> None:
    logs = call("GET", path).json()["logs"]

    for line in logs:
        later = call("GET", path, query=f"since={line['created_at']}").json()["logs"]

        assert later == [each for each in logs if each["created_at"] >= line["created_at"]]
        assert line in later


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("2000-01-01", 5),
        ("2000-01-01T00:00:00", 5),
        ("2000-01-01T00:00:00Z", 5),
        ("2000-01-01T02:00:00%2B02:00", 5),
        ("9998-12-31T23:59:59.999999Z", 0),
        ("0001-01-01T00:00:00Z", 5),
    ],
)
def test_since_is_read_in_any_form_of_iso_8601(path: str, written: str, found: int) -> None:
    assert len(call("GET", path, query=f"since={written}").json()["logs"]) == found


@pytest.mark.parametrize(
    "unreadable",
    [
        *("x", "", "2000-13-01", "2000-01-01T25:00", "nan", "9" * 50, "0001-01-01T00:00:00%2B14:00", "%ff", "%00"),
        *("0", "0.5", "-1", "2024", "20240131", "%205", "1e3", "4.3E-155", "-2e%2B3"),
    ],
)
def test_an_unreadable_since_is_refused(path: str, unreadable: str) -> None:
    response = call("GET", path, query=f"since={unreadable}")

    assert response.status == 422
    assert response.json()["detail"][0]["loc"] == ["query", "since"]


@pytest.mark.parametrize(
    ("since", "sentence"),
    [
        ("2024", "Must be an ISO 8601 timestamp, such as 2024-01-31T08:30:00Z"),
        ("0001-01-01T00:00:00%2B14:00", "This timestamp is outside the calendar"),
    ],
)
def test_a_refused_since_says_what_is_wrong_with_it(path: str, since: str, sentence: str) -> None:
    response = call("GET", path, query=f"since={since}")

    assert response.json()["detail"][0]["msg"].endswith(sentence)


@pytest.mark.parametrize("strong", ["true", "false", "1", "0"])
def test_lines_can_be_read_consistently(path: str, strong: str) -> None:
    assert len(call("GET", path, query=f"strong={strong}").json()["logs"]) == 5


def test_strong_is_yes_or_no(path: str) -> None:
    response = call("GET", path, query="strong=perhaps")

    assert response.status == 422
    assert response.json()["detail"][0]["type"] == "bool_parsing"


def test_a_channel_without_lines_has_none(tables: str) -> None:
    channel = a_channel()
    create_channel(channel)

    assert call("GET", f"/api/channels/{channel.id}/logs").json() == {"logs": []}
    assert logs_of_channel(channel.id) == []
