"""Requests and responses of the import routes."""

from datetime import UTC, datetime
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path
from pydantic import BeforeValidator, ConfigDict, Field

from functions.record.api.schemas import Schema
from functions.runtime.clock import Timestamp, timestamp
from functions.transfers.imports.models import ImportStatus

ImportId = Annotated[str, Path(description="The import's id")]


class ImportRequest(Schema):
    model_config = ConfigDict(extra="forbid")

    key: str = Field(
        min_length=1,
        max_length=256,
        description="The file in the exports bucket, or locally in the `exports` folder of the data: "
        "`imports/export.zip`, `imports/old.sql` or `imports/old.sql.gz`",
    )


class Import(Schema):
    id: str
    user_id: str
    key: str
    status: ImportStatus
    items: int | None = Field(description="Videos and mentions in the file; null until it has been validated")
    items_done: int
    channels: int = Field(description="Number of imported channels")
    videos: int
    mentions: int
    skipped: list[str] = Field(description="Why channels were skipped, at most 50")
    skipped_count: int
    error_message: str | None = Field(description="Why it failed")
    complaints: list[str] = Field(description="Problems with the file, each with file and line, at most 50")
    complaint_count: int
    remarks: list[str] = Field(description="Content that was ignored, or read differently from the file")
    created_at: Timestamp
    updated_at: Timestamp
    expires_at: Annotated[
        Timestamp,
        BeforeValidator(lambda seconds: timestamp(datetime.fromtimestamp(seconds, UTC))),
    ]
