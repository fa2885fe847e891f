"""Runs the benchmarks: `make bench`. Prints tables and writes JSON and charts."""

import json
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.settings import settings
from local.engine import running_engine
from local.tables import create_tables

RESULTS = Path(__file__).parent / "results"


def main(wanted: list[str]) -> None:
    os.environ |= {"POWERTOOLS_LOG_LEVEL": "CRITICAL", "POWERTOOLS_METRICS_DISABLED": "true"}
    with running_engine(data=None) as engine:
        os.environ["DYNAMODB_ENDPOINT"] = engine.endpoint
        settings.cache_clear()

        from bench.charts import write_charts
        from bench.sections import SECTIONS, run_section

        figures: dict[str, Any] = {
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        }
        for name in SECTIONS:
            if not wanted or name in wanted:
                use_fresh_tables(name)
                text, figures[name] = run_section(name)
                print(text, flush=True)
    figures["measured_at"] = datetime.now(UTC).isoformat(timespec="seconds")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "figures.json").write_text(json.dumps(figures, indent=1))
    write_charts(figures, RESULTS)
    print(f"\nFigures and charts are in {RESULTS}.")


def use_fresh_tables(section: str) -> None:
    """No section measures what another one has stored."""
    from bench.measure import seeded

    os.environ["DYNAMODB_TABLE_PREFIX"] = f"Bench-{section.replace(' ', '-')}"
    settings.cache_clear()
    seeded.cache_clear()
    create_tables(dynamodb(), settings().table_prefix)


if __name__ == "__main__":
    main(sys.argv[1:])
