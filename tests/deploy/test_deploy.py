"""The deployed system does what the local one does, and what only a deployed one can: grants, tokens, queues."""

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree

import httpx
import pytest

from functions.record.models.records import TranscriptStatus, Video
from functions.record.models.runs import Check
from functions.record.pipeline.reasons import reason
from functions.runtime.clock import seconds_from_now
from functions.runtime.dispatch import AnalyseNews, job_to_message
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.tables import VIDEO_PREFIX, channel_key, channel_pk
from infra.constructs.clocks import CLOCKS
from infra.names import function_name, log_group_name
from infra.saved_queries import ERRORS, ONE_CHANNEL, ONE_RUN
from operations.smoke import Smoke
from tests.deploy.conftest import LIVE, WITH_PROVIDERS, Deployed, until
from tests.deploy.emulator import ROOT
from tests.soak import SOAKING, times

pytestmark = pytest.mark.deploy

DEMO_URL = "https://www.youtube.com/@DemoMomentumTrader"
ATOM = "{http://www.w3.org/2005/Atom}"
OVER = ("completed", "failed", "cancelled")
NOT_THE_EMULATORS = (
    "health",  # the emulator serves /health itself
    "10_mb",  # API Gateway's limit, which the emulator has not
    "where_a_new_channel_is",  # asks /health
    "names_the_first",  # the emulator tells Step Functions no classes of errors; test_a_step_that_fails… does
)
"""Tests of the contract that the emulator, not the system, would fail."""
LEFT_TO_THE_SOAK = (
    "test_prices.py",
    "test_reviews.py",
    "test_scores.py",
    "test_track_record.py",
    "test_transcripts.py",
)
"""Further tests of the contract that are left out of `make test`: to start a function takes the emulator long."""


def test_anyone_may_read_and_only_a_bearer_of_the_token_may_change(deployed: Deployed) -> None:
    new = {"url": f"https://www.youtube.com/@{uuid4().hex}"}

    assert deployed.request("GET", "/api/channels").status_code == 200
    assert deployed.request("POST", "/api/channels", json=new).status_code == 401
    assert deployed.request("POST", "/api/channels", json=new, token="not the token").status_code == 403
    assert deployed.request("GET", "/api/channels").json()["total"] == 0
    assert deployed.request("GET", "/api/me").status_code == 401
    assert deployed.request("GET", "/api/me", token=deployed.token).json()["user_id"] == "owner"


def test_a_plan_adds_a_channel_which_goes_through_the_state_machine_and_scores_it(deployed: Deployed) -> None:
    tasks = [
        {"key": "add", "kind": "add_channel", "url": DEMO_URL},
        {"key": "prices", "kind": "refresh_prices", "depends_on": ["add"]},
        {"key": "score", "kind": "score", "depends_on": ["add", "prices"]},
    ]
    created = deployed.request("POST", "/api/plans", json={"name": "Audit", "tasks": tasks}, token=deployed.token)
    assert created.status_code == 201
    plan_id = created.json()["id"]

    plan = until(lambda: _over(deployed.request("GET", f"/api/plans/{plan_id}").json()), seconds=240)

    assert (plan["status"], plan["ended"], plan["failed"]) == ("completed", 3, 0)
    assert {task["status"] for task in plan["tasks"]} == {"completed"}
    (channel_id,) = {task["channel_id"] for task in plan["tasks"]}
    path = f"/api/channels/{channel_id}"
    channel = deployed.request("GET", path).json()
    assert channel["status"] == "completed"
    assert channel["processed_video_count"] == channel["video_count"] > 0
    assert deployed.request("GET", f"{path}/stocks").json()["stocks"]
    assert deployed.request("GET", f"{path}/score").json()["computed_at"]
    run = deployed.request("GET", f"/api/runs/{plan['tasks'][0]['run_id']}").json()
    assert (run["status"], run["started_by"], run["starter"]) == ("completed", "plan", f"{plan_id}/add")
    assert run["processed"] + run["skipped"] == channel["video_count"]
    transcribed = _transcribed_videos(deployed, channel_id)
    assert transcribed
    assert _kept_objects(deployed) == {f"{channel_id}/{video_id}.json.z" for video_id in transcribed}
    states = deployed.emulator.client("stepfunctions")
    (execution,) = states.list_executions(stateMachineArn=deployed.outputs["StateMachineArn"])["executions"]
    until(
        lambda: states.describe_execution(executionArn=execution["executionArn"])["status"] == "SUCCEEDED", seconds=20
    )


def test_a_clock_checks_a_channel_that_is_due(deployed: Deployed) -> None:
    channel_id = _demo_channel(deployed)
    path = f"/api/channels/{channel_id}"
    changed = deployed.request("PATCH", path, json={"check_every": "daily"}, token=deployed.token)
    assert (changed.status_code, changed.json()["check_every"]) == (200, "daily")
    _make_due(deployed, channel_id)

    begun = _invoke(deployed.emulator.client("lambda"), "StockTrackRecord-check-channels", {})
    run = until(lambda: _over(deployed.request("GET", f"{path}/runs").json()["items"][0]), seconds=60)

    assert begun == {"begun": [channel_id], "overdue": []}
    assert (run["status"], run["kind"], run["started_by"]) == ("completed", "check", "clock")
    channel = deployed.request("GET", path).json()
    assert run["videos"] < channel["video_count"], "it looks only for what is new, or was not to be had"
    assert channel["next_check_at"] > run["ended_at"]


def test_what_a_channel_called_is_served_as_an_atom_feed(deployed: Deployed) -> None:
    for path in ("/api/feed.atom", f"/api/channels/{_demo_channel(deployed)}/feed.atom"):
        response = deployed.request("GET", path)

        assert response.headers["content-type"].startswith("application/atom+xml")
        feed = ElementTree.fromstring(response.content)
        assert feed.tag == f"{ATOM}feed"
        assert feed.findall(f"{ATOM}entry/{ATOM}id")


def test_transcripts_are_kept_until_their_channel_is_deleted(deployed: Deployed) -> None:
    """A delete that lacks the right to remove them stops before the channel is gone, and is finished by the next."""
    few = {"url": "https://www.youtube.com/@DemoValueInvestor", "time_range_months": 3}
    channel_id = deployed.request("POST", "/api/channels", json=few, token=deployed.token).json()["id"]
    path = f"/api/channels/{channel_id}"
    until(lambda: _over(deployed.request("GET", path).json()), seconds=120)
    kept = {f"{channel_id}/{video_id}.json.z" for video_id in _transcribed_videos(deployed, channel_id)}
    others = _kept_objects(deployed) - kept
    function = "StockTrackRecord-delete-channel"

    with _without_grants(deployed, function, "s3:"):
        refused = deployed.request("DELETE", path, token=deployed.token).status_code
    left = _kept_objects(deployed, channel_id)
    deleted = deployed.request("DELETE", path, token=deployed.token).status_code

    assert refused == 500
    assert "AccessDenied" in _last_log(deployed, function)
    assert left == kept != set()
    assert deleted == 204
    assert _kept_objects(deployed) == others
    assert deployed.request("GET", path).status_code == 404


def test_an_export_is_written_by_its_worker_and_downloaded_from_the_bucket_by_its_link(deployed: Deployed) -> None:
    """And a function that lacks its right to the bucket is refused: the export is still there for the next."""
    wanted = {"channel_ids": [_demo_channel(deployed)], "format": "jsonl"}
    assert deployed.request("POST", "/api/exports", json=wanted).status_code == 401
    begun = deployed.request("POST", "/api/exports", json=wanted, token=deployed.token).json()
    path = f"/api/exports/{begun['id']}"
    assert deployed.request("GET", path).status_code == 401

    export = until(lambda: _written(deployed.request("GET", path, token=deployed.token).json()), seconds=120)
    file = httpx.get(export["download_url"], verify=deployed.emulator.trust, timeout=60, trust_env=False)
    with _without_grants(deployed, "StockTrackRecord-delete-export", "s3:"):
        refused = deployed.request("DELETE", path, token=deployed.token).status_code
    left = deployed.request("GET", path, token=deployed.token).json()["status"]
    deleted = deployed.request("DELETE", path, token=deployed.token).status_code

    assert (export["status"], export["user_id"], export["error_message"]) == ("COMPLETED", "owner", None)
    assert file.status_code == 200, file.text[:500]
    archive = zipfile.ZipFile(io.BytesIO(file.content))
    assert archive.testzip() is None
    assert json.loads(archive.read("channels.jsonl"))["id"] == wanted["channel_ids"][0]
    assert (refused, left, deleted) == (500, "COMPLETED", 204)
    objects = deployed.emulator.client("s3").list_objects_v2(Bucket=deployed.outputs["UserExportsBucket"])
    assert objects.get("Contents", []) == []


@pytest.mark.parametrize(
    ("case", "status", "told"),
    [
        ("VideoRefused", "SUCCEEDED", None),
        ("RunOver", "SUCCEEDED", None),
        ("NoSuchChannel", "SUCCEEDED", ("FailRun", "There is no such channel.")),
        ("KeyMissing", "FAILED", ("FailRun", "YOUTUBE_API_KEY is not set.")),
        (
            "Unforeseen",
            "FAILED",
            ("FailRun", "An unexpected problem (ZeroDivisionError); the operator's log has the details."),
        ),
    ],
)
def test_a_step_that_fails_leads_where_it_should(
    deployed: Deployed, case: str, status: str, told: tuple[str, str] | None
) -> None:
    states = deployed.emulator.client("stepfunctions")
    execution = states.start_execution(
        stateMachineArn=f"{deployed.outputs['StateMachineArn']}#{case}",
        input=json.dumps({"channel_id": "c", "run_id": "r"}),
    )["executionArn"]

    ended = until(lambda: _ended(states.describe_execution(executionArn=execution)), seconds=60)

    assert ended["status"] == status, ended
    reasons = [
        (entered["name"], reason(json.loads(entered["input"])))
        for entered in _entered(states, execution)
        if entered["name"] == "FailRun"
    ]
    assert reasons == ([told] if told else [])
    assert "Done" in {entered["name"] for entered in _entered(states, execution)} or status == "FAILED"


def test_a_transient_error_is_tried_again(deployed: Deployed) -> None:
    states = deployed.emulator.client("stepfunctions")
    execution = states.start_execution(
        stateMachineArn=f"{deployed.outputs['StateMachineArn']}#TransientError",
        input=json.dumps({"channel_id": "c", "run_id": "r"}),
    )["executionArn"]

    tries = until(lambda: _failures(states, execution)[1:], seconds=30)
    states.stop_execution(executionArn=execution)

    assert {each["error"] for each in tries} == {"TransientError"}


def test_a_message_that_is_no_job_ends_in_the_dead_letters(deployed: Deployed) -> None:
    queues = deployed.emulator.client("sqs")
    jobs, dead = deployed.outputs["JobsQueueUrl"], deployed.outputs["DeadLettersUrl"]
    queues.set_queue_attributes(QueueUrl=jobs, Attributes={"VisibilityTimeout": "1"})

    queues.send_message(QueueUrl=jobs, MessageBody="poison")

    until(lambda: _count(queues, dead) == 1, seconds=60)
    assert _count(queues, jobs) == 0


def test_a_function_that_reads_is_refused_when_it_writes(deployed: Deployed) -> None:
    """The code that creates channels, run with the grants of the function that lists them."""
    name = "StockTrackRecord-list-channels"
    creation = _event("POST", "/api/channels", json.dumps({"url": f"https://www.youtube.com/@{uuid4().hex}"}))

    response = _run_as(deployed, name, "functions.record.api.channels.create_channel.handler", creation)

    assert response["statusCode"] == 500
    assert "AccessDeniedException" in _last_log(deployed, name)


def test_news_are_collected_analysed_and_read(deployed: Deployed) -> None:
    functions = deployed.emulator.client("lambda")

    assert "errorMessage" not in _invoke(functions, "StockTrackRecord-ingest-news", {})
    told = until(lambda: deployed.request("GET", "/api/news?sentiment=negative").json()["items"], seconds=60)

    assert {item["status"] for item in told} == {"analyzed"}
    by_tag = deployed.request("GET", f"/api/news?tag={told[0]['tags'][0]}&limit=100").json()["items"]
    assert told[0]["source_id"] in {item["source_id"] for item in by_tag}
    assert set(_invoke(functions, "StockTrackRecord-watch-news", {})) == {"stuck"}


@pytest.mark.parametrize(
    ("function", "handler"),
    [
        ("list-news", "news.api.add_news"),
        ("add-news", "news.api.list_news"),
        ("ingest-news", "news.pipeline.watch_news"),
        ("watch-news", "news.pipeline.analyse_news"),
        ("analyse-news", "news.pipeline.ingest_news"),
    ],
)
def test_each_function_of_news_may_do_its_own_part_alone(deployed: Deployed, function: str, handler: str) -> None:
    """To read, to put, to query what is stuck and to update are the rights of different functions."""
    name = f"StockTrackRecord-{function}"

    refused = _run_as(deployed, name, f"functions.{handler}.handler", _NEWS_EVENTS.get(handler, {}))

    assert "errorMessage" in refused or refused.get("statusCode") == 500 or refused["batchItemFailures"]
    assert "AccessDenied" in json.dumps(refused) + _last_log(deployed, name)


def test_a_function_without_its_grant_fails(deployed: Deployed) -> None:
    """Shows that a missing grant makes this group of tests fail."""
    path = f"/api/channels/{uuid4()}"
    assert deployed.request("GET", path).status_code == 404

    with _without_grants(deployed, "StockTrackRecord-get-channel", "dynamodb:"):
        refused = deployed.request("GET", path).status_code

    assert refused == 500
    assert deployed.request("GET", path).status_code == 404


def test_a_clock_does_nothing_without_its_grants(deployed: Deployed) -> None:
    functions, name = deployed.emulator.client("lambda"), "StockTrackRecord-deliver-alerts"

    with _without_grants(deployed, name, "dynamodb:"):
        refused = _invoke(functions, name, {})

    assert "AccessDenied" in json.dumps(refused)
    assert "errorMessage" not in _invoke(functions, name, {})


def test_the_clock_resumes_dead_runs(deployed: Deployed) -> None:
    response = _invoke(deployed.emulator.client("lambda"), "StockTrackRecord-resume-dead-runs", {})

    assert response == {"resumed": [], "given_up": []}


def test_every_clock_has_its_schedule(deployed: Deployed) -> None:
    schedules = deployed.emulator.client("scheduler").list_schedules(GroupName="StockTrackRecord-clocks")["Schedules"]

    assert {each["Name"] for each in schedules if each["State"] == "ENABLED"} == {
        function_name("StockTrackRecord", clock.step.module) for clock in CLOCKS
    }


def test_the_deployed_api_keeps_the_contract(deployed: Deployed) -> None:
    # The contract's tests of pages need a list that has more than one.
    deployed.request("POST", "/api/channels", json={"url": DEMO_URL}, token=deployed.token)
    emulator = deployed.emulator
    environment = os.environ | {
        "BASE_URL": emulator.endpoint,
        "API_TOKEN": deployed.token,
        "API_CA_BUNDLE": str(emulator.certificate),
        "API_HOST": deployed.host,
        # What differs between the cases of a test is proven on the local server; here the deployment is.
        "API_CASES": str(times(short=1, long=1000)),
        # Each request at once starts a process of its own in the emulator.
        "API_AT_ONCE": str(times(short=4, long=20)),
        # And each look at a run takes the processor from the run.
        "API_POLL_SECONDS": "0.5",
    }
    # The emulator serves one request after the other, so that thousands of random ones would take too long.
    # The client and the examples ask nothing of a deployment that the other tests do not.
    left_out = ["test_schemathesis.py", "test_python_client.py", "test_api_guide.py"]
    if not SOAKING:
        left_out += LEFT_TO_THE_SOAK
    ignored = [f"--ignore=tests/contract/{name}" for name in left_out]
    chosen = [*ignored, "-k", f"not ({' or '.join(NOT_THE_EMULATORS)})"]

    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/contract", "-q", "-n0", "-p", "no:cacheprovider", *chosen],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 0, ended.stdout[-6000:]


def test_the_smoke_test_finds_the_deployment_in_order_and_leaves_it_as_it_was(deployed: Deployed) -> None:
    before = deployed.request("GET", "/api/channels").json()["total"]
    said: list[str] = []

    with httpx.Client(
        base_url=deployed.emulator.endpoint,
        headers={"Host": deployed.host},
        verify=deployed.emulator.trust,
        trust_env=False,
        timeout=60,
    ) as client:
        smoke = Smoke(client, deployed.token, said.append)
        smoke.run(page=False)

    assert smoke.failed == ["health"], said  # the emulator serves /health itself
    assert "ok       changes: refused without the token" in said
    assert deployed.request("GET", "/api/channels").json()["total"] == before


def test_a_lost_table_is_restored_with_all_that_the_deployment_gave_it(deployed: Deployed) -> None:
    """From a backup that the test makes: the emulator does not make one of a table that is deleted, as AWS does."""
    tables = deployed.emulator.client("dynamodb")
    before = deployed.request("GET", "/api/channels").json()
    tables.create_backup(TableName="StockTrackRecord", BackupName="before")
    tables.delete_table(TableName="StockTrackRecord")
    assert deployed.request("GET", "/api/channels").status_code == 500

    planned = _restore(deployed, "Main", "--from", "backup")
    assert "StockTrackRecord" not in tables.list_tables()["TableNames"]
    done = _restore(deployed, "Main", "--from", "backup", "--yes")
    again = _restore(deployed, "Main", "--from", "backup", "--yes")

    assert "Nothing was changed" in planned
    assert "Turn on point-in-time recovery of 35 days." in done
    assert "Expire items by expires_at." in done
    assert "Its settings are as deployed." in done
    assert "Nothing is restored" in again
    assert "Turn on" not in again
    # As in the template. The emulator's CloudFormation had given the table none of them.
    assert _settings_of(tables, "StockTrackRecord") == {
        "time to live": {"AttributeName": "expires_at", "TimeToLiveStatus": "ENABLED"},
        "recovery": "ENABLED",
        "protection": False,
        "tags": {
            "Environment": "dev",
            "ManagedBy": "CDK",
            "Name": "StockTrackRecord",
            "Project": "StockTrackRecord",
        },
    }
    assert deployed.request("GET", "/api/channels").json() == before
    assert "no changes" in deployed.cdk("deploy", "StockTrackRecord-data", "--exclusively")


def test_a_table_is_restored_from_a_point_in_time_beside_itself(deployed: Deployed) -> None:
    tables = deployed.emulator.client("dynamodb")
    # The template does, but not the emulator's CloudFormation.
    tables.update_continuous_backups(
        TableName="StockTrackRecord-Stocks", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True}
    )

    said = _restore(deployed, "Stocks", "--from", "latest", "--to", "Copy", "--yes")

    count = {name: tables.scan(TableName=name)["Count"] for name in ("Copy", "StockTrackRecord-Stocks")}
    tables.delete_table(TableName="Copy")
    assert "This is a copy for inspection." in said
    assert count["Copy"] == count["StockTrackRecord-Stocks"] > 0


def test_a_deployment_becomes_live_and_keeps_its_data(live: Deployed) -> None:
    functions = live.emulator.client("lambda")
    configuration = functions.get_function_configuration(FunctionName="StockTrackRecord-process-video")

    assert configuration["Environment"]["Variables"]["PROVIDERS"] == "live"
    assert live.request("GET", "/api/channels").json()["total"] > 0


def test_only_a_bearer_of_the_token_makes_a_read_call_a_metered_source(live: Deployed) -> None:
    path = "/api/stocks/ZZZZ/price"

    anonymous = live.request("GET", path).json()
    wrong = live.request("GET", path, token="not the token").json()
    bearer = live.request("GET", path, token=live.token).json()

    assert anonymous["error"].startswith("No price of ZZZZ is stored.")
    assert wrong == anonymous
    assert bearer["error"].startswith("TIINGO_API_KEY is not set.")


def test_the_saved_queries_find_the_lines_of_a_run_that_failed(live: Deployed) -> None:
    """Without a key the run of a live deployment fails in its first step."""

    def a_failed_channel() -> str:
        new = {"url": f"https://www.youtube.com/@{uuid4().hex}"}
        channel_id = live.request("POST", "/api/channels", json=new, token=live.token).json()["id"]
        channel = until(lambda: _over(live.request("GET", f"/api/channels/{channel_id}").json()), seconds=120)
        assert channel["status"] == "failed"
        return str(channel_id)

    channel_id = a_failed_channel()
    # On a busy machine the emulator takes what a function writes last with the function's next call.
    a_failed_channel()

    def logged() -> list[dict[str, Any]]:
        lines = _logged(live, ONE_CHANNEL.logs)
        of_channel = [line for line in lines if ONE_CHANNEL.finds(line, channel_id)]
        refused = any(line["step"] == "list_videos" for line in of_channel)
        return lines if refused and any(map(ERRORS.finds, of_channel)) else []

    lines = until(logged, seconds=60)
    of_channel = [line for line in lines if ONE_CHANNEL.finds(line, channel_id)]
    (run_id,) = {line["run_id"] for line in of_channel}
    assert [line for line in lines if ONE_RUN.finds(line, run_id)] == of_channel
    assert {line["step"] for line in of_channel if ERRORS.finds(line)} == {"fail_run"}
    assert ("list_videos", "MissingSetting") in {(line["step"], line.get("exception_name")) for line in of_channel}


def test_destroying_leaves_nothing_even_when_a_page_was_uploaded(live: Deployed) -> None:
    """As `make destroy` does it. The emulator would delete a bucket that holds something; AWS does not."""
    page, objects = live.outputs["PageBucket"], live.emulator.client("s3")
    objects.put_object(Bucket=page, Key="index.html", Body=b"<html>")

    said = live.run(sys.executable, "-m", "operations.empty")
    assert f"{page}: 1 objects deleted" in said
    assert objects.list_objects_v2(Bucket=page)["KeyCount"] == 0
    kept = live.outputs["KeptTranscriptsBucket"]
    assert f"{kept}: 0 objects deleted" not in said
    assert not {"Versions", "DeleteMarkers"} & set(objects.list_object_versions(Bucket=kept))
    live.cdk("destroy", "--all", "--force")

    assert live.emulator.client("dynamodb").list_tables()["TableNames"] == []
    assert not {page, kept} & {bucket["Name"] for bucket in objects.list_buckets()["Buckets"]}
    functions = live.emulator.client("lambda").list_functions()["Functions"]
    assert [each for each in functions if each["FunctionName"].startswith("StockTrackRecord")] == []


@pytest.fixture(scope="module")
def live(deployed: Deployed) -> Deployed:
    """The deployment with live providers again. It is not turned back: its tests are the last ones."""
    return deployed.deploy(*WITH_PROVIDERS, **LIVE)


def _logged(deployed: Deployed, names: Iterable[str]) -> list[dict[str, Any]]:
    """The JSON lines of these logs, in any order."""
    logs = deployed.emulator.client("logs")
    known = {
        group["logGroupName"]
        for page in logs.get_paginator("describe_log_groups").paginate()
        for group in page["logGroups"]
    }
    groups = {log_group_name("StockTrackRecord", name) for name in names} & known
    messages = [
        event["message"]
        for group in sorted(groups)
        for page in logs.get_paginator("filter_log_events").paginate(logGroupName=group)
        for event in page["events"]
    ]
    return [json.loads(line) for message in messages for line in message.splitlines() if line.startswith('{"level"')]


def _restore(deployed: Deployed, *arguments: str) -> str:
    return deployed.run(sys.executable, "-m", "operations.restore", *arguments)


def _settings_of(tables: Any, name: str) -> dict[str, Any]:
    """The settings of a table that a restore does not bring."""
    table = tables.describe_table(TableName=name)["Table"]
    recovery = tables.describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
    return {
        "time to live": tables.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
        "recovery": recovery["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"],
        "protection": table["DeletionProtectionEnabled"],
        "tags": {
            tag["Key"]: tag["Value"] for tag in tables.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"]
        },
    }


def _over(work: dict[str, Any]) -> dict[str, Any] | None:
    """A channel, run or plan whose work has ended."""
    return work if work["status"] in OVER else None


def _written(export: dict[str, Any]) -> dict[str, Any] | None:
    return export if export["status"] in ("COMPLETED", "FAILED") else None


def _demo_channel(deployed: Deployed) -> str:
    """The id of the channel that the plan added, the only one so far."""
    (channel,) = deployed.request("GET", "/api/channels").json()["items"]
    return str(channel["id"])


def _make_due(deployed: Deployed, channel_id: str) -> None:
    """As it is once the time of its check has come."""
    tables, name = deployed.emulator.client("dynamodb"), deployed.outputs["MainTableName"]
    due = seconds_from_now(-60)
    tables.put_item(TableName=name, Item=Check(channel_id, due).to_item())
    tables.update_item(
        TableName=name,
        Key=encode(channel_key(channel_id)),
        UpdateExpression="SET next_check_at = :due",
        ExpressionAttributeValues={":due": {"S": due}},
    )


def _ended(execution: dict[str, Any]) -> dict[str, Any] | None:
    return None if execution["status"] == "RUNNING" else execution


def _entered(states: Any, execution: str) -> list[dict[str, Any]]:
    events = states.get_execution_history(executionArn=execution, maxResults=1000)["events"]
    return [event["stateEnteredEventDetails"] for event in events if "stateEnteredEventDetails" in event]


def _failures(states: Any, execution: str) -> list[dict[str, Any]]:
    events = states.get_execution_history(executionArn=execution, maxResults=1000)["events"]
    return [event["taskFailedEventDetails"] for event in events if "taskFailedEventDetails" in event]


def _count(queues: Any, url: str) -> int:
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    return sum(map(int, queues.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"].values()))


def _invoke(functions: Any, name: str, event: dict[str, Any]) -> Any:
    return json.loads(functions.invoke(FunctionName=name, Payload=json.dumps(event))["Payload"].read())


def _run_as(deployed: Deployed, name: str, handler: str, event: dict[str, Any]) -> Any:
    """The code of another function, run with the grants of this one."""
    functions = deployed.emulator.client("lambda")
    own = functions.get_function_configuration(FunctionName=name)["Handler"]
    functions.update_function_configuration(FunctionName=name, Handler=handler)
    try:
        response = _invoke(functions, name, event)
        # On a busy machine the emulator takes what a function writes last with the function's next call.
        _invoke(functions, name, event)
        return response
    finally:
        functions.update_function_configuration(FunctionName=name, Handler=own)


def _event(method: str, path: str, body: str | None = None, query: dict[str, str] | None = None) -> dict[str, Any]:
    """As API Gateway sends it."""
    return {
        "version": "2.0",
        "routeKey": f"{method} {path}",
        "rawPath": path,
        "rawQueryString": "&".join(f"{name}={value}" for name, value in (query or {}).items()),
        **({"queryStringParameters": query} if query else {}),
        "headers": {"content-type": "application/json"},
        "requestContext": {"http": {"method": method, "path": path}, "requestId": "r", "stage": "$default"},
        **({"body": body} if body else {}),
        "isBase64Encoded": False,
    }


_A_STORY = {
    "url": "https://example.com/a-story-of-the-tests",
    "title": "Apple raises its outlook",
    "published_at": "2022-06-01T12:00:00Z",
    "tags": ["AAPL"],
}
_A_JOB = {
    "messageId": "one",
    "body": job_to_message(AnalyseNews(("rss#none 2022-06-01T12:00:00.000Z",))),
    "attributes": {"ApproximateReceiveCount": "1"},
}
_NEWS_EVENTS: dict[str, dict[str, Any]] = {
    "news.api.add_news": _event("POST", "/api/news", json.dumps(_A_STORY)),
    "news.api.list_news": _event("GET", "/api/news", query={"tag": "AAPL"}),
    "news.pipeline.analyse_news": {"Records": [_A_JOB]},
}


def _transcribed_videos(deployed: Deployed, channel_id: str) -> set[str]:
    """The ids of a channel's videos of which a transcript was read."""
    pages = (
        deployed.emulator.client("dynamodb")
        .get_paginator("query")
        .paginate(
            TableName=deployed.outputs["MainTableName"],
            KeyConditionExpression="PK = :pk AND begins_with(SK, :video)",
            ExpressionAttributeValues={":pk": {"S": channel_pk(channel_id)}, ":video": {"S": VIDEO_PREFIX}},
        )
    )
    videos = [Video.from_item(item) for page in pages for item in page["Items"]]
    return {video.id for video in videos if video.transcript_status == TranscriptStatus.FETCHED}


def _kept_objects(deployed: Deployed, folder: str = "") -> set[str]:
    pages = deployed.emulator.client("s3").get_paginator("list_objects_v2")
    found = pages.paginate(Bucket=deployed.outputs["KeptTranscriptsBucket"], Prefix=folder)
    return {each["Key"] for page in found for each in page.get("Contents", ())}


@contextmanager
def _without_grants(deployed: Deployed, function: str, service: str) -> Iterator[None]:
    """Takes a function's rights on a service away for a while."""
    roles, role = deployed.emulator.client("iam"), _role_of(deployed, function)
    (policy,) = roles.list_role_policies(RoleName=role)["PolicyNames"]
    own = roles.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]
    without = [each for each in own["Statement"] if service not in json.dumps(each["Action"])]
    assert without != own["Statement"]
    roles.put_role_policy(RoleName=role, PolicyName=policy, PolicyDocument=json.dumps({**own, "Statement": without}))
    try:
        yield
    finally:
        roles.put_role_policy(RoleName=role, PolicyName=policy, PolicyDocument=json.dumps(own))


def _role_of(deployed: Deployed, function: str) -> str:
    configuration = deployed.emulator.client("lambda").get_function_configuration(FunctionName=function)
    return str(configuration["Role"].rpartition("/")[2])


def _last_log(deployed: Deployed, function: str) -> str:
    configuration = deployed.emulator.client("lambda").get_function_configuration(FunctionName=function)
    group = configuration["LoggingConfig"]["LogGroup"]
    events = deployed.emulator.client("logs").filter_log_events(logGroupName=group)["events"]
    return "\n".join(event["message"] for event in events)
