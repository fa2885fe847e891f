"""The route table: each path is served by one module, and only what changes something may write."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from functions.routes import FALLBACK, ROUTES, Route, find_route, methods_of_path, path_pattern, route_of_module

ROOT = Path(__file__).parents[2]
WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"}
HANDLERS = (*ROUTES, FALLBACK)
AUTHORIZER = "functions.service.api.authorizer"
CONTRACT = {
    ("POST", "/api/channels"),
    ("GET", "/api/channels"),
    ("GET", "/api/channels/{channel_id}"),
    ("DELETE", "/api/channels/{channel_id}"),
    ("POST", "/api/channels/{channel_id}/process"),
    ("POST", "/api/channels/{channel_id}/cancel"),
    ("GET", "/api/channels/{channel_id}/logs"),
    ("GET", "/api/channels/{channel_id}/stocks"),
    ("GET", "/api/channels/{channel_id}/timeline"),
    ("GET", "/api/channels/{channel_id}/stocks/{ticker}"),
    ("POST", "/api/channels/{channel_id}/refresh-prices"),
    ("POST", "/api/channels/{channel_id}/backfill-prices"),
    ("GET", "/api/stocks/{ticker}/price"),
    ("GET", "/api/stocks/{ticker}/history"),
    ("GET", "/api/stocks/{ticker}/calls"),
    ("GET", "/api/leaderboard"),
    ("GET", "/api/channels/{channel_id}/score"),
    ("GET", "/api/channels/{channel_id}/calls"),
    ("GET", "/api/channels/{channel_id}/backtest"),
    ("GET", "/api/channels/{channel_id}/videos"),
    ("PUT", "/api/channels/{channel_id}/videos/{video_id}/transcript"),
    ("GET", "/api/channels/{channel_id}/review"),
    ("GET", "/api/channels/{channel_id}/videos/{video_id}/calls/{ticker}"),
    ("PUT", "/api/channels/{channel_id}/videos/{video_id}/calls/{ticker}"),
    ("GET", "/api/channels/{channel_id}/changes"),
    ("GET", "/api/alerts"),
    ("GET", "/api/channels/{channel_id}/alerts"),
    ("GET", "/api/alerts/settings"),
    ("PUT", "/api/alerts/settings"),
    ("POST", "/api/alerts/settings/test"),
    ("GET", "/api/watchlist"),
    ("PUT", "/api/watchlist"),
    ("GET", "/api/me"),
    ("GET", "/api/audit"),
    ("GET", "/api/settings"),
    ("PUT", "/api/settings"),
    ("POST", "/api/channels/{channel_id}/stocks/{ticker}/notes"),
    ("GET", "/api/channels/{channel_id}/stocks/{ticker}/notes"),
    ("GET", "/api/stocks/{ticker}/notes"),
    ("PUT", "/api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}"),
    ("DELETE", "/api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}"),
    ("GET", "/api/feed.atom"),
    ("GET", "/api/channels/{channel_id}/feed.atom"),
    ("POST", "/api/plans"),
    ("GET", "/api/plans"),
    ("GET", "/api/plans/{plan_id}"),
    ("POST", "/api/plans/{plan_id}/cancel"),
    ("POST", "/api/exports"),
    ("GET", "/api/exports"),
    ("GET", "/api/exports/{export_id}"),
    ("DELETE", "/api/exports/{export_id}"),
    ("POST", "/api/imports"),
    ("GET", "/api/imports/{import_id}"),
    ("PATCH", "/api/channels/{channel_id}"),
    ("GET", "/api/runs"),
    ("GET", "/api/runs/{run_id}"),
    ("GET", "/api/channels/{channel_id}/runs"),
    ("GET", "/api/channels/{channel_id}/videos/{video_id}/runs"),
    ("GET", "/api/news"),
    ("GET", "/api/news/summary"),
    ("POST", "/api/news"),
    ("GET", "/api/search"),
    ("GET", "/api/setup"),
    ("GET", "/health"),
    ("GET", "/health/live"),
    ("GET", "/openapi.json"),
    ("GET", "/docs"),
}


def test_the_table_holds_the_routes_of_the_contract() -> None:
    assert {(route.method, route.path) for route in ROUTES} == CONTRACT
    assert len(ROUTES) == len(CONTRACT)


def test_every_route_has_a_file_and_every_file_a_route() -> None:
    files = [
        path
        for path in (ROOT / "functions").glob("*/api/**/*.py")
        if re.search(r"^(handler = |def handler)", path.read_text(), re.M)
    ]
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files}

    assert modules == {route.import_name for route in HANDLERS} | {AUTHORIZER}
    assert len(HANDLERS) == len({route.module for route in HANDLERS})


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.module)
def test_a_module_serves_its_own_row_and_nothing_else(route: Route) -> None:
    app = import_module(route.import_name).app

    registered = [*app._static_routes, *app._dynamic_routes]

    assert [(each.method, each.rule) for each in registered] == [(route.method, path_pattern(route.path))]
    assert route_of_module(route.import_name) is route


@pytest.mark.parametrize("route", [each for each in ROUTES if not each.changes], ids=lambda route: route.module)
def test_a_route_that_changes_nothing_may_not_write(route: Route) -> None:
    assert not {action for grant in route.grants for action in grant.actions} & WRITES
    assert not route.starts_runs
    assert not route.stops_runs
    assert not route.sends_jobs
    assert not route.sends_exports
    assert route.method == "GET"


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.module)
def test_a_path_is_found_with_and_without_a_slash_at_its_end(route: Route) -> None:
    path = re.sub(r"{\w+}", "x", route.path)

    assert find_route(route.method, path) is route
    assert find_route(route.method, f"{path}/") is route
    assert find_route(route.method, f"{path}//") is None
    assert find_route(route.method, f"/{path}") is None


@pytest.mark.parametrize("name", ["a b", "é", "\n", "\x00", "%2F", "..", "{channel_id}", "a" * 10_000, "\ufffd"])
def test_a_parameter_holds_any_character_but_a_slash(name: str) -> None:
    route = find_route("GET", f"/api/channels/{name}/stocks/{name}")

    assert route
    match = route.pattern.match(f"/api/channels/{name}/stocks/{name}")
    assert match
    assert match.groupdict() == {"channel_id": name, "ticker": name}


@pytest.mark.parametrize("path", ["", "/", "/api", "/api/channels/x/unknown", "/API/channels", "/api/channels\n", "/x"])
def test_other_paths_name_no_route(path: str) -> None:
    assert methods_of_path(path) == []


def test_the_methods_of_a_path_are_told() -> None:
    assert sorted(methods_of_path("/api/channels/x")) == ["DELETE", "GET", "PATCH"]


def test_only_timeouts_that_api_gateway_waits_for() -> None:
    assert all(0 < route.timeout_seconds < 30 for route in ROUTES)
