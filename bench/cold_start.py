"""What a cold start costs: each handler's imports and first client, as a ratio to a bare boto3 client."""

import os
import statistics
import subprocess
import sys
from typing import Any

from bench.measure import table, timed
from functions.routes import FALLBACK, ROUTES

ROUNDS = 5
BARE = "import boto3; boto3.client('dynamodb', region_name='us-east-1')"
HANDLER = "import functions.api.{module}; from functions.store.connection import dynamodb; dynamodb()"
LOADED = (
    "import sys, functions.api.{module}; print(*sorted(m for m in sys.modules if m.startswith('functions.providers')))"
)
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_EC2_METADATA_DISABLED": "true",
    "PATH": os.environ["PATH"],
}


def run() -> tuple[str, dict[str, Any]]:
    modules = [route.module for route in ROUTES] + [FALLBACK]
    programs = {"bare boto3 client": BARE} | {module: HANDLER.format(module=module) for module in modules}
    seconds: dict[str, list[float]] = {name: [] for name in programs}
    for program in programs.values():
        _python(program)
    for _ in range(ROUNDS):
        for name, program in programs.items():
            seconds[name].append(timed(lambda program=program: _python(program)))
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}
    bare = medians.pop("bare boto3 client")
    figures = {
        module: {"ratio": median / bare, "providers": _python(LOADED.format(module=module)).split()}
        for module, median in medians.items()
    }
    rows = [
        (
            module,
            f"{figure['ratio']:.2f} x",
            ", ".join(name.split(".", 2)[2] for name in figure["providers"] if name.count(".") > 1),
        )
        for module, figure in sorted(figures.items(), key=lambda pair: -pair[1]["ratio"])
    ]
    title = f"Cold start, as a ratio to a bare boto3 client ({bare * 1000:.0f} ms here)"
    return table(title, ("handler", "ratio", "providers loaded"), rows), figures


def _python(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout
