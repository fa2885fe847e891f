"""Validates the tasks of a plan: unique keys, known dependencies, no cycle, and a channel for each."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from functions.plans.errors import InvalidPlan, TaskLacksChannel
from functions.plans.models import NEEDS_NO_CHANNEL, TaskKind

SHOWN_OF_A_CIRCLE = 20
"""Maximum keys of a cycle named in the error."""


@dataclass(frozen=True, slots=True)
class NewTask:
    key: str
    kind: TaskKind
    channel_id: str | None = None
    url: str | None = None
    depends_on: tuple[str, ...] = ()


def check_plan(tasks: Sequence[NewTask]) -> dict[str, str]:
    """Returns, for each task without a channel, the key of the task that adds it.

    Raises InvalidPlan for duplicate or unknown keys and for cycles; TaskLacksChannel for a task without a channel.
    """
    by_key = _by_key(tasks)
    for task in tasks:
        for key in task.depends_on:
            if key not in by_key:
                raise InvalidPlan(f"Task {task.key} depends on {key}, which is not in the plan")
    if circle := find_circle({task.key: task.depends_on for task in tasks}):
        raise InvalidPlan(f"The tasks depend on each other in a circle: {_as_text(circle)}")
    return {
        task.key: _channel_task(position, task, by_key)
        for position, task in enumerate(tasks)
        if task.kind not in NEEDS_NO_CHANNEL and task.channel_id is None
    }


def find_circle(depends_on: Mapping[str, Sequence[str]]) -> list[str] | None:
    """Returns a cycle, with its smallest key first and last: `[a, b, a]`, or None without one."""
    stuck = _never_ready(depends_on)
    if not stuck:
        return None
    # Every task that is never ready depends on another one, so this walk eventually reaches a key it has seen.
    seen: dict[str, int] = {}
    walk: list[str] = []
    key = min(stuck)
    while key not in seen:
        seen[key] = len(walk)
        walk.append(key)
        key = next(each for each in depends_on[key] if each in stuck)
    circle = walk[seen[key] :]
    first = circle.index(min(circle))
    return [*circle[first:], *circle[: first + 1]]


def needed_by(depends_on: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Inverts the dependencies: maps each task to those that depend on it."""
    needed: dict[str, list[str]] = {key: [] for key in depends_on}
    for key, needs in depends_on.items():
        for each in dict.fromkeys(needs):
            needed[each].append(key)
    return needed


def _by_key(tasks: Sequence[NewTask]) -> dict[str, NewTask]:
    by_key: dict[str, NewTask] = {}
    for task in tasks:
        if task.key in by_key:
            raise InvalidPlan(f"Two tasks have the key {task.key}")
        by_key[task.key] = task
    return by_key


def _never_ready(depends_on: Mapping[str, Sequence[str]]) -> set[str]:
    """Returns what is left after a topological sort: the tasks in cycles, and those that depend on them."""
    needed = needed_by(depends_on)
    waits_for = {key: len(set(needs)) for key, needs in depends_on.items()}
    ready = deque(key for key, count in waits_for.items() if not count)
    while ready:
        done = ready.popleft()
        del waits_for[done]
        for key in needed[done]:
            waits_for[key] -= 1
            if not waits_for[key]:
                ready.append(key)
    return set(waits_for)


def _channel_task(position: int, task: NewTask, by_key: Mapping[str, NewTask]) -> str:
    adding = [key for key in task.depends_on if by_key[key].kind is TaskKind.ADD_CHANNEL]
    if len(adding) != 1:
        reason = "depends on no task that adds one" if not adding else "depends on several tasks that add one"
        raise TaskLacksChannel(position, f"Task {task.key} names no channel, and {reason}")
    return adding[0]


def _as_text(circle: Sequence[str]) -> str:
    if len(circle) <= SHOWN_OF_A_CIRCLE:
        return " -> ".join(circle)
    shown = [*circle[: SHOWN_OF_A_CIRCLE - 1], f"… ({len(circle) - SHOWN_OF_A_CIRCLE} more)", circle[-1]]
    return " -> ".join(shown)
