"""Who may call a route: anyone, holders of the API token, or holders of a JWT from a known issuer."""

from typing import Any

from aws_cdk import Aws, CfnOutput, Stack
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from functions.routes import Route
from functions.runtime.http.tokens import TOKEN_REMEMBERED_SECONDS
from infra.config import Config
from infra.constructs.python_function import PythonFunction
from infra.constructs.secrets import arn_of, read_statement
from infra.nag_suppressions import suppress_nag

FROM_HEADER = ["$request.header.Authorization"]


class Access(Construct):
    def __init__(self, scope: Construct, config: Config, api: apigateway.HttpApi) -> None:
        super().__init__(scope, "Access")
        self._auth = config.auth
        self._kind = "JWT" if config.uses_jwt else "CUSTOM"
        self._token: secretsmanager.Secret | None = None
        self._authorizer = self._make_authorizer(config, api)

    def is_open(self, route: Route) -> bool:
        return route.is_open(self._auth)

    def of_route(self, route: Route) -> dict[str, Any]:
        """The authorization properties of an API Gateway route."""
        if self.is_open(route) or self._authorizer is None:
            return {"authorization_type": "NONE"}
        return {"authorization_type": self._kind, "authorizer_id": self._authorizer.ref}

    def reader_statements(self) -> list[iam.PolicyStatement]:
        """For a public route that checks for the token itself."""
        return [read_statement(self._token)] if self._auth == "write" and self._token else []

    def reader_environment(self) -> dict[str, str]:
        """Whose reads may call a metered source. Open routes have no authorizer, and only API Gateway checks JWTs."""
        if self._auth == "write" and self._token:
            return {"METERED_READS": "token", "API_TOKEN_SECRET_ID": arn_of(self._token)}
        return {"METERED_READS": "nobody" if self._auth == "jwt" else "everyone"}

    def _make_authorizer(self, config: Config, api: apigateway.HttpApi) -> apigateway.CfnAuthorizer | None:
        if config.auth == "none":
            return None
        if config.uses_jwt:
            return apigateway.CfnAuthorizer(
                self,
                "Jwt",
                api_id=api.api_id,
                name="jwt",
                authorizer_type="JWT",
                identity_source=FROM_HEADER,
                jwt_configuration=apigateway.CfnAuthorizer.JWTConfigurationProperty(
                    issuer=config.jwt_issuer, audience=list(config.jwt_audience)
                ),
            )
        return self._token_authorizer(config, api)

    def _token_authorizer(self, config: Config, api: apigateway.HttpApi) -> apigateway.CfnAuthorizer:
        token = self._token = self._token_secret(config)
        function = PythonFunction(
            self,
            "authorizer",
            config,
            import_name="functions.service.api.authorizer",
            description="api.service authorizer",
            statements=[read_statement(token)],
            environment={"API_TOKEN_SECRET_ID": arn_of(token)},
            timeout_seconds=10,
        )
        region = Stack.of(self).region
        authorizer = apigateway.CfnAuthorizer(
            self,
            "Token",
            api_id=api.api_id,
            name="token",
            authorizer_type="REQUEST",
            authorizer_payload_format_version="2.0",
            authorizer_result_ttl_in_seconds=TOKEN_REMEMBERED_SECONDS,
            authorizer_uri=f"arn:{Aws.PARTITION}:apigateway:{region}:lambda:path/2015-03-31/functions/"
            f"{function.function_arn}/invocations",
            enable_simple_responses=True,
            identity_source=FROM_HEADER,
        )
        lambda_.CfnPermission(
            self,
            "MayAskAuthorizer",
            action="lambda:InvokeFunction",
            function_name=function.function_arn,
            principal="apigateway.amazonaws.com",
            source_arn=f"arn:{Aws.PARTITION}:execute-api:{region}:{Aws.ACCOUNT_ID}:{api.api_id}"
            f"/authorizers/{authorizer.ref}",
        )
        return authorizer

    def _token_secret(self, config: Config) -> secretsmanager.Secret:
        token = secretsmanager.Secret(
            self,
            "TokenSecret",
            secret_name=f"{config.prefix}/api-token",
            description="The token of those who may change something",
            generate_secret_string=secretsmanager.SecretStringGenerator(
                secret_string_template="{}", generate_string_key="token", password_length=48, exclude_punctuation=True
            ),
        )
        suppress_nag(
            token, "AwsSolutions-SMG4", "People hold this token; it is rotated by hand, see docs/operations.md."
        )
        CfnOutput(Stack.of(self), "ApiTokenSecret", value=arn_of(token))
        return token
