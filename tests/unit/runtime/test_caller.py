"""Who is asking: as API Gateway says, never as the request does."""

from typing import Any

import pytest

from functions.routes import find_route
from functions.runtime.http.caller import MAX_LENGTH, caller_of, email_of
from tests.events import api_event, invoke


@pytest.mark.parametrize(
    ("authorizer", "caller"),
    [
        (None, "local"),
        ({"jwt": {"claims": {"sub": "auth0|ann", "client_id": "page"}, "scopes": None}}, "auth0|ann"),
        ({"lambda": {}}, "owner"),
        ({"lambda": None}, "owner"),
    ],
)
def test_is_the_tokens_subject_the_owner_or_somebody_local(authorizer: dict[str, Any] | None, caller: str) -> None:
    event = api_event("PUT", "/api/channels/a/videos/b/calls/C", headers={"X-User": "mallory", "sub": "mallory"})
    if authorizer is not None:
        event["requestContext"]["authorizer"] = authorizer

    assert caller_of(event) == caller


NOBODY: list[dict[str, Any] | None] = [
    None,
    {},
    {"claims": None},
    {"claims": {}},
    {"claims": {"sub": None}},
    {"claims": {"sub": ""}},
    {"claims": {"sub": " "}},
    {"claims": {"email": "ann@example.com"}},
]


def test_a_token_without_a_subject_is_refused_by_every_route_and_is_never_the_owner() -> None:
    for jwt in NOBODY:
        for method, path in (("GET", "/api/me"), ("DELETE", "/api/channels/a")):
            route = find_route(method, path)
            assert route
            event = api_event(method, path)
            event["requestContext"]["authorizer"] = {"jwt": jwt}

            response = invoke(route, event)

            assert response.status == 403, (jwt, response)
            assert "no subject" in response.json()["detail"]
        with pytest.raises(ValueError, match="without a subject"):
            caller_of(event)


def test_is_shortened_to_something_of_its_own() -> None:
    alike = [api_event("GET", "/api/watchlist") for _ in range(2)]
    for number, event in enumerate(alike):
        event["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": f"{'x' * 1000}{number}"}}}

    first, second = map(caller_of, alike)

    assert first != second
    assert len(first) == len(second) == MAX_LENGTH


@pytest.mark.parametrize(
    ("claims", "email"),
    [
        ({"email": "Ann@Example.com"}, "Ann@Example.com"),
        ({"email": "ann@example.com", "email_verified": "true"}, "ann@example.com"),
        ({"email": "ann@example.com", "email_verified": "false"}, None),
        ({"email": "ann@example.com", "email_verified": False}, None),
        ({"email": "ann"}, None),
        ({"email": "ann@example.com\n"}, None),
        ({"email": f"ann@{'example.' * 40}com"}, None),
        ({"email": ["ann@example.com"]}, None),
        ({"email": None}, None),
        ({}, None),
    ],
)
def test_the_address_is_the_tokens_where_it_is_one(claims: dict[str, Any], email: str | None) -> None:
    event = api_event("GET", "/api/me", headers={"email": "mallory@example.com"})
    assert email_of(event) is None
    event["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": "ann", **claims}}}

    assert email_of(event) == email
