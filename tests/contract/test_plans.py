"""Plans: tasks that depend on each other, done in order."""

import time
from typing import Any

import httpx
import pytest

from tests.contract.shapes import INVALID, PLAN, PLAN_SUMMARY, TASK, has_shape
from tests.contract.steps import DEMO_URL, Channel

LONGEST_PLAN_SECONDS = 240
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def ended(api: httpx.Client, plan: dict[str, Any]) -> dict[str, Any]:
    deadline = time.monotonic() + LONGEST_PLAN_SECONDS
    while plan["status"] == "running":
        assert time.monotonic() < deadline, plan
        time.sleep(0.1)
        plan = api.get(f"/api/plans/{plan['id']}").json()
    return plan


def post(api: httpx.Client, *tasks: dict[str, Any]) -> httpx.Response:
    return api.post("/api/plans", json={"name": "A plan of the tests", "tasks": list(tasks)})


def test_a_plan_is_created_done_and_listed(api: httpx.Client, demo: Channel) -> None:
    response = post(
        api,
        {"key": "add", "kind": "add_channel", "url": DEMO_URL},
        {"key": "backfill", "kind": "backfill_prices", "depends_on": ["add"]},
        {"key": "score", "kind": "score", "depends_on": ["add", "backfill"]},
        {"key": "export", "kind": "export", "depends_on": ["score"]},
    )

    created = response.json()
    assert (response.status_code, response.headers["location"]) == (201, f"/api/plans/{created['id']}")
    has_shape(created, PLAN)
    for task in created["tasks"]:
        has_shape(task, TASK)
    plan = ended(api, created)
    assert (plan["status"], plan["ended"], plan["failed"]) == ("completed", 4, 0)
    *others, exporting = plan["tasks"]
    assert {task["channel_id"] for task in others} == {demo["id"]}
    export = api.get(f"/api/exports/{exporting['export_id']}").json()
    assert (export["status"], export["channel_ids"]) == ("COMPLETED", [demo["id"]])
    listed = api.get("/api/plans", params={"limit": 100}).json()
    assert plan["id"] in [each["id"] for each in listed["items"]]
    has_shape(listed["items"][0], PLAN_SUMMARY)


def test_what_depends_on_a_failure_is_skipped(api: httpx.Client) -> None:
    plan = ended(
        api,
        post(
            api,
            {"key": "process", "kind": "process", "channel_id": UNKNOWN},
            {"key": "score", "kind": "score", "channel_id": UNKNOWN, "depends_on": ["process"]},
        ).json(),
    )

    assert (plan["status"], plan["ended"], plan["failed"]) == ("failed", 2, 1)
    assert [(task["status"], task["error"]) for task in plan["tasks"]] == [
        ("failed", "Channel not found"),
        ("skipped", "Needs process, which failed"),
    ]
    again = api.post(f"/api/plans/{plan['id']}/cancel")
    assert (again.status_code, again.json()) == (400, {"detail": "Plan has ended"})


@pytest.mark.parametrize(
    ("depends_on", "sentence"),
    [
        (["a"], "The tasks depend on each other in a circle: a -> a"),
        (["x"], "Task a depends on x, which is not in the plan"),
    ],
)
def test_what_is_no_plan_is_refused(api: httpx.Client, depends_on: list[str], sentence: str) -> None:
    response = post(api, {"key": "a", "kind": "score", "channel_id": UNKNOWN, "depends_on": depends_on})

    assert (response.status_code, response.json()) == (400, {"detail": sentence})


def test_an_unknown_kind_is_invalid(api: httpx.Client) -> None:
    response = post(api, {"key": "a", "kind": "launch", "channel_id": UNKNOWN})

    assert response.status_code == 422
    has_shape(response.json()["detail"][0], INVALID)


def test_a_plan_that_is_not_there(api: httpx.Client) -> None:
    for response in (api.get("/api/plans/nothing"), api.post("/api/plans/nothing/cancel")):
        assert (response.status_code, response.json()) == (404, {"detail": "Plan not found"})
