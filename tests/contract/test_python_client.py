"""The Python client against the running API."""

import csv
import json
import logging
import os
from collections.abc import Iterator
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import httpx
import pytest

from stock_track_record_client import ApiError, Client, Conflict, Invalid, NotFound, Unauthorized
from stock_track_record_client.models import IncomingNews
from tests.contract.steps import Channel, a_new_url, scored

UNKNOWN = "00000000-0000-4000-8000-000000000000"
TOKEN = "a-token-that-nobody-may-see"


class Transport(httpx.HTTPTransport):
    """Names the host of an API that is reached by another address."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(verify=options["verify"])
        self._host = options["headers"].get("Host")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self._host:
            request.headers["Host"] = self._host
        return super().handle_request(request)


@pytest.fixture(scope="module")
def client(client_options: dict[str, Any]) -> Iterator[Client]:
    token = os.environ.get("API_TOKEN")
    with Client(client_options["base_url"], token, timeout=60, transport=Transport(client_options)) as client:
        yield client


@pytest.fixture(scope="module")
def judged(api: httpx.Client, demo: Channel) -> str:
    return str(scored(api, demo)["id"])


def tickers_in(file: str) -> list[str]:
    return [row["ticker"] for row in csv.DictReader(StringIO(file))]


def test_a_channel_is_added_waited_for_changed_and_deleted(client: Client) -> None:
    url = a_new_url()
    added = client.add_channel(url, time_range_months=6)
    channel_id = added["id"]

    with pytest.raises(ApiError) as exists:
        client.add_channel(url)
    # There is no such channel on YouTube.
    ended = client.wait_until_processed(channel_id, timeout=300)
    changed = client.change_channel(channel_id, check_every="weekly")
    listed = [channel["id"] for channel in client.channels()]
    logged = [line["message"] for line in client.logs(channel_id)]
    client.delete_channel(channel_id)

    assert (exists.value.status, exists.value.location) == (400, f"/api/channels/{channel_id}")
    assert (ended["status"], changed["check_every"], changed["time_range_months"]) == ("failed", "weekly", 6)
    assert channel_id in listed
    assert logged
    for gone in (client.channel, client.delete_channel):
        with pytest.raises(NotFound, match="404: Channel not found"):
            gone(channel_id)


def test_what_a_channel_said_is_read_whole(client: Client, judged: str) -> None:
    calls = list(client.calls(judged, status="scored"))
    stocks = client.stocks(judged)
    timeline = list(client.timeline(judged))
    ticker = calls[0]["ticker"]

    assert {call["ticker"] for call in calls} <= {stock["ticker"] for stock in stocks["stocks"]}
    assert all(call["excess_percent"] is not None for call in calls)
    assert len(timeline) == stocks["coverage"]["with_mentions"]
    assert {mention["ticker"] for mention in client.mentions(judged, ticker.lower())} == {ticker}
    assert judged in {call["channel"]["id"] for call in client.stock_calls(ticker)}
    assert {video["transcript_status"] for video in client.videos(judged, status="fetched")} == {"fetched"}
    assert tickers_in(client.calls_csv(judged, status="scored")) == [call["ticker"] for call in calls]
    assert tickers_in(client.stocks_csv(judged)) == [stock["ticker"] for stock in stocks["stocks"]]
    assert client.search(ticker)["stocks"][0]["ticker"] == ticker


def test_scores_backtests_and_prices(client: Client, judged: str) -> None:
    score = client.score(judged)
    board = client.leaderboard(horizon="1m")
    backtest = client.backtest(judged, strategy="long_short", horizon="1m", cost_bps=0.5)
    closes = client.stock_history("AAPL", date(2022, 12, 1), date(2022, 12, 28))

    assert [each["horizon"] for each in score["horizons"]] == ["1w", "1m", "3m", "6m", "1y"]
    assert judged in {item["channel"]["id"] for item in board}
    assert {page["horizon"] for page in board.pages()} == {"1m"}
    assert (backtest["strategy"], backtest["cost_bps"], bool(backtest["points"])) == ("long_short", 0.5, True)
    assert [close["date"] for close in closes] == sorted(close["date"] for close in closes)
    assert client.stock_price("AAPL")["price"]


def test_a_review_is_made_seen_and_withdrawn(client: Client, judged: str) -> None:
    mention = next(iter(client.review_queue(judged, order="sample")))["mention"]
    place = (judged, mention["video_id"], mention["ticker"])

    confirmed = client.review_call(*place, "confirmed", note="Heard it", version=mention["review_version"] or 0)
    with pytest.raises(Conflict):
        client.review_call(*place, "rejected", version=mention["review_version"] or 0)
    seen = client.call(*place)
    corrected = client.review_call(*place, "corrected", act="owns", speaker="guest", sponsored=False)
    client.review_call(*place, None)

    assert confirmed["review"] == "confirmed"
    assert seen["review"] and seen["review"]["note"] == "Heard it"
    assert corrected["statement"] and (corrected["statement"]["act"], corrected["sentiment"]) == ("owns", "hold")
    assert client.call(*place)["mention"]["review"] is None


def test_a_plan_is_sent_and_waited_for(client: Client, judged: str) -> None:
    sent = client.create_plan("Score it", [{"key": "score", "kind": "score", "channel_id": judged}])
    ended = client.wait_for_plan(sent["id"], timeout=300)

    assert (ended["status"], ended["tasks"][0]["channel_id"]) == ("completed", judged)
    assert sent["id"] in {plan["id"] for plan in client.plans()}
    with pytest.raises(ApiError, match="Plan has ended"):
        client.cancel_plan(sent["id"])


def test_runs_tell_what_they_read(client: Client, judged: str) -> None:
    run = list(client.channel_runs(judged))[-1]
    video = next(iter(client.videos(judged)))

    assert client.run(run["id"])["channel_id"] == judged
    assert run["id"] in {each["id"] for each in client.runs(status=run["status"])}
    assert list(client.video_runs(judged, video["id"]))


def test_of_two_changes_of_a_watchlist_the_second_is_refused(client: Client) -> None:
    before = client.watchlist()

    saved = client.save_watchlist(["msft"], [], version=before["version"])
    with pytest.raises(Conflict) as conflict:
        client.save_watchlist([], [], version=before["version"])
    after = client.save_watchlist(before["tickers"], before["channel_ids"], version=saved["version"])

    assert (saved["tickers"], saved["version"]) == (["MSFT"], before["version"] + 1)
    assert conflict.value.present == saved
    assert after["tickers"] == before["tickers"]


def test_a_note_is_written_changed_found_and_deleted(client: Client, judged: str) -> None:
    ticker = client.stocks(judged)["stocks"][0]["ticker"]
    written = client.add_note(judged, ticker, "Sounds sure of it")
    place = (judged, ticker, written["id"])

    changed = client.change_note(*place, "Was sure of it", version=written["version"])
    with pytest.raises(Conflict) as conflict:
        client.change_note(*place, "Is sure of it", version=written["version"])
    found = [note["id"] for note in client.stock_notes(ticker)]
    client.delete_note(*place)

    assert (changed["text"], changed["author"]) == ("Was sure of it", client.me()["user_id"])
    assert conflict.value.present == changed
    assert written["id"] in found
    assert written["id"] not in {note["id"] for note in client.notes(judged, ticker)}


def test_settings_are_saved_and_follow_the_default_again(client: Client) -> None:
    before = client.settings()

    saved = client.save_settings(version=before["version"], horizon="1y", cost_bps=25)
    again = client.save_settings(version=saved["version"])

    assert (saved["horizon"], saved["cost_bps"], set(saved["own"])) == ("1y", 25, {"horizon", "cost_bps"})
    assert again["own"] == []


def test_a_story_is_added_once_and_found(client: Client) -> None:
    url = f"https://news.example.com/{uuid4().hex}"
    now = datetime.now(UTC).isoformat()
    story: IncomingNews = {"url": url, "title": "Apple raises its outlook", "published_at": now, "tags": ["AAPL"]}

    added = client.add_news(story)
    with pytest.raises(Conflict):
        client.add_news(story)
    found = [each["source_id"] for each in client.news(tag="aapl")]
    days = client.news_summary("AAPL")["days"]

    assert (added["source_url"], added["tags"]) == (url, ["AAPL"])
    assert added["source_id"] in found
    assert any(day["pending"] + day["positive"] + day["neutral"] + day["negative"] for day in days)


def test_an_export_is_made_downloaded_and_deleted(client: Client, judged: str, tmp_path: Path) -> None:
    begun = client.create_export(format="jsonl", channel_ids=[judged])
    ended = client.wait_for_export(begun["id"], timeout=300)
    listed = [export["id"] for export in client.exports()]

    file = client.download_export(begun["id"], tmp_path / "export.zip")
    client.delete_export(begun["id"])

    assert (ended["status"], ended["channels_done"]) == ("COMPLETED", 1)
    assert begun["id"] in listed
    with ZipFile(file) as archive:
        assert archive.testzip() is None
        (channel,) = map(json.loads, archive.read("channels.jsonl").splitlines())
    assert channel["id"] == judged
    with pytest.raises(NotFound, match="404: Export not found"):
        client.download_export(begun["id"], tmp_path / "again.zip")


def test_what_is_invalid_names_its_fields(client: Client) -> None:
    with pytest.raises(Invalid) as invalid:
        client.add_channel("https://example.com/@x", time_range_months=99)
    with pytest.raises(NotFound):
        list(client.calls(UNKNOWN))

    assert {field.place for field in invalid.value.fields} == {("body", "url"), ("body", "time_range_months")}


def test_the_token_reaches_no_log(client_options: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    with Client(client_options["base_url"], TOKEN, transport=Transport(client_options)) as client:
        try:
            next(iter(client.channels()))
        except Unauthorized as refusal:
            assert TOKEN not in str(refusal)

    assert "send_request_headers" in caplog.text
    assert TOKEN not in caplog.text
