"""The removal policy of resources that hold data."""

from aws_cdk import RemovalPolicy

from infra.config import Config


def removal_policy(config: Config) -> RemovalPolicy:
    """Production keeps it, unless the very deployment that made it fails: its name would be taken at the next try."""
    return RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if config.is_production else RemovalPolicy.DESTROY
