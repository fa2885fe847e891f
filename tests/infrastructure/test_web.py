"""The page is cached as long as it may be, and the API responds through it alone."""

import json
from typing import Any

import pytest

from functions.routes import FALLBACK, ROUTES
from functions.runtime.settings import ORIGIN_HEADER
from functions.steps import STEPS
from tests.infrastructure.conftest import EVERY_READ, JWT, LEAN, RICH, Synthesise
from tests.infrastructure.templates import System, origin_secret_of, text

UPLOAD = "Custom::CDKBucketDeployment"


def uploads_of(made: System) -> dict[str, dict[str, Any]]:
    """The upload of hashed assets, and that of all else."""
    uploads = list(made.resources(UPLOAD).values())
    return {"assets" if each["Properties"].get("Include") else "page": each for each in uploads}


def test_hashed_assets_are_cached_for_ever_and_kept_at_the_next_upload(system: Synthesise) -> None:
    assets = uploads_of(system(**RICH))["assets"]["Properties"]

    assert (assets["Exclude"], assets["Include"]) == (["*"], ["assets/*"])
    assert assets["SystemMetadata"] == {"cache-control": "public, max-age=31536000, immutable"}
    assert assets["Prune"] is False


def test_the_page_itself_is_requested_again_and_comes_after_its_assets(system: Synthesise) -> None:
    uploads = uploads_of(system(**RICH))
    page = uploads["page"]

    assert page["Properties"]["Exclude"] == ["assets/*"]
    assert page["Properties"]["SystemMetadata"] == {"cache-control": "no-cache"}
    (assets,) = [
        name.partition("/")[2]
        for name, each in system(**RICH).resources(UPLOAD).items()
        if each is not page and each["Properties"].get("Include")
    ]
    assert assets in page["DependsOn"]


def origin_headers(made: System) -> list[dict[str, str]]:
    (distribution,) = made.resources("AWS::CloudFront::Distribution").values()
    origins = distribution["Properties"]["DistributionConfig"]["Origins"]
    return [header for origin in origins for header in origin.get("OriginCustomHeaders", [])]


def test_cloudfront_shows_the_api_a_secret_that_every_function_checks(system: Synthesise) -> None:
    made = system()

    (header,) = origin_headers(made)
    assert header["HeaderName"] == ORIGIN_HEADER
    assert header["HeaderValue"].startswith("{{resolve:secretsmanager:StockTrackRecord/origin-secret:")
    secret = made.stacks["api"]["Resources"][origin_secret_of(made)]["Properties"]
    assert "SecretString" not in secret
    for module in {route.module for route in (*ROUTES, FALLBACK)}:
        told = made.functions()[module]["Environment"]["Variables"]
        assert text(told["ORIGIN_SECRET_ID"]) == f"{{{origin_secret_of(made)}.Id}}", module


@pytest.mark.parametrize("settings", [{"direct_api": "true"}, {"emulator": "true"}])
def test_an_api_with_an_address_of_its_own_checks_no_secret(system: Synthesise, settings: dict[str, str]) -> None:
    made = system(**settings)

    assert origin_headers(made) == []
    assert "ORIGIN_SECRET" not in json.dumps(made.stacks)


def test_no_laptop_is_an_origin_of_production(system: Synthesise) -> None:
    assert "localhost" not in json.dumps(system(**RICH).stacks)
    assert "http://localhost:5173" in json.dumps(system().stacks)


def test_open_routes_that_call_metered_providers_have_a_limit_of_their_own(system: Synthesise) -> None:
    made = system()

    ((_, stage),) = made.resources("AWS::ApiGatewayV2::Stage").items()
    settings = stage["Properties"]["RouteSettings"]
    metered = [route for route in ROUTES if route.uses_providers and not route.changes]
    assert metered
    assert set(settings) == {f"{route.method} {route.path}" for route in metered}
    for limits in settings.values():
        assert limits == {"ThrottlingRateLimit": 5, "ThrottlingBurstLimit": 10}
    routes = {
        name.partition("/")[2]
        for name, each in made.resources("AWS::ApiGatewayV2::Route").items()
        if each["Properties"]["RouteKey"] in settings
    }
    assert routes <= set(stage["DependsOn"])


def test_nothing_is_metered_apart_where_every_reader_has_the_token(system: Synthesise) -> None:
    (stage,) = system(**EVERY_READ).resources("AWS::ApiGatewayV2::Stage").values()

    assert not stage["Properties"].get("RouteSettings")


def test_no_metrics_are_paid_for_by_route(system: Synthesise) -> None:
    (stage,) = system().resources("AWS::ApiGatewayV2::Stage").values()

    assert "DetailedMetricsEnabled" not in stage["Properties"]["DefaultRouteSettings"]


def test_cloudfront_keeps_only_responses_that_say_so_and_for_the_same_request(system: Synthesise) -> None:
    (policy,) = system().resources("AWS::CloudFront::CachePolicy").values()
    settings = policy["Properties"]["CachePolicyConfig"]
    keyed = settings["ParametersInCacheKeyAndForwardedToOrigin"]

    assert (settings["MinTTL"], settings["DefaultTTL"]) == (0, 0)
    assert set(keyed["HeadersConfig"]["Headers"]) == {"Accept", "Authorization", "Origin"}
    assert keyed["QueryStringsConfig"] == {"QueryStringBehavior": "all"}
    (distribution,) = system().resources("AWS::CloudFront::Distribution").values()
    for behaviour in distribution["Properties"]["DistributionConfig"]["CacheBehaviors"]:
        assert text(behaviour["CachePolicyId"]).startswith("{ApiCache"), behaviour["PathPattern"]


@pytest.mark.parametrize(
    ("settings", "is_cached"),
    [({}, True), (JWT, True), (EVERY_READ, False), (LEAN, False)],
    ids=["token", "jwt", "all", "none"],
)
def test_only_what_anyone_may_read_is_kept(system: Synthesise, settings: dict[str, Any], is_cached: bool) -> None:
    """With `auth=none` those who change something have no token by which CloudFront could tell them apart."""
    kept = {
        module: function["Environment"]["Variables"]["EDGE_SECONDS"]
        for module, function in system(**settings).functions().items()
        if "EDGE_SECONDS" in function["Environment"]["Variables"]
    }

    assert bool(kept) == is_cached
    for route in ROUTES:
        if route.role or route.uses_providers or route.path.startswith("/health"):
            assert route.module not in kept
    assert not kept or (kept["list_channels"], kept["documentation_page"]) == ("5", "3600")


def test_production_limits_each_address_and_every_stage_has_a_budget(system: Synthesise) -> None:
    assert system(stage="prod").resources("AWS::WAFv2::WebACL")
    assert not system().resources("AWS::WAFv2::WebACL")
    for settings, dollars in (({}, 50), ({"stage": "prod"}, 200)):
        (budget,) = system(**settings).resources("AWS::Budgets::Budget").values()
        assert budget["Properties"]["Budget"]["BudgetLimit"] == {"Amount": dollars, "Unit": "USD"}


def test_concurrency_is_reserved_for_the_pipeline_where_that_is_set(system: Synthesise) -> None:
    """An account with ten concurrent executions, as a new one has, can reserve none."""
    made = system(**RICH)
    reserved = {module: each.get("ReservedConcurrentExecutions") for module, each in made.functions().items()}

    assert {reserved[route.module] for route in ROUTES} == {None}
    assert all(reserved[step.module] for step in STEPS)
    assert (reserved["process_video"], reserved["list_videos"], reserved["deliver_alerts"]) == (12, 4, 1)
    assert not [each for each in system().functions().values() if "ReservedConcurrentExecutions" in each]
