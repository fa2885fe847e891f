"""Log groups with the configured retention, deleted with their stack except in production."""

from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.config import RETENTIONS, Config
from infra.constructs.removal import removal_policy

_DAYS = dict(zip(RETENTIONS, logs.RetentionDays, strict=False))


def log_group(scope: Construct, construct_id: str, config: Config, name: str) -> logs.LogGroup:
    return logs.LogGroup(
        scope,
        construct_id,
        log_group_name=name,
        retention=_DAYS[config.log_retention],
        removal_policy=removal_policy(config),
    )
