"""Measures cold starts: imports and first client of each function, as a ratio to a bare boto3 client."""

import os
import random
import statistics
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from bench.measure import table
from functions.routes import FALLBACK, ROUTES
from functions.steps import STEPS

MODULES = [
    *(route.import_name for route in (*ROUTES, FALLBACK)),
    *(step.import_name for step in STEPS),
]
ROUNDS = 4
FUNCTIONS_BETWEEN_BARE_CLIENTS = 5
BARE_CLIENT = "import boto3; boto3.client('dynamodb', region_name='us-east-1')"
FUNCTION = "import {module}; from functions.runtime.dynamodb.connection import dynamodb; dynamodb()"
# Leaves without cleaning up: a function goes on after its first response, so interpreter shutdown must not count.
TELL = """
import os, sys, time
seconds = time.process_time()
providers = ("functions.reading.", "functions.record.sources.")
print(seconds, *(name for name in sys.modules if name.startswith(providers)), flush=True)
os._exit(0)
"""
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_EC2_METADATA_DISABLED": "true",
    "PATH": os.environ["PATH"],
    # As infra/constructs/python_function.py has it.
    "PYDANTIC_DISABLE_PLUGINS": "__all__",
}
LAYERS = (Path(".layers/python3.13-arm64"), Path(".layers/emulator"))
"""The one for AWS, and the one that the tests deploy: the same packages, for this machine."""


def run() -> tuple[str, dict[str, Any]]:
    modules = MODULES
    _write_bytecode(modules)
    seconds: dict[str, list[float]] = defaultdict(list)
    providers: dict[str, list[str]] = {}
    for _ in range(ROUNDS):
        # Shuffled each round, so that temporary load affects different functions.
        for place, module in enumerate(random.sample(modules, len(modules))):
            if place % FUNCTIONS_BETWEEN_BARE_CLIENTS == 0:
                seconds["bare"].append(_started(BARE_CLIENT)[0])
            taken, providers[module] = _started(FUNCTION.format(module=module))
            seconds[module].append(taken)
    bare = _lower_quartile(seconds["bare"])
    figures = {
        module: {"ratio": _lower_quartile(seconds[module]) / bare, "providers": providers[module]} for module in modules
    }
    return f"{_text(figures, bare)}\n{_layer_text()}", figures


def _started(program: str) -> tuple[float, list[str]]:
    """Processor time from the start of a fresh interpreter to the program's end, and the providers it loaded."""
    seconds, *providers = _python(program + TELL).split()
    return float(seconds), providers


def _lower_quartile(seconds: list[float]) -> float:
    """Other load can only add time, so the low measurements are the true ones."""
    return statistics.quantiles(seconds, n=4)[0]


def _write_bytecode(modules: Iterable[str]) -> None:
    _python(BARE_CLIENT)
    _python("\n".join(FUNCTION.format(module=module) for module in modules))


def _python(program: str) -> str:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout


def _text(figures: dict[str, dict[str, Any]], bare: float) -> str:
    slowest_first = sorted(figures.items(), key=lambda pair: -pair[1]["ratio"])
    rows = [
        (module, f"{figure['ratio']:.2f} x", ", ".join(sorted(name.rpartition(".")[2] for name in figure["providers"])))
        for module, figure in slowest_first
    ]
    title = f"Cold start in processor time, as a ratio to a bare boto3 client ({bare * 1000:.0f} ms here)"
    return table(title, ("function", "ratio", "providers loaded"), rows)


def _layer_text() -> str:
    layer = next((folder for folder in LAYERS if (folder / "python").is_dir()), None)
    if layer is None:
        return "The layer is not there to be measured; `make layer` builds it."
    files = [path for path in layer.rglob("*") if path.is_file()]
    unzipped = sum(path.stat().st_size for path in files)
    return f"Layer {layer}: {unzipped / 1e6:.1f} MB, {_zipped_size(files) / 1e6:.1f} MB zipped."


def _zipped_size(files: Iterable[Path]) -> int:
    with TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                archive.write(path)
        return file.tell()
