"""Imports: begun, watched, and refused with a sentence."""

import time

import httpx

from tests.contract.shapes import IMPORT, INVALID, has_shape
from tests.contract.steps import MAX_WAIT_SECONDS, POLL_SECONDS


def test_an_import_of_a_file_that_is_not_there_fails_with_a_sentence(api: httpx.Client) -> None:
    response = api.post("/api/imports", json={"key": "imports/not-there.zip"})

    begun = response.json()
    path = f"/api/imports/{begun['id']}"
    assert (response.status_code, response.headers["location"], begun["status"]) == (202, path, "PENDING")
    has_shape(begun, IMPORT)
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while (found := api.get(path).json())["status"] in ("PENDING", "PROCESSING"):
        assert time.monotonic() < deadline, found
        time.sleep(POLL_SECONDS)
    has_shape(found, IMPORT)
    assert (found["status"], found["error_message"]) == ("FAILED", "There is no file imports/not-there.zip.")


def test_names_that_lead_elsewhere_and_unknown_imports_are_refused(api: httpx.Client) -> None:
    for key in ("export.zip", "imports/../secret.zip", "/etc/passwd", "imports/a/b.zip", "imports/a.txt", "", 7):
        response = api.post("/api/imports", json={"key": key})
        assert response.status_code == 422
        has_shape(response.json()["detail"][0], INVALID)
    for unknown in ("nothing", "01ARZ3NDEKTSV4RRFFQ69G5FAV"):
        response = api.get(f"/api/imports/{unknown}")
        assert (response.status_code, response.json()) == (404, {"detail": "Import not found"})
