"""The API under test: the one at `BASE_URL`, or a local server started for this run.

For a deployed API: `API_TOKEN` is sent as a bearer token, `API_CA_BUNDLE` names the certificates to trust,
`API_HOST` is sent as the host where the address is not the API's own. Where requests are slow, `API_CASES` limits how
many cases of each parametrised test are run, `API_AT_ONCE` how many requests are sent at once, and `API_POLL_SECONDS`
is the pause between two looks at a run. Its providers must be the demo's. Some tests change the demo channels, so that
an API which is shared is tested by one process at a time.
"""

import math
import os
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.contract.steps import DEMO_URL, Channel, a_new_url, channel_of, finished
from tests.local_server import running_server

REQUEST_SECONDS = 60

Create = Callable[[], Channel]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    cases = os.environ.get("API_CASES")
    if not cases:
        return
    by_test: dict[str, list[pytest.Item]] = {}
    for item in items:
        by_test.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = [item for test in by_test.values() for item in test[:: math.ceil(len(test) / int(cases))]]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


@pytest.fixture(scope="session")
def base_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    named = os.environ.get("BASE_URL")
    if named:
        yield named.rstrip("/")
        return
    demo: Path = request.getfixturevalue("scored_demo")
    with running_server(tmp_path_factory.mktemp("server"), demo) as server:
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
def outside(client_options: dict[str, Any]) -> Iterator[httpx.Client]:
    """For addresses that the API gives, which need no token of it."""
    with httpx.Client(verify=client_options["verify"], timeout=REQUEST_SECONDS, trust_env=False) as client:
        yield client


@pytest.fixture(scope="session")
def demo(api: httpx.Client) -> Channel:
    """A demo channel that has been processed. Tests only read it."""
    return finished(api, channel_of(api, DEMO_URL))


@pytest.fixture
def a_new_channel(api: httpx.Client) -> Iterator[Create]:
    """Creates channels with unique URLs, and deletes them after the test."""
    created: list[str] = []

    def create() -> Channel:
        response = api.post("/api/channels", json={"url": a_new_url()})
        assert response.status_code == 201, response.text
        created.append(response.json()["id"])
        return dict(response.json())

    yield create
    for channel_id in created:
        api.delete(f"/api/channels/{channel_id}")
