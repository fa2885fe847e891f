"""Alarms fire when they should, stay quiet in a normal run, and reach someone."""

import re
from typing import Any

import pytest

from functions.runtime.dynamodb.tables import MAIN, TABLES
from functions.steps import STEPS
from infra.config import read_config
from infra.constructs.alarms import normal_videos_per_minute
from infra.constructs.clocks import CLOCKS
from tests.infrastructure.conftest import LEAN, RICH, Synthesise
from tests.infrastructure.templates import ROOT, System, listed, text

METRICS_PER_EXPRESSION = 10
"""CloudWatch's limit for an alarm."""
Watched = tuple[str, set[str], str, int, int]
"""Namespace, metrics, statistic, seconds of a period, and number of periods."""
SMALLEST_NORMAL_RUN = 34.8 * 2 * 60 / 3
"""Write units in a minute: two videos at once, of three seconds each."""


def alarms_of(made: System) -> dict[str, dict[str, Any]]:
    alarms = [each["Properties"] for each in made.resources("AWS::CloudWatch::Alarm").values()]
    return {each["AlarmName"].rpartition("-")[2]: each for each in alarms}


def metrics_of(alarm: dict[str, Any]) -> list[dict[str, Any]]:
    """The metrics that an alarm looks at, each with its namespace, name and dimensions."""
    if "Metrics" not in alarm:
        return [alarm]
    return [each["MetricStat"]["Metric"] for each in alarm["Metrics"] if "MetricStat" in each]


def dimensions_of(metric: dict[str, Any]) -> dict[str, str]:
    return {each["Name"]: each["Value"] for each in metric.get("Dimensions", [])}


def statements_of_topic(made: System) -> list[dict[str, Any]]:
    (policy,) = made.resources("AWS::SNS::TopicPolicy", "observability").values()
    statements: list[dict[str, Any]] = policy["Properties"]["PolicyDocument"]["Statement"]
    return statements


@pytest.mark.parametrize("service", ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"])
def test_services_may_publish_to_the_topic_for_this_account(system: Synthesise, service: str) -> None:
    (statement,) = [
        each
        for each in statements_of_topic(system())
        if each["Effect"] == "Allow" and each["Principal"] == {"Service": service}
    ]

    assert statement["Action"] == "sns:Publish"
    assert statement["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}
    (topic,) = system().resources("AWS::SNS::Topic", "observability")
    assert text(statement["Resource"]) == f"{{{topic.partition('/')[2]}}}"


def test_every_alarm_notifies_the_topic_and_the_topic_someone(system: Synthesise) -> None:
    made = system(**RICH)
    (topic,) = [{"Ref": name.partition("/")[2]} for name in made.resources("AWS::SNS::Topic", "observability")]

    for name, alarm in alarms_of(made).items():
        assert alarm["AlarmActions"] == alarm["OKActions"] == [topic], name
    (subscription,) = made.resources("AWS::SNS::Subscription").values()
    assert subscription["Properties"]["Endpoint"] == "ops@example.com"


def test_alarms_have_these_thresholds(system: Synthesise) -> None:
    assert {name: alarm["Threshold"] for name, alarm in alarms_of(system()).items()} == {
        "MainSystemErrors": 5,
        "StocksSystemErrors": 5,
        "MainTransactionConflicts": 400,
        "StocksTransactionConflicts": 400,
        "MainReadThrottles": 0,
        "MainWriteThrottles": 0,
        "StocksReadThrottles": 0,
        "StocksWriteThrottles": 0,
        "MainIndexThrottles": 0,
        "MainConsumedWrites": 27840,
        "StocksConsumedWrites": 27840,
        "NewsSystemErrors": 5,
        "NewsTransactionConflicts": 400,
        "NewsReadThrottles": 0,
        "NewsWriteThrottles": 0,
        "NewsIndexThrottles": 0,
        "NewsConsumedWrites": 27840,
        "NewsClock": 1,
        "StuckItems": 10,
        "StuckNewsClock": 1,
        "StuckRuns": 0,
        "DeadRunsClock": 1,
        "SeriesBehind": 0,
        "PricesClock": 1,
        "ChecksOverdue": 0,
        "ChecksClock": 1,
        "TasksWaiting": 0,
        "TasksClock": 1,
        "DeliveriesFailing": 0,
        "AlertsClock": 1,
        "ClockErrors": 0,
        "ClocksNotCalled": 0,
        "DeadLetters": 0,
        "FailedExecutions": 0,
        "TimedOutExecutions": 0,
        "StepErrors": 40,
        "FunctionThrottles": 0,
        "FailedExports": 0,
        "ExportsNotStarted": 0,
        "ApiServerErrors": 5,
        "ApiLatency": 5000,
    }


EVERY_TABLE: dict[str, Watched] = {
    "SystemErrors": ("AWS/DynamoDB", {"SystemErrors"}, "Sum", 300, 1),
    "TransactionConflicts": ("AWS/DynamoDB", {"TransactionConflict"}, "Sum", 300, 1),
    "ReadThrottles": ("AWS/DynamoDB", {"ReadThrottleEvents"}, "Sum", 300, 1),
    "WriteThrottles": ("AWS/DynamoDB", {"WriteThrottleEvents"}, "Sum", 300, 1),
    "ConsumedWrites": ("AWS/DynamoDB", {"ConsumedWriteCapacityUnits"}, "Sum", 60, 1),
    "IndexThrottles": ("AWS/DynamoDB", {"ReadThrottleEvents", "WriteThrottleEvents"}, "Sum", 300, 1),
}
WATCHED: dict[str, Watched] = {
    **{f"{table.id}{name}": each for table in TABLES for name, each in EVERY_TABLE.items()},
    "StuckRuns": ("StockTrackRecord", {"StuckRuns"}, "Maximum", 300, 1),
    "SeriesBehind": ("StockTrackRecord", {"SeriesBehind"}, "Minimum", 3600, 6),
    "ChecksOverdue": ("StockTrackRecord", {"ChecksOverdue"}, "Minimum", 900, 1),
    "TasksWaiting": ("StockTrackRecord", {"TasksWaiting"}, "Minimum", 900, 1),
    "DeliveriesFailing": ("StockTrackRecord", {"DeliveriesFailing"}, "Minimum", 1800, 1),
    "StuckItems": ("StockTrackRecord", {"StuckItems"}, "Minimum", 900, 1),
    # Messages that SQS moves there by itself are never counted as sent.
    "DeadLetters": ("AWS/SQS", {"ApproximateNumberOfMessagesVisible"}, "Maximum", 300, 1),
    "FailedExecutions": ("AWS/States", {"ExecutionsFailed"}, "Sum", 300, 1),
    "TimedOutExecutions": ("AWS/States", {"ExecutionsTimedOut"}, "Sum", 300, 1),
    "StepErrors": ("AWS/Lambda", {"Errors"}, "Sum", 300, 2),
    "FunctionThrottles": ("AWS/Lambda", {"Throttles"}, "Sum", 300, 3),
    "DeadRunsClock": ("StockTrackRecord", {"StuckRuns"}, "SampleCount", 900, 1),
    "PricesClock": ("StockTrackRecord", {"SeriesBehind"}, "SampleCount", 3600, 1),
    "ChecksClock": ("StockTrackRecord", {"ChecksOverdue"}, "SampleCount", 900, 1),
    "TasksClock": ("StockTrackRecord", {"TasksWaiting"}, "SampleCount", 900, 1),
    "AlertsClock": ("StockTrackRecord", {"DeliveriesFailing"}, "SampleCount", 900, 1),
    "NewsClock": ("StockTrackRecord", {"NewsLagSeconds"}, "SampleCount", 3600, 1),
    "StuckNewsClock": ("StockTrackRecord", {"StuckItems"}, "SampleCount", 900, 1),
    "ClockErrors": ("AWS/Lambda", {"Errors"}, "Sum", 300, 3),
    "ClocksNotCalled": ("AWS/Scheduler", {"TargetErrorCount"}, "Sum", 300, 1),
    "FailedExports": ("AWS/States", {"ExecutionsFailed", "ExecutionsTimedOut"}, "Sum", 300, 1),
    "ExportsNotStarted": ("AWS/Scheduler", {"TargetErrorCount"}, "Sum", 300, 1),
    "ApiServerErrors": ("AWS/ApiGateway", {"5xx"}, "Sum", 300, 1),
    "ApiLatency": ("AWS/ApiGateway", {"Latency"}, "p99", 300, 3),
}
ADDED_UP = re.compile(r"FILL\(m\d+, 0\)( \+ FILL\(m\d+, 0\))*")


def watched_by(alarm: dict[str, Any]) -> Watched:
    added_up = [each["MetricStat"] for each in alarm.get("Metrics", []) if "MetricStat" in each]
    own = {"Metric": alarm, "Stat": alarm.get("Statistic") or alarm.get("ExtendedStatistic")}
    seen = added_up or [own | {"Period": alarm["Period"]}]
    ((namespace, statistic, period),) = {(each["Metric"]["Namespace"], each["Stat"], each["Period"]) for each in seen}
    return namespace, {each["Metric"]["MetricName"] for each in seen}, statistic, period, alarm["EvaluationPeriods"]


def test_every_alarm_watches_the_metric_that_it_is_about(system: Synthesise) -> None:
    alarms = alarms_of(system())

    assert {name: watched_by(alarm) for name, alarm in alarms.items()} == {
        name: watched for name, watched in WATCHED.items() if name != "StocksIndexThrottles"
    }


def test_what_an_alarm_adds_up_is_each_of_its_metrics_once(system: Synthesise) -> None:
    for name, alarm in alarms_of(system()).items():
        expressions = [each["Expression"] for each in alarm.get("Metrics", []) if "Expression" in each]
        for expression in expressions:
            assert ADDED_UP.fullmatch(expression), name
            assert expression.count("FILL") == len(metrics_of(alarm)), name


def test_every_alarm_looks_at_what_is_deployed(system: Synthesise) -> None:
    """A metric of a name that nothing has would be silent for ever."""
    made = system()
    names = {
        "TableName": {
            each["Properties"]["TableName"] for each in made.resources("AWS::DynamoDB::GlobalTable").values()
        },
        "QueueName": {each["Properties"].get("QueueName") for each in made.resources("AWS::SQS::Queue").values()},
        "FunctionName": {f"StockTrackRecord-{step.module.replace('_', '-')}" for step in STEPS},
        "ScheduleGroup": {
            each["Properties"]["Name"] for each in made.resources("AWS::Scheduler::ScheduleGroup").values()
        },
        "StateMachineArn": {
            each["Properties"]["StateMachineName"]
            for each in made.resources("AWS::StepFunctions::StateMachine").values()
        },
    }

    for name, alarm in alarms_of(made).items():
        for metric in metrics_of(alarm):
            for dimension, value in dimensions_of(metric).items():
                if dimension in names:
                    assert text(value).rpartition(":")[2] in names[dimension], (name, dimension)
    assert dimensions_of(alarms_of(made)["DeadLetters"]) == {"QueueName": "StockTrackRecord-dead-letters"}


def test_a_normal_run_is_far_below_the_alarm_on_writes(system: Synthesise) -> None:
    alarm = alarms_of(system())["MainConsumedWrites"]

    assert alarm["Period"] == 60
    assert alarm["Threshold"] >= 10 * SMALLEST_NORMAL_RUN


def test_what_is_normal_grows_with_the_concurrency_of_runs() -> None:
    default, larger = read_config({}), read_config({"videos_at_once": 10, "runs_at_once": 5})

    assert normal_videos_per_minute(larger) == normal_videos_per_minute(default) * 50 / 4


def test_no_alarm_counts_conflicts_as_the_callers_errors(system: Synthesise) -> None:
    watched = [each["MetricName"] for alarm in alarms_of(system()).values() for each in metrics_of(alarm)]

    assert "UserErrors" not in watched
    assert watched.count("TransactionConflict") == len(TABLES)


def test_throttles_of_every_index_are_watched(system: Synthesise) -> None:
    watched = {
        (each["MetricName"], dimensions_of(each)["GlobalSecondaryIndexName"])
        for each in metrics_of(alarms_of(system())["MainIndexThrottles"])
    }

    assert watched == {(f"{way}ThrottleEvents", index.name) for index in MAIN.indexes for way in ("Read", "Write")}


def test_errors_of_every_step_and_throttles_of_all_functions_are_watched(system: Synthesise) -> None:
    errors = {
        dimensions_of(each)["FunctionName"]
        for name in ("StepErrors", "ClockErrors")
        for each in metrics_of(alarms_of(system())[name])
    }
    (throttles,) = metrics_of(alarms_of(system())["FunctionThrottles"])

    assert errors == {f"StockTrackRecord-{step.module.replace('_', '-')}" for step in STEPS}
    assert (throttles["Namespace"], throttles["MetricName"]) == ("AWS/Lambda", "Throttles")
    assert dimensions_of(throttles) == {}


@pytest.mark.parametrize(
    ("name", "metric", "module"),
    [
        ("DeadRunsClock", "StuckRuns", "resume_dead_runs"),
        ("PricesClock", "SeriesBehind", "update_prices"),
        ("ChecksClock", "ChecksOverdue", "check_channels"),
        ("TasksClock", "TasksWaiting", "send_due_tasks"),
        ("AlertsClock", "DeliveriesFailing", "deliver_alerts"),
        ("NewsClock", "NewsLagSeconds", "ingest_news"),
        ("StuckNewsClock", "StuckItems", "watch_news"),
    ],
)
def test_silence_of_a_clock_is_an_alarm(system: Synthesise, name: str, metric: str, module: str) -> None:
    alarm = alarms_of(system())[name]
    (clock,) = [clock for clock in CLOCKS if clock.step.module == module]

    assert (alarm["Statistic"], alarm["MetricName"]) == ("SampleCount", metric)
    assert (alarm["TreatMissingData"], alarm["ComparisonOperator"]) == ("breaching", "LessThanThreshold")
    assert alarm["Period"] >= 3 * clock.minutes * 60


def test_each_clock_has_an_alarm_on_its_silence(system: Synthesise) -> None:
    silent = [name for name, alarm in alarms_of(system()).items() if alarm["TreatMissingData"] == "breaching"]

    assert len(silent) == len(CLOCKS)


def test_what_the_scheduler_could_not_call_is_watched(system: Synthesise) -> None:
    made = system()
    (alarm,) = metrics_of(alarms_of(made)["ClocksNotCalled"])
    groups = {
        each["Properties"]["GroupName"] for each in made.resources("AWS::Scheduler::Schedule", "pipeline").values()
    }

    assert (alarm["Namespace"], alarm["MetricName"]) == ("AWS/Scheduler", "TargetErrorCount")
    (group,) = made.resources("AWS::Scheduler::ScheduleGroup", "pipeline").values()
    assert dimensions_of(alarm)["ScheduleGroup"] == group["Properties"]["Name"]
    assert len(groups) == 1


@pytest.mark.parametrize(("name", "minutes"), [("ChecksOverdue", 15), ("TasksWaiting", 15), ("DeliveriesFailing", 30)])
def test_what_waits_is_an_alarm_only_when_it_goes_on_waiting(system: Synthesise, name: str, minutes: int) -> None:
    alarm = alarms_of(system())[name]

    assert (alarm["Statistic"], alarm["MetricName"]) == ("Minimum", name)
    assert alarm["Period"] * alarm["EvaluationPeriods"] == minutes * 60


def test_operators_are_told_what_each_alarm_means(system: Synthesise) -> None:
    told = (ROOT / "docs" / "operations.md").read_text().partition("## Watch")[2].partition("\n## ")[0]
    named = {
        f"{table}{name.removeprefix('…')}"
        for cells in re.findall(r"^\| ([\w…, ]+) \|", told, flags=re.MULTILINE)
        for name in cells.split(", ")
        for table in ([each.id for each in TABLES] if name.startswith("…") else [""])
    }

    assert set(alarms_of(system())) <= named


def test_a_close_that_comes_late_is_no_alarm_but_one_that_is_missing_for_hours_is(system: Synthesise) -> None:
    behind = alarms_of(system())["SeriesBehind"]

    assert (behind["Statistic"], behind["MetricName"]) == ("Minimum", "SeriesBehind")
    assert behind["Period"] * behind["EvaluationPeriods"] == 6 * 60 * 60


def test_other_alarms_stay_quiet_without_data(system: Synthesise) -> None:
    for name, alarm in alarms_of(system()).items():
        if not name.endswith("Clock"):
            assert alarm["TreatMissingData"] == "notBreaching", name


def test_no_alarm_adds_up_more_metrics_than_cloudwatch_takes(system: Synthesise) -> None:
    for name, alarm in alarms_of(system(**RICH)).items():
        assert len(metrics_of(alarm)) <= METRICS_PER_EXPRESSION, name


def test_a_failed_backup_is_published(system: Synthesise) -> None:
    made = system()

    (rule,) = [each["Properties"] for each in made.resources("AWS::Events::Rule").values()]
    assert rule["EventPattern"]["detail-type"] == ["Backup Job State Change"]
    assert rule["EventPattern"]["detail"] == {
        "backupVaultName": ["StockTrackRecord-backups"],
        "state": ["ABORTED", "EXPIRED", "FAILED"],
    }
    (target,) = rule["Targets"]
    (topic,) = made.resources("AWS::SNS::Topic", "observability")
    assert target["Arn"] == {"Ref": topic.partition("/")[2]}
    role = target["RoleArn"]["Fn::GetAtt"][0]
    (policy,) = [
        each["Properties"]
        for each in made.resources("AWS::IAM::Policy", "observability").values()
        if {"Ref": role} in each["Properties"]["Roles"]
    ]
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert listed(statement["Action"]) == ["sns:Publish"]


def test_a_budget_is_made_unless_it_is_switched_off(system: Synthesise) -> None:
    (budget,) = [each["Properties"] for each in system(**RICH).resources("AWS::Budgets::Budget").values()]

    assert budget["Budget"]["BudgetLimit"] == {"Amount": 50, "Unit": "USD"}
    for notification in budget["NotificationsWithSubscribers"]:
        (subscriber,) = notification["Subscribers"]
        assert subscriber["SubscriptionType"] == "SNS"
    assert not system(monthly_budget=0).resources("AWS::Budgets::Budget")


def test_what_is_not_made_is_not_watched(system: Synthesise) -> None:
    lean = system(**LEAN)

    assert not {"FailedExports", "ExportsNotStarted"} & set(alarms_of(lean))
    assert not lean.resources("AWS::Events::Rule")
