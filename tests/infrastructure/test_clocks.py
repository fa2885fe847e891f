"""The clocks call what they should as often as they should, may call nothing else, and do not pile up calls."""

from typing import Any

from functions.steps import ANALYSE_NEWS, RUN_JOBS, RUN_STEPS, STEPS, WRITE_EXPORTS
from infra.constructs.clocks import CLOCKS
from tests.infrastructure.conftest import Synthesise
from tests.infrastructure.templates import System, listed, text

EVERY = {
    "resume_dead_runs": "rate(5 minutes)",
    "update_prices": "rate(15 minutes)",
    "check_channels": "rate(1 minute)",
    "send_due_tasks": "rate(1 minute)",
    "deliver_alerts": "rate(1 minute)",
    "ingest_news": "rate(15 minutes)",
    "watch_news": "rate(5 minutes)",
}


def schedules_of(made: System) -> dict[str, dict[str, Any]]:
    """By the module they call."""
    modules = {
        name.partition("/")[2]: each["Properties"]["Handler"].split(".")[-2]
        for name, each in made.resources("AWS::Lambda::Function", "pipeline").items()
    }
    schedules = [each["Properties"] for each in made.resources("AWS::Scheduler::Schedule", "pipeline").values()]
    return {modules[each["Target"]["Arn"]["Fn::GetAtt"][0]]: each for each in schedules}


def test_each_function_is_called_as_often_as_it_has_to_be(system: Synthesise) -> None:
    schedules = schedules_of(system())

    assert {module: each["ScheduleExpression"] for module, each in schedules.items()} == EVERY
    assert all(each["FlexibleTimeWindow"] == {"Mode": "OFF"} for each in schedules.values())
    assert all(each.get("State", "ENABLED") == "ENABLED" for each in schedules.values())


def test_every_step_is_called_by_a_run_a_queue_or_a_clock() -> None:
    queued = (RUN_JOBS, WRITE_EXPORTS, ANALYSE_NEWS)
    called = [step.module for step in (*RUN_STEPS, *queued, *(clock.step for clock in CLOCKS))]

    assert sorted(called) == sorted(step.module for step in STEPS)


def test_a_clock_that_could_not_be_called_is_not_called_for_its_past(system: Synthesise) -> None:
    made = system()
    kept = {
        text(each["Properties"]["FunctionName"]): each["Properties"]
        for each in made.resources("AWS::Lambda::EventInvokeConfig").values()
    }

    assert len(kept) == len(CLOCKS)
    minutes = {clock.step.module: clock.minutes for clock in CLOCKS}
    for module, schedule in schedules_of(made).items():
        retries = schedule["Target"]["RetryPolicy"]
        assert retries["MaximumEventAgeInSeconds"] == minutes[module] * 60
        (function,) = schedule["Target"]["Arn"]["Fn::GetAtt"][:1]
        assert kept[f"{{{function}}}"]["MaximumEventAgeInSeconds"] == minutes[module] * 60
        assert kept[f"{{{function}}}"]["MaximumRetryAttempts"] == 0


def test_the_scheduler_may_call_the_clocks_for_this_account_and_nothing_else(system: Synthesise) -> None:
    made = system()
    schedules = schedules_of(made).values()
    ((role, _),) = {tuple(each["Target"]["RoleArn"]["Fn::GetAtt"]) for each in schedules}

    allowed = [
        (action, text(resource))
        for holders, policy in made.policies()
        if role in holders
        for statement in policy["PolicyDocument"]["Statement"]
        for action in listed(statement["Action"])
        for resource in listed(statement["Resource"])
    ]
    trust = made.stacks["pipeline"]["Resources"][role]["Properties"]["AssumeRolePolicyDocument"]["Statement"]

    assert sorted(allowed) == sorted(("lambda:InvokeFunction", text(each["Target"]["Arn"])) for each in schedules)
    assert trust == [
        {
            "Action": "sts:AssumeRole",
            "Condition": {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}},
            "Effect": "Allow",
            "Principal": {"Service": "scheduler.amazonaws.com"},
        }
    ]


def test_the_schedules_are_in_the_group_whose_errors_are_counted(system: Synthesise) -> None:
    made = system()
    ((name, group),) = made.resources("AWS::Scheduler::ScheduleGroup", "pipeline").items()

    assert group["Properties"]["Name"] == "StockTrackRecord-clocks"
    for schedule in schedules_of(made).values():
        assert text(schedule["GroupName"]) in (f"{{{name.partition('/')[2]}}}", "StockTrackRecord-clocks")
