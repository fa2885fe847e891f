"""A function loads only the modules it needs before its first request, since each cold start pays for them."""

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

HANDLERS = [
    *(route.import_name.removeprefix("functions.") for route in (*ROUTES, FALLBACK)),
    "service.api.authorizer",
]
FUNCTIONS = [*HANDLERS, *(step.import_name.removeprefix("functions.") for step in STEPS)]
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
VALIDATING = {"news.pipeline.ingest_news"}
"""Steps that validate with pydantic what comes from outside."""
FOR_HTTP = {"pydantic", "aws_lambda_powertools.event_handler"}
CHOICE = {"reading.analysts", "record.sources.protocols", "record.sources.selection"}
KEEPING_PRICES = {*CHOICE, "reading.company_names", "reading.listings"}
KEYS = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
UPLOADED = {"reading.captions", "reading.decoding"}
SENDING = {"alerts.email", "alerts.signing_keys", "alerts.webhooks"}
PROVIDERS = {
    "record.api.videos.put_transcript": UPLOADED,
    "record.api.channels.backfill_prices": KEEPING_PRICES,
    "record.api.stocks.get_stock_history": CHOICE,
    "record.api.stocks.get_stock_price": CHOICE,
    "record.api.channels.refresh_prices": KEEPING_PRICES,
    "service.api.get_setup": {*CHOICE, "news.providers", "reading.analyst_figures", "reading.model_costs"},
    "service.api.search": {"reading.listings"},
    # They compare with the benchmark of the price source.
    "record.api.scores.get_backtest": CHOICE,
    "record.api.scores.get_leaderboard": CHOICE,
    "record.api.scores.get_score": CHOICE,
    "record.api.scores.list_calls": CHOICE,
    "record.api.reviews.list_review_queue": CHOICE,
    "record.api.stocks.list_stock_calls": CHOICE,
    "people.api.get_settings": CHOICE,
    "people.api.put_settings": CHOICE,
    # They check, sign and send messages.
    "alerts.api.get_alert_settings": SENDING,
    "alerts.api.put_alert_settings": SENDING,
    "alerts.api.send_test_alert": SENDING,
    "alerts.pipeline.deliver_alerts": SENDING,
    "record.pipeline.finish_run": KEEPING_PRICES,
    "record.pipeline.list_videos": KEEPING_PRICES,
    "record.pipeline.price_calls": KEEPING_PRICES,
    "record.pipeline.process_video": KEEPING_PRICES,
    "service.pipeline.run_jobs": KEEPING_PRICES | UPLOADED | {"reading.analyst_figures"},
    "news.api.add_news": {"reading.listings"},
    "news.pipeline.ingest_news": {"news.providers", "reading.listings"},
    "news.pipeline.analyse_news": {"news.providers"},
    # They score, and a score names how well its analyst reads.
    "transfers.pipeline.write_exports": {*CHOICE, "reading.analyst_figures"},
    "record.pipeline.update_prices": {*KEEPING_PRICES, "reading.analyst_figures"},
}
"""Modules of providers that each function loads: at most the choice of providers, never one that may not be chosen."""
PROVIDER_PACKAGES = ("reading", "record.sources", "news.sources", "news.tone", "news.providers", *sorted(SENDING))
PLAIN_TYPES = {
    "reading",
    "reading.analyst",
    "reading.errors",
    "reading.policy",
    "reading.statements",
    "reading.terms",
    "reading.tickers",
    "reading.transcripts",
    "record.sources",
}


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
    """The modules loaded with each function."""
    # Powertools loads some modules only where pydantic is loaded already, so the functions that load it come last.
    in_order = sorted(FUNCTIONS, key=lambda function: (function in HANDLERS, function in VALIDATING))
    lines = _output_of(RECORD_IMPORTS, *in_order).splitlines()
    return {function: set(modules) for function, *modules in map(json.loads, lines)}


def _output_of(program: str, *arguments: str, environment: dict[str, str] | None = None) -> str:
    """The output of a fresh interpreter, without the tracer of a coverage run, which loads modules of its own."""
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
    loaded = {function: set(filter(_is_of_provider, _ours(modules))) for function, modules in loaded_modules().items()}

    assert loaded == {function: PROVIDERS.get(function, set()) for function in FUNCTIONS}


def _ours(modules: set[str]) -> set[str]:
    return {name.removeprefix("functions.") for name in modules if name.startswith("functions.")}


def _is_of_provider(module: str) -> bool:
    return module not in PLAIN_TYPES and any(f"{module}.".startswith(f"{package}.") for package in PROVIDER_PACKAGES)


def test_a_step_serves_no_http_and_loads_nothing_for_it() -> None:
    steps = {function: loaded_modules()[function] & FOR_HTTP for function in FUNCTIONS if function not in HANDLERS}

    validating = {function: {"pydantic"} for function in VALIDATING}
    assert steps == {step.import_name.removeprefix("functions."): set() for step in STEPS} | validating


def test_the_garbage_collector_leaves_a_cold_start_alone() -> None:
    program = (
        "import gc, functions.record.api.channels.list_stocks; "
        "print(*(generation['collections'] for generation in gc.get_stats()[1:]))"
    )

    assert _output_of(program).split() == ["0", "0"]


def test_the_client_knows_all_of_its_own_service_and_looks_for_no_other() -> None:
    program = (
        "from functions.runtime.dynamodb.connection import dynamodb; from botocore.loaders import Loader; "
        "Loader.list_available_services = None; client = dynamodb(); "
        "print(client.meta.endpoint_url, client.can_paginate('query'), len(client.waiter_names) > 0)"
    )

    printed = _output_of(program, environment=KEYS | {"AWS_REGION": "eu-west-1"})

    assert printed.split() == ["https://dynamodb.eu-west-1.amazonaws.com", "True", "True"]


def test_the_client_of_kept_transcripts_is_made_when_it_is_needed_and_without_boto3() -> None:
    program = (
        "import sys; from functions.runtime import files as kept; made = kept._s3.cache_info().currsize; "
        "print(made, kept._s3().meta.endpoint_url, 'boto3' in sys.modules)"
    )

    printed = _output_of(program, environment=KEYS | {"AWS_REGION": "eu-west-1"})

    assert printed.split() == ["0", "https://s3.eu-west-1.amazonaws.com", "False"]


@pytest.mark.parametrize(
    ("environment", "clients"), [({}, "0"), ({"AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand"}, "1")]
)
def test_on_lambda_the_client_is_made_while_the_function_starts(environment: dict[str, str], clients: str) -> None:
    program = (
        "import functions.record.api.channels.list_stocks; from functions.runtime.dynamodb.connection import _client; "
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

    program = "from functions.runtime.dynamodb.connection import dynamodb; print(dynamodb().meta.region_name)"

    assert _output_of(program, environment=environment).strip() == "us-east-1"
