"""The route table: every route of the API, its handler, and the DynamoDB actions it may use."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from functions.runtime.caller import Role
from functions.runtime.dynamodb.tables import (
    BY_SENTIMENT,
    BY_TAG,
    BY_TICKER_OR_LISTING,
    BY_YOUTUBE_CHANNEL_OR_CHANNEL,
    MAIN,
    NEWS,
    STOCKS,
    Index,
    Table,
)

Action = Literal[
    "BatchGetItem",
    "BatchWriteItem",
    "ConditionCheckItem",
    "DeleteItem",
    "GetItem",
    "PutItem",
    "Query",
    "UpdateItem",
]


FileAction = Literal["AbortMultipartUpload", "DeleteObject", "GetObject", "ListBucket", "PutObject"]
READ_TRANSCRIPT: tuple[FileAction, ...] = ("GetObject", "ListBucket")
"""Without ListBucket, S3 responds with 403 instead of 404 for a missing object."""


EmailAction = Literal["GetSubscriptionAttributes", "Publish", "Subscribe", "Unsubscribe"]
"""Actions of Amazon SNS."""

TRANSCRIPT_TYPES = ("text/plain", "text/vtt", "text/srt", "application/x-subrip", "application/octet-stream")


ATOM = "application/atom+xml"
CSV = "text/csv"


@dataclass(frozen=True, slots=True)
class Grant:
    """Actions allowed on a table, or on one of its indexes."""

    table: Table
    actions: tuple[Action, ...]
    index: Index | None = None


PACKAGES = {
    "alerts": "alerts.api",
    "channels": "record.api.channels",
    "exports": "transfers.api",
    "imports": "transfers.api",
    "news": "news.api",
    "notes": "people.api",
    "people": "people.api",
    "plans": "plans.api",
    "reviews": "record.api.reviews",
    "runs": "record.api.runs",
    "scores": "record.api.scores",
    "service": "service.api",
    "stocks": "record.api.stocks",
    "videos": "record.api.videos",
    "watchlist": "people.api",
}
"""The package in `functions/` with the handlers of each resource."""


@dataclass(frozen=True)
class Route:
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "ANY"]
    path: str
    """In API Gateway's syntax: `/api/channels/{channel_id}`."""
    resource: Literal[
        "alerts",
        "channels",
        "exports",
        "imports",
        "news",
        "notes",
        "people",
        "plans",
        "reviews",
        "runs",
        "scores",
        "service",
        "stocks",
        "videos",
        "watchlist",
    ]
    """The resource; `PACKAGES` maps it to the handler's package."""
    module: str
    """The handler's module in that package, which also names its Lambda function."""
    grants: tuple[Grant, ...] = ()
    errors: tuple[int, ...] = ()
    """The error statuses it may respond with; any route may respond with 500."""
    timeout_seconds: int = 10
    role: Role | None = None
    """The role that its caller needs; None if anyone may call it. `Resolver` refuses others."""
    changes: bool = False
    """Mutating."""
    starts_runs: bool = False
    stops_runs: bool = False
    sends_jobs: bool = False
    sends_exports: bool = False
    """May send exports and imports to their queue."""
    export_files: tuple[FileAction, ...] = ()
    """Allowed actions on export files."""
    sends_news: bool = False
    """May send news to be analysed."""
    uses_providers: bool = False
    """May read the keys of the live providers."""
    keeps_pace: bool = False
    """May request a live price source, and is therefore subject to its rate limit."""
    transcripts: tuple[FileAction, ...] = ()
    """Allowed actions on stored transcripts."""
    versioned: bool = False
    """Uses optimistic locking: a conflict is a 409 that includes the stored version in the format of a success."""
    signs_webhooks: bool = False
    """May read the secret from which webhook keys are derived."""
    email: tuple[EmailAction, ...] = ()
    """Allowed actions on the SNS topic that sends alerts by e-mail."""
    produces: str = "application/json"
    """The content type of its response; errors are always JSON."""
    gives_csv: bool = False
    """Also returns CSV, if the caller accepts it."""
    file_types: tuple[str, ...] = ()
    """The content types it accepts as a file upload; if empty, the body is JSON."""

    documents: bool = False
    """Returns documentation, which is the same until the next deployment."""

    def is_open(self, auth: str) -> bool:
        """True if a deployment with this `auth` lets anyone call it."""
        if auth in ("none", "all"):
            return auth == "none"
        return self.path.startswith(("/health", "$")) if auth == "private" else self.role is None

    @property
    def cached_seconds(self) -> int:
        """How long CloudFront may keep its response to a request without a token; 0 for never."""
        if self.documents:
            return 3600
        is_public_read = self.path.startswith("/api/") and self.role is None and not self.uses_providers
        return 5 if is_public_read else 0

    @property
    def import_name(self) -> str:
        return f"functions.{PACKAGES[self.resource]}.{self.module}"

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return path_pattern(self.path)


def path_pattern(path: str) -> re.Pattern[str]:
    """Matches a decoded path, with or without a trailing slash. A parameter may contain any character but a slash."""
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)) + r"/?\Z", re.DOTALL)


def _main(*actions: Action) -> Grant:
    return Grant(MAIN, actions)


CHANNEL = _main("GetItem")
CHANNEL_AND_BELOW = _main("GetItem", "Query")
"""A channel and the items in its partition: its videos, each with its calls, and its log."""
BELOW_CHANNEL = _main("Query")
SERIES_HEADERS = _main("BatchGetItem")
SERIES = _main("Query")
"""The closes of a ticker."""
LISTING = Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING)
NEWS_OF_STOCKS = Grant(NEWS, ("Query",), BY_TAG)
CHANGES = _main("GetItem", "PutItem", "UpdateItem", "DeleteItem")
"""A channel with its log line, or another item, and the responses stored for an Idempotency-Key."""

ROUTES = (
    Route(
        "POST",
        "/api/channels",
        "channels",
        "create_channel",
        (CHANGES, LISTING),
        (400, 409, 413, 422, 429),
        role=Role.EDITOR,
        changes=True,
        starts_runs=True,
    ),
    Route("GET", "/api/channels", "channels", "list_channels", (CHANNEL, LISTING), (400, 422)),
    Route("GET", "/api/channels/{channel_id}", "channels", "get_channel", (CHANNEL,), (404, 422)),
    Route(
        "DELETE",
        "/api/channels/{channel_id}",
        "channels",
        "delete_channel",
        (_main("GetItem", "PutItem", "Query", "UpdateItem", "DeleteItem", "BatchWriteItem"), LISTING),
        (404,),
        timeout_seconds=29,
        role=Role.ADMIN,
        changes=True,
        transcripts=("ListBucket", "DeleteObject"),
    ),
    Route(
        "PATCH",
        "/api/channels/{channel_id}",
        "channels",
        "change_channel",
        (CHANGES,),
        (404, 422),
        role=Role.ADMIN,
        changes=True,
    ),
    Route(
        "POST",
        "/api/channels/{channel_id}/process",
        "channels",
        "process_channel",
        (CHANGES,),
        (400, 404, 409, 422),
        role=Role.EDITOR,
        changes=True,
        starts_runs=True,
    ),
    Route(
        "POST",
        "/api/channels/{channel_id}/cancel",
        "channels",
        "cancel_channel",
        (CHANGES,),
        (400, 403, 404, 409),
        role=Role.EDITOR,
        changes=True,
        stops_runs=True,
    ),
    Route(
        "GET", "/api/channels/{channel_id}/logs", "channels", "list_logs", (CHANNEL_AND_BELOW,), (400, 404, 413, 422)
    ),
    Route(
        "GET",
        "/api/channels/{channel_id}/stocks",
        "channels",
        "list_stocks",
        (CHANNEL_AND_BELOW, Grant(STOCKS, ("BatchGetItem",))),
        (404, 413, 422),
        timeout_seconds=29,
        gives_csv=True,
    ),
    Route(
        "GET",
        "/api/channels/{channel_id}/timeline",
        "channels",
        "get_timeline",
        (CHANNEL_AND_BELOW, LISTING),
        (400, 404, 413, 422),
        timeout_seconds=29,
    ),
    Route(
        "GET",
        "/api/channels/{channel_id}/stocks/{ticker}",
        "channels",
        "get_stock_mentions",
        (CHANNEL_AND_BELOW,),
        (404, 413),
        timeout_seconds=29,
    ),
    Route(
        "POST",
        "/api/channels/{channel_id}/refresh-prices",
        "channels",
        "refresh_prices",
        (CHANGES, BELOW_CHANNEL, SERIES_HEADERS, Grant(STOCKS, ("BatchGetItem", "UpdateItem"))),
        (404, 409),
        timeout_seconds=29,
        role=Role.EDITOR,
        changes=True,
        sends_jobs=True,
        uses_providers=True,
    ),
    Route(
        "POST",
        "/api/channels/{channel_id}/backfill-prices",
        "channels",
        "backfill_prices",
        (CHANGES, BELOW_CHANNEL),
        (404, 409),
        role=Role.EDITOR,
        changes=True,
        sends_jobs=True,
    ),
    Route(
        "GET",
        "/api/stocks/{ticker}/price",
        "stocks",
        "get_stock_price",
        (Grant(STOCKS, ("GetItem",)),),
        timeout_seconds=29,
        uses_providers=True,
        keeps_pace=True,
    ),
    Route(
        "GET",
        "/api/stocks/{ticker}/history",
        "stocks",
        "get_stock_history",
        (SERIES,),
        errors=(422, 503),
        timeout_seconds=29,
        uses_providers=True,
        keeps_pace=True,
    ),
    Route(
        "GET",
        "/api/stocks/{ticker}/calls",
        "stocks",
        "list_stock_calls",
        (_main("BatchGetItem"), LISTING, Grant(STOCKS, ("BatchGetItem",)), NEWS_OF_STOCKS),
        (400, 422),
        timeout_seconds=29,
    ),
    Route(
        "GET",
        "/api/leaderboard",
        "scores",
        "get_leaderboard",
        (_main("BatchGetItem"), LISTING),
        (400, 422),
        timeout_seconds=29,
    ),
    Route("GET", "/api/channels/{channel_id}/score", "scores", "get_score", (CHANNEL,), (404, 422)),
    Route(
        "GET",
        "/api/channels/{channel_id}/calls",
        "scores",
        "list_calls",
        (_main("GetItem", "BatchGetItem"), LISTING, Grant(STOCKS, ("BatchGetItem",)), NEWS_OF_STOCKS),
        (400, 404, 413, 422),
        timeout_seconds=29,
        gives_csv=True,
    ),
    Route(
        "GET",
        "/api/channels/{channel_id}/backtest",
        "scores",
        "get_backtest",
        (_main("GetItem", "Query", "BatchGetItem"),),
        (404, 422),
        timeout_seconds=29,
    ),
    Route(
        "GET",
        "/api/channels/{channel_id}/review",
        "reviews",
        "list_review_queue",
        (_main("GetItem", "BatchGetItem"), Grant(STOCKS, ("BatchGetItem",))),
        (400, 404, 422),
    ),
    Route(
        "GET",
        "/api/channels/{channel_id}/videos/{video_id}/calls/{ticker}",
        "reviews",
        "get_call",
        (_main("BatchGetItem"), Grant(STOCKS, ("GetItem",))),
        (404,),
        transcripts=READ_TRANSCRIPT,
    ),
    Route(
        "PUT",
        "/api/channels/{channel_id}/videos/{video_id}/calls/{ticker}",
        "reviews",
        "review_call",
        (_main("BatchGetItem", "PutItem", "UpdateItem"),),
        (403, 404, 409, 422),
        timeout_seconds=29,
        role=Role.EDITOR,
        changes=True,
        sends_jobs=True,
        versioned=True,
    ),
    Route(
        "GET", "/api/channels/{channel_id}/changes", "reviews", "list_changes", (CHANNEL_AND_BELOW,), (400, 404, 422)
    ),
    Route(
        "GET",
        "/api/channels/{channel_id}/videos",
        "videos",
        "list_channel_videos",
        (_main("GetItem", "Query", "BatchGetItem"),),
        (400, 404, 422),
        timeout_seconds=29,
    ),
    Route(
        "PUT",
        "/api/channels/{channel_id}/videos/{video_id}/transcript",
        "videos",
        "put_transcript",
        (_main("GetItem", "ConditionCheckItem", "PutItem", "UpdateItem"),),
        (404, 409, 413, 415, 422),
        timeout_seconds=29,
        role=Role.EDITOR,
        changes=True,
        sends_jobs=True,
        transcripts=("PutObject", "DeleteObject"),
        file_types=TRANSCRIPT_TYPES,
    ),
    Route("GET", "/api/alerts", "alerts", "list_alerts", (_main("BatchGetItem"), LISTING), (400, 422)),
    Route(
        "GET",
        "/api/channels/{channel_id}/alerts",
        "alerts",
        "list_channel_alerts",
        (CHANNEL_AND_BELOW,),
        (400, 404, 422),
    ),
    Route(
        "GET",
        "/api/alerts/settings",
        "alerts",
        "get_alert_settings",
        (CHANNEL_AND_BELOW,),
        role=Role.READER,
        signs_webhooks=True,
        email=("GetSubscriptionAttributes",),
    ),
    Route(
        "PUT",
        "/api/alerts/settings",
        "alerts",
        "put_alert_settings",
        (_main("GetItem", "PutItem", "Query"),),
        (409, 422),
        timeout_seconds=29,
        role=Role.READER,
        changes=True,
        versioned=True,
        signs_webhooks=True,
        email=("GetSubscriptionAttributes", "Subscribe", "Unsubscribe"),
    ),
    Route(
        "POST",
        "/api/alerts/settings/test",
        "alerts",
        "send_test_alert",
        (CHANGES,),
        (409,),
        timeout_seconds=29,
        role=Role.READER,
        changes=True,
        signs_webhooks=True,
        email=("GetSubscriptionAttributes", "Publish"),
    ),
    Route("GET", "/api/watchlist", "watchlist", "get_watchlist", (CHANNEL,), role=Role.READER),
    Route(
        "PUT",
        "/api/watchlist",
        "watchlist",
        "put_watchlist",
        (_main("GetItem", "PutItem"),),
        (409, 422),
        role=Role.READER,
        changes=True,
        versioned=True,
    ),
    Route("GET", "/api/me", "people", "get_me", (_main("UpdateItem"),), role=Role.READER, changes=True),
    Route("GET", "/api/audit", "people", "list_audit", (_main("Query"),), (400, 422), role=Role.ADMIN),
    Route("GET", "/api/settings", "people", "get_settings", (_main("BatchGetItem"),), role=Role.READER),
    Route(
        "PUT",
        "/api/settings",
        "people",
        "put_settings",
        (_main("BatchGetItem", "PutItem"),),
        (409, 422),
        role=Role.READER,
        changes=True,
        versioned=True,
    ),
    Route(
        "POST",
        "/api/channels/{channel_id}/stocks/{ticker}/notes",
        "notes",
        "create_note",
        (_main("GetItem", "ConditionCheckItem", "PutItem", "UpdateItem", "DeleteItem"),),
        (404, 409, 422, 429),
        role=Role.EDITOR,
        changes=True,
    ),
    Route(
        "GET",
        "/api/channels/{channel_id}/stocks/{ticker}/notes",
        "notes",
        "list_notes",
        (CHANNEL_AND_BELOW,),
        (400, 404, 422),
        role=Role.READER,
    ),
    Route(
        "GET",
        "/api/stocks/{ticker}/notes",
        "notes",
        "list_stock_notes",
        (_main("BatchGetItem"), LISTING),
        (400, 422),
        role=Role.READER,
    ),
    Route(
        "PUT",
        "/api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}",
        "notes",
        "change_note",
        (_main("UpdateItem"),),
        (403, 404, 409, 422),
        role=Role.EDITOR,
        changes=True,
        versioned=True,
    ),
    Route(
        "DELETE",
        "/api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}",
        "notes",
        "delete_note",
        (_main("DeleteItem"),),
        (403, 404),
        role=Role.EDITOR,
        changes=True,
    ),
    Route("GET", "/api/feed.atom", "alerts", "get_feed", (_main("BatchGetItem"), LISTING), produces=ATOM),
    Route(
        "GET",
        "/api/channels/{channel_id}/feed.atom",
        "alerts",
        "get_channel_feed",
        (CHANNEL_AND_BELOW,),
        (404,),
        produces=ATOM,
    ),
    Route(
        "POST",
        "/api/plans",
        "plans",
        "create_plan",
        (_main("GetItem", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "Query"),),
        (400, 409, 413, 422, 429),
        timeout_seconds=29,
        role=Role.EDITOR,
        changes=True,
        sends_jobs=True,
    ),
    Route("GET", "/api/plans", "plans", "list_plans", (LISTING,), (400, 422)),
    Route("GET", "/api/plans/{plan_id}", "plans", "get_plan", (_main("Query"),), (404, 413, 422)),
    Route(
        "POST",
        "/api/plans/{plan_id}/cancel",
        "plans",
        "cancel_plan",
        (_main("GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query"),),
        (400, 403, 404, 409),
        timeout_seconds=29,
        role=Role.EDITOR,
        changes=True,
    ),
    Route(
        "GET",
        "/api/news",
        "news",
        "list_news",
        (NEWS_OF_STOCKS, Grant(NEWS, ("Query",), BY_SENTIMENT)),
        (400, 422),
    ),
    Route("GET", "/api/news/summary", "news", "summarise_news", (NEWS_OF_STOCKS,), (422,), timeout_seconds=29),
    Route(
        "POST",
        "/api/news",
        "news",
        "add_news",
        (CHANGES, Grant(NEWS, ("GetItem", "PutItem", "UpdateItem"))),
        (409, 422, 429),
        role=Role.EDITOR,
        changes=True,
        sends_news=True,
    ),
    Route(
        "POST",
        "/api/exports",
        "exports",
        "create_export",
        (_main("BatchGetItem", "GetItem", "PutItem", "UpdateItem", "DeleteItem"),),
        (404, 409, 413, 422),
        timeout_seconds=29,
        role=Role.READER,
        changes=True,
        sends_exports=True,
    ),
    Route("GET", "/api/exports", "exports", "list_exports", (_main("Query"),), (400, 422), role=Role.READER),
    Route(
        "GET",
        "/api/exports/{export_id}",
        "exports",
        "get_export",
        (_main("GetItem"),),
        (404,),
        role=Role.READER,
        export_files=("GetObject",),
    ),
    Route(
        "DELETE",
        "/api/exports/{export_id}",
        "exports",
        "delete_export",
        (_main("GetItem", "UpdateItem", "DeleteItem"),),
        (404,),
        role=Role.READER,
        changes=True,
        export_files=("DeleteObject",),
    ),
    Route(
        "POST",
        "/api/imports",
        "imports",
        "create_import",
        (_main("BatchGetItem", "GetItem", "PutItem", "UpdateItem", "DeleteItem"),),
        (404, 409, 413, 422),
        role=Role.ADMIN,
        changes=True,
        sends_exports=True,
    ),
    Route(
        "GET",
        "/api/imports/{import_id}",
        "imports",
        "get_import",
        (_main("GetItem"),),
        (404,),
        role=Role.READER,
    ),
    Route("GET", "/api/runs", "runs", "list_runs", (_main("BatchGetItem"), LISTING), (400, 422)),
    Route(
        "GET",
        "/api/runs/{run_id}",
        "runs",
        "get_run",
        (_main("BatchGetItem"), Grant(MAIN, ("Query",), BY_YOUTUBE_CHANNEL_OR_CHANNEL)),
        (404,),
    ),
    Route("GET", "/api/channels/{channel_id}/runs", "runs", "list_channel_runs", (CHANNEL_AND_BELOW,), (400, 404, 422)),
    Route(
        "GET",
        "/api/channels/{channel_id}/videos/{video_id}/runs",
        "runs",
        "list_video_runs",
        (CHANNEL_AND_BELOW,),
        (400, 404, 422),
    ),
    Route("GET", "/api/search", "service", "search", (LISTING, Grant(STOCKS, ("BatchGetItem",))), (422,)),
    Route("GET", "/api/setup", "service", "get_setup", (), (422,), timeout_seconds=29, uses_providers=True),
    Route("GET", "/health", "service", "health", (_main("GetItem"),), (503,)),
    Route("GET", "/health/live", "service", "health_live"),
    Route("GET", "/openapi.json", "service", "openapi_document", documents=True),
    Route("GET", "/docs", "service", "documentation_page", documents=True),
)

FALLBACK = Route("ANY", "$default", "service", "no_such_route")
"""Handles every request that no route matches."""


def route_of_module(import_name: str) -> Route:
    return next(route for route in (*ROUTES, FALLBACK) if route.import_name == import_name)


def methods_of_path(path: str) -> list[str]:
    return [route.method for route in ROUTES if route.pattern.match(path)]


def find_route(method: str, path: str) -> Route | None:
    return next((route for route in ROUTES if route.method == method and route.pattern.match(path)), None)
