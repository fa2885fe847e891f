"""Settings that `make run` reads before it starts: .env, the port, and the keys that the chosen providers need."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import settings
from functions.service.setup import reset_cache
from local import __main__ as local


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("KEY=abc", "abc"),
        ('KEY="abc"', "abc"),
        ("KEY='abc'", "abc"),
        ("export KEY=abc", "abc"),
        ("  KEY = abc  ", "abc"),
        ("KEY=abc # of the test account", "abc"),
        ('KEY="a b # c"', "a b # c"),
        ("KEY=http://a:b$#c@d", "http://a:b$#c@d"),
        ("KEY=a${HOME}b", "a${HOME}b"),
        ("\ufeffKEY=abc", "abc"),
        ("KEY=abc\r", "abc"),
    ],
)
def test_a_line_of_the_env_file_is_read_as_other_tools_read_it(line: str, value: str, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(line + "\n", newline="")

    assert local.env_file(tmp_path / ".env") == {"KEY": value}


@pytest.mark.parametrize("line", ["", "# KEY=abc", "KEY=", 'KEY=""', "KEY"])
def test_comments_and_empty_values_of_the_env_file_are_left_out(line: str, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(line + "\n")

    assert local.env_file(tmp_path / ".env") == {}


def test_without_an_env_file_there_are_no_settings(tmp_path: Path) -> None:
    assert local.env_file(tmp_path / ".env") == {}


@pytest.mark.parametrize("text", ["99999", "-1", "abc", "", "65536", "3000.5", "٣٠٠٠"])
def test_a_port_that_cannot_be_is_a_sentence(text: str) -> None:
    with pytest.raises(InvalidSetting, match=rf"^PORT must be a whole number from 0 to 65535, not '{text}'\.$"):
        local.port_number(text)


@pytest.mark.parametrize(("text", "port"), [("0", 0), ("3000", 3000), ("65535", 65535)])
def test_a_port_is_a_number(text: str, port: int) -> None:
    assert local.port_number(text) == port


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    for name in ("YOUTUBE_API_KEY", "TIINGO_API_KEY", "PROVIDERS", "PRICES_PROVIDER"):
        monkeypatch.delenv(name, raising=False)
    yield monkeypatch
    monkeypatch.undo()
    clear()


def clear() -> None:
    settings.cache_clear()
    reset_cache()


def test_the_demo_needs_no_key(environment: pytest.MonkeyPatch) -> None:
    clear()

    assert local.missing_settings() == []


def test_each_missing_key_is_named_with_its_use_and_its_place(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("PROVIDERS", "live")
    environment.setenv("PRICES_PROVIDER", "tiingo")
    clear()

    youtube, tiingo = local.missing_settings()

    assert youtube.startswith(
        "YOUTUBE_API_KEY is not set. It is needed to list the videos of a YouTube channel. Put it"
    )
    assert tiingo.startswith("TIINGO_API_KEY is not set.")
    assert ".env" in tiingo


def test_no_key_is_missing_once_it_is_set(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("PROVIDERS", "live")
    environment.setenv("YOUTUBE_API_KEY", "a key")
    clear()

    assert local.missing_settings() == []
