"""The bucket of stored transcripts: versioned, so that a deleted one can be recovered for a while."""

from aws_cdk import Duration, Tags
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra import names
from infra.config import Config
from infra.constructs.private_bucket import private_bucket
from infra.nag_suppressions import suppress_nag

OLD_VERSIONS_KEPT = Duration.days(30)
UNFINISHED_UPLOADS_KEPT = Duration.days(1)


def kept_transcripts(scope: Construct, config: Config) -> s3.Bucket:
    """Independent of the setting: its name would be taken when transcripts are stored again."""
    name = names.kept_transcripts_bucket_name(config)
    bucket = private_bucket(
        scope,
        "KeptTranscripts",
        config,
        bucket_name=name,
        versioned=True,
        lifecycle_rules=[
            s3.LifecycleRule(
                id="old-versions",
                noncurrent_version_expiration=OLD_VERSIONS_KEPT,
                # A delete leaves a marker, which is the last of its object once the versions have expired.
                expired_object_delete_marker=True,
                abort_incomplete_multipart_upload_after=UNFINISHED_UPLOADS_KEPT,
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
