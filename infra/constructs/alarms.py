"""What the operator is told of, and the topic that tells it."""

from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from constructs import Construct

from infra import metrics, names
from infra.config import Config


@dataclass(frozen=True, slots=True)
class Watch:
    """An alarm: when the metric is above the limit."""

    name: str
    metric: cloudwatch.IMetric
    above: float
    meaning: str
    periods: int = 1


class Alarms(Construct):
    def __init__(self, scope: Construct, config: Config, api_id: str, state_machine_arn: str) -> None:
        super().__init__(scope, "Alarms")
        self.topic = sns.Topic(self, "Topic", topic_name=f"{config.prefix}-alarms", enforce_ssl=True)
        if config.alarm_email:
            self.topic.add_subscription(subscriptions.EmailSubscription(config.alarm_email))
        self.all = [
            self._alarm(config, watch)
            for watch in (
                *_of_tables(config.prefix),
                *_of_pipeline(config.prefix, state_machine_arn),
                *_of_api(api_id),
            )
            # The emulator knows no alarms on sums of metrics.
            if not (config.emulator and isinstance(watch.metric, cloudwatch.MathExpression))
        ]

    def _alarm(self, config: Config, watch: Watch) -> cloudwatch.Alarm:
        alarm = cloudwatch.Alarm(
            self,
            watch.name,
            alarm_name=f"{config.prefix}-{watch.name}",
            alarm_description=watch.meaning,
            metric=watch.metric,
            threshold=watch.above,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
            evaluation_periods=watch.periods,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))
        alarm.add_ok_action(actions.SnsAction(self.topic))
        return alarm


def _of_tables(prefix: str) -> list[Watch]:
    watches = [
        Watch("TableUserErrors", metrics.user_errors(), 10, "DynamoDB refuses requests: a mistake in code or grants.")
    ]
    for name in metrics.table_names(prefix):
        kind = name.removeprefix(prefix).strip("-") or "Main"
        writes = metrics.table_metric(name, "ConsumedWriteCapacityUnits", Duration.minutes(1))
        watches += [
            Watch(f"{kind}SystemErrors", metrics.system_errors(name), 5, "DynamoDB itself fails."),
            *(
                Watch(
                    f"{kind}{way}Throttles",
                    metrics.table_metric(name, f"{way}ThrottleEvents"),
                    0,
                    "The table is asked for more than it may give.",
                )
                for way in ("Read", "Write")
            ),
            Watch(f"{kind}ConsumedWrites", writes, 1000, "More writes in a minute than a normal day has."),
        ]
    return watches


def _of_pipeline(prefix: str, state_machine_arn: str) -> list[Watch]:
    dead_letters = metrics.queue_metric(names.dead_letters_name(prefix), "ApproximateNumberOfMessagesVisible")
    failed, timed_out = (
        metrics.execution_metric(state_machine_arn, name) for name in ("ExecutionsFailed", "ExecutionsTimedOut")
    )
    return [
        Watch("StuckRuns", metrics.stuck_runs(prefix), 10, "Runs stop giving signs of life."),
        Watch("DeadLetters", dead_letters, 0, "Price jobs failed for good; look at them, then redrive the queue."),
        Watch("FailedExecutions", failed, 0, "A run failed for a reason that is not its user's."),
        Watch("TimedOutExecutions", timed_out, 0, "A run took longer than it may."),
    ]


def _of_api(api_id: str) -> list[Watch]:
    latency = metrics.api_metric(api_id, "Latency", "p99")
    return [
        Watch("ApiServerErrors", metrics.api_metric(api_id, "5xx"), 5, "The API fails."),
        Watch("ApiLatency", latency, 5000, "One request in a hundred takes more than five seconds.", periods=3),
    ]
