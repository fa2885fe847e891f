"""Identifiers: derived ones are stable, run ids sort by time."""

import re
from uuid import UUID

import pytest

from functions.runtime import ids


def test_a_run_id_is_a_ulid() -> None:
    assert re.fullmatch(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", ids.new_run_id())


def test_the_time_of_a_run_id_is_written_as_ulids_write_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.runtime.ids.time.time_ns", lambda: 1469918176385 * 1_000_000)
    monkeypatch.setattr("functions.runtime.ids.secrets.randbits", lambda bits: 0)

    assert ids.new_run_id() == "01ARYZ6S41" + "0" * 16


def test_run_ids_sort_by_their_millisecond(monkeypatch: pytest.MonkeyPatch) -> None:
    milliseconds = [0, 1, 31, 32, 1_700_000_000_000, 1_700_000_000_001, 2**48 - 1]
    made = []

    for each in milliseconds:
        monkeypatch.setattr("functions.runtime.ids.time.time_ns", lambda each=each: each * 1_000_000)
        made.append(ids.new_run_id())

    assert made == sorted(made)


def test_run_ids_of_one_millisecond_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.runtime.ids.time.time_ns", lambda: 0)

    assert len({ids.new_run_id() for _ in range(1000)}) == 1000


def test_derived_ids_are_the_same_for_ever() -> None:
    video = ids.video_id("c1", "dQw4w9WgXcQ")

    assert video == "e7faf5e1-9c51-50e8-b9be-39f972bf82c3"
    assert ids.mention_id(video, "AAPL") == "aa161a9e-a6a0-54dc-ba69-5ea8232c9268"


def test_derived_ids_differ_with_what_they_name() -> None:
    made = [
        ids.video_id("c1", "v"),
        ids.video_id("c2", "v"),
        ids.video_id("c1", "w"),
        ids.mention_id("v", "A"),
        ids.mention_id("v", "B"),
        ids.mention_id("w", "A"),
    ]

    assert len(set(made)) == len(made)


def test_channel_ids_are_uuids_and_new() -> None:
    made = {ids.new_channel_id() for _ in range(100)}

    assert len(made) == 100
    assert all(str(UUID(channel_id)) == channel_id for channel_id in made)
