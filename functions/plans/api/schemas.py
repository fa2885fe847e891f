"""Requests and responses of the plan routes."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Path
from pydantic import ConfigDict, Field, StringConstraints, field_validator
from pydantic_core.core_schema import ValidationInfo

from functions.plans.models import MAX_DEPENDENCIES, MAX_TASKS, PlanStatus, TaskKind, TaskStatus
from functions.plans.models import Plan as PlanModel
from functions.plans.plans import PlanInFull
from functions.plans.validation import NewTask
from functions.record.api.schemas import NextPage, Schema, Shown
from functions.record.channels.youtube_urls import parse_channel_url
from functions.runtime.clock import Timestamp
from functions.runtime.text import one_line

MAX_NAME_LENGTH = 200
MAX_URL_LENGTH = 500
"""Shorter than elsewhere: a whole plan with its Idempotency-Key is stored in one item."""

PlanId = Annotated[str, Path(description="The plan's id")]
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,64}$")]


class TaskRequest(Schema):
    # A dependency with a misspelt field name must not be ignored silently.
    model_config = ConfigDict(extra="forbid")

    key: Key = Field(description="The task's name within the plan", examples=["add-one"])
    kind: TaskKind
    channel_id: str | None = Field(
        default=None,
        max_length=64,
        description="Required except for `add_channel`, `export` and `ingest_news`, unless `depends_on` has exactly "
        "one task that adds a channel; an `export` without it covers the plan's channels, or all if the plan has none",
    )
    url: str | None = Field(
        default=None,
        max_length=MAX_URL_LENGTH,
        validate_default=True,
        description="URL of the channel to add; required for `add_channel`, and not allowed for other kinds",
        examples=["https://www.youtube.com/@DemoValueInvestor"],
    )
    depends_on: list[Key] = Field(
        default_factory=list, max_length=MAX_TASKS, description="Keys of the tasks that must be completed first"
    )

    @field_validator("channel_id")
    @classmethod
    def names_no_channel_to_add(cls, channel_id: str | None, others: ValidationInfo) -> str | None:
        if channel_id is not None and others.data.get("kind") is TaskKind.ADD_CHANNEL:
            raise ValueError("A channel that is added has no id yet; give its URL")
        if channel_id is not None and others.data.get("kind") is TaskKind.INGEST_NEWS:
            raise ValueError("News is collected for the stocks of all channels")
        return channel_id

    @field_validator("url")
    @classmethod
    def names_the_channel_to_add(cls, url: str | None, others: ValidationInfo) -> str | None:
        adds = others.data.get("kind") is TaskKind.ADD_CHANNEL
        if adds and url is None:
            raise ValueError("Give the URL of the channel to add")
        if not adds and url is not None and "kind" in others.data:
            raise ValueError("Only a task that adds a channel takes a URL")
        if url is not None:
            parse_channel_url(url)
        return url


class PlanRequest(Schema):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=MAX_NAME_LENGTH, pattern=r"\S")
    tasks: list[TaskRequest] = Field(min_length=1, max_length=MAX_TASKS)

    @field_validator("name")
    @classmethod
    def is_one_line(cls, name: str) -> str:
        line = one_line(name, MAX_NAME_LENGTH)
        if not line:
            raise ValueError("Give a name that can be read")
        return line

    @field_validator("tasks")
    @classmethod
    def has_few_dependencies(cls, tasks: list[TaskRequest]) -> list[TaskRequest]:
        if sum(len(task.depends_on) for task in tasks) > MAX_DEPENDENCIES:
            raise ValueError(f"A plan has {MAX_DEPENDENCIES:,} dependencies at most")
        return tasks

    def wanted(self) -> list[NewTask]:
        return [NewTask(task.key, task.kind, task.channel_id, task.url, tuple(task.depends_on)) for task in self.tasks]


class Task(Schema):
    key: str
    kind: TaskKind
    channel_id: str | None = Field(description="The channel given, or the one that was added")
    url: str | None
    depends_on: list[str]
    status: TaskStatus
    attempts: int
    started_at: Timestamp | None
    ended_at: Timestamp | None
    error: str | None = Field(description="Why the task failed or was skipped, or why its last attempt failed")
    run_id: str | None = Field(description="The run that the task started")
    export_id: str | None = Field(description="The export that the task started")
    result: str | None = Field(description="A summary of what was done; only for `ingest_news`")


class PlanSummary(Schema):
    id: str
    name: str
    status: PlanStatus
    created_at: Timestamp
    created_by: str | None = Field(description="A display name, or null, for callers who are not signed in")
    ended_at: Timestamp | None
    total: int = Field(description="Number of tasks")
    ended: int = Field(description="Number of tasks that have ended, whatever their outcome")
    failed: int

    @classmethod
    def of(cls, plan: PlanModel, shown: Shown) -> "PlanSummary":
        return cls.model_validate(_fields(plan, shown))


class Plan(PlanSummary):
    tasks: list[Task]

    @classmethod
    def in_full(cls, found: PlanInFull, shown: Shown) -> "Plan":
        return cls.model_validate({**_fields(found.plan, shown), "tasks": found.tasks})


class PlansPage(NextPage):
    items: list[PlanSummary]


def _fields(plan: PlanModel, shown: Shown) -> dict[str, Any]:
    own = {name: getattr(plan, name) for name in PlanSummary.model_fields if name != "total"}
    return {**own, "total": plan.tasks, "created_by": shown(plan.created_by, plan.created_by_name)}
