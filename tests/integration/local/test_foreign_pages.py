"""A web page that a user of the local server happens to visit can neither change nor read anything there."""

import json
import os
from collections.abc import Iterator
from uuid import uuid4

import httpx
import pytest

from tests.fakes import eventually
from tests.local_server import MAX_WAIT_SECONDS, LocalServer, running_server

EVIL = "https://evil.example"
DEVELOPMENT = "http://localhost:5173"
ADDED = "Box.local"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with running_server(tmp_path_factory.mktemp("foreign"), PROVIDERS="live", ALLOWED_HOSTS=ADDED) as server:
        yield server


@pytest.fixture(scope="module")
def client(server: LocalServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.base_url, timeout=MAX_WAIT_SECONDS, trust_env=False) as client:
        yield client


def add(client: httpx.Client, content_type: str = "application/json", **headers: str) -> httpx.Response:
    body = json.dumps({"url": f"https://www.youtube.com/@{uuid4().hex}"})
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.post("/api/channels", content=body, headers={"Content-Type": content_type, **sent})


def total(client: httpx.Client) -> int:
    return int(client.get("/api/channels").json()["total"])


def assert_refused(response: httpx.Response, status: int) -> None:
    assert response.status_code == status
    assert response.headers["content-type"] == "application/json"
    assert response.json().keys() == {"detail"}
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("content_type", ["text/plain", "application/json", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": EVIL},
        {"Origin": EVIL, "Sec_Fetch_Site": "cross-site"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1"},
        {"Origin": "http://localhost:5174"},
        {"Origin": f"{DEVELOPMENT}.evil.example"},
        {"Origin": "http://[::1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
    ids=str,
)
def test_another_page_adds_nothing(client: httpx.Client, headers: dict[str, str], content_type: str) -> None:
    before = total(client)

    response = add(client, content_type, **headers)

    assert_refused(response, 403)
    assert total(client) == before


def test_another_page_deletes_nothing(client: httpx.Client) -> None:
    channel = add(client).json()

    response = client.delete(f"/api/channels/{channel['id']}", headers={"Origin": EVIL})

    assert_refused(response, 403)
    assert client.get(f"/api/channels/{channel['id']}").status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:3000", "127.0.0.1.evil.example", "localhost@evil", "[::2]"]
)
@pytest.mark.parametrize("same_origin", [True, False])
def test_under_another_name_nothing_is_deleted_or_read(client: httpx.Client, host: str, same_origin: bool) -> None:
    channel = add(client).json()
    headers = {"Host": host, **({"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"} if same_origin else {})}

    deleted = client.delete(f"/api/channels/{channel['id']}", headers=headers)
    read = client.get("/api/channels", headers=headers)
    page = client.get("/", headers=headers)

    for response in (deleted, read, page):
        assert_refused(response, 421)
    assert client.get(f"/api/channels/{channel['id']}").status_code == 200


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "box.local"])
@pytest.mark.parametrize("port", ["", ":3000", ":80"])
def test_its_own_pages_work_under_each_of_its_names(client: httpx.Client, name: str, port: str) -> None:
    own = {"Host": f"{name}{port}", "Origin": f"http://{name}{port}"}

    assert add(client, **own).status_code == 201
    assert add(client, **own, Sec_Fetch_Site="same-origin").status_code == 201


def test_a_frontend_in_development_works(client: httpx.Client) -> None:
    preflight_headers = {"Origin": DEVELOPMENT, "Access-Control-Request-Method": "POST"}

    preflight = client.options("/api/channels", headers=preflight_headers)
    added = add(client, Origin=DEVELOPMENT, Sec_Fetch_Site="same-site")
    deleted = client.delete(f"/api/channels/{added.json()['id']}", headers={"Origin": DEVELOPMENT})

    assert preflight.status_code == 204
    assert (added.status_code, deleted.status_code) == (201, 204)
    for response in (preflight, added, deleted):
        assert response.headers["access-control-allow-origin"] == DEVELOPMENT


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_is_no_browser_may_call_json_what_it_likes(client: httpx.Client, content_type: str) -> None:
    assert add(client, content_type).status_code == 201


@pytest.mark.parametrize("content_type", ["text/plain", "application/jsonx", ""])
def test_a_browser_sends_json_as_json(client: httpx.Client, content_type: str) -> None:
    from_development = add(client, content_type, Origin=DEVELOPMENT)
    from_itself = add(client, content_type, Sec_Fetch_Site="same-origin")

    assert from_development.status_code == from_itself.status_code == 415
    assert from_development.headers["access-control-allow-origin"] == DEVELOPMENT
    assert add(client, "Application/JSON; charset=utf-8", Origin=DEVELOPMENT).status_code == 201


def test_another_page_may_still_read_but_cannot_see_the_response(client: httpx.Client) -> None:
    response = client.get("/api/channels", headers={"Origin": EVIL, "Sec-Fetch-Site": "cross-site"})

    assert response.status_code == 200
    assert "access-control-allow-origin" not in response.headers


def test_an_export_is_downloaded_by_its_own_page_and_by_no_other(
    server: LocalServer, client: httpx.Client, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Also one that is larger than a Lambda response, and by paths that lead out of the folder."""
    export_id = client.post("/api/exports", json={"format": "csv"}).json()["id"]
    path = f"/api/exports/{export_id}"
    eventually(lambda: client.get(path).json()["status"] == "COMPLETED")
    url = client.get(path).json()["download_url"]
    found = tmp_path_factory.getbasetemp().glob(f"foreign*/data-*/exports/{export_id}.zip")
    (file,) = {path.resolve() for path in found}
    content = os.urandom(8 * 1024 * 1024)
    file.write_bytes(content)

    for headers in (
        {},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": server.base_url, "Sec-Fetch-Site": "same-origin"},
    ):
        own = client.get(url, headers=headers)
        assert (own.status_code, own.content == content) == (200, True)
        assert own.headers["cross-origin-resource-policy"] == "same-origin"
        assert own.headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in own.headers
    for headers in ({"Origin": EVIL}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        assert_refused(client.get(url, headers=headers), 403)
    assert_refused(client.get(url, headers={"Host": "evil.example"}), 421)
    for name in ("..%2F..%2Fdynamodb.sqlite", "..", f"{export_id}.zip", export_id.lower(), "0" * 26, f"{export_id}%00"):
        assert_refused(client.get(f"/api/exports/{name}/download"), 404)
    for method in ("POST", "PUT", "PATCH", "DELETE", "HEAD"):
        other = client.request(method, url)
        assert (other.status_code, other.headers.get("allow")) == (405, "GET"), method
    file.unlink()
    assert_refused(client.get(url), 404)
