"""Where CloudFront stands in front of the API, a request that went past it is refused."""

from dataclasses import replace

import pytest

from functions.runtime.http import resolver
from functions.runtime.settings import FRONTEND_IN_DEVELOPMENT, ORIGIN_HEADER, Settings, settings

SECRET = "what CloudFront sends"


@pytest.fixture
def behind_cloudfront(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = replace(settings(), origin_secret=SECRET)
    monkeypatch.setattr(resolver, "settings", lambda: closed)


@pytest.mark.usefixtures("behind_cloudfront")
@pytest.mark.parametrize("headers", [{}, {ORIGIN_HEADER: ""}, {ORIGIN_HEADER: "a guess"}, {ORIGIN_HEADER: "\ud800"}])
def test_a_request_without_the_secret_is_refused(headers: dict[str, str]) -> None:
    assert not resolver.came_through_cloudfront({"headers": headers})


@pytest.mark.usefixtures("behind_cloudfront")
def test_a_request_with_the_secret_goes_through() -> None:
    assert resolver.came_through_cloudfront({"headers": {ORIGIN_HEADER: SECRET}})


@pytest.mark.usefixtures("behind_cloudfront")
def test_the_refusal_is_a_403_and_reaches_no_route() -> None:
    app = resolver.create_app("functions.service.api.health_live")
    app.resolve = None  # type: ignore[assignment]

    class Context:
        function_name = memory_limit_in_mb = invoked_function_arn = aws_request_id = "x"

    refused = resolver.create_handler(app)({"headers": {}, "requestContext": {"requestId": "r"}}, Context())  # type: ignore[arg-type]

    assert refused["statusCode"] == 403
    assert refused["body"] == '{"detail":"This address is not for callers; use that of the page"}'


def test_without_cloudfront_nothing_is_requested() -> None:
    assert resolver.came_through_cloudfront({"headers": {}})


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
