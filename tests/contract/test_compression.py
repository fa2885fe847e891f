"""Large responses are compressed for those who accept it."""

import httpx
import pytest

from tests.contract.steps import Channel


@pytest.mark.parametrize("path", ["/api/channels/{id}/timeline", "/openapi.json", "/docs"])
def test_a_large_response_is_compressed_on_request(api: httpx.Client, demo: Channel, path: str) -> None:
    path = path.format(id=demo["id"])

    plain = api.get(path, headers={"Accept-Encoding": "identity"})
    compressed = api.get(path, headers={"Accept-Encoding": "gzip"})

    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert int(compressed.headers["content-length"]) < len(plain.content)
    assert compressed.content == plain.content
    assert "accept-encoding" in compressed.headers["vary"].lower()
    assert "accept-encoding" in plain.headers["vary"].lower()


@pytest.mark.parametrize("accepted", ["gzip;q=0", "identity", "br"])
def test_nothing_is_compressed_for_those_who_do_not_accept_it(api: httpx.Client, demo: Channel, accepted: str) -> None:
    response = api.get(f"/api/channels/{demo['id']}/timeline", headers={"Accept-Encoding": accepted})

    assert "content-encoding" not in response.headers
    assert response.json()["timeline"]


def test_a_small_response_is_not_compressed(api: httpx.Client) -> None:
    assert "content-encoding" not in api.get("/health", headers={"Accept-Encoding": "gzip"}).headers
