"""The scheduled jobs: functions that EventBridge Scheduler calls, in one group that counts failed calls."""

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_scheduler as scheduler
from constructs import Construct

from functions.steps import (
    CHECK_CHANNELS,
    DELIVER_ALERTS,
    INGEST_NEWS,
    RESUME_DEAD_RUNS,
    SEND_DUE_TASKS,
    UPDATE_PRICES,
    WATCH_NEWS,
    Step,
)
from infra import names
from infra.config import Config
from infra.constructs.schedule_group import schedule_group
from infra.permissions import principal_of_this_account

DELIVERY_RETRIES = 2
SHORTEST_EVENT_AGE = 60
"""In seconds, as the scheduler and Lambda allow."""


@dataclass(frozen=True, slots=True)
class Clock:
    step: Step
    minutes: int
    description: str


CLOCKS = (
    Clock(RESUME_DEAD_RUNS, 5, "Resumes the runs whose heartbeat stopped"),
    # Queries a few headers each time: they store when a close is expected, in New York time.
    Clock(UPDATE_PRICES, 15, "Updates the prices that are due"),
    Clock(CHECK_CHANNELS, 1, "Starts the runs that wait and the checks that are due"),
    Clock(SEND_DUE_TASKS, 1, "Sends the tasks of plans whose message was lost"),
    Clock(DELIVER_ALERTS, 1, "Delivers the alerts that are due"),
    # The function itself determines from the setting news_every which feeds are due.
    Clock(INGEST_NEWS, 15, "Collects the news that is due"),
    Clock(WATCH_NEWS, 5, "Counts the stories that wait for their analysis"),
)


class Clocks(Construct):
    def __init__(self, scope: Construct, config: Config, functions: Mapping[str, lambda_.Function]) -> None:
        """`functions` maps each job's module to its function."""
        super().__init__(scope, "Clocks")
        group = schedule_group(self, names.clocks_group_name(config.prefix))
        role = iam.Role(self, "Role", assumed_by=principal_of_this_account("scheduler.amazonaws.com"))
        # Granted by name only: CDK's own target would also allow every version of the functions.
        role.add_to_policy(
            iam.PolicyStatement(
                actions=["lambda:InvokeFunction"], resources=[each.function_arn for each in functions.values()]
            )
        )
        for clock in CLOCKS:
            self._schedule(clock, functions[clock.step.module], group, role)

    def _schedule(
        self, clock: Clock, function: lambda_.Function, group: scheduler.ScheduleGroup, role: iam.Role
    ) -> None:
        age = max(SHORTEST_EVENT_AGE, clock.minutes * 60)
        scheduler.CfnSchedule(
            self,
            function.node.id,
            name=function.function_name,
            group_name=group.schedule_group_name,
            description=clock.description,
            schedule_expression=scheduler.ScheduleExpression.rate(Duration.minutes(clock.minutes)).expression_string,
            flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
            target=scheduler.CfnSchedule.TargetProperty(
                arn=function.function_arn,
                role_arn=role.role_arn,
                retry_policy=scheduler.CfnSchedule.RetryPolicyProperty(
                    maximum_retry_attempts=DELIVERY_RETRIES, maximum_event_age_in_seconds=age
                ),
            ),
        )
        # A call that failed or found no concurrency is not retried for hours: the next one does its work.
        function.configure_async_invoke(max_event_age=Duration.seconds(age), retry_attempts=0)
