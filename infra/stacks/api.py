"""The API: one function for each row of the route table, and the HTTP API in front of them."""

from aws_cdk import Aws, Environment, Stack
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from functions.routes import FALLBACK, ROUTES, Route
from infra import names, permissions
from infra.config import Config
from infra.constructs.access import Access
from infra.constructs.http_api import http_api, invoked_by, publish
from infra.constructs.log_group import log_group
from infra.constructs.origin_secret import make_origin_secret
from infra.constructs.python_function import PythonFunction
from infra.constructs.secrets import arn_of, read_statement
from infra.nag_suppressions import suppress_nag


class ApiStack(Stack):
    def __init__(self, scope: Construct, config: Config) -> None:
        super().__init__(scope, f"{config.prefix}-api", env=Environment(region=config.region))
        self._config = config
        self._origin_secret = None if config.direct_api else make_origin_secret(self, config)
        self.api = http_api(self, config)
        self._access = Access(self, config, self.api)
        self._metered_routes: list[apigateway.CfnRoute] = []
        self._logs: dict[str, logs.LogGroup] = {}
        for route in ROUTES:
            self._add_route(route)
        self._add_fallback()
        publish(self, config, self.api, self._metered_routes)

    def _add_route(self, route: Route) -> None:
        function = self._function(route, self._statements(route), self._environment(route))
        if route.stops_runs:
            permissions.suppress_execution_wildcard(function, self._config.prefix)
        permissions.suppress_file_wildcards(function, self._config, route)
        target = self._target(function)
        name = function.node.id
        paths = {f"{name}Route": route.path}
        if self._config.direct_api:
            # Elsewhere CloudFront removes the slash.
            paths[f"{name}SlashRoute"] = f"{route.path}/"
        for construct_id, path in paths.items():
            created = apigateway.CfnRoute(
                self,
                construct_id,
                api_id=self.api.api_id,
                route_key=f"{route.method} {path}",
                target=target,
                **self._access.of_route(route),
            )
            if self._access.is_open(route):
                suppress_nag(created, "AwsSolutions-APIG4", "Open by design: the setting `auth` leaves it to everyone.")
                if route.uses_providers:
                    self._metered_routes.append(created)

    def _add_fallback(self) -> None:
        function = self._function(FALLBACK, [], {})
        created = apigateway.CfnRoute(
            self, "OtherRoute", api_id=self.api.api_id, route_key="$default", target=self._target(function)
        )
        suppress_nag(created, "AwsSolutions-APIG4", "It only says 404 or 405, and preflight requests must get through.")

    def _target(self, function: lambda_.IFunction) -> str:
        name = function.node.id
        integration = apigateway.CfnIntegration(
            self,
            f"{name}Integration",
            api_id=self.api.api_id,
            integration_type="AWS_PROXY",
            integration_uri=function.function_arn,
            payload_format_version="2.0",
        )
        lambda_.CfnPermission(
            self,
            f"MayCall{name}",
            action="lambda:InvokeFunction",
            function_name=function.function_arn,
            principal="apigateway.amazonaws.com",
            source_arn=invoked_by(self, self.api),
        )
        return f"integrations/{integration.ref}"

    def _function(
        self, route: Route, statements: list[iam.PolicyStatement], environment: dict[str, str]
    ) -> PythonFunction:
        return PythonFunction(
            self,
            route.module,
            self._config,
            import_name=route.import_name,
            description=f"api.{route.resource} {route.module}",
            statements=[*statements, *([read_statement(self._origin_secret)] if self._origin_secret else ())],
            environment={
                "CORS_ORIGINS": ",".join(self._config.cors_origins),
                "API_AUTH": self._config.auth,
                "AUDIT_DAYS": str(self._config.audit_days),
                **({"LIMITS": self._config.limits} if self._config.limits else {}),
                **self._roles(),
                # Without a token, any page in a visitor's browser could change the data.
                **({"CHECK_BROWSERS": "true"} if self._config.auth == "none" else {}),
                **({"ORIGIN_SECRET_ID": arn_of(self._origin_secret)} if self._origin_secret else {}),
                **environment,
            },
            timeout_seconds=route.timeout_seconds,
            shared_log=self._log_of(route.resource),
        )

    def _roles(self) -> dict[str, str]:
        if not self._config.uses_jwt:
            return {}
        return {"JWT_ROLE_CLAIM": self._config.jwt_role_claim, "JWT_ROLE_PREFIX": self._config.jwt_role_prefix}

    def _log_of(self, resource: str) -> logs.LogGroup:
        if resource not in self._logs:
            name = names.log_group_name(self._config.prefix, names.api_log(resource))
            self._logs[resource] = log_group(self, f"{resource.capitalize()}Logs", self._config, name)
        return self._logs[resource]

    def _statements(self, route: Route) -> list[iam.PolicyStatement]:
        prefix = self._config.prefix
        return [
            *permissions.table_statements(self, prefix, route.grants),
            *(permissions.start_run_statements(self, prefix) if route.starts_runs else ()),
            *(permissions.stop_run_statements(self, prefix) if route.stops_runs else ()),
            *permissions.queue_statements(self, prefix, route),
            *(permissions.key_statements(self, self._config) if route.uses_providers else ()),
            *(permissions.pace_statements(self, self._config) if route.keeps_pace else ()),
            *permissions.file_statements(self, self._config, route),
            *permissions.alert_statements(self, self._config, reads_key=route.signs_webhooks, emails=route.email),
            *(self._access.reader_statements() if self._is_metered_read(route) else ()),
        ]

    def _environment(self, route: Route) -> dict[str, str]:
        prefix = self._config.prefix
        uses_state_machine = route.starts_runs or route.stops_runs
        return {
            # It only has to be the same in all functions: a token points into a list that its holder may read anyway.
            "PAGE_TOKEN_KEY": Aws.STACK_ID,
            **self._edge_environment(route),
            **({"STATE_MACHINE_ARN": names.state_machine_arn(self, prefix)} if uses_state_machine else {}),
            **({"RUNS_AT_ONCE": str(self._config.runs_at_once)} if route.starts_runs else {}),
            **permissions.queue_environment(self, prefix, route),
            **(permissions.provider_environment(self._config) if route.uses_providers else {}),
            **permissions.file_environment(self._config, route),
            **permissions.alert_environment(self, self._config, reads_key=route.signs_webhooks, emails=route.email),
            **(self._access.reader_environment() if self._is_metered_read(route) else {}),
        }

    def _edge_environment(self, route: Route) -> dict[str, str]:
        """How long CloudFront may keep what anyone may read. Without tokens (`auth=none`) people who change something
        would read what was there before."""
        is_cached = route.cached_seconds and self._access.is_open(route) and self._config.auth != "none"
        return {"EDGE_SECONDS": str(route.cached_seconds)} if is_cached else {}

    def _is_metered_read(self, route: Route) -> bool:
        return self._config.needs_keys and route.uses_providers and not route.changes
