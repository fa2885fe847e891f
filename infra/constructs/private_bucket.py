"""A private bucket: encrypted, no public access, TLS only."""

from typing import Any

from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.config import Config
from infra.constructs.removal import removal_policy


def private_bucket(scope: Construct, construct_id: str, config: Config, **options: Any) -> s3.Bucket:
    return s3.Bucket(
        scope,
        construct_id,
        encryption=s3.BucketEncryption.S3_MANAGED,
        block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
        enforce_ssl=True,
        removal_policy=removal_policy(config),
        **options,
    )
