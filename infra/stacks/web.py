"""The dashboard: a private bucket behind CloudFront, which forwards the API's paths to the API."""

from aws_cdk import CfnOutput, Duration, Environment, Stack
from aws_cdk import aws_apigatewayv2 as apigateway
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.config import Config
from infra.constructs.distribution import distribution
from infra.constructs.private_bucket import private_bucket
from infra.constructs.upload import upload
from infra.nag_suppressions import suppress_nag

LOGS_KEPT = Duration.days(90)


class WebStack(Stack):
    def __init__(self, scope: Construct, config: Config, api: apigateway.IHttpApi) -> None:
        super().__init__(scope, f"{config.prefix}-web", env=Environment(region=config.region))
        logs = private_bucket(
            self,
            "Logs",
            config,
            # CloudFront writes its logs by ACL.
            object_ownership=s3.ObjectOwnership.OBJECT_WRITER,
            lifecycle_rules=[s3.LifecycleRule(id="old-logs", expiration=LOGS_KEPT)],
        )
        suppress_nag(logs, "AwsSolutions-S1", "It holds the access logs itself.")
        page = private_bucket(self, "Page", config, server_access_logs_bucket=logs, server_access_logs_prefix="bucket/")
        created = distribution(self, config, page, logs, api)
        # The emulator lacks what CDK's own uploader runs on.
        if config.page.is_dir() and not config.emulator:
            upload(self, config, page, created)
        url = f"https://{config.page_domain or created.distribution_domain_name}"
        CfnOutput(self, "PageUrl", value=url)
        CfnOutput(self, "PageBucket", value=page.bucket_name)
