"""The secret that CloudFront sends to the API, by which its functions refuse requests that bypass CloudFront."""

from aws_cdk import SecretValue
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from infra import names
from infra.config import Config
from infra.nag_suppressions import suppress_nag


def make_origin_secret(scope: Construct, config: Config) -> secretsmanager.Secret:
    secret = secretsmanager.Secret(
        scope,
        "OriginSecret",
        secret_name=names.origin_secret_name(config.prefix),
        description="CloudFront shows it to the API",
        generate_secret_string=secretsmanager.SecretStringGenerator(password_length=48, exclude_punctuation=True),
    )
    suppress_nag(secret, "AwsSolutions-SMG4", "CloudFront takes a new one at a deployment only.")
    return secret


def origin_secret(config: Config) -> str:
    """CloudFormation's reference to it: the secret itself is in no template. A template may hold 60 such references, so
    only CloudFront gets one; the functions read the secret."""
    return SecretValue.secrets_manager(names.origin_secret_name(config.prefix)).unsafe_unwrap()
