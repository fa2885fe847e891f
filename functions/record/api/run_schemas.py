"""Requests and responses of the routes of runs, and the settings of a channel."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import ConfigDict, Field, model_validator

from functions.record.api.schemas import NextPage, Schema, Shown
from functions.record.models.records import AnalysisStatus, CheckEvery
from functions.record.models.runs import RunKind, RunStatus, StartedBy
from functions.record.runs.history import NamedRun
from functions.runtime.clock import Timestamp

RunId = Annotated[str, Path(description="The run's id")]
OfStatus = Annotated[RunStatus | None, Query(description="Only runs with this status")]
OfAnalyst = Annotated[
    str | None, Query(max_length=200, description="Only runs of this analyst, by its name and version")
]


def _optional(**options: Any) -> Any:
    """A field that may be omitted to leave its value unchanged; null is not allowed."""

    def without_default(schema: dict[str, Any]) -> None:
        schema.pop("default", None)

    return Field(default=None, json_schema_extra=without_default, **options)


class ChannelSettings(Schema):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"minProperties": 1})

    check_every: CheckEvery = _optional(description="How often it is checked for new videos")
    time_range_months: int = _optional(
        ge=1, le=36, description="Time range of its videos in months; applies from the next run on"
    )

    @model_validator(mode="after")
    def changes_something(self) -> "ChannelSettings":
        if not self.model_fields_set:
            raise ValueError("Give check_every, time_range_months or both")
        return self


class Run(Schema):
    id: str
    channel_id: str
    channel_name: str
    kind: RunKind
    status: RunStatus
    started_by: StartedBy
    starter: str | None = Field(
        description="The plan and its task, or the person: a display name, or null, for callers who are not signed in"
    )
    started_at: Timestamp
    ended_at: Timestamp | None
    found: int = Field(description="Videos found on YouTube, as far as this run listed them")
    videos: int = Field(description="Videos this run set out to read")
    processed: int = Field(description="Videos this run read")
    skipped: int = Field(description="Videos without a transcript")
    failed: int
    calls: int = Field(description="Buys and sells in the videos that it read")
    analyst: str | None = Field(description="The name and version of the analyst")
    tokens_in: int = Field(description="Tokens sent to a model for the videos that it read")
    tokens_out: int = Field(description="Tokens that the model returned")
    error: str | None = Field(description="Why it failed or ended early")
    continues: str | None = Field(description="The run it took over from, whose worker had died")
    continued_by: str | None

    @classmethod
    def of(cls, named: NamedRun, shown: Shown) -> "Run":
        run = named.run
        starter = shown(run.starter, run.starter_name) if run.started_by is StartedBy.PERSON else run.starter
        values = {name: getattr(run, name) for name in cls.model_fields if name != "channel_name"}
        return cls.model_validate({**values, "starter": starter, "channel_name": named.channel_name})


class RunsPage(NextPage):
    items: list[Run]


class Attempt(Schema):
    run_id: str
    outcome: AnalysisStatus = Field(description="`completed`, `skipped` or `failed`")
    ended_at: Timestamp
    analyst: str | None
    mentions: int
    calls: int
    problem: str | None = Field(description="Why it could not be read")


class AttemptsPage(NextPage):
    items: list[Attempt]
