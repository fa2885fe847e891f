"""A person's own over HTTP: who they are, their settings, and their notes on a channel's stock."""

import httpx

from tests.contract.conftest import Create
from tests.contract.shapes import ME, NOTE, SETTINGS, has_shape, text

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def test_who_is_asking_is_the_same_twice(api: httpx.Client) -> None:
    first, second = api.get("/api/me"), api.get("/api/me")

    has_shape(first.json(), ME)
    assert first.json()["first_seen_at"] == second.json()["first_seen_at"]
    assert first.headers["cache-control"] == "no-store"


def test_settings_are_read_changed_and_refused_when_old(api: httpx.Client) -> None:
    before = api.get("/api/settings").json()
    has_shape(before, SETTINGS)
    wanted = {"horizon": "6m", "cost_bps": 5, "review_below": None, "benchmark": None, "version": before["version"]}

    saved = api.put("/api/settings", json=wanted)
    old = api.put("/api/settings", json={**wanted, "cost_bps": 6})
    other = api.put("/api/settings", json={**wanted, "benchmark": "GOLD", "version": saved.json()["version"]})
    back = api.put("/api/settings", json={**dict.fromkeys(wanted), "version": saved.json()["version"]})

    assert (saved.json()["horizon"], saved.json()["own"]) == ("6m", ["horizon", "cost_bps"])
    assert old.status_code == 409
    assert old.json().keys() == {"detail", "present"}
    assert old.json()["present"] == saved.json()
    assert (other.status_code, other.json()["detail"][0]["loc"]) == (422, ["body", "benchmark"])
    assert (back.status_code, back.json()["own"]) == (200, [])


def test_a_note_is_written_read_changed_and_deleted(api: httpx.Client, a_new_channel: Create) -> None:
    channel = a_new_channel()
    path = f"/api/channels/{channel['id']}/stocks/AAPL/notes"

    created = api.post(path, json={"text": "Wait\nfor Q3"}, headers={"Idempotency-Key": channel["id"]})
    again = api.post(path, json={"text": "Wait\nfor Q3"}, headers={"Idempotency-Key": channel["id"]})
    note = created.headers["location"]
    changed = api.put(note, json={"text": "Now", "version": 1})
    old = api.put(note, json={"text": "Never", "version": 1})
    listed = api.get(path, params={"limit": 5}).json()
    across = api.get("/api/stocks/aapl/notes", params={"limit": 100}).json()
    deleted = api.delete(note)

    assert (created.status_code, again.json()) == (201, created.json())
    has_shape(created.json(), NOTE)
    assert (changed.json()["text"], changed.json()["version"]) == ("Now", 2)
    assert (old.status_code, old.json()["present"]) == (409, changed.json())
    assert listed == {"items": [changed.json()], "nextToken": None}
    (mine,) = [each for each in across["items"] if each["channel_id"] == channel["id"]]
    has_shape(mine, {**NOTE, "channel_name": text})
    assert deleted.status_code == 204
    assert api.delete(note).status_code == 404
    assert api.get(path).json()["items"] == []


def test_notes_below_what_is_not_there_are_not_found(api: httpx.Client) -> None:
    path = f"/api/channels/{UNKNOWN}/stocks/AAPL/notes"

    refused = [api.post(path, json={"text": "Hm"}), api.get(path), api.delete(f"{path}/x")]

    assert [each.status_code for each in refused] == [404] * 3
    assert [each.json()["detail"] for each in refused] == ["Channel not found", "Channel not found", "Note not found"]
