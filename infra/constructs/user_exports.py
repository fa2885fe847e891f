"""The bucket of the archives that people request: stored for a month, with links valid for ten minutes."""

from aws_cdk import Duration, Tags
from aws_cdk import aws_s3 as s3
from constructs import Construct

from functions.transfers.models import KEPT_DAYS
from infra import names
from infra.config import Config
from infra.constructs.private_bucket import private_bucket
from infra.nag_suppressions import suppress_nag


def user_exports(scope: Construct, config: Config) -> s3.Bucket:
    """Not versioned: what a person deletes is gone at once, and an archive can be made again."""
    name = names.user_exports_bucket_name(config)
    bucket = private_bucket(
        scope,
        "UserExports",
        config,
        bucket_name=name,
        lifecycle_rules=[
            s3.LifecycleRule(
                id="old-archives",
                expiration=Duration.days(KEPT_DAYS),
                abort_incomplete_multipart_upload_after=Duration.days(1),
            )
        ],
    )
    Tags.of(bucket).add("Name", name)
    suppress_nag(
        bucket,
        "AwsSolutions-S1",
        "Of our functions only those whose row says so may reach it, and each of their calls is logged.",
    )
    return bucket
