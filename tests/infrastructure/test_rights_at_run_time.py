"""Each step runs with the environment and the rights it has on AWS, and with nothing else of this machine's."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any

import pytest

from functions.runtime import dispatch
from functions.runtime.dispatch import AnalyseNews, Job, RefreshPrices, UpdateSeries, WriteExport, job_to_message
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.dynamodb.tables import TABLES
from functions.runtime.errors import TransientError
from functions.runtime.secrets import SERVICE
from functions.runtime.settings import settings
from functions.service.setup import reset_cache
from functions.steps import STEPS, Step
from local.environments import Context
from tests.builders import a_channel, in_a_run
from tests.fakes import RecordingDispatcher
from tests.infrastructure.conftest import Synthesise
from tests.infrastructure.templates import Permission, text
from tests.stub import Response, Stub

PLACES = {"{AWS::Partition}": "aws", "{AWS::AccountId}": "123456789012", "{AWS::URLSuffix}": "amazonaws.com"}
BASE = {"PATH": "/usr/bin", "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
"""Lambda itself sets these."""
TRANSACTION = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}


class NotGranted(Exception):
    """AWS would refuse this."""


@dataclass(frozen=True)
class Rights:
    """The permissions of a function's role, with the references of the template filled in."""

    permissions: set[Permission]

    def require(self, action: str, resource: str) -> None:
        if not any(action == allowed and fnmatchcase(resource, where) for allowed, where in self.permissions):
            raise NotGranted(f"{action} on {resource}")


@dataclass(frozen=True)
class Service:
    """A client of an AWS service that checks the rights for what it is asked."""

    name: str
    rights: Rights
    keys: Mapping[str, str]

    def get_secret_value(self, SecretId: str) -> dict[str, str]:
        self.rights.require("secretsmanager:GetSecretValue", f"{arn('secretsmanager')}:secret:{SecretId}-AbCdEf")
        return {"SecretString": json.dumps(self.keys)}

    def send_message(self, QueueUrl: str, **_: object) -> None:
        self.rights.require("sqs:SendMessage", f"{arn('sqs')}:{QueueUrl.rpartition('/')[2]}")

    def send_message_batch(self, QueueUrl: str, **_: object) -> dict[str, Any]:
        self.send_message(QueueUrl)
        return {}


def arn(service: str) -> str:
    return f"arn:aws:{service}:us-east-1:123456789012"


def filled(value: Any) -> str:
    found = text(value)
    for place, meaning in PLACES.items():
        found = found.replace(place, meaning)
    return found


@pytest.fixture
def services() -> Iterator[Stub]:
    """The outside world, which is down: a step that gets so far had what it needs."""
    stub = Stub()
    stub.everywhere(Response(503, b""))
    yield stub
    stub.close()


@pytest.fixture
def as_deployed(
    tables: str, services: Stub, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[dict[str, Any], set[Permission]], None]]:
    """Gives this process the environment and the rights of a deployed function."""
    endpoint = settings().dynamodb_endpoint or ""
    suffixes = {table.name(tables): table.suffix for table in TABLES}
    keys = {"TIINGO_API_KEY": "t", "FINNHUB_API_KEY": "f", "YOUTUBE_API_KEY": "y", "NEWSAPI_KEY": "n"} | {
        f"{name}_BASE_URL": services.url
        for name in ("EDGAR", "FINNHUB", "NEWSAPI", "TIINGO", "TRANSCRIPT", "YAHOO", "YAHOO_RSS", "YOUTUBE")
    }
    granted: list[Rights] = []

    def check(params: dict[str, Any], model: Any, **_: object) -> None:
        for action, table, index in requests_of(model.name, params):
            resource = f"{arn('dynamodb')}:table/StockTrackRecord{suffixes[table]}{f'/index/{index}' if index else ''}"
            granted[0].require(f"dynamodb:{action}", resource)

    def begin(function: dict[str, Any], permissions: set[Permission]) -> None:
        rights = Rights({(action, filled(where)) for action, where in permissions})
        granted.append(rights)
        told = {name: filled(value) for name, value in function["Environment"]["Variables"].items()}
        own = {"DYNAMODB_ENDPOINT": endpoint, "DYNAMODB_TABLE_PREFIX": tables}
        monkeypatch.setattr("os.environ", BASE | told | own)
        reset_cache()
        settings.cache_clear()
        monkeypatch.setattr("functions.runtime.secrets.new_client", lambda region: Service(SERVICE, rights, keys))
        monkeypatch.setattr(dispatch, "_client", lambda service: Service(service, rights, keys))
        monkeypatch.setattr(dispatch, "_dispatchers", [])
        monkeypatch.setattr("functions.record.prices.series.time.sleep", lambda seconds: None)
        dynamodb().meta.events.register("provide-client-params.dynamodb", check)

    yield begin
    dynamodb().meta.events.unregister("provide-client-params.dynamodb", check)
    monkeypatch.undo()
    reset_cache()
    settings.cache_clear()


def requests_of(operation: str, params: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    if "RequestItems" in params:
        return [(operation, table, None) for table in params["RequestItems"]]
    if "TransactItems" in params:
        acts = [each for item in params["TransactItems"] for each in item.items()]
        return [(TRANSACTION[kind], act["TableName"], None) for kind, act in acts]
    return [(operation, params["TableName"], params.get("IndexName"))]


def messages(*jobs: Job) -> dict[str, Any]:
    return {
        "Records": [
            {"messageId": str(number), "eventSource": "aws:sqs", "body": job_to_message(job), "attributes": {}}
            for number, job in enumerate(jobs)
        ]
    }


def event_for(step: Step) -> dict[str, Any]:
    """The event of a channel in its run with one video, or the jobs of a queue; scheduled jobs get none."""
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    jobs: dict[str, tuple[Job, ...]] = {
        "run_jobs": (RefreshPrices(("AAPL",)), UpdateSeries(("AAPL",))),
        "write_exports": (WriteExport("no-such-export"),),
        "analyse_news": (AnalyseNews(("no-such-story 2026-03-02T14:30:00.000Z",)),),
    }
    if step.module in jobs:
        return messages(*jobs[step.module])
    error = {"Error": "Unavailable", "Cause": json.dumps({"errorType": "Unavailable", "errorMessage": "It is down."})}
    return {"channel_id": channel.id, "run_id": run_id, "video_id": video.id, "checks": 0, "error": error}


@pytest.mark.parametrize("prices", ["tiingo", "finnhub"])
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.module)
def test_each_step_has_the_settings_and_the_rights_it_needs(
    system: Synthesise,
    as_deployed: Callable[[dict[str, Any], set[Permission]], None],
    monkeypatch: pytest.MonkeyPatch,
    written_log: io.StringIO,
    step: Step,
    prices: str,
) -> None:
    made = system(providers="live", prices="tiingo", analyst="rules", news="newsapi")
    RecordingDispatcher().install(monkeypatch)
    event = event_for(step)
    function = made.functions()[step.module]
    variables = {**function["Environment"]["Variables"], "PRICES_PROVIDER": prices}
    as_deployed({**function, "Environment": {"Variables": variables}}, made.permissions(step.module))

    try:
        import_module(step.import_name).handler(event, Context(step.module, step.timeout_seconds))
    except TransientError as outside_world:
        assert step.uses_providers, outside_world
    # The failure of a job in a batch is only logged.
    assert "is not set" not in written_log.getvalue()
    assert NotGranted.__name__ not in written_log.getvalue()


def test_a_step_without_its_rights_would_fail(
    system: Synthesise, as_deployed: Callable[[dict[str, Any], set[Permission]], None]
) -> None:
    made = system(providers="live", prices="tiingo", analyst="rules", news="newsapi")
    as_deployed(made.functions()["update_prices"], set())

    with pytest.raises(NotGranted, match="dynamodb:Query"):
        import_module("functions.record.pipeline.update_prices").handler({}, Context("update_prices", 60))
