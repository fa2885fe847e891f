"""Operators can follow plans: the saved queries find the lines of a plan and of a task by their ids."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from functions.plans.models import Task, TaskKind, task_name
from functions.plans.pipeline import plan_tasks
from functions.plans.plans import create_plan
from functions.plans.tasks import Outcome, Result, TaskFailed
from functions.plans.validation import NewTask
from functions.runtime.caller import Caller
from functions.runtime.dispatch import job_to_message
from functions.service.pipeline import run_jobs
from infra.saved_queries import ONE_CHANNEL, ONE_PLAN, ONE_RUN, ONE_TASK
from tests.fakes import RecordingDispatcher

LogLines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    def do(task: Task) -> Result:
        if task.key == "fails":
            raise TaskFailed("It broke")
        return Result(Outcome.COMPLETED, "the channel", "the run")

    monkeypatch.setattr(plan_tasks, "do_task", do)
    return RecordingDispatcher().install(monkeypatch)


def a_plan(*keys: str) -> str:
    wanted = [NewTask(key, TaskKind.SCORE, "the channel", None, ()) for key in keys]
    return create_plan("A plan", wanted, Caller("somebody")).plan.id


def work(dispatched: RecordingDispatcher) -> None:
    """All messages in one batch, so that a line could name the task of the message before."""
    messages = [job_to_message(job) for job in dispatched.jobs]
    records = [
        {"messageId": str(number), "body": message, "attributes": {"ApproximateReceiveCount": "1"}}
        for number, message in enumerate(messages)
    ]
    run_jobs.handler({"Records": records}, None)


def test_a_plan_and_each_of_its_tasks_are_found(dispatched: RecordingDispatcher, log_lines: LogLines) -> None:
    plan, other = a_plan("works", "fails"), a_plan("works")

    work(dispatched)

    lines = log_lines()
    of_plan = [line for line in lines if ONE_PLAN.finds(line, plan)]
    of_task = [line for line in lines if ONE_TASK.finds(line, task_name(plan, "fails"))]
    assert {line["task"] for line in of_plan if "task" in line} == {f"{plan}/works", f"{plan}/fails"}
    assert [line["message"] for line in of_task] == ["A task failed", "Task ended"]
    assert {line["plan_id"] for line in of_task} == {plan}
    assert [line for line in lines if ONE_PLAN.finds(line, other)]
    assert not [line for line in of_plan if other in json.dumps(line)]


def test_the_end_of_a_task_names_its_channel_and_its_run(dispatched: RecordingDispatcher, log_lines: LogLines) -> None:
    plan = a_plan("works")

    work(dispatched)

    (ended,) = [line for line in log_lines() if line["message"] == "Task ended"]
    assert ONE_TASK.finds(ended, f"{plan}/works")
    assert ONE_CHANNEL.finds(ended, "the channel")
    assert ONE_RUN.finds(ended, "the run")


def test_work_is_counted_by_kind_in_one_metric(
    dispatched: RecordingDispatcher, capsys: pytest.CaptureFixture[str]
) -> None:
    a_plan("works")

    work(dispatched)

    counted = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "TasksDone" in line]
    assert [(each["TasksDone"], each["kind"]) for each in counted] == [([1.0], "score")]
    (directive,) = counted[0]["_aws"]["CloudWatchMetrics"]
    assert directive["Dimensions"] == [["service"]]
