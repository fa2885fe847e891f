"""Page tokens: opaque, URL-safe, and good only for the list they were made for."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode

import pytest

from functions.runtime.errors import InvalidPageToken
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.settings import settings

KEY = {"PK": {"S": "CHANNEL#ünï"}, "SK": {"S": "LOG#2025-01-15T08:30:00.000Z#00000001"}}


def token(scope: str = "logs/1") -> str:
    made = page_token(KEY, scope)
    assert made
    return made


def test_a_token_gives_its_key_back() -> None:
    assert start_key(token(), "logs/1") == KEY


def test_the_end_of_a_list_has_no_token_and_no_token_is_the_beginning() -> None:
    assert page_token(None, "logs/1") is None
    assert start_key(None, "logs/1") is None


def test_a_token_needs_no_quoting_in_a_url() -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]+", token())


@pytest.mark.parametrize("scope", ["logs/2", "timeline/1", "channels", "logs/1\n", ""])
def test_a_token_of_another_list_is_refused(scope: str) -> None:
    with pytest.raises(InvalidPageToken):
        start_key(token(), scope)


def test_a_token_is_refused_with_any_character_changed() -> None:
    whole = token()

    for place in range(len(whole)):
        changed = "A" if whole[place] != "A" else "B"
        with pytest.raises(InvalidPageToken):
            start_key(whole[:place] + changed + whole[place + 1 :], "logs/1")


def test_a_token_is_refused_when_it_was_cut_or_added_to() -> None:
    whole = token()

    for damaged in (
        *(whole[:length] for length in range(len(whole))),
        f"{whole}A",
        f"{whole}=",
        f" {whole}",
        whole * 2,
    ):
        with pytest.raises(InvalidPageToken):
            start_key(damaged, "logs/1")


@pytest.mark.parametrize("forged", ["", "x", "=", "%", "é", "\ud800", "\x00", "null", "A" * 100_000, "a,b", "🙂"])
def test_what_was_never_a_token_is_refused(forged: str) -> None:
    with pytest.raises(InvalidPageToken):
        start_key(forged, "logs/1")


def test_a_token_signed_with_another_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made_elsewhere = token()
    monkeypatch.setenv("PAGE_TOKEN_KEY", "another")
    settings.cache_clear()

    try:
        with pytest.raises(InvalidPageToken):
            start_key(made_elsewhere, "logs/1")
    finally:
        monkeypatch.undo()
        settings.cache_clear()


def test_a_foreign_key_under_a_true_signature_is_refused() -> None:
    content = urlsafe_b64decode(token() + "=" * (-len(token()) % 4))
    forged = urlsafe_b64encode(content.replace(b"CHANNEL", b"IDEMPOT")).decode().rstrip("=")

    with pytest.raises(InvalidPageToken):
        start_key(forged, "logs/1")
