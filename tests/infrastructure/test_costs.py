"""The table of costs counts what the stacks really make."""

import ast
import math
import re

import pytest

from functions.runtime import observability
from tests.infrastructure.conftest import Synthesise
from tests.infrastructure.templates import ROOT
from tests.infrastructure.test_alarms import alarms_of, metrics_of

OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
ALARM_METRIC, DASHBOARD, CUSTOM_METRIC, SECRET = 0.10, 3.00, 0.30, 0.40
"""Dollars a month, as the table names them."""


def row(pattern: str) -> tuple[re.Match[str], list[float]]:
    """The first cell of a row of the table, and its dollars."""
    found = re.search(rf"^\| {pattern}.*$", OPERATIONS, flags=re.MULTILINE)
    assert found, f"docs/operations.md has no row of costs like {pattern!r}"
    cells = found.group(0).strip("| ").split("|")[1:]
    return found, [float(re.sub(r"[^\d.]", "", cell)) for cell in cells]


def test_what_watches_the_system_is_counted(system: Synthesise) -> None:
    made = system()
    said, dollars = row(r"(\d+) alarm metrics \(0\.10 \$ each\), (\d) dashboard \(3\.00 \$\), (\d+) custom metric")

    alarm_metrics = sum(len(metrics_of(alarm)) for alarm in alarms_of(made).values())
    dashboards = len(made.resources("AWS::CloudWatch::Dashboard"))
    assert [int(number) for number in said.groups()] == [alarm_metrics, dashboards, len(emitted_metrics())]
    cost = alarm_metrics * ALARM_METRIC + dashboards * DASHBOARD + len(emitted_metrics()) * CUSTOM_METRIC
    assert dollars == [pytest.approx(cost), pytest.approx(cost)]


def test_secrets_are_counted(system: Synthesise) -> None:
    said, dollars = row(r"(\d+) secrets \(0\.40 \$ each\)")

    secrets = len(system().resources("AWS::SecretsManager::Secret"))
    assert int(said.group(1)) == secrets
    assert dollars == [pytest.approx(secrets * SECRET)] * 2


def test_the_sum_is_that_of_the_rows() -> None:
    table = OPERATIONS.partition("## Costs")[2].partition("**Together**")[0]
    amounts = [
        [float(demo), float(production)]
        for demo, production in re.findall(r"\| ([\d.]+) \$ \| ([\d.]+) \$ \|$", table, flags=re.MULTILINE)
    ]
    _, told = row(r"\*\*Together\*\*")

    assert len(amounts) == 11
    assert told == [math.ceil(sum(column)) for column in zip(*amounts, strict=True)]


def test_news_cost_what_their_writes_and_their_size_do() -> None:
    told = OPERATIONS.partition("| Items an hour |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| ([\d,]+) \|((?: [\d.]+ \$ \|){4})$", told, flags=re.MULTILINE)
    units, kilobytes = 19, 5.4

    assert [items for items, _ in rows] == ["100", "10,000"]
    for items, cells in rows:
        writes, storage, rest, together = (float(amount) for amount in re.findall(r"[\d.]+", cells))
        month = 730 * int(items.replace(",", ""))
        assert writes == pytest.approx(month * units * 0.625 / 1e6, abs=0.01)
        assert storage == pytest.approx(month * kilobytes / 1e6 * 0.55, abs=0.01)
        assert together == pytest.approx(writes + storage + rest)


def emitted_metrics() -> set[str]:
    """The names under which functions report metrics of their own, each of which CloudWatch bills."""
    named = {name for name, value in vars(observability).items() if name.isupper() and isinstance(value, str)}
    return named - {"NAMESPACE", "SERVICE"}


def test_no_metric_is_billed_by_another_dimension() -> None:
    """Each value of a dimension is a metric of its own."""
    for path in (ROOT / "functions").rglob("*.py"):
        calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        assert not [call for call in calls if ast.unparse(call.func).endswith(".add_dimension")], path
        for call in calls:
            if ast.unparse(call.func).endswith("metrics.add_metric"):
                (name,) = [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg == "name"]
                assert name in emitted_metrics(), path
