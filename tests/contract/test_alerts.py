"""Alerts over HTTP: lists and feeds of what the demo channels said, a person's settings, and the watchlist."""

from typing import Any
from xml.etree import ElementTree

import httpx
import pytest

from tests.contract.shapes import ALERT, ALERT_SETTINGS, CALL_TOLD, has_shape
from tests.contract.steps import Channel, scored

ATOM = "{http://www.w3.org/2005/Atom}"
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def settings_of(api: httpx.Client) -> dict[str, Any]:
    response = api.get("/api/alerts/settings")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def wishes(found: dict[str, Any]) -> dict[str, Any]:
    return {name: found[name] for name in ("webhook_url", "email", "kinds", "channels", "digest", "version")}


class TestLists:
    def test_tell_of_each_video_with_calls(self, api: httpx.Client, demo: Channel) -> None:
        page = api.get(f"/api/channels/{demo['id']}/alerts", params={"kind": "calls", "limit": 100}).json()

        calls = [detail for alert in page["items"] for detail in alert["details"]]
        assert calls
        for alert in page["items"]:
            has_shape(alert, ALERT)
            assert alert["channel_id"] == demo["id"]
        for call in calls:
            has_shape(call, CALL_TOLD)
        timestamps = [alert["occurred_at"] for alert in page["items"]]
        assert timestamps == sorted(timestamps, reverse=True)

    def test_of_all_channels_hold_those_of_one(self, api: httpx.Client, demo: Channel) -> None:
        newest = api.get("/api/alerts", params={"limit": 5}).json()

        assert len(newest["items"]) == 5
        assert newest["nextToken"]
        for alert in newest["items"]:
            has_shape(alert, ALERT)

    def test_of_an_unknown_channel_are_not_found(self, api: httpx.Client) -> None:
        for path in ("alerts", "feed.atom"):
            assert api.get(f"/api/channels/{UNKNOWN}/{path}").status_code == 404


class TestFeeds:
    @pytest.mark.parametrize("of_one", [True, False])
    def test_hold_the_calls_of_the_demo(self, api: httpx.Client, demo: Channel, of_one: bool) -> None:
        scored(api, demo)
        path = f"/api/channels/{demo['id']}/feed.atom" if of_one else "/api/feed.atom"

        response = api.get(path)

        feed = ElementTree.fromstring(response.content)
        entries = feed.findall(f"{ATOM}entry")
        assert response.headers["content-type"].startswith("application/atom+xml")
        assert 0 < len(entries) <= 100
        assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries)

    def test_are_not_sent_twice(self, api: httpx.Client, demo: Channel) -> None:
        path = f"/api/channels/{demo['id']}/feed.atom"
        tag = api.get(path).headers["etag"]

        response = api.get(path, headers={"If-None-Match": tag})

        assert (response.status_code, response.content) == (304, b"")


class TestSettings:
    def test_are_read_changed_and_refused_when_old(self, api: httpx.Client) -> None:
        before = settings_of(api)
        has_shape(before, ALERT_SETTINGS)

        saved = api.put("/api/alerts/settings", json={**wishes(before), "digest": "daily", "kinds": ["verdict"]})
        old = api.put("/api/alerts/settings", json={**wishes(before), "kinds": ["calls"]})

        assert saved.status_code == 200
        has_shape(saved.json(), ALERT_SETTINGS)
        assert saved.json() == settings_of(api)
        assert old.status_code == 409
        assert isinstance(old.json()["detail"], str)

    @pytest.mark.parametrize(
        "url", ["http://example.com/", "https://127.0.0.1/", "https://169.254.169.254/", "https://[::1]/", "nowhere"]
    )
    def test_take_no_address_inside(self, api: httpx.Client, url: str) -> None:
        response = api.put("/api/alerts/settings", json={**wishes(settings_of(api)), "webhook_url": url})

        assert response.status_code == 422
        assert response.json()["detail"][0]["loc"] == ["body", "webhook_url"]

    def test_a_test_message_without_an_address_says_so(self, api: httpx.Client) -> None:
        response = api.post("/api/alerts/settings/test")

        assert response.status_code == 200
        assert response.json().keys() == {"delivered", "problem"}


def test_a_watchlist_is_read_changed_and_refused_when_old(api: httpx.Client, demo: Channel) -> None:
    before = api.get("/api/watchlist").json()
    wanted = {"tickers": ["aapl"], "channel_ids": [demo["id"]], "version": before["version"]}

    saved = api.put("/api/watchlist", json=wanted)
    old = api.put("/api/watchlist", json={**wanted, "tickers": []})

    assert saved.json() == {"tickers": ["AAPL"], "channel_ids": [demo["id"]], "version": before["version"] + 1}
    assert api.get("/api/watchlist").json() == saved.json()
    assert old.status_code == 409
    assert "AAPL" in old.json()["detail"]
    assert old.json()["present"] == saved.json()
