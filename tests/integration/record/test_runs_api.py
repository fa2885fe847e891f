"""The routes of runs and of a channel's settings."""

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from functions.record.models.records import AnalysisStatus, ChannelStatus, LogLevel
from functions.record.models.runs import RunKind, StartedBy, Starter
from functions.record.store import runs
from functions.record.store.channels import create_channel, delete_channel
from functions.record.store.checks import due_checks
from functions.routes import find_route
from functions.runtime import ids
from tests.builders import a_channel, commit, in_a_run
from tests.contract.shapes import ATTEMPT, CHANNEL, RUN, has_shape
from tests.events import api_event, call, invoke
from tests.fakes import RecordingDispatcher

pytestmark = pytest.mark.usefixtures("tables")

UNKNOWN = "00000000-0000-4000-8000-000000000000"


def pages(path: str, query: str = "") -> list[list[str]]:
    """The ids of each page of two."""
    found, token = [], ""
    while True:
        joined = "&".join(part for part in ("limit=2", query, token and f"nextToken={token}") if part)
        page = call("GET", path, query=joined).json()
        found.append([run["id"] for run in page["items"]])
        token = page["nextToken"]
        if token is None:
            return found


class TestRuns:
    def test_of_a_channel_come_newest_first(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)
        made = []
        for _ in range(3):
            made.append(ids.new_run_id())
            runs.claim_run(channel.id, made[-1])
            runs.cancel_run(channel.id, "Cancelled.")
        newest_first = sorted(made, reverse=True)

        assert pages(f"/api/channels/{channel.id}/runs") == [newest_first[:2], newest_first[2:]]
        first = call("GET", f"/api/channels/{channel.id}/runs").json()["items"][0]
        has_shape(first, RUN)
        assert first["channel_name"] == channel.name

    def test_of_all_channels_come_newest_first_and_by_status_and_analyst(self) -> None:
        made = []
        for number in range(4):
            channel = a_channel()
            run_id, _ = in_a_run(channel)
            runs.set_video_counts(channel.id, run_id, 0, 0, "Found", runs.Listing(0, 0, analyst=f"rules {number % 2}"))
            if number:
                runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
            made.append(run_id)

        assert sorted(chain.from_iterable(pages("/api/runs"))) == sorted(made)
        assert sorted(chain.from_iterable(pages("/api/runs", "status=completed"))) == sorted(made[1:])
        assert sorted(chain.from_iterable(pages("/api/runs", "status=completed&analyst=rules+1"))) == sorted(
            [made[1], made[3]]
        )

    def test_one_is_found_by_its_id(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id, kind=RunKind.REREAD, starter=Starter(StartedBy.PLAN, "plan/task"))

        run = call("GET", f"/api/runs/{run_id}").json()

        has_shape(run, RUN)
        assert (run["id"], run["kind"], run["started_by"], run["starter"]) == (run_id, "reread", "plan", "plan/task")
        assert (run["status"], run["ended_at"], run["error"]) == ("pending", None, None)

    @pytest.mark.parametrize("run_id", ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "run-1", "%00", "x" * 3000])
    def test_one_that_is_not_there_is_not_found(self, run_id: str) -> None:
        response = call("GET", f"/api/runs/{run_id}")

        assert (response.status, response.json()) == (404, {"detail": "Run not found"})

    def test_the_attempts_at_a_video_come_newest_first(self) -> None:
        channel = a_channel()
        first, (video,) = in_a_run(channel, videos=1)
        failed = replace(video, run_id=first, analysis_status=AnalysisStatus.FAILED)
        runs.commit_video(first, failed, LogLevel.ERROR, "Failed", problem="The model was away.")
        runs.cancel_run(channel.id, "Cancelled.")
        second = ids.new_run_id()
        runs.claim_run(channel.id, second)
        runs.begin_run(channel.id, second, "Started")
        commit(second, video, "AAPL", "MSFT")

        items = call("GET", f"/api/channels/{channel.id}/videos/{video.id}/runs").json()["items"]

        for item in items:
            has_shape(item, ATTEMPT)
        told = [(item["run_id"], item["outcome"], item["calls"], item["problem"]) for item in items]
        assert told == [(second, "completed", 2, None), (first, "failed", 0, "The model was away.")]

    @pytest.mark.parametrize(
        ("path", "detail"),
        [
            (f"/api/channels/{UNKNOWN}/runs", "Channel not found"),
            (f"/api/channels/{UNKNOWN}/videos/{UNKNOWN}/runs", "Channel not found"),
        ],
    )
    def test_there_are_none_of_an_unknown_channel(self, path: str, detail: str) -> None:
        assert call("GET", path).json() == {"detail": detail}

    def test_there_are_none_of_an_unknown_video(self) -> None:
        channel = a_channel()
        in_a_run(channel)

        assert call("GET", f"/api/channels/{channel.id}/videos/{UNKNOWN}/runs").json() == {"detail": "Video not found"}

    @pytest.mark.parametrize("query", ["status=done", "limit=0", "limit=101", f"analyst={'x' * 201}"])
    def test_other_filters_are_refused(self, query: str) -> None:
        assert call("GET", "/api/runs", query=query).status == 422

    def test_a_token_of_another_list_is_refused(self) -> None:
        for _ in range(3):
            in_a_run(a_channel())
        token = call("GET", "/api/runs", query="limit=1").json()["nextToken"]

        assert call("GET", "/api/runs", query=f"status=failed&nextToken={token}").status == 400

    def test_go_with_their_channel(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        delete_channel(channel.id)

        assert call("GET", f"/api/runs/{run_id}").status == 404
        assert call("GET", "/api/runs").json() == {"items": [], "nextToken": None}

    def test_name_the_person_that_the_gateway_found_out(self, dispatched: RecordingDispatcher) -> None:
        path = "/api/channels"
        event = api_event("POST", path, body='{"url": "https://www.youtube.com/@someone"}')
        event["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": "anna", "cognito:groups": "[editor]"}}}
        route = find_route("POST", path)
        assert route
        channel = invoke(route, event).json()

        (run,) = call("GET", f"/api/channels/{channel['id']}/runs").json()["items"]

        assert (run["started_by"], run["starter"], run["kind"]) == ("person", "anna", "process")


class TestSettings:
    def test_a_channel_is_checked_as_often_as_is_asked_for(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)

        changed = call("PATCH", f"/api/channels/{channel.id}", json_body={"check_every": "weekly"})

        assert changed.status == 200
        has_shape(changed.json(), CHANNEL)
        assert changed.json()["check_every"] == "weekly"
        assert changed.json() == call("GET", f"/api/channels/{channel.id}").json()
        (check,) = due_checks("9999")
        assert (check.channel_id, check.next_check_at) == (channel.id, changed.json()["next_check_at"])

    def test_off_takes_it_out_of_the_queue(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)
        call("PATCH", f"/api/channels/{channel.id}", json_body={"check_every": "daily"})

        changed = call("PATCH", f"/api/channels/{channel.id}", json_body={"check_every": "off"}).json()

        assert (changed["check_every"], changed["next_check_at"], changed["is_slowed"]) == ("off", None, False)
        assert list(due_checks("9999")) == []

    def test_the_same_again_does_not_put_the_check_off(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)
        first = call("PATCH", f"/api/channels/{channel.id}", json_body={"check_every": "daily"}).json()

        body = {"check_every": "daily", "time_range_months": 24}
        again = call("PATCH", f"/api/channels/{channel.id}", json_body=body).json()

        assert (again["next_check_at"], again["time_range_months"]) == (first["next_check_at"], 24)

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"check_every": "hourly"},
            {"check_every": None},
            {"time_range_months": 0},
            {"time_range_months": 37},
            {"time_range_months": None},
            {"check_every": "daily", "name": "Mine"},
            [],
            "daily",
        ],
    )
    def test_anything_else_is_refused_and_changes_nothing(self, body: Any) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)
        before = call("GET", f"/api/channels/{channel.id}").json()

        assert call("PATCH", f"/api/channels/{channel.id}", json_body=body).status == 422

        assert call("GET", f"/api/channels/{channel.id}").json() == before

    @pytest.mark.parametrize("channel_id", [UNKNOWN, "x"])
    def test_of_an_unknown_channel_are_not_found(self, channel_id: str) -> None:
        response = call("PATCH", f"/api/channels/{channel_id}", json_body={"check_every": "daily"})

        assert (response.status, response.json()) == (404, {"detail": "Channel not found"})

    def test_a_page_of_the_development_server_may_send_them(self) -> None:
        headers = {"origin": "http://localhost:5173", "access-control-request-method": "PATCH"}

        response = call("OPTIONS", f"/api/channels/{UNKNOWN}", headers=headers)

        assert "PATCH" in response.headers["access-control-allow-methods"]

    @pytest.mark.usefixtures("concurrent_tables")
    def test_of_many_changes_at_once_the_channel_and_the_clock_have_the_same(
        self, in_threads: Callable[..., list[object]]
    ) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)
        choices = ["off", "daily", "weekly"] * 3

        in_threads(
            9,
            lambda number: call("PATCH", f"/api/channels/{channel.id}", json_body={"check_every": choices[number]}),
        )

        stored = call("GET", f"/api/channels/{channel.id}", query="strong=true").json()
        assert [check.next_check_at for check in due_checks("9999")] == [at for at in [stored["next_check_at"]] if at]
