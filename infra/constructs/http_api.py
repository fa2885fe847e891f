"""The HTTP API: its origins, limits, access log and domain. Routes are added by the stack."""

import json
from collections.abc import Sequence

from aws_cdk import CfnOutput, Duration, Stack
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_certificatemanager as certificates
from constructs import Construct

from functions.routes import ROUTES
from functions.runtime.settings import FRONTEND_IN_DEVELOPMENT
from infra.config import Config
from infra.constructs.log_group import log_group

METHODS = sorted({"OPTIONS", *(route.method for route in ROUTES)})
ACCESS_LOG = {
    "requestId": "$context.requestId",
    "time": "$context.requestTime",
    "ip": "$context.identity.sourceIp",
    "method": "$context.httpMethod",
    "path": "$context.path",
    "route": "$context.routeKey",
    "status": "$context.status",
    "latency": "$context.responseLatency",
    "length": "$context.responseLength",
    "error": "$context.error.message",
    "integrationError": "$context.integrationErrorMessage",
    "authorizerError": "$context.authorizer.error",
    "subject": "$context.authorizer.claims.sub",
}


def http_api(scope: Construct, config: Config) -> apigateway.HttpApi:
    api = apigateway.HttpApi(
        scope,
        "HttpApi",
        api_name=config.prefix,
        description="Stock Track Record",
        create_default_stage=False,
        cors_preflight=_preflight(allowed_origins(config)),
    )
    CfnOutput(scope, "ApiUrl", value=api.api_endpoint)
    return api


def allowed_origins(config: Config) -> list[str]:
    """Other origins whose pages may call the API. The development server is one, except in production."""
    return [*([] if config.is_production else [FRONTEND_IN_DEVELOPMENT]), *config.cors_origins]


def _preflight(origins: list[str]) -> apigateway.CorsPreflightOptions | None:
    if not origins:
        return None
    return apigateway.CorsPreflightOptions(
        allow_origins=origins,
        allow_methods=[apigateway.CorsHttpMethod[method] for method in METHODS],
        allow_headers=["Authorization", "Content-Type", "Idempotency-Key"],
        expose_headers=["Location"],
        max_age=Duration.minutes(10),
    )


def publish(
    scope: Construct, config: Config, api: apigateway.HttpApi, metered_routes: Sequence[apigateway.CfnRoute]
) -> None:
    """Adds the stage, with its own throttle for open routes that may call a metered provider, and the custom domain."""
    lines = log_group(scope, "AccessLogs", config, f"/aws/apigateway/{config.prefix}")
    stage = apigateway.CfnStage(
        scope,
        "Stage",
        api_id=api.api_id,
        stage_name="$default",
        auto_deploy=True,
        access_log_settings=apigateway.CfnStage.AccessLogSettingsProperty(
            destination_arn=lines.log_group_arn, format=json.dumps(ACCESS_LOG)
        ),
        # No detailed metrics: they are billed per route, and Lambda's own metrics show the same for free.
        default_route_settings=apigateway.CfnStage.RouteSettingsProperty(
            throttling_rate_limit=config.rate_limit, throttling_burst_limit=config.burst_limit
        ),
        route_settings={
            route.route_key: {
                "ThrottlingRateLimit": config.metered_rate_limit,
                "ThrottlingBurstLimit": config.metered_burst_limit,
            }
            for route in metered_routes
        },
    )
    for route in metered_routes:
        # API Gateway rejects settings of a route that does not exist yet.
        stage.add_dependency(route)
    if config.api_domain and config.api_certificate:
        _domain(scope, api, stage, config.api_domain, config.api_certificate)


def _domain(
    scope: Construct, api: apigateway.HttpApi, stage: apigateway.CfnStage, name: str, certificate_arn: str
) -> None:
    certificate = certificates.Certificate.from_certificate_arn(scope, "ApiCertificate", certificate_arn)
    domain = apigateway.DomainName(scope, "ApiDomain", domain_name=name, certificate=certificate)
    mapping = apigateway.CfnApiMapping(
        scope, "ApiMapping", api_id=api.api_id, domain_name=domain.name, stage="$default"
    )
    mapping.add_dependency(stage)
    CfnOutput(scope, "ApiDomainTarget", value=domain.regional_domain_name, description=f"Point {name} here")


def invoked_by(scope: Construct, api: apigateway.HttpApi) -> str:
    """The source ARN of calls by this API, whatever the route."""
    stack = Stack.of(scope)
    return f"arn:{stack.partition}:execute-api:{stack.region}:{stack.account}:{api.api_id}/*/*"
