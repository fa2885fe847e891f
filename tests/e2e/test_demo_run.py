"""The demo over real HTTP: watched, cancelled, deleted, killed and interrupted in the middle of a run."""

import csv
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from functions.record.sources.demo.channels import channels
from tests.conftest import cannot_run
from tests.e2e.server import Server
from tests.fakes import eventually
from tests.local_server import copy_data

PRICES = Path("functions/record/sources/demo/prices.csv")
VALUE_INVESTOR = "https://www.youtube.com/@DemoValueInvestor"
SLOW = {"DEMO_PAUSE_SECONDS": "0.3"}
"""So that a run can be met in its middle."""

Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers on one data folder."""
    from local.engine import dynoxide_binary

    if not dynoxide_binary().exists():
        cannot_run("the embedded engine is not installed, and no other keeps its data")
    servers: list[Server] = []

    def start(**settings: str) -> Server:
        servers.append(Server(tmp_path / "data", **settings))
        return servers[-1]

    yield start
    for server in servers:
        server.stop(signal.SIGKILL)


def all_channels(server: Server) -> list[Any]:
    items: list[Any] = server.get("/api/channels?per_page=100")["items"]
    return items


@pytest.fixture
def start_empty(start: Start, scored_demo: Path, tmp_path: Path) -> Start:
    """Starts the first server on data from which the channels that a first start posts were deleted."""

    def start_empty(**settings: str) -> Server:
        copy_data(scored_demo, tmp_path / "data")
        server = start(**settings)
        for channel in all_channels(server):
            assert server.request("DELETE", f"/api/channels/{channel['id']}")[0] == 204
        return server

    return start_empty


def posted(server: Server) -> str:
    status, channel = server.request("POST", "/api/channels", {"url": VALUE_INVESTOR, "time_range_months": 36})
    assert (status, channel["status"]) == (201, "pending")
    channel_id: str = channel["id"]
    return channel_id


def in_the_middle(channel: Any) -> bool:
    return 3 < channel["processed_video_count"] < channel["video_count"]


def closes() -> dict[str, dict[date, float]]:
    with PRICES.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return {
        ticker: {date.fromisoformat(row[0]): float(row[column]) for row in rows}
        for column, ticker in enumerate(header[1:], start=1)
    }


def close_at(history: dict[date, float], published_time: str) -> float | None:
    """The last close of the week up to that time, looked up without the product's help."""
    local_time = datetime.fromisoformat(published_time).astimezone(ZoneInfo("America/New_York"))
    day = local_time.date() if local_time.hour >= 16 else local_time.date() - timedelta(days=1)
    near = (day - timedelta(days=number) for number in range(8))
    return next((history[each] for each in near if each in history), None)


def check_completeness(server: Server, channel: Any) -> None:
    """Completed, each video and mention exactly once, and the counter exact."""
    videos = next(demo for demo in channels() if demo.info.youtube_channel_id == channel["youtube_channel_id"]).videos
    path = f"/api/channels/{channel['id']}"
    timeline = server.get(f"{path}/timeline")["timeline"]
    stocks = server.get(f"{path}/stocks")["stocks"]
    finish = server.get(f"{path}/logs")["logs"][-1]["message"]

    assert channel["status"] == "completed"
    assert channel["processed_video_count"] == channel["video_count"] == len(videos)
    shown = Counter(entry["video"]["youtube_video_id"] for entry in timeline)
    assert set(shown.values()) == {1}
    assert shown.keys() <= {video.youtube_video_id for video in videos}
    mentions = [mention for entry in timeline for mention in entry["mentions"]]
    assert set(Counter((mention["video_id"], mention["ticker"]) for mention in mentions).values()) == {1}
    assert sum(stock["total_mentions"] for stock in stocks) == len(mentions)
    assert finish.startswith(f"Finished. {len(videos)} videos: ")
    assert finish.endswith(f" {len(mentions)} mentions of {len(stocks)} stocks.")


def test_a_posted_channel_rises_to_its_total_and_shows_its_track_record(start_empty: Start) -> None:
    server = start_empty()
    channel_id = posted(server)
    progress = []

    def over() -> bool:
        channel = server.get(f"/api/channels/{channel_id}?strong=true")
        progress.append((channel["processed_video_count"], channel["video_count"]))
        return channel["status"] not in ("pending", "processing")

    eventually(over)

    channel = server.get(f"/api/channels/{channel_id}")
    check_completeness(server, channel)
    finished = [done for done, _ in progress]
    assert finished == sorted(finished)
    assert len(set(finished)) > 3
    assert {total for _, total in progress} <= {0, channel["video_count"]}
    assert channel["name"] == "The Patient Value Investor (demo)"
    assert channel["url"] == VALUE_INVESTOR
    log = server.get(f"/api/channels/{channel_id}/logs")["logs"]
    assert [line["id"] for line in log] == sorted({line["id"] for line in log})
    assert {line["log_level"] for line in log} <= {"info", "warning"}


def test_prices_are_right_to_the_cent(start: Start, scored_demo: Path, tmp_path: Path) -> None:
    copy_data(scored_demo, tmp_path / "data")
    server = start()
    known = closes()
    priced = 0

    for channel in all_channels(server):
        path = f"/api/channels/{server.ended(channel['id'])['id']}"
        timeline = server.get(f"{path}/timeline")["timeline"]
        published = {entry["video"]["id"]: entry["video"]["published_time"] for entry in timeline}
        for stock in server.get(f"{path}/stocks")["stocks"]:
            history = known.get(stock["ticker"], {})
            expected = close_at(history, published[stock["first_mention_video_id"]])
            assert stock["price_at_first_mention"] == expected
            assert stock["current_price"] == (history[max(history)] if history else None)
            priced += expected is not None
        for entry in timeline:
            for mention in entry["mentions"]:
                expected = close_at(known.get(mention["ticker"], {}), entry["video"]["published_time"])
                assert mention["price_at_mention"] == expected

    assert priced > 20


def test_a_first_start_posts_the_demo_channels_and_a_second_does_not(start: Start) -> None:
    first = start()
    posted_by_itself = all_channels(first)
    assert sorted(each["url"] for each in posted_by_itself) == sorted(demo.url for demo in channels())
    for channel in posted_by_itself:
        check_completeness(first, first.ended(channel["id"]))
    deleted = posted_by_itself[0]["id"]
    assert first.request("DELETE", f"/api/channels/{deleted}")[0] == 204
    first.stop(signal.SIGKILL)

    second = start()

    assert sorted(each["id"] for each in all_channels(second)) == sorted(
        each["id"] for each in posted_by_itself if each["id"] != deleted
    )
    assert "demo channel added" not in second.output()
    assert "going on with" not in second.output()


def test_killed_twice_in_the_middle_of_a_run_it_goes_on_at_the_next_start(start: Start) -> None:
    first = start(**SLOW)
    under_way = [channel["id"] for channel in all_channels(first)]
    first.wait_for(under_way[0], in_the_middle)
    first.stop(signal.SIGKILL)
    second = start(**SLOW)
    assert second.output().count("going on with") == 3
    second.wait_for(under_way[0], in_the_middle)
    second.stop(signal.SIGKILL)

    third = start()

    for channel_id in under_way:
        check_completeness(third, third.ended(channel_id))
        log = third.get(f"/api/channels/{channel_id}/logs")["logs"]
        assert any(line["message"].startswith("The run was interrupted.") for line in log)


def test_interrupted_in_the_middle_of_a_run_it_stops_in_order_and_goes_on_at_the_next_start(start: Start) -> None:
    first = start(**SLOW)
    under_way = [channel["id"] for channel in all_channels(first)]
    first.wait_for(under_way[0], in_the_middle)

    assert first.interrupt() == 0

    assert first.output().endswith("Stopping…\nStopped.\n")
    assert "Traceback" not in first.output()
    second = start()
    for channel_id in under_way:
        check_completeness(second, second.ended(channel_id))


def test_cancelled_in_the_middle_nothing_more_comes_until_it_is_processed_again(start_empty: Start) -> None:
    server = start_empty(**SLOW)
    channel_id = posted(server)
    path = f"/api/channels/{channel_id}"
    server.wait_for(channel_id, in_the_middle)

    status, cancelled = server.request("POST", f"{path}/cancel")

    assert (status, cancelled["status"]) == (200, "cancelled")
    as_it_was = all_but_prices(server, path)
    another = server.request("POST", "/api/channels", {"url": channels()[1].url, "time_range_months": 36})[1]
    server.ended(another["id"])
    assert all_but_prices(server, path) == as_it_was
    assert server.request("POST", f"{path}/cancel") == (400, {"detail": "Channel is not processing"})
    assert server.request("POST", f"{path}/process")[0] == 200
    check_completeness(server, server.ended(channel_id))


def all_but_prices(server: Server, path: str) -> Any:
    """The data of a channel. Prices of its calls still arrive after it was cancelled."""
    timeline = server.get(f"{path}/timeline")["timeline"]
    for entry in timeline:
        entry["mentions"] = [{**mention, "price_at_mention": None} for mention in entry["mentions"]]
    return server.get(path), timeline, server.get(f"{path}/logs")


def test_deleted_in_the_middle_nothing_is_left_and_it_can_be_posted_again(start_empty: Start) -> None:
    server = start_empty(**SLOW)
    channel_id = posted(server)
    server.wait_for(channel_id, in_the_middle)

    assert server.request("DELETE", f"/api/channels/{channel_id}") == (204, None)

    assert server.request("GET", f"/api/channels/{channel_id}")[0] == 404
    assert server.request("GET", f"/api/channels/{channel_id}/logs")[0] == 404
    again = posted(server)
    check_completeness(server, server.ended(again))
    assert [channel["id"] for channel in all_channels(server)] == [again]


def test_a_channel_that_is_not_of_the_demo_explains_how_to_go_live(start_empty: Start) -> None:
    server = start_empty()
    _, channel = server.request("POST", "/api/channels", {"url": "https://www.youtube.com/@SomebodyReal"})

    failed = server.ended(channel["id"])

    assert failed["status"] == "failed"
    last = server.get(f"/api/channels/{channel['id']}/logs")["logs"][-1]
    assert last["log_level"] == "error"
    assert "PROVIDERS=live" in last["message"]


def test_live_without_a_key_fails_and_names_the_setting(start: Start) -> None:
    server = start(PROVIDERS="live", YOUTUBE_API_KEY="")
    assert all_channels(server) == []
    _, channel = server.request("POST", "/api/channels", {"url": "https://www.youtube.com/@SomebodyReal"})

    failed = server.ended(channel["id"])

    assert failed["status"] == "failed"
    assert "YOUTUBE_API_KEY is not set" in server.get(f"/api/channels/{channel['id']}/logs")["logs"][-1]["message"]
