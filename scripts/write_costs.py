"""Prints docs/costs.md: what deployments cost a month, counted in their templates. Part of `make types`."""

import json
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aws_cdk import App

from infra.config import Config, read_config, with_stage_file
from infra.costs import (
    BACKUP_GB,
    DEMO,
    EXPORTED_GB,
    PRICES_OF,
    PRODUCTION,
    RECOVERY_GB,
    STORED_GB,
    Templates,
    Usage,
    monthly_costs,
    scheduled_calls,
    watching,
)
from infra.system import add_stacks

FLAGS = json.loads((Path(__file__).parents[1] / "cdk.json").read_text())["context"]
PROFILES: Mapping[str, tuple[Mapping[str, str], Usage]] = {
    "Demo": ({}, DEMO),
    "Production": ({"stage": "prod", "providers": "live"}, PRODUCTION),
}
"""Settings and use of the deployments that the page compares."""
HEAD = f"""\
# Costs

What a deployment costs a month in us-east-1, without free tiers, at prices noted in {PRICES_OF}: look them up before
you rely on them. `make types` writes this page from `infra/costs.py`: alarms, metrics, dashboards, secrets, schedules,
copies of the data and tracing are counted in the templates; the rest follows from the use below and from the units of
[performance](performance.md).

"""
FOOT = f"""
- **Scheduled jobs** call functions whether or not anything is due.
- **Stored data**: a GB costs {STORED_GB:.2f} $; recovery to any second adds {RECOVERY_GB:.2f} $. A backup is a full
  copy, one a day, kept as long as the plan says ({BACKUP_GB:.2f} $ a GB each), and so is a weekly export
  ({EXPORTED_GB:.2f} $ a GB).
- **Not included**: live providers and models, downloads beyond the page and the API (0.09 $ a GB), kept transcripts
  (0.03 $ a GB; 100,000 of them cost 0.50 $ to write).
"""


@dataclass(frozen=True)
class Column:
    name: str
    config: Config
    usage: Usage
    templates: Templates


def page(synthesise: Callable[[Mapping[str, str]], Templates]) -> str:
    columns = [
        Column(name, read_config(with_stage_file({"page": "nowhere", **settings})), usage, synthesise(settings))
        for name, (settings, usage) in PROFILES.items()
    ]
    return HEAD + _use(columns) + "\n" + _costs(columns) + "\n" + _counted(columns) + FOOT


def _use(columns: list[Column]) -> str:
    return _table(
        "Use in a month",
        columns,
        {
            "Channels": [f"{each.usage.channels:,}" for each in columns],
            "Requests": [f"{each.usage.requests:,}" for each in columns],
            "Videos read": [f"{each.usage.videos:,}" for each in columns],
            "Checks for new videos": [f"{each.usage.checks:,}" for each in columns],
            "Headlines an hour": [f"{each.usage.stories_an_hour:,}" for each in columns],
            "GB in the tables": [f"{each.usage.stored_gb:g}" for each in columns],
        },
    )


def _costs(columns: list[Column]) -> str:
    costs = [monthly_costs(each.templates, each.config, each.usage) for each in columns]
    rows = {what: [f"{each[what]:.2f} $" for each in costs] for what in costs[0]}
    return _table(
        "Costs", columns, {**rows, "**Together**": [f"**{math.ceil(sum(each.values()))} $**" for each in costs]}
    )


def _counted(columns: list[Column]) -> str:
    watched = [watching(each.templates) for each in columns]
    rows = {what.capitalize(): [str(each[what][0]) for each in watched] for what in watched[0]}
    calls = [f"{scheduled_calls(each.templates):,}" for each in columns]
    return _table("Counted in the templates", columns, {**rows, "Calls of scheduled jobs": calls})


def _table(what: str, columns: list[Column], rows: Mapping[str, Sequence[str]]) -> str:
    lines = [_row(what, *(each.name for each in columns)), _row("---", *("---:" for _ in columns))]
    return "\n".join([*lines, *(_row(name, *cells) for name, cells in rows.items())]) + "\n"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _synthesise(settings: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """From settings and stage file, without the built page of this machine."""
    with tempfile.TemporaryDirectory() as folder:
        app = App(outdir=folder, context=FLAGS, analytics_reporting=False)
        add_stacks(app, read_config(with_stage_file({"page": "nowhere", **settings})))
        app.synth()
        return {file.name: json.loads(file.read_text()) for file in Path(folder).glob("*.template.json")}


if __name__ == "__main__":
    print(page(_synthesise), end="")
