"""The alarms, and the topic they notify."""

import math
from dataclasses import dataclass

from aws_cdk import Aws, Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from functions.runtime.dynamodb.tables import TABLES
from functions.runtime.observability import (
    CHECKS_OVERDUE,
    DELIVERIES_FAILING,
    NEWS_LAG_SECONDS,
    SERIES_BEHIND,
    STUCK_NEWS,
    STUCK_RUNS,
    TASKS_WAITING,
)
from functions.steps import ANALYSE_NEWS, RUN_JOBS, RUN_STEPS, WRITE_EXPORTS
from infra import metrics, names
from infra.config import Config
from infra.constructs.clocks import CLOCKS
from infra.permissions import principal_of_this_account

WRITE_UNITS_PER_VIDEO = 34.8
"""For a video with three calls whose stocks are known; up to 47 for the first ones (docs/performance.md)."""
SECONDS_PER_VIDEO = 3
MARGIN = 10
"""The multiple of the busiest normal minute that an alarm tolerates."""
CLOCK_STOPPED_AFTER = Duration.minutes(15)
"""Three times the longest interval of a scheduled job, except those that update prices and collect news."""
PRICE_CLOCK_STOPPED_AFTER = Duration.minutes(60)
"""Four times the interval of the jobs that update prices and collect news."""
STUCK_NEWS_ALLOWED = 10
AN_HOUR = Duration.hours(1)
LATE_FOR = Duration.minutes(15)
"""For work already an hour late: long enough that one slow minute does not trigger an alarm."""
DELIVERIES_MAY_FAIL_FOR = Duration.minutes(30)
HOURS_BEHIND = 6
"""By this long after a close, every series should have it, or be known not to have traded."""
PUBLISHERS = {"cloudwatch.amazonaws.com": "Alarms", "budgets.amazonaws.com": "Budgets"}
"""The services that may publish to the topic, and what they publish."""
FAILED_BACKUP_STATES = ["ABORTED", "EXPIRED", "FAILED"]


@dataclass(frozen=True, slots=True)
class AlarmSpec:
    name: str
    metric: cloudwatch.IMetric
    threshold: float
    description: str
    periods: int = 1
    is_heartbeat: bool = False
    """True if it fires below the threshold, and when there is no data."""


class Alarms(Construct):
    def __init__(self, scope: Construct, config: Config, api_id: str) -> None:
        super().__init__(scope, "Alarms")
        self.topic = self._topic(config)
        specs = (
            *_of_tables(config),
            *_of_pipeline(self, config),
            *_of_clocks(config),
            *_of_exports(self, config),
            *_of_api(api_id),
        )
        self.all = [
            self._alarm(config, spec)
            for spec in specs
            # The emulator does not support alarms on metric math.
            if not (config.emulator and isinstance(spec.metric, cloudwatch.MathExpression))
        ]
        if config.backups:
            self._notify_failed_backups(config)

    def _topic(self, config: Config) -> sns.Topic:
        topic = sns.Topic(self, "Topic", topic_name=f"{config.prefix}-alarms", enforce_ssl=True)
        # A topic policy replaces the default one, which lets the whole account publish.
        for service, what in PUBLISHERS.items():
            topic.add_to_resource_policy(
                iam.PolicyStatement(
                    sid=f"{what}MayPublish",
                    principals=[iam.ServicePrincipal(service)],
                    actions=["sns:Publish"],
                    resources=[topic.topic_arn],
                    conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}},
                )
            )
        if config.alarm_email:
            topic.add_subscription(subscriptions.EmailSubscription(config.alarm_email))
        return topic

    def _alarm(self, config: Config, spec: AlarmSpec) -> cloudwatch.Alarm:
        comparison, missing = cloudwatch.ComparisonOperator, cloudwatch.TreatMissingData
        alarm = cloudwatch.Alarm(
            self,
            spec.name,
            alarm_name=f"{config.prefix}-{spec.name}",
            alarm_description=spec.description,
            metric=spec.metric,
            threshold=spec.threshold,
            comparison_operator=comparison.LESS_THAN_THRESHOLD
            if spec.is_heartbeat
            else comparison.GREATER_THAN_THRESHOLD,
            evaluation_periods=spec.periods,
            treat_missing_data=missing.BREACHING if spec.is_heartbeat else missing.NOT_BREACHING,
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))
        alarm.add_ok_action(actions.SnsAction(self.topic))
        return alarm

    def _notify_failed_backups(self, config: Config) -> None:
        """AWS Backup reports each job as an event. EventBridge publishes it with a role, so the topic names no rule."""
        events.Rule(
            self,
            "FailedBackups",
            rule_name=f"{config.prefix}-failed-backups",
            description="A backup of the tables failed",
            event_pattern=events.EventPattern(
                source=["aws.backup"],
                detail_type=["Backup Job State Change"],
                detail={
                    "backupVaultName": [names.backup_vault_name(config.prefix)],
                    "state": FAILED_BACKUP_STATES,
                },
            ),
            targets=[
                targets.SnsTopic(
                    self.topic,
                    role=iam.Role(
                        self, "FailedBackupsRole", assumed_by=principal_of_this_account("events.amazonaws.com")
                    ),
                )
            ],
        )


def normal_videos_per_minute(config: Config) -> float:
    """With as many runs, each with as many videos at once, as the settings allow."""
    return config.runs_at_once * config.videos_at_once * 60 / SECONDS_PER_VIDEO


def _of_tables(config: Config) -> list[AlarmSpec]:
    writes_limit = math.ceil(MARGIN * WRITE_UNITS_PER_VIDEO * normal_videos_per_minute(config))
    # Conflicts are retried and rare; as many as there are videos means that writers block each other.
    conflicts_limit = math.ceil(normal_videos_per_minute(config) * metrics.FIVE_MINUTES.to_minutes())
    specs = []
    for table in TABLES:
        name, kind = table.name(config.prefix), table.id
        writes = metrics.table_metric(name, "ConsumedWriteCapacityUnits", Duration.minutes(1))
        conflicts = metrics.table_metric(name, "TransactionConflict")
        specs += [
            AlarmSpec(f"{kind}SystemErrors", metrics.system_errors(name), 5, "DynamoDB itself fails."),
            AlarmSpec(
                f"{kind}TransactionConflicts",
                conflicts,
                conflicts_limit,
                "As many writes conflict as a normal run makes: writers block each other.",
            ),
            *(
                AlarmSpec(
                    f"{kind}{way}Throttles",
                    metrics.table_metric(name, f"{way}ThrottleEvents"),
                    0,
                    "Requests to the table exceed its capacity.",
                )
                for way in ("Read", "Write")
            ),
            AlarmSpec(
                f"{kind}ConsumedWrites",
                writes,
                writes_limit,
                f"{MARGIN} times the writes of a minute in which every allowed run is busy.",
            ),
        ]
        if table.indexes:
            specs.append(
                AlarmSpec(
                    f"{kind}IndexThrottles",
                    metrics.index_throttles(config.prefix, table),
                    0,
                    "Requests to an index exceed its capacity and hold up the writes of its table.",
                )
            )
    return specs


def _of_pipeline(scope: Construct, config: Config) -> list[AlarmSpec]:
    machine = names.state_machine_arn(scope, config.prefix)
    dead_letters = metrics.queue_metric(names.dead_letters_name(config.prefix), "ApproximateNumberOfMessagesVisible")
    failed, timed_out = (metrics.execution_metric(machine, name) for name in ("ExecutionsFailed", "ExecutionsTimedOut"))
    errors_limit = math.ceil(normal_videos_per_minute(config) * metrics.FIVE_MINUTES.to_minutes() / MARGIN)
    return [
        AlarmSpec("StuckRuns", metrics.own_metric(config.prefix, STUCK_RUNS), 0, "A run died without a heartbeat."),
        AlarmSpec(
            "SeriesBehind",
            metrics.own_metric(config.prefix, SERIES_BEHIND, AN_HOUR, "Minimum"),
            0,
            f"For {HOURS_BEHIND} hours the newest close of a stock in use could not be had; the log names the stock.",
            periods=HOURS_BEHIND,
        ),
        AlarmSpec(
            "ChecksOverdue",
            metrics.own_metric(config.prefix, CHECKS_OVERDUE, LATE_FOR, "Minimum"),
            0,
            "For a quarter of an hour there were channels whose check was due more than an hour before.",
        ),
        AlarmSpec(
            "TasksWaiting",
            metrics.own_metric(config.prefix, TASKS_WAITING, LATE_FOR, "Minimum"),
            0,
            "For a quarter of an hour there were tasks of plans, exports or imports that were an hour late.",
        ),
        AlarmSpec(
            "DeliveriesFailing",
            metrics.own_metric(config.prefix, DELIVERIES_FAILING, DELIVERIES_MAY_FAIL_FOR, "Minimum"),
            0,
            "For half an hour there were alerts that could not be delivered at three tries or more.",
        ),
        AlarmSpec(
            "StuckItems",
            metrics.own_metric(config.prefix, STUCK_NEWS, LATE_FOR, "Minimum"),
            STUCK_NEWS_ALLOWED,
            f"For a quarter of an hour more than {STUCK_NEWS_ALLOWED} stories waited for their analysis.",
        ),
        AlarmSpec("DeadLetters", dead_letters, 0, "Jobs failed for good; look at them, then redrive the queue."),
        AlarmSpec("FailedExecutions", failed, 0, "A run failed, and not for a reason its user can mend."),
        AlarmSpec("TimedOutExecutions", timed_out, 0, "A run took longer than it may."),
        AlarmSpec(
            "StepErrors",
            metrics.function_errors(
                config.prefix, [step.module for step in (*RUN_STEPS, RUN_JOBS, WRITE_EXPORTS, ANALYSE_NEWS)]
            ),
            errors_limit,
            "Steps of the pipeline fail more often than one video in ten.",
            periods=2,
        ),
        AlarmSpec(
            "FunctionThrottles",
            metrics.throttles(),
            0,
            "For 15 minutes functions of this account had to wait for a concurrent execution; raise the quota.",
            periods=3,
        ),
    ]


def _of_clocks(config: Config) -> list[AlarmSpec]:
    """Each scheduled job reports its metric whenever it has finished, so missing data means that it has not."""
    prefix = config.prefix
    heartbeats = (
        ("DeadRunsClock", STUCK_RUNS, CLOCK_STOPPED_AFTER, "looks for dead runs"),
        ("PricesClock", SERIES_BEHIND, PRICE_CLOCK_STOPPED_AFTER, "updates prices"),
        ("ChecksClock", CHECKS_OVERDUE, CLOCK_STOPPED_AFTER, "begins the checks of channels"),
        ("TasksClock", TASKS_WAITING, CLOCK_STOPPED_AFTER, "sends the tasks of plans"),
        ("AlertsClock", DELIVERIES_FAILING, CLOCK_STOPPED_AFTER, "delivers alerts"),
        ("NewsClock", NEWS_LAG_SECONDS, PRICE_CLOCK_STOPPED_AFTER, "collects news"),
        ("StuckNewsClock", STUCK_NEWS, CLOCK_STOPPED_AFTER, "counts the stories that wait for their analysis"),
    )
    return [
        *(
            AlarmSpec(
                name,
                metrics.reports_of(prefix, reported, silence),
                1,
                f"The function that {does} has not finished for {silence.to_minutes():.0f} minutes.",
                is_heartbeat=True,
            )
            for name, reported, silence, does in heartbeats
        ),
        AlarmSpec(
            "ClockErrors",
            metrics.function_errors(prefix, [clock.step.module for clock in CLOCKS]),
            0,
            "For 15 minutes a function that is called on a schedule failed.",
            periods=3,
        ),
        AlarmSpec(
            "ClocksNotCalled",
            metrics.schedule_errors(names.clocks_group_name(prefix)),
            0,
            "The scheduler could not call a function.",
        ),
    ]


def _of_exports(scope: Construct, config: Config) -> list[AlarmSpec]:
    if not config.exports:
        return []
    machine = names.exports_machine_arn(scope, config.prefix)
    return [
        AlarmSpec("FailedExports", metrics.failed_executions(machine), 0, "A weekly export to S3 failed."),
        AlarmSpec(
            "ExportsNotStarted",
            metrics.schedule_errors(names.exports_machine_name(config.prefix)),
            0,
            "The scheduler could not start the weekly export.",
        ),
    ]


def _of_api(api_id: str) -> list[AlarmSpec]:
    latency = metrics.api_metric(api_id, "Latency", "p99")
    return [
        AlarmSpec(
            "ApiServerErrors",
            metrics.api_metric(api_id, "5xx"),
            5,
            "The API fails: an error, timeout or throttle of one of its functions.",
        ),
        AlarmSpec("ApiLatency", latency, 5000, "One request in a hundred takes more than five seconds.", periods=3),
    ]
