"""Exports: begun, watched, downloaded as a zip of tables, and deleted."""

import io
import time
import zipfile
from typing import Any

import httpx

from tests.contract.shapes import EXPORT, INVALID, has_shape, text
from tests.contract.steps import MAX_WAIT_SECONDS, POLL_SECONDS, Channel

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def written(api: httpx.Client, export: dict[str, Any]) -> dict[str, Any]:
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while (export := api.get(f"/api/exports/{export['id']}").json())["status"] in ("PENDING", "PROCESSING"):
        assert time.monotonic() < deadline, export
        time.sleep(POLL_SECONDS)
    return export


def test_an_export_is_begun_written_downloaded_and_deleted(
    api: httpx.Client, outside: httpx.Client, demo: Channel
) -> None:
    response = api.post("/api/exports", json={"channel_ids": [demo["id"]], "format": "csv"})

    begun = response.json()
    path = f"/api/exports/{begun['id']}"
    assert (response.status_code, response.headers["location"]) == (202, path)
    has_shape(begun, EXPORT)
    export = written(api, begun)
    has_shape(export, {**EXPORT, "download_url": text})
    assert (export["status"], export["channels"], export["channels_done"]) == ("COMPLETED", 1, 1)
    url = export["download_url"]
    # On AWS the link alone is enough, and whatever else is sent with it would be refused.
    file = api.get(url) if url.startswith("/") else outside.get(url)
    assert file.status_code == 200
    assert file.headers["content-type"] == "application/zip"
    saved_as = f"stock-track-record-{export['created_at'][:10]}-csv.zip"
    assert file.headers["content-disposition"] == f'attachment; filename="{saved_as}"'
    assert len(file.content) == export["size_bytes"]
    archive = zipfile.ZipFile(io.BytesIO(file.content))
    assert archive.testzip() is None
    assert demo["id"] in archive.read("channels.csv").decode()
    listed = api.get("/api/exports", params={"limit": 1}).json()
    has_shape(listed["items"][0], EXPORT)
    assert api.delete(path).status_code == 204
    assert [api.request(method, path).status_code for method in ("GET", "DELETE")] == [404, 404]


def test_what_cannot_be_exported_is_refused(api: httpx.Client) -> None:
    response = api.post("/api/exports", json={"channel_ids": [UNKNOWN], "format": "csv"})

    assert response.status_code == 422
    (problem,) = response.json()["detail"]
    has_shape(problem, INVALID)
    assert (problem["loc"], problem["input"]) == (["body", "channel_ids"], UNKNOWN)
    assert UNKNOWN in problem["msg"]


def test_an_export_that_is_not_there(api: httpx.Client) -> None:
    for method in ("GET", "DELETE"):
        response = api.request(method, "/api/exports/nothing")
        assert (response.status_code, response.json()) == (404, {"detail": "Export not found"})
