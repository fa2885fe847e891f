"""The key that webhooks are signed with on a laptop: made once, kept, and readable by its owner only."""

import os
import stat
from pathlib import Path

import pytest

from local.engine import keep_alert_key_in


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ALERT_KEY_FILE", "ALERT_KEY_SECRET_ID"):
        monkeypatch.setenv(name, "")


def test_the_first_start_makes_one_and_the_next_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_alert_key_in(tmp_path / "data")
    first = (tmp_path / "data" / "alert.key").read_text()
    monkeypatch.setenv("ALERT_KEY_FILE", "")

    keep_alert_key_in(tmp_path / "data")

    assert (tmp_path / "data" / "alert.key").read_text() == first
    assert len(first) >= 64
    assert os.environ["ALERT_KEY_FILE"] == str(tmp_path / "data" / "alert.key")


def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    keep_alert_key_in(tmp_path)

    assert stat.S_IMODE((tmp_path / "alert.key").stat().st_mode) == 0o600


@pytest.mark.parametrize("left", ["alert.key", "alert.new"])
def test_what_a_killed_start_left_is_replaced(tmp_path: Path, left: str) -> None:
    (tmp_path / left).write_text("")

    keep_alert_key_in(tmp_path)

    assert (tmp_path / "alert.key").stat().st_size >= 64
    assert not (tmp_path / "alert.new").exists()


def test_another_place_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALERT_KEY_FILE", str(tmp_path / "keys" / "mine"))

    keep_alert_key_in(tmp_path)

    assert (tmp_path / "keys" / "mine").exists()
    assert not (tmp_path / "alert.key").exists()
