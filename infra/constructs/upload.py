"""Uploads the built page to its bucket and invalidates CloudFront's copies."""

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudfront as cloudfront
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_s3_deployment as deployment
from constructs import Construct

from infra.config import Config
from infra.constructs.log_group import log_group
from infra.nag_suppressions import suppress_nag

UPLOADER = "Custom::CDKBucketDeployment"
HASHED = "assets/*"
"""Files whose names hold a hash of their content: they never change."""


def upload(scope: Construct, config: Config, bucket: s3.IBucket, distribution: cloudfront.Distribution) -> None:
    source = deployment.Source.asset(str(config.page))
    # CDK's uploader would leave a log group of its own behind.
    lines = log_group(scope, "UploadLogs", config, f"/aws/lambda/{config.prefix}-upload")
    hashed = deployment.BucketDeployment(
        scope,
        "UploadAssets",
        destination_bucket=bucket,
        sources=[source],
        log_group=lines,
        exclude=["*"],
        include=[HASHED],
        cache_control=[
            deployment.CacheControl.set_public(),
            deployment.CacheControl.max_age(Duration.days(365)),
            deployment.CacheControl.immutable(),
        ],
        # A page that was opened before the upload still requests the old ones.
        prune=False,
    )
    page = deployment.BucketDeployment(
        scope,
        "Upload",
        destination_bucket=bucket,
        sources=[source],
        log_group=lines,
        exclude=[HASHED],
        distribution=distribution,
        distribution_paths=["/*"],
        # Browsers revalidate it each time, and mostly get an empty 304.
        cache_control=[deployment.CacheControl.no_cache()],
    )
    # The page names the assets, so it comes after them.
    page.node.add_dependency(hashed)
    _suppress_uploader_rules(Stack.of(scope), bucket)


def _suppress_uploader_rules(stack: Stack, bucket: s3.IBucket) -> None:
    (uploader,) = [child for child in stack.node.children if child.node.id.startswith(UPLOADER)]
    page, _ = stack.resolve(bucket.bucket_arn)["Fn::GetAtt"]
    assets = f"arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-{stack.region}/*"
    actions = ("s3:Abort*", "s3:DeleteObject*", "s3:GetBucket*", "s3:GetObject*", "s3:List*")
    basic = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
    for rule in (
        "AwsSolutions-L1",
        f"AwsSolutions-IAM4[Policy::{basic}]",
        *(f"AwsSolutions-IAM5[Action::{action}]" for action in actions),
        *(f"AwsSolutions-IAM5[Resource::{resource}]" for resource in (assets, f"<{page}.Arn>/*", "*")),
    ):
        suppress_nag(uploader, rule, "CDK's own uploader, which runs only during a deployment; CDK writes its grants.")
