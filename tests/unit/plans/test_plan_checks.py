"""A valid plan has tasks with unique keys, existing dependencies, no cycle, and a channel each."""

import pytest

from functions.plans.errors import InvalidPlan, TaskLacksChannel
from functions.plans.models import TaskKind
from functions.plans.validation import NewTask, check_plan, find_circle, needed_by


def a_task(key: str, *depends_on: str, kind: TaskKind = TaskKind.SCORE, channel_id: str | None = "c") -> NewTask:
    return NewTask(key, kind, channel_id, None, depends_on)


def adding(key: str, *depends_on: str) -> NewTask:
    return NewTask(key, TaskKind.ADD_CHANNEL, None, "https://www.youtube.com/@x", depends_on)


def refusal_of(*tasks: NewTask) -> str:
    with pytest.raises(InvalidPlan) as refused:
        check_plan(tasks)
    return str(refused.value)


def test_tasks_in_any_order_are_a_plan() -> None:
    assert check_plan([a_task("c", "a", "b"), a_task("a"), a_task("b", "a")]) == {}


@pytest.mark.parametrize(
    ("tasks", "sentence"),
    [
        ([a_task("a"), a_task("b"), a_task("a")], "Two tasks have the key a"),
        ([a_task("a"), a_task("b", "a", "x")], "Task b depends on x, which is not in the plan"),
        ([a_task("a", "a")], "The tasks depend on each other in a circle: a -> a"),
        ([a_task("b", "a"), a_task("a", "b")], "The tasks depend on each other in a circle: a -> b -> a"),
        (
            [a_task("first"), a_task("d", "b"), a_task("c", "d", "first"), a_task("b", "c"), a_task("after", "b")],
            "The tasks depend on each other in a circle: b -> c -> d -> b",
        ),
    ],
)
def test_what_is_no_plan_is_refused_with_its_keys(tasks: list[NewTask], sentence: str) -> None:
    assert refusal_of(*tasks) == sentence


def test_a_circle_of_five_hundred_is_found_and_not_named_whole() -> None:
    tasks = [a_task(f"t{number:03d}", f"t{(number + 1) % 500:03d}") for number in range(500)]

    sentence = refusal_of(*tasks)

    assert sentence.startswith("The tasks depend on each other in a circle: t000 -> t001 -> ")
    assert sentence.endswith("-> … (481 more) -> t000")


def test_a_chain_of_five_hundred_and_a_fan_in_of_499_are_plans() -> None:
    chain = {f"t{number}": (f"t{number - 1}",) if number else () for number in range(500)}
    fan_in = {f"t{number}": () for number in range(499)} | {"last": tuple(f"t{number}" for number in range(499))}

    assert find_circle(chain) is None
    assert find_circle(fan_in) is None
    assert needed_by(fan_in)["t7"] == ["last"]


def test_a_dependency_that_is_named_twice_counts_once() -> None:
    assert find_circle({"a": (), "b": ("a", "a")}) is None
    assert needed_by({"a": (), "b": ("a", "a")}) == {"a": ["b"], "b": []}


def test_a_task_takes_its_channel_from_the_one_task_that_adds_it() -> None:
    tasks = [adding("add"), adding("other"), a_task("score", "add", channel_id=None), a_task("own", "add", "other")]

    assert check_plan(tasks) == {"score": "add"}


@pytest.mark.parametrize(
    ("depends_on", "sentence"),
    [
        ((), "Task score names no channel, and depends on no task that adds one"),
        (("add", "other"), "Task score names no channel, and depends on several tasks that add one"),
        (("between",), "Task score names no channel, and depends on no task that adds one"),
    ],
)
def test_a_task_without_a_channel_is_refused(depends_on: tuple[str, ...], sentence: str) -> None:
    tasks = [adding("add"), adding("other"), a_task("between", "add"), a_task("score", *depends_on, channel_id=None)]

    with pytest.raises(TaskLacksChannel) as refused:
        check_plan(tasks)

    assert (str(refused.value), refused.value.position) == (sentence, 3)
