"""The API under test: whatever `BASE_URL` names, or else a local server of this run's own.

A deployed API may ask for more: `API_TOKEN` is sent as a bearer token, `API_CA_BUNDLE` names the certificates to trust,
and `API_HOST` is sent as the host where the address is not the API's own.
"""

import os
import ssl
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.local_server import running_server

LONGEST_WAIT_SECONDS = 300
REQUEST_SECONDS = 60
UNDER_WAY = ("pending", "processing")
DEMO_URL = "https://www.youtube.com/@DemoValueInvestor"
DEMO_TO_CHANGE_URL = "https://www.youtube.com/@DemoMomentumTrader"
DEMO_TO_DOUBLE = ("https://www.youtube.com/@DemoMarketTalk", "https://www.youtube.com/channel/UCDemoMarketTalk00000000")

Channel = dict[str, Any]
Create = Callable[[], Channel]


@pytest.fixture(scope="session")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    named = os.environ.get("BASE_URL")
    if named:
        yield named.rstrip("/")
        return
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server.base_url


@pytest.fixture(scope="session")
def client_options(base_url: str) -> dict[str, Any]:
    token, bundle, host = (os.environ.get(name) for name in ("API_TOKEN", "API_CA_BUNDLE", "API_HOST"))
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {
        "base_url": base_url,
        "headers": {**headers, **({"Host": host} if host else {})},
        "verify": ssl.create_default_context(cafile=bundle) if bundle else True,
        "timeout": REQUEST_SECONDS,
        "trust_env": False,
    }


@pytest.fixture(scope="session")
def api(client_options: dict[str, Any]) -> Iterator[httpx.Client]:
    with httpx.Client(**client_options) as client:
        yield client


@pytest.fixture(scope="session")
def demo(api: httpx.Client) -> Channel:
    """A demo channel that has been processed. Tests only read it."""
    return finished(api, channel_of(api, DEMO_URL))


@pytest.fixture
def a_new_channel(api: httpx.Client) -> Iterator[Create]:
    """Creates channels that nobody else has, and removes them in the end."""
    created: list[str] = []

    def create() -> Channel:
        answer = api.post("/api/channels", json={"url": a_new_url()})
        assert answer.status_code == 201, answer.text
        created.append(answer.json()["id"])
        return dict(answer.json())

    yield create
    for channel_id in created:
        api.delete(f"/api/channels/{channel_id}")


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
    answer = api.post("/api/channels", json={"url": url, "time_range_months": 36})
    if answer.status_code == 201:
        return dict(answer.json())
    return next(channel for channel in all_channels(api) if channel["url"] == url)


def finished(api: httpx.Client, channel: Channel) -> Channel:
    """The channel once no run of it is under way."""
    deadline = time.monotonic() + LONGEST_WAIT_SECONDS
    while channel["status"] in UNDER_WAY:
        assert time.monotonic() < deadline, f"still {channel['status']}: {channel}"
        time.sleep(0.1)
        channel = api.get(f"/api/channels/{channel['id']}", params={"strong": "true"}).json()
    return channel


def removed(api: httpx.Client, *urls: str) -> None:
    """Deletes the channels of these URLs, so that they can be added anew."""
    for channel in all_channels(api):
        if channel["url"] in urls:
            assert api.delete(f"/api/channels/{channel['id']}").status_code == 204
