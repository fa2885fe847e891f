"""Which web pages may read the responses."""

import httpx
import pytest

from tests.contract.steps import Channel

FRONTEND = "http://localhost:5173"
FOREIGN = ["https://evil.example", "http://localhost:5174", "http://localhost:5173.evil.example", "null"]
REQUESTS = [
    ("GET", "/health", 200),
    ("GET", "/api/channels", 200),
    ("GET", "/api/channels/{id}/timeline", 200),
    ("GET", "/api/channels/x", 404),
    ("GET", "/nowhere", 404),
    ("PUT", "/api/channels", 405),
    ("POST", "/api/channels", 422),
    ("POST", "/api/channels/{id}/cancel", 400),
    ("GET", "/api/channels?nextToken=x", 400),
]


@pytest.mark.parametrize(("method", "path", "status"), REQUESTS)
def test_the_frontend_may_read_successes_and_errors(
    api: httpx.Client, demo: Channel, method: str, path: str, status: int
) -> None:
    response = api.request(method, path.format(id=demo["id"]), headers={"Origin": FRONTEND})

    assert response.status_code == status
    assert response.headers["access-control-allow-origin"] == FRONTEND
    assert "origin" in response.headers["vary"].lower()


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize(("method", "path", "status"), REQUESTS)
def test_other_pages_may_not(
    api: httpx.Client, demo: Channel, method: str, path: str, status: int, origin: str
) -> None:
    response = api.request(method, path.format(id=demo["id"]), headers={"Origin": origin})

    # What changes something is refused where no token is required.
    assert response.status_code in ((status,) if method == "GET" else (status, 403))
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("method", ["POST", "DELETE", "GET"])
def test_a_preflight_lets_the_frontend_send_what_it_sends(api: httpx.Client, method: str) -> None:
    preflight_headers = {
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "content-type,idempotency-key",
    }

    response = api.options("/api/channels/x", headers={"Origin": FRONTEND, **preflight_headers})

    assert response.status_code in (200, 204)
    assert response.content == b""
    assert response.headers["access-control-allow-origin"] == FRONTEND
    assert method in response.headers["access-control-allow-methods"].upper()
    assert {"content-type", "idempotency-key"} <= {
        name.strip() for name in response.headers["access-control-allow-headers"].lower().split(",")
    }


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_preflight_of_another_page_is_given_nothing(api: httpx.Client, origin: str) -> None:
    response = api.options("/api/channels", headers={"Origin": origin, "Access-Control-Request-Method": "POST"})

    assert "access-control-allow-origin" not in response.headers


def test_the_frontend_may_read_where_a_new_channel_is(api: httpx.Client) -> None:
    response = api.get("/health", headers={"Origin": FRONTEND})

    assert "location" in response.headers["access-control-expose-headers"].lower()
