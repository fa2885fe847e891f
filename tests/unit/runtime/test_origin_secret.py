"""Where CloudFront stands in front of the API, a request that bypasses it is refused."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from functions.runtime.http import origin_secret, resolver
from functions.runtime.provider_errors import ProviderError, Unavailable
from functions.runtime.settings import FRONTEND_IN_DEVELOPMENT, ORIGIN_HEADER, Settings, settings

SECRET = "what CloudFront sends"


class Stored:
    """A stand-in for Secrets Manager that counts its reads."""

    def __init__(self) -> None:
        self.value = SECRET
        self.reads = 0
        self.problem: ProviderError | None = None

    def read(self, secret_id: str, region: str) -> str:
        assert secret_id == "its-id"
        if self.problem:
            raise self.problem
        self.reads += 1
        return self.value


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stored]:
    stored = Stored()
    closed = replace(settings(), origin_secret_id="its-id")
    monkeypatch.setattr(origin_secret, "settings", lambda: closed)
    monkeypatch.setattr(origin_secret, "read_secret", stored.read)
    origin_secret._origin_secret.cache_clear()
    yield stored
    origin_secret._origin_secret.cache_clear()


def with_secret(value: str) -> dict[str, Any]:
    return {"headers": {ORIGIN_HEADER: value}, "requestContext": {"requestId": "r"}}


def respond(event: dict[str, Any]) -> dict[str, Any]:
    class Context:
        function_name = memory_limit_in_mb = invoked_function_arn = aws_request_id = "x"

    app = resolver.create_app("functions.service.api.health_live")
    app.resolve = None  # type: ignore[assignment]
    return resolver.create_handler(app)(event, Context())  # type: ignore[arg-type]


@pytest.mark.parametrize("headers", [{}, {ORIGIN_HEADER: ""}])
def test_a_request_without_a_secret_is_refused_before_ours_is_read(stored: Stored, headers: dict[str, str]) -> None:
    assert not origin_secret.came_through_cloudfront({"headers": headers})
    assert stored.reads == 0


@pytest.mark.parametrize("guess", ["a guess", SECRET[:-1], f"{SECRET}x", "\ud800"])
def test_a_request_with_another_secret_is_refused(stored: Stored, guess: str) -> None:
    assert not origin_secret.came_through_cloudfront(with_secret(guess))


def test_the_secret_is_read_once(stored: Stored) -> None:
    for _ in range(3):
        assert origin_secret.came_through_cloudfront(with_secret(SECRET))

    assert stored.reads == 1


def test_a_replaced_secret_counts_at_once_and_guesses_do_not_read_it_each_time(
    stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr("functions.runtime.http.origin_secret.time.monotonic", lambda: now)
    assert origin_secret.came_through_cloudfront(with_secret(SECRET))
    for _ in range(3):
        assert not origin_secret.came_through_cloudfront(with_secret("a guess"))
    assert stored.reads == 1

    stored.value = "another"
    now += origin_secret.REREAD_AFTER_SECONDS

    assert origin_secret.came_through_cloudfront(with_secret("another"))
    assert not origin_secret.came_through_cloudfront(with_secret(SECRET))
    assert stored.reads == 2


def test_a_secret_that_cannot_be_read_is_a_503_and_is_tried_again(stored: Stored) -> None:
    stored.problem = Unavailable("AWS Secrets Manager is unavailable at the moment.")

    refused = respond(with_secret(SECRET))
    stored.problem = None

    assert refused["statusCode"] == 503
    assert "could not read its own secret" in refused["body"]
    assert origin_secret.came_through_cloudfront(with_secret(SECRET))


def test_the_refusal_is_a_403_and_reaches_no_route(stored: Stored) -> None:
    refused = respond(with_secret("a guess"))

    assert refused["statusCode"] == 403
    assert refused["body"] == '{"detail":"This address is not for callers; use that of the page"}'


def test_without_cloudfront_nothing_is_requested() -> None:
    assert origin_secret.came_through_cloudfront({"headers": {}})


def test_production_allows_no_laptop() -> None:
    def allowed(**environment: str) -> list[str]:
        return Settings.from_environment(environment).allowed_origins

    assert allowed() == allowed(STAGE="dev") == [FRONTEND_IN_DEVELOPMENT]
    assert allowed(STAGE="prod") == []
    assert allowed(STAGE="prod", CORS_ORIGINS="https://a.example") == ["https://a.example"]


def test_an_api_without_other_origins_allows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = replace(settings(), is_production=True, cors_origins=())
    monkeypatch.setattr(resolver, "settings", lambda: alone)

    assert resolver.create_app("functions.service.api.health_live")._cors is None
