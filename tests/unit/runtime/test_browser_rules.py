"""Which requests of browsers are refused where no token is required, as on AWS with `auth=none`."""

from collections.abc import Iterator

import pytest

from functions.runtime.settings import settings
from tests.events import Response, call

HOST = "abcdefghij.execute-api.eu-central-1.amazonaws.com"
EVIL = "https://evil.example"


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CHECK_BROWSERS", "true")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


def create(**headers: str) -> Response:
    """422 when it gets through: the URL names no channel."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return call(
        "POST", "/api/channels", body='{"url": "nowhere"}', headers={"content-type": "application/json", **sent}
    )


@pytest.mark.parametrize("headers", [{"origin": EVIL}, {"origin": "null"}, {"sec_fetch_site": "cross-site"}], ids=str)
def test_another_page_changes_nothing(checked: None, headers: dict[str, str]) -> None:
    response = create(**headers)

    assert response.status == 403
    assert response.json() == {"detail": "A web page of another origin may not change anything here"}
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": f"https://{HOST}"},
        # The page behind CloudFront, which sends its own Host to API Gateway.
        {"origin": "https://d111111abcdef8.cloudfront.net", "sec_fetch_site": "same-origin"},
        {"origin": "http://localhost:5173", "sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "none"},
    ],
    ids=str,
)
def test_its_own_page_allowed_ones_and_what_is_no_browser_get_through(checked: None, headers: dict[str, str]) -> None:
    assert create(**headers).status == 422


def test_a_browser_sends_json_as_json(checked: None) -> None:
    refused = create(origin="http://localhost:5173", content_type="text/plain")

    assert refused.status == 415
    assert refused.headers["access-control-allow-origin"] == "http://localhost:5173"
    assert create(content_type="text/plain").status == 422


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reads_are_not_refused(checked: None, method: str) -> None:
    assert call(method, "/health/live", headers={"origin": EVIL}).status in (200, 204, 405)


def test_where_a_token_is_required_nothing_is_checked() -> None:
    assert create(origin=EVIL).status == 422
