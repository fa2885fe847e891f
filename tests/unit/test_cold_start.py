"""What a function loads before its first request: only what it needs, for each cold start pays for it."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from functions.routes import FALLBACK, ROUTES
from functions.steps import STEPS
from local.engine import ROOT
from tests.soak import SOAKING

HANDLERS = [*(f"api.{route.resource}.{route.module}" for route in (*ROUTES, FALLBACK)), "api.service.authorizer"]
FUNCTIONS = [*HANDLERS, *(f"pipeline.{step.module}" for step in STEPS)]
HEAVY = {
    "boto3",
    "s3transfer",
    "multiprocessing.managers",
    "aws_xray_sdk",
    "jsonschema",
    "requests",
    "youtube_transcript_api",
    "aws_lambda_powertools.event_handler.openapi.models",
    "aws_lambda_powertools.utilities.idempotency",
}
"""Each takes long to load, and is loaded by the request that needs it."""
FOR_HTTP = {"pydantic", "aws_lambda_powertools.event_handler"}
CALLING_PROVIDERS = {"protocols", "selection"}
KEEPING_PRICES = {*CALLING_PROVIDERS, "listings"}
KEYS = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
HANDED_IN = {"captions", "decoding"}
SENDING = {"aws_errors", "email", "protocols", "signing_keys", "webhooks"}
PROVIDERS = {
    "api.videos.put_transcript": HANDED_IN,
    "api.channels.backfill_prices": KEEPING_PRICES,
    "api.stocks.get_stock_history": CALLING_PROVIDERS,
    "api.stocks.get_stock_price": CALLING_PROVIDERS,
    "api.channels.refresh_prices": KEEPING_PRICES,
    "api.service.get_setup": {*CALLING_PROVIDERS, "analyst_figures"},
    "api.service.search": {"listings"},
    # They compare with the benchmark of the price source.
    "api.scores.get_backtest": CALLING_PROVIDERS,
    "api.scores.get_leaderboard": CALLING_PROVIDERS,
    "api.scores.get_score": CALLING_PROVIDERS,
    "api.scores.list_calls": CALLING_PROVIDERS,
    "api.reviews.list_review_queue": CALLING_PROVIDERS,
    "api.stocks.list_stock_calls": CALLING_PROVIDERS,
    "api.people.get_settings": CALLING_PROVIDERS,
    "api.people.put_settings": CALLING_PROVIDERS,
    # They check, sign and send messages.
    "api.alerts.get_alert_settings": SENDING,
    "api.alerts.put_alert_settings": SENDING,
    "api.alerts.send_test_alert": SENDING,
    "pipeline.deliver_alerts": SENDING,
    # They speak of the providers' errors.
    "pipeline.check_channels": {"protocols"},
    "pipeline.fail_run": {"protocols"},
    "pipeline.record_failed_video": {"protocols"},
    "pipeline.resume_dead_runs": {"protocols"},
    "pipeline.send_due_tasks": {"protocols"},
    "pipeline.finish_run": KEEPING_PRICES,
    "pipeline.list_videos": KEEPING_PRICES,
    "pipeline.price_calls": KEEPING_PRICES,
    "pipeline.process_video": KEEPING_PRICES,
    "pipeline.run_jobs": KEEPING_PRICES | HANDED_IN,
    "api.news.add_news": {"listings"},
    "pipeline.watch_news": {"protocols"},
    "pipeline.ingest_news": {*CALLING_PROVIDERS, "listings"},
    "pipeline.analyse_news": CALLING_PROVIDERS,
    "pipeline.write_exports": CALLING_PROVIDERS,
    "pipeline.update_prices": CALLING_PROVIDERS,
}
"""What is loaded of functions/providers/: the choice of providers at the most, and never one that may not be chosen."""


RECORD_IMPORTS = """
import builtins, importlib, json, sys
from importlib.util import resolve_name

imported_by, import_, import_module = {}, builtins.__import__, importlib.import_module

def record(importer, name, parts=()):
    found = imported_by.setdefault(importer, set())
    found |= {name, *(f"{name}.{part}" for part in parts if f"{name}.{part}" in sys.modules)}

def recording_import(name, globals=None, locals=None, fromlist=(), level=0):
    module = import_(name, globals, locals, fromlist, level)
    importer = globals or {}
    full_name = resolve_name("." * level + name, importer.get("__package__")) if level else name
    record(importer.get("__name__"), full_name, fromlist or ())
    return module

def recording_import_module(name, package=None):
    module = import_module(name, package)
    record(sys._getframe(1).f_globals["__name__"], module.__name__)
    return module

builtins.__import__, importlib.import_module = recording_import, recording_import_module
for function in sys.argv[1:]:
    import_module(f"functions.{function}")

for function in sys.argv[1:]:
    loaded, next_ones = set(), [f"functions.{function}"]
    while next_ones:
        module = next_ones.pop()
        if module not in loaded:
            loaded.add(module)
            next_ones += [module.rpartition(".")[0], *imported_by.get(module, ())]
    print(json.dumps([function, *loaded]))
"""
"""Imports all functions once and prints what each would load alone, by who imports whom: a process each takes long."""


@cache
def loaded_modules() -> dict[str, set[str]]:
    """What is loaded once a function is, by function."""
    lines = _output_of(RECORD_IMPORTS, *FUNCTIONS).splitlines()
    return {function: set(modules) for function, *modules in map(json.loads, lines)}


def _output_of(program: str, *arguments: str, environment: dict[str, str] | None = None) -> str:
    """Of a fresh interpreter without the tracer of a coverage run, which loads modules and makes objects of its own."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env=inherited if environment is None else environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


def test_a_process_loads_what_was_recorded() -> None:
    looked_at = [FUNCTIONS[0], FUNCTIONS[-1]] if not SOAKING else FUNCTIONS
    for function in looked_at:
        program = f"import json, sys, functions.{function}; print(json.dumps([*sys.modules]))"
        loaded = set(json.loads(_output_of(program)))
        recorded = loaded_modules()[function]

        assert _of_interest(recorded) == _of_interest(loaded), function


def _of_interest(modules: set[str]) -> set[str]:
    return {name for name in modules if name.startswith("functions.") or name in HEAVY | FOR_HTTP}


# One test each for all functions, so that one process of a run in parallel loads them and not every one.
def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    heavy = {function: loaded & HEAVY for function, loaded in loaded_modules().items()}

    assert {function: loaded for function, loaded in heavy.items() if loaded} == {}


def test_no_provider_is_loaded_that_is_not_used() -> None:
    loaded = {
        function: {name.split(".")[2] for name in modules if name.startswith("functions.providers.")}
        for function, modules in loaded_modules().items()
    }

    assert loaded == {function: PROVIDERS.get(function, set()) for function in FUNCTIONS}


def test_a_step_serves_no_http_and_loads_nothing_for_it() -> None:
    steps = {function: loaded_modules()[function] & FOR_HTTP for function in FUNCTIONS if function not in HANDLERS}

    # What comes from outside is validated by it.
    validating = {"pipeline.ingest_news": {"pydantic"}}
    assert steps == {f"pipeline.{step.module}": set() for step in STEPS} | validating


def test_the_garbage_collector_leaves_a_cold_start_alone() -> None:
    program = (
        "import gc, functions.api.channels.list_stocks; "
        "print(*(generation['collections'] for generation in gc.get_stats()[1:]))"
    )

    assert _output_of(program).split() == ["0", "0"]


def test_the_client_knows_all_of_its_own_service_and_looks_for_no_other() -> None:
    program = (
        "from functions.store.connection import dynamodb; from botocore.loaders import Loader; "
        "Loader.list_available_services = None; client = dynamodb(); "
        "print(client.meta.endpoint_url, client.can_paginate('query'), len(client.waiter_names) > 0)"
    )

    printed = _output_of(program, environment=KEYS | {"AWS_REGION": "eu-west-1"})

    assert printed.split() == ["https://dynamodb.eu-west-1.amazonaws.com", "True", "True"]


def test_the_client_of_kept_transcripts_is_made_when_it_is_needed_and_without_boto3() -> None:
    program = (
        "import sys; from functions.store import files as kept; made = kept._s3.cache_info().currsize; "
        "print(made, kept._s3().meta.endpoint_url, 'boto3' in sys.modules)"
    )

    printed = _output_of(program, environment=KEYS | {"AWS_REGION": "eu-west-1"})

    assert printed.split() == ["0", "https://s3.eu-west-1.amazonaws.com", "False"]


@pytest.mark.parametrize(
    ("environment", "clients"), [({}, "0"), ({"AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand"}, "1")]
)
def test_on_lambda_the_client_is_made_while_the_function_starts(environment: dict[str, str], clients: str) -> None:
    program = (
        "import functions.api.channels.list_stocks; from functions.store.connection import _client; "
        "print(_client.cache_info().currsize)"
    )

    assert _output_of(program, environment=KEYS | environment).strip() == clients


def test_credentials_that_another_service_gives_are_still_found(tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.write_text("[profile operator]\nrole_arn = arn:aws:iam::123456789012:role/Operator\nsource_profile = own\n")
    (tmp_path / "credentials").write_text("[own]\naws_access_key_id = any\naws_secret_access_key = any\n")
    environment = {
        "AWS_PROFILE": "operator",
        "AWS_CONFIG_FILE": str(config),
        "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials"),
    }

    program = "from functions.store.connection import dynamodb; print(dynamodb().meta.region_name)"

    assert _output_of(program, environment=environment).strip() == "us-east-1"
