"""A group of schedules. It holds no data, so it goes with its stack; CDK would retain it and its name."""

from aws_cdk import RemovalPolicy
from aws_cdk import aws_scheduler as scheduler
from constructs import Construct


def schedule_group(scope: Construct, name: str) -> scheduler.ScheduleGroup:
    return scheduler.ScheduleGroup(scope, "Group", schedule_group_name=name, removal_policy=RemovalPolicy.DESTROY)
