"""Requests and responses of the routes of plans."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Path
from pydantic import ConfigDict, Field, StringConstraints, field_validator
from pydantic_core.core_schema import ValidationInfo

from functions.plans.models import MAX_DEPENDENCIES, MAX_TASKS, PlanStatus, TaskKind, TaskStatus
from functions.plans.models import Plan as PlanModel
from functions.plans.plans import PlanInFull
from functions.plans.validation import NewTask
from functions.record.api.schemas import NextPage, Schema
from functions.record.channels.youtube_urls import parse_channel_url
from functions.runtime.clock import Timestamp
from functions.runtime.text import one_line

MAX_NAME_LENGTH = 200
MAX_URL_LENGTH = 500
"""Shorter than elsewhere: a whole plan with its Idempotency-Key is kept in one item."""

PlanId = Annotated[str, Path(description="The plan's id")]
Key = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._-]{1,64}$")]


class TaskRequest(Schema):
    # A dependency whose field is misspelt must not be lost in silence.
    model_config = ConfigDict(extra="forbid")

    key: Key = Field(description="Its name within the plan", examples=["add-one"])
    kind: TaskKind
    channel_id: str | None = Field(
        default=None,
        max_length=64,
        description="Needed by all but `add_channel`, `export` and `ingest_news`, unless exactly one task that adds a "
        "channel is in `depends_on`; an `export` without it is of the plan's channels, or of all if the plan has none",
    )
    url: str | None = Field(
        default=None,
        max_length=MAX_URL_LENGTH,
        validate_default=True,
        description="Of the channel to add; needed by `add_channel`, and taken by no other kind",
        examples=["https://www.youtube.com/@DemoValueInvestor"],
    )
    depends_on: list[Key] = Field(
        default_factory=list, max_length=MAX_TASKS, description="Keys of the tasks that have to be completed before"
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
    channel_id: str | None = Field(description="Given, or of the channel that was added")
    url: str | None
    depends_on: list[str]
    status: TaskStatus
    attempts: int
    started_at: Timestamp | None
    ended_at: Timestamp | None
    error: str | None = Field(description="Why it failed or was skipped, or why its last attempt failed")
    run_id: str | None = Field(description="The run that it began")
    export_id: str | None = Field(description="The export that it began")
    result: str | None = Field(description="What it has done, in words, of kinds that tell: `ingest_news`")


class PlanSummary(Schema):
    id: str
    name: str
    status: PlanStatus
    created_at: Timestamp
    created_by: str
    ended_at: Timestamp | None
    total: int = Field(description="Its tasks")
    ended: int = Field(description="Those that have ended, whatever their outcome")
    failed: int

    @classmethod
    def of(cls, plan: PlanModel) -> "PlanSummary":
        return cls.model_validate(_fields(plan))


class Plan(PlanSummary):
    tasks: list[Task]

    @classmethod
    def in_full(cls, found: PlanInFull) -> "Plan":
        return cls.model_validate({**_fields(found.plan), "tasks": found.tasks})


class PlansPage(NextPage):
    items: list[PlanSummary]


def _fields(plan: PlanModel) -> dict[str, Any]:
    own = {name: getattr(plan, name) for name in PlanSummary.model_fields if name != "total"}
    return {**own, "total": plan.tasks}
