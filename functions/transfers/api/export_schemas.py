"""Requests and responses of the export routes."""

from datetime import UTC, datetime
from typing import Annotated, Literal

from aws_lambda_powertools.event_handler.openapi.params import Path
from pydantic import BeforeValidator, ConfigDict, Field, StringConstraints

from functions.record.api.schemas import NextPage, Schema
from functions.runtime.clock import Timestamp, timestamp
from functions.transfers.exports.models import MAX_CHANNELS, ExportStatus
from functions.transfers.exports.requests import Download
from functions.transfers.models import KEPT_DAYS

ExportId = Annotated[str, Path(description="The export's id")]
ChannelId = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class ExportRequest(Schema):
    # A misspelt field must not result in an export of everything.
    model_config = ConfigDict(extra="forbid")

    channel_ids: list[ChannelId] | None = Field(
        default=None, min_length=1, max_length=MAX_CHANNELS, description="The channels to export; all if omitted"
    )
    format: Literal["csv", "jsonl"] = Field(description="Format of the tables in the zip")


class Export(Schema):
    id: str
    user_id: str
    status: ExportStatus
    format: Literal["csv", "jsonl"]
    channel_ids: list[str] = Field(description="The requested channels; empty for all")
    channels: int | None = Field(description="Number of channels to write; null until writing starts")
    channels_done: int
    zip_key: str | None = Field(description="The file name, once it is complete")
    size_bytes: int | None
    error_message: str | None = Field(description="Why it failed")
    created_at: Timestamp
    updated_at: Timestamp
    expires_at: Annotated[
        Timestamp,
        BeforeValidator(lambda seconds: timestamp(datetime.fromtimestamp(seconds, UTC))),
    ] = Field(description=f"{KEPT_DAYS} days after its creation; then the export is deleted")


class ExportInFull(Export):
    download_url: str | None = Field(
        description="Once COMPLETED: on AWS a link valid for ten minutes, locally a path on this server"
    )

    @classmethod
    def of(cls, found: Download) -> "ExportInFull":
        own = {name: getattr(found.export, name) for name in Export.model_fields}
        return cls.model_validate({**own, "download_url": found.url})


class ExportsPage(NextPage):
    items: list[Export]
