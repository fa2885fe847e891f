"""Paths, methods and bodies that are not the contract's."""

import httpx
import pytest

from tests.contract.shapes import INVALID, has_shape
from tests.contract.steps import Channel, a_new_url, all_channels

TOO_LARGE = 10 * 1024 * 1024 + 1
PATHS = ["/api/channels", "/health", "/health/live", "/openapi.json", "/docs", "/api/stocks/AAPL/price"]


@pytest.mark.parametrize(
    "path", ["/nowhere", "/api", "/api/channels/x/unknown", "/API/channels", "/%ff", "/api//channels"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_an_unknown_path_is_not_found(api: httpx.Client, method: str, path: str) -> None:
    response = api.request(method, path)

    assert (response.status_code, response.json()) == (404, {"detail": "Not Found"})


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_wrong_method_is_not_allowed(api: httpx.Client, method: str, path: str) -> None:
    response = api.request(method, path)

    assert (response.status_code, response.json()) == (405, {"detail": "Method Not Allowed"})
    assert "GET" in response.headers["allow"]


@pytest.mark.parametrize("path", PATHS)
def test_head_is_not_a_method_of_this_api(api: httpx.Client, path: str) -> None:
    response = api.head(path)

    assert response.status_code == 405
    assert response.content == b""


@pytest.mark.parametrize("path", [*PATHS, "/api/channels/{id}", "/api/channels/{id}/logs", "/api/channels/{id}/stocks"])
def test_a_slash_at_the_end_is_the_same_route(api: httpx.Client, demo: Channel, path: str) -> None:
    path = path.format(id=demo["id"])

    response = api.get(f"{path}/")

    assert response.status_code == 200
    assert response.content == api.get(path).content or path == "/api/channels"


@pytest.mark.parametrize("path", ["/health", "/health/live"])
def test_health(api: httpx.Client, path: str) -> None:
    response = api.get(path)

    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert response.headers["content-type"].startswith("application/json")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "missing"),
        (b"null", "missing"),
        (b"{}", "missing"),
        (b"{", "json_invalid"),
        (b"url=x", "json_invalid"),
        (b"\xff", "json_invalid"),
        (b'{"url": NaN}', "json_invalid"),
        (b'{"url": 1e400}', "json_invalid"),
        (b'{"url": "\\ud800"}', "json_invalid"),
        (b'{"time_range_months": ' + b"9" * 5000 + b"}", "json_invalid"),
        (b"[" * 50_000, "json_invalid"),
        (b"[]", "model_attributes_type"),
        (b'"text"', "model_attributes_type"),
        (b'{"url": 5}', "string_type"),
        (b'{"url": ["x"]}', "string_type"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_a_wrong_body_is_told_and_nothing_is_written(api: httpx.Client, body: bytes, kind: str) -> None:
    before = len(all_channels(api))

    response = api.post("/api/channels", content=body, headers={"content-type": "application/json"})

    assert response.status_code == 422
    (detail,) = response.json()["detail"]
    has_shape(detail, INVALID)
    assert detail["type"] == kind
    assert detail["loc"][0] == "body"
    assert len(all_channels(api)) == before


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_form_is_not_json(api: httpx.Client, content_type: str) -> None:
    response = api.post("/api/channels", content=f"url={a_new_url()}", headers={"content-type": content_type})

    assert response.status_code == 422
    assert response.json()["detail"][0]["type"] == "json_invalid"


def test_what_was_sent_is_echoed_only_in_part(api: httpx.Client) -> None:
    response = api.post("/api/channels", json={"url": "x" * 100_000})

    assert response.status_code == 422
    assert len(response.content) < 1000


def test_a_body_over_10_mb_is_too_large(api: httpx.Client) -> None:
    response = api.post("/api/channels", content=b" " * TOO_LARGE)

    assert response.status_code == 413


def test_a_body_of_several_mb_is_read(api: httpx.Client) -> None:
    response = api.post("/api/channels", content=b" " * 5_000_000 + b'{"url": "nowhere"}')

    assert response.status_code == 422
    assert response.json()["detail"][0]["type"] == "value_error"


def test_parameters_that_nobody_knows_are_passed_over(api: httpx.Client, demo: Channel) -> None:
    assert api.get(f"/api/channels/{demo['id']}", params={"unknown": "x", "%00": "\x00"}).status_code == 200
