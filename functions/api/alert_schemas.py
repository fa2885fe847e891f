"""Requests and responses of the routes of alerts: the lists, a person's settings, and the watchlist."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import Field

from functions.api.schemas import NextPage, Schema
from functions.core.alerts import AlertKind
from functions.core.clock import Timestamp
from functions.core.models import Sentiment
from functions.logic.scoring.types import Horizon, Verdict

OfAlertKind = Annotated[AlertKind | None, Query(alias="kind", description="Only alerts of this kind")]


class CallTold(Schema):
    ticker: str
    sentiment: Sentiment
    before: Sentiment | None = Field(description="What the channel had said of the stock before, as far as is known")
    is_reversal: bool = Field(description="Whether that was the opposite")
    quote: str | None
    quote_url: str = Field(description="The video, at the second of the quote where that is known")


class VerdictTold(Schema):
    horizon: Horizon
    verdict: Verdict
    before: Verdict


class MaturedTold(Schema):
    ticker: str
    sentiment: Sentiment
    horizon: Horizon
    excess_percent: float | None = Field(description="Signed by the side")
    video_id: str


class Alert(Schema):
    id: str = Field(description="Repeated deliveries of an alert carry the same")
    kind: AlertKind
    channel_id: str
    channel_name: str
    occurred_at: Timestamp = Field(description="When it happened: for calls, the publication of their video")
    created_at: Timestamp
    video_id: str | None
    video_title: str | None
    details: list[CallTold] | list[VerdictTold] | list[MaturedTold] = Field(
        description="One for each call, or one for a verdict"
    )


class AlertsPage(NextPage):
    items: list[Alert]
