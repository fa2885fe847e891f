"""Requests and responses of the alert routes: the lists and a person's settings."""

from typing import TYPE_CHECKING, Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import Field

from functions.reading.terms import Sentiment
from functions.record.api.schemas import NextPage, Schema, Version
from functions.record.models.alerts import AlertKind, Digest, WantedChannels, WantedKind
from functions.record.scoring.types import Horizon, Verdict
from functions.runtime.clock import Timestamp
from functions.runtime.text import EMAIL, MAX_EMAIL_LENGTH

if TYPE_CHECKING:
    from functions.alerts import subscriptions

OfAlertKind = Annotated[AlertKind | None, Query(alias="kind", description="Only alerts of this kind")]


class CallTold(Schema):
    ticker: str
    sentiment: Sentiment
    before: Sentiment | None = Field(description="The channel's previous call on the stock, if known")
    is_reversal: bool = Field(description="True if the previous call was the opposite")
    quote: str | None
    quote_url: str = Field(description="The video, starting at the quote if its time is known")


class VerdictTold(Schema):
    horizon: Horizon
    verdict: Verdict
    before: Verdict
    by_review: bool = Field(
        default=False, description="True if people's reviews of how calls were read turned it, not the market"
    )


class MaturedTold(Schema):
    ticker: str
    sentiment: Sentiment
    horizon: Horizon
    excess_percent: float | None = Field(description="Excess return; the sign is flipped for sells")
    video_id: str


class Alert(Schema):
    id: str = Field(description="Repeated deliveries of an alert have the same id")
    kind: AlertKind
    channel_id: str
    channel_name: str
    occurred_at: Timestamp = Field(description="When it happened: for calls, the publication of their video")
    created_at: Timestamp
    video_id: str | None
    video_title: str | None
    details: list[CallTold] | list[VerdictTold] | list[MaturedTold] = Field(
        description="One per call, or a single one for a verdict"
    )


class AlertsPage(NextPage):
    items: list[Alert]


class WantedAlerts(Schema):
    webhook_url: str | None = Field(
        max_length=2048, description="An https address on the public internet; null for no webhook"
    )
    email: str | None = Field(max_length=MAX_EMAIL_LENGTH, pattern=EMAIL, description="null for no e-mail")
    kinds: list[WantedKind] = Field(max_length=len(WantedKind))
    channels: WantedChannels = Field(description="`watched`: watched channels, and watched stocks in any channel")
    digest: Digest = Field(description="`daily`: one message a day with all alerts, at noon in UTC")


class AlertSettingsRequest(WantedAlerts):
    rotate_key: bool = Field(default=False, strict=True, description="Replace the webhook's signing key")
    version: Version


class AlertSettings(WantedAlerts):
    signing_key: str | None = Field(description="The key that signs the webhook's messages")
    email_available: bool = Field(description="True if this deployment sends e-mail")
    email_confirmed: bool | None = Field(description="True once the address is confirmed; null without one")
    last_delivered_at: Timestamp | None
    last_problem: str | None = Field(description="Why the last message could not be delivered")
    failing: int = Field(description="Number of deliveries being retried")
    version: int


class TestAlert(Schema):
    delivered: bool
    problem: str | None


def settings_response(found: "subscriptions.AlertSettings") -> AlertSettings:
    subscription = found.subscription
    stored = {name: getattr(subscription, name) for name in AlertSettings.model_fields if hasattr(subscription, name)}
    return AlertSettings(
        **stored,
        signing_key=found.signing_key,
        email_available=found.email_available,
        email_confirmed=found.email_confirmed,
        failing=found.failing,
    )
