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
        create_tables(dynamodb(), settings().table_prefix)

        from bench import (
            alerts,
            analyst,
            channel_list,
            checks,
            cold_start,
            costs,
            exports,
            headlines,
            imports,
            news,
            pipeline,
            prices,
            reads,
            scores,
            scoring_cost,
            series,
            server,
            tasks,
        )
        from bench.charts import write_charts

        sections = {
            "reads": reads.run,
            "series": series.run,
            "scores": scores.run,
            "alerts": alerts.run,
            "scoring cost": scoring_cost.run,
            "cold start": cold_start.run,
            "server": server.run,
            "channel list": channel_list.run,
            "analyst": analyst.run,
            "headlines": headlines.run,
            "pipeline": pipeline.run,
            "checks": checks.run,
            "prices": prices.run,
            "costs": costs.run,
            "tasks": tasks.run,
            "exports": exports.run,
            "imports": imports.run,
            "news": news.run,
        }
        figures: dict[str, Any] = {
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        }
        for name, run in sections.items():
            if not wanted or name in wanted:
                text, figures[name] = run()
                print(text, flush=True)
    figures["measured_at"] = datetime.now(UTC).isoformat(timespec="seconds")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "figures.json").write_text(json.dumps(figures, indent=1))
    write_charts(figures, RESULTS)
    print(f"\nFigures and charts are in {RESULTS}.")


if __name__ == "__main__":
    main(sys.argv[1:])
