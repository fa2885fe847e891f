"""The page of costs counts what the templates really make."""

import ast
from dataclasses import replace

import pytest

from infra.config import read_config
from infra.costs import (
    DEMO,
    PRODUCTION,
    dollars_per_stored_gb,
    emitted_metrics,
    monthly_costs,
    scheduled_calls,
    watching,
)
from scripts.write_costs import page
from tests.infrastructure.conftest import LEAN, Synthesise
from tests.infrastructure.templates import ROOT
from tests.infrastructure.test_alarms import alarms_of, metrics_of


def test_the_page_is_what_the_templates_say(system: Synthesise) -> None:
    written = (ROOT / "docs" / "costs.md").read_text()

    assert written == page(lambda settings: system(**settings).stacks), "run `make types`"


def test_what_watches_the_system_is_counted(system: Synthesise) -> None:
    made = system()
    alarm_metrics = sum(len(metrics_of(alarm)) for alarm in alarms_of(made).values())

    counted = watching(made.stacks)

    assert counted["alarm metrics"] == (alarm_metrics, 0.10)
    assert counted["dashboards"] == (1, 3.00)
    assert counted["custom metrics"] == (len(emitted_metrics()), 0.30)


def test_scheduled_jobs_are_counted_by_how_often_they_are_called(system: Synthesise) -> None:
    made = system()
    rates = [each["Properties"]["ScheduleExpression"] for each in made.resources("AWS::Scheduler::Schedule").values()]
    an_hour = sum({"rate(1 minute)": 60, "rate(5 minutes)": 12, "rate(15 minutes)": 4}.get(each, 0) for each in rates)

    assert scheduled_calls(made.stacks) == 730 * an_hour


def test_every_backup_and_export_is_a_copy_of_the_whole_table(system: Synthesise) -> None:
    kept, weekly = 7 * 0.10, 730 / 168 * 0.10

    assert dollars_per_stored_gb(system().stacks) == pytest.approx(0.25 + 0.20 + kept + weekly)
    assert dollars_per_stored_gb(system(**LEAN).stacks) == pytest.approx(0.25)


def test_costs_grow_with_what_is_used_and_not_with_what_is_idle(system: Synthesise) -> None:
    templates, config = system().stacks, read_config({})
    idle = replace(DEMO, channels=0, requests=0, videos=0, checks=0, stories_an_hour=0, stored_gb=0)

    unused = monthly_costs(templates, config, idle)
    used = monthly_costs(templates, config, PRODUCTION)

    fixed = {"Alarms, dashboards and custom metrics", "Secrets", "Web application firewall"}
    assert {what for what in used if used[what] == unused[what]} == fixed
    assert unused["API Gateway"] == unused["DynamoDB storage, recovery, backups and exports"] == 0
    assert used["API Gateway"] == pytest.approx(3.0)


def test_no_metric_is_billed_by_another_dimension() -> None:
    """Each value of a dimension is a metric of its own."""
    for path in (ROOT / "functions").rglob("*.py"):
        calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        assert not [call for call in calls if ast.unparse(call.func).endswith(".add_dimension")], path
        for call in calls:
            if ast.unparse(call.func).endswith("metrics.add_metric"):
                (name,) = [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg == "name"]
                assert name in emitted_metrics(), path
