"""Requests and responses of the routes for the caller's identity and settings."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from functions.record.api.schemas import NextPage, Schema, Version
from functions.record.models.audit import AuditAction
from functions.record.models.people import DECIMALS, Choices
from functions.record.scoring.types import MAX_COST_BPS, Horizon
from functions.runtime.caller import Role
from functions.runtime.clock import Timestamp


class Me(Schema):
    user_id: str = Field(description="The subject of a JWT; `owner` with the API token, `local` without authentication")
    email: str | None = Field(description="From the token, if it has one")
    name: str | None = Field(description="The display name in the token, which anyone may see beside what they change")
    role: Role = Field(description="The role that decides what they may do; `admin` without JWTs")
    first_seen_at: Timestamp
    last_seen_at: Timestamp = Field(description="To the hour")


class AuditEntry(Schema):
    id: str
    created_at: Timestamp
    action: AuditAction
    subject: str = Field(description="The person's `user_id`")
    name: str | None = Field(description="Their display name at that time")
    target: str = Field(description="The path of what was changed")
    detail: str | None = Field(description="Names what was changed, in words that outlive it")


class AuditPage(NextPage):
    items: list[AuditEntry]


def _rounded(number: float | None) -> float | None:
    return number if number is None else round(number, DECIMALS)


class SettingsRequest(Schema):
    horizon: Horizon | None = Field(description="Shown first in the dashboard; null, here and below, uses the default")
    cost_bps: Annotated[float | None, AfterValidator(_rounded)] = Field(
        ge=0, le=MAX_COST_BPS, strict=True, description="Trading costs in basis points"
    )
    review_below: Annotated[float | None, AfterValidator(_rounded)] = Field(
        ge=0, le=1, strict=True, description="Buys, holds and sells with lower confidence are queued for review"
    )
    benchmark: str | None = Field(
        max_length=20, description="Must be the current benchmark: all stored scores are relative to it"
    )
    version: Version

    def choices(self) -> Choices:
        return Choices(self.horizon, self.cost_bps, self.review_below, self.benchmark)


class Settings(Schema):
    horizon: Horizon
    cost_bps: float
    review_below: float
    benchmark: str
    own: list[Literal["horizon", "cost_bps", "review_below", "benchmark"]] = Field(
        description="The settings that the caller has set; the others use the default"
    )
    version: int
