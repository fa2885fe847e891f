"""Who is let through to the routes that change something."""

import hmac
from collections.abc import Iterator

import pytest

from functions.runtime.http import tokens as access
from functions.runtime.http.tokens import TOKEN_REMEMBERED_SECONDS
from functions.runtime.provider_errors import MissingSetting
from functions.runtime.secrets import Keys
from functions.runtime.settings import settings
from functions.service.api import authorizer


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str | None]]:
    """The token is `right`; each time the secret is fetched, its id is noted."""
    fetched: list[str | None] = []

    def fetch(keys: Keys) -> str:
        fetched.append(keys._secret_id)
        return '{"token": "right"}'

    monkeypatch.setenv("API_TOKEN_SECRET_ID", "the-secret")
    monkeypatch.setattr(Keys, "_fetched", fetch)
    settings.cache_clear()
    access._token.cache_clear()
    yield fetched
    monkeypatch.undo()
    settings.cache_clear()
    access._token.cache_clear()


@pytest.mark.parametrize("header", ["Bearer right", "bearer right", "BEARER  right "])
def test_a_bearer_of_the_token_is_let_through(fetched: list[str | None], header: str) -> None:
    assert authorizer.handler({"headers": {"authorization": header}}, None) == {"isAuthorized": True}
    assert fetched == ["the-secret"]


@pytest.mark.parametrize(
    "header",
    [
        *("", " ", "right", "Basic right", "Bearer", "Bearer wrong", "Bearer right2", "Bearer ü"),
        *("Bearer\tright", "Bearer:right", "Bearerright", "Token right", " Bearer right", "Bearer Bearer right"),
        *("Bearer righ", "Bearer RIGHT", "Bearer right,right", "Bearer right right", "Bearer null", "Bearer *"),
        *(
            "Bearer ri\x00ght",
            "Bearer right\x00",
            "Bearer \ud800",
            "\ud800 right",
            "Bearer \uff52\uff49\uff47\uff48\uff54",
            "\uff22earer right",
        ),
        *("Bearer " + "x" * 1_000_000, "x" * 1_000_000, "Bearer " + "right" * 200_000),
        *('Bearer {"token": "right"}', "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9."),
    ],
    ids=lambda header: repr(header[:24]),
)
def test_anyone_else_is_not(fetched: list[str | None], header: str) -> None:
    assert authorizer.handler({"headers": {"authorization": header}}, None) == {"isAuthorized": False}


@pytest.mark.parametrize("presented", ["wrong", "right", ""])
def test_how_long_it_takes_to_compare_tells_nothing_of_the_token(
    fetched: list[str | None], monkeypatch: pytest.MonkeyPatch, presented: str
) -> None:
    compared: list[tuple[bytes, bytes]] = []
    in_constant_time = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return in_constant_time(one, other)

    monkeypatch.setattr("functions.runtime.http.tokens.hmac.compare_digest", compare)

    authorizer.handler({"headers": {"authorization": f"Bearer {presented}"}}, None)

    assert compared == [(presented.encode(), b"right")]


def test_a_refused_token_is_not_logged(fetched: list[str | None], capfd: pytest.CaptureFixture[str]) -> None:
    authorizer.handler({"headers": {"authorization": "Bearer nearly-right"}}, None)

    assert "right" not in "".join(capfd.readouterr())


def test_a_request_without_headers_is_not_let_through(fetched: list[str | None]) -> None:
    assert authorizer.handler({}, None) == {"isAuthorized": False}


def test_the_token_is_fetched_again_after_a_while(fetched: list[str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 1000.0
    monkeypatch.setattr("functions.runtime.http.tokens.time.monotonic", lambda: seconds)
    for _ in range(3):
        authorizer.handler({"headers": {"authorization": "Bearer right"}}, None)
    assert len(fetched) == 1

    seconds += TOKEN_REMEMBERED_SECONDS
    authorizer.handler({"headers": {"authorization": "Bearer right"}}, None)

    assert len(fetched) == 2


def test_without_a_token_nobody_is_let_through(fetched: list[str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Keys, "_fetched", lambda keys: "{}")

    with pytest.raises(MissingSetting):
        authorizer.handler({"headers": {"authorization": "Bearer "}}, None)
