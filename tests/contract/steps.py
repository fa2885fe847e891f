"""Helpers of the contract tests: add a channel, wait for its run, list all channels."""

import os
import time
from typing import Any
from uuid import uuid4

import httpx

MAX_WAIT_SECONDS = 300
POLL_SECONDS = float(os.environ.get("API_POLL_SECONDS", "0.1"))
UNDER_WAY = ("pending", "processing")
DEMO_URL = "https://www.youtube.com/@DemoValueInvestor"
DEMO_TO_CHANGE_URL = "https://www.youtube.com/@DemoMomentumTrader"
DEMO_TO_DOUBLE = ("https://www.youtube.com/@DemoMarketTalk", "https://www.youtube.com/channel/UCDemoMarketTalk00000000")

Channel = dict[str, Any]


def a_new_url() -> str:
    return f"https://www.youtube.com/@contract-{uuid4().hex}"


def all_channels(api: httpx.Client) -> list[Channel]:
    channels: list[Channel] = []
    token = ""
    while True:
        page = api.get("/api/channels", params={"limit": 100, **({"nextToken": token} if token else {})}).json()
        channels += page["items"]
        token = page["nextToken"]
        if token is None:
            return channels


def channel_of(api: httpx.Client, url: str) -> Channel:
    """The channel of a URL, which is added if it is not there yet."""
    # One that is processed again and again is processed sooner with fewer videos.
    months = 6 if url == DEMO_TO_CHANGE_URL else 36
    response = api.post("/api/channels", json={"url": url, "time_range_months": months})
    if response.status_code == 201:
        return dict(response.json())
    return next(channel for channel in all_channels(api) if channel["url"] == url)


def finished(api: httpx.Client, channel: Channel) -> Channel:
    """The channel once no run of it is under way."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while channel["status"] in UNDER_WAY:
        assert time.monotonic() < deadline, f"still {channel['status']}: {channel}"
        time.sleep(POLL_SECONDS)
        channel = api.get(f"/api/channels/{channel['id']}", params={"strong": "true"}).json()
    return channel


def scored(api: httpx.Client, channel: Channel) -> Channel:
    """The channel once its score has been computed."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while (score := api.get(f"/api/channels/{channel['id']}/score").json())["computed_at"] is None:
        assert time.monotonic() < deadline, f"still without a score: {score['reason']}"
        time.sleep(POLL_SECONDS)
    return channel


def removed(api: httpx.Client, *urls: str) -> None:
    """Deletes the channels of these URLs, so that they can be added again."""
    for channel in all_channels(api):
        if channel["url"] in urls:
            assert api.delete(f"/api/channels/{channel['id']}").status_code == 204
