"""CloudFront may keep responses that anyone gets, and nothing that a token was needed for."""

from dataclasses import replace
from typing import Any

import pytest

from functions.routes import ROUTES, Route
from functions.runtime.http import resolver
from functions.runtime.settings import settings

READ = next(route for route in ROUTES if route.module == "list_channels")
PERSONAL = next(route for route in ROUTES if route.role and route.method == "GET")
ANYONE: dict[str, Any] = {"headers": {}}
BEARER: dict[str, Any] = {"headers": {"authorization": "Bearer any"}}
NOT_KEPT = "private, no-store"


@pytest.fixture
def behind_cloudfront(monkeypatch: pytest.MonkeyPatch) -> None:
    cached = replace(settings(), edge_seconds=5)
    monkeypatch.setattr(resolver, "settings", lambda: cached)


@pytest.mark.usefixtures("behind_cloudfront")
def test_a_read_without_a_token_is_kept_for_seconds_and_by_no_browser() -> None:
    assert resolver._cache_control(READ, ANYONE, 200) == "public, max-age=0, s-maxage=5"


@pytest.mark.usefixtures("behind_cloudfront")
@pytest.mark.parametrize(("event", "status"), [(BEARER, 200), (ANYONE, 404), (ANYONE, 500), (BEARER, 404)])
def test_errors_and_what_bearers_of_a_token_get_are_not_kept(event: dict[str, Any], status: int) -> None:
    assert resolver._cache_control(READ, event, status) == NOT_KEPT


@pytest.mark.usefixtures("behind_cloudfront")
@pytest.mark.parametrize("event", [ANYONE, BEARER])
def test_what_needs_a_token_is_never_kept(event: dict[str, Any]) -> None:
    assert resolver._cache_control(PERSONAL, event, 200) == "no-store"


@pytest.mark.parametrize(
    "route", [route for route in ROUTES if not route.is_open("private")], ids=lambda route: route.module
)
@pytest.mark.parametrize("event", [ANYONE, BEARER])
def test_a_private_deployment_has_no_response_kept_at_the_edge(
    monkeypatch: pytest.MonkeyPatch, route: Route, event: dict[str, Any]
) -> None:
    private = replace(settings(), edge_seconds=5, auth="private")
    monkeypatch.setattr(resolver, "settings", lambda: private)

    assert resolver._cache_control(route, event, 200) == "no-store"


def test_without_cloudfront_nothing_is_said() -> None:
    assert resolver._cache_control(READ, ANYONE, 200) is None
