"""The routes of plans: what they take, what they refuse, and what they show."""

from typing import Any

import pytest

from functions.plans import store as store
from functions.plans.models import MAX_DEPENDENCIES, TaskStatus
from functions.runtime.dispatch import RunTask
from functions.runtime.dynamodb.connection import dynamodb, main_table
from tests.events import call
from tests.fakes import RecordingDispatcher, everything

URL = "https://www.youtube.com/@SomeName"
CHANNEL_ID = "00000000-0000-4000-8000-000000000000"

pytestmark = pytest.mark.usefixtures("tables")


def a_task(key: str, *depends_on: str, **changes: Any) -> dict[str, Any]:
    return {"key": key, "kind": "score", "channel_id": CHANNEL_ID, "depends_on": list(depends_on), **changes}


def adding(key: str, *depends_on: str) -> dict[str, Any]:
    return {"key": key, "kind": "add_channel", "url": URL, "depends_on": list(depends_on)}


def post(*tasks: Any, name: Any = "Audit", **options: Any) -> Any:
    return call("POST", "/api/plans", json_body={"name": name, "tasks": list(tasks)}, **options)


def test_a_plan_is_created_shown_and_listed(dispatched: RecordingDispatcher) -> None:
    response = post(adding("add"), {"key": "score", "kind": "score", "depends_on": ["add"]})

    plan = response.json()
    assert response.status == 201
    assert response.headers["location"] == f"/api/plans/{plan['id']}"
    assert dispatched.jobs == [RunTask(plan["id"], "add")]
    assert plan == {
        "id": plan["id"],
        "name": "Audit",
        "status": "running",
        "created_at": plan["created_at"],
        "created_by": "local",
        "ended_at": None,
        "total": 2,
        "ended": 0,
        "failed": 0,
        "tasks": [
            {
                "key": "add",
                "kind": "add_channel",
                "channel_id": None,
                "url": URL,
                "depends_on": [],
                "status": "pending",
                "attempts": 0,
                "started_at": None,
                "ended_at": None,
                "error": None,
                "run_id": None,
                "export_id": None,
                "result": None,
            },
            {
                "key": "score",
                "kind": "score",
                "channel_id": None,
                "url": None,
                "depends_on": ["add"],
                "status": "pending",
                "attempts": 0,
                "started_at": None,
                "ended_at": None,
                "error": None,
                "run_id": None,
                "export_id": None,
                "result": None,
            },
        ],
    }
    assert call("GET", f"/api/plans/{plan['id']}").json() == plan
    (listed,) = call("GET", "/api/plans").json()["items"]
    assert listed == {name: value for name, value in plan.items() if name != "tasks"}


def test_plans_are_listed_newest_first_by_page(dispatched: RecordingDispatcher) -> None:
    names = [f"Plan {number}" for number in range(5)]
    for name in names:
        post(a_task("a"), name=name)

    first = call("GET", "/api/plans", query="limit=3").json()
    second = call("GET", "/api/plans", query=f"limit=3&nextToken={first['nextToken']}").json()

    assert sorted(plan["name"] for plan in [*first["items"], *second["items"]]) == names
    assert [plan["id"] for plan in first["items"]] == sorted((plan["id"] for plan in first["items"]), reverse=True)
    assert second["nextToken"] is None


@pytest.mark.parametrize(
    ("tasks", "sentence"),
    [
        ([a_task("a", "a")], "The tasks depend on each other in a circle: a -> a"),
        ([a_task("b", "a"), a_task("a", "b")], "The tasks depend on each other in a circle: a -> b -> a"),
        ([a_task("a"), a_task("b", "x")], "Task b depends on x, which is not in the plan"),
        ([a_task("a"), a_task("a")], "Two tasks have the key a"),
        (
            [{"key": "a", "kind": "score", "depends_on": ["b"]}, {"key": "b", "kind": "score", "depends_on": ["a"]}],
            "The tasks depend on each other in a circle: a -> b -> a",
        ),
    ],
)
def test_what_is_no_plan_is_refused_and_writes_nothing(
    dispatched: RecordingDispatcher, tasks: list[Any], sentence: str
) -> None:
    response = post(*tasks)

    assert (response.status, response.json()) == (400, {"detail": sentence})
    assert everything() == {}
    assert not dispatched.jobs


@pytest.mark.parametrize(
    "tasks",
    [
        [],
        [a_task(f"t{number}") for number in range(501)],
        [a_task("a", kind="ingest_news")],
        [a_task("a", kind=None)],
        [a_task("")],
        [a_task("a b")],
        [a_task("a\n")],
        [a_task("a" * 65)],
        [a_task("ä")],
        [a_task("a", channel_id=7)],
        [a_task("a", channel_id="c" * 1000)],
        [a_task("a", depends_on="b")],
        [a_task("a", depends_on=[None])],
        [a_task("a", url=URL)],
        [{"key": "a", "kind": "score"}],
        [{"key": "a", "kind": "add_channel"}],
        [{"key": "a", "kind": "add_channel", "url": "https://example.com/@x"}],
        [{"key": "a", "kind": "add_channel", "url": f"{URL}?{'x' * 5000}"}],
        [{"key": "a", "kind": "add_channel", "url": URL, "channel_id": CHANNEL_ID}],
        [adding("a"), adding("b"), {"key": "c", "kind": "process", "depends_on": ["a", "b"]}],
        [None],
        "tasks",
        [
            *(a_task(f"t{number}") for number in range(400)),
            *(a_task(f"u{number}", *(f"t{each}" for each in range(400))) for number in range(13)),
        ],
    ],
    ids=lambda tasks: str(tasks)[:40],
)
def test_what_has_not_the_shape_of_a_plan_is_refused(dispatched: RecordingDispatcher, tasks: Any) -> None:
    response = call("POST", "/api/plans", json_body={"name": "Audit", "tasks": tasks})

    assert response.status == 422
    assert len(response.text) < 5000
    assert everything() == {}


@pytest.mark.parametrize("name", ["", " ", None, 7, "x" * 201, "x" * 1_000_000])
def test_a_name_is_a_line_of_two_hundred_characters_at_most(dispatched: RecordingDispatcher, name: Any) -> None:
    response = post(a_task("a"), name=name)

    assert response.status == 422
    assert len(response.text) < 5000


def test_a_task_without_a_channel_is_named(dispatched: RecordingDispatcher) -> None:
    response = post(a_task("a"), {"key": "b", "kind": "process", "depends_on": ["a"]})

    (error,) = response.json()["detail"]
    assert error["loc"] == ["body", "tasks", 1, "channel_id"]
    assert error["msg"] == "Task b names no channel, and depends on no task that adds one"


def test_with_a_key_the_retry_gets_the_first_response(dispatched: RecordingDispatcher) -> None:
    tasks = [{"key": f"{number:064d}", "kind": "add_channel", "url": f"{URL}?{number}"} for number in range(500)]
    first, again = (post(*tasks, headers={"Idempotency-Key": "key"}) for _ in range(2))

    assert (first.status, again.status) == (201, 201)
    assert first.json() == again.json()
    assert len(call("GET", "/api/plans").json()["items"]) == 1


def test_a_retry_makes_no_second_plan_when_the_response_to_the_first_was_never_recorded(
    dispatched: RecordingDispatcher,
) -> None:
    first = post(a_task("a"), headers={"Idempotency-Key": "key"})
    for key, item in everything().items():
        if key.startswith("IDEMPOTENCY") and "data" in item:
            dynamodb().delete_item(TableName=main_table(), Key={name: item[name] for name in ("PK", "SK")})

    again = post(a_task("a"), headers={"Idempotency-Key": "key"})
    other = post(a_task("a"), headers={"Idempotency-Key": "other"})

    assert (again.status, again.json()) == (201, first.json())
    assert other.json()["id"] != first.json()["id"]
    assert len(call("GET", "/api/plans").json()["items"]) == 2


def test_the_largest_plan_is_taken(dispatched: RecordingDispatcher) -> None:
    sources = [f"{number:064d}" for number in range(400)]
    each = MAX_DEPENDENCIES // 100
    tasks = [a_task(f"u{number}", *sources[number : number + each]) for number in range(100)]

    response = post(*map(a_task, sources), *tasks, headers={"Idempotency-Key": "key"})

    assert response.status == 201
    assert call("GET", response.headers["location"]).json()["total"] == 500


def test_a_dependency_named_twice_is_one(dispatched: RecordingDispatcher) -> None:
    plan = post(a_task("a"), a_task("b", "a", "a")).json()

    assert plan["tasks"][1]["depends_on"] == ["a"]


@pytest.mark.parametrize("plan_id", ["nothing", "01KA8E9T0N7Q2Z4X5Y6W3V1R0S", "%00"])
def test_a_plan_that_is_not_there(dispatched: RecordingDispatcher, plan_id: str) -> None:
    for response in (call("GET", f"/api/plans/{plan_id}"), call("POST", f"/api/plans/{plan_id}/cancel")):
        assert (response.status, response.json()) == (404, {"detail": "Plan not found"})


def test_a_plan_is_cancelled_once_it_has_ended_no_more(dispatched: RecordingDispatcher) -> None:
    plan_id = post(a_task("a"), a_task("b", "a")).json()["id"]
    mine = store.claim_task(plan_id, "a", "me")

    first, second = (call("POST", f"/api/plans/{plan_id}/cancel") for _ in range(2))
    assert (first.status, second.status, second.json()["status"]) == (200, 200, "running")
    assert [task["status"] for task in second.json()["tasks"]] == ["running", "cancelled"]

    store.close_task(store.end_task(mine, TaskStatus.COMPLETED, error=None, channel_id=None, run_id=None))
    response = call("POST", f"/api/plans/{plan_id}/cancel")
    assert (response.status, response.json()) == (400, {"detail": "Plan has ended"})
    assert call("GET", f"/api/plans/{plan_id}").json()["status"] == "cancelled"


def test_a_misspelt_field_is_refused_rather_than_ignored(dispatched: RecordingDispatcher) -> None:
    before = everything()

    misspelt = post(a_task("a"), {"key": "b", "kind": "score", "channel_id": CHANNEL_ID, "dependson": ["a"]})
    unknown = call("POST", "/api/plans", json_body={"name": "Audit", "tasks": [a_task("a")], "priority": 1})

    assert (misspelt.status, unknown.status) == (422, 422)
    assert misspelt.json()["detail"][0]["loc"] == ["body", "tasks", 1, "dependson"]
    assert everything() == before


def test_a_name_is_kept_without_what_cannot_be_shown(dispatched: RecordingDispatcher) -> None:
    assert post(a_task("a"), name="Audit\u202e\n of\u0000 May ").json()["name"] == "Audit of May"
    assert post(a_task("a"), name="\u0000\u202e").status == 422
