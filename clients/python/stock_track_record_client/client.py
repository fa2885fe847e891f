"""The client: every resource of the API as methods of one class."""

from types import TracebackType
from typing import Self

import httpx

from stock_track_record_client.channels import ChannelRoutes
from stock_track_record_client.exports import ExportRoutes
from stock_track_record_client.models import Setup
from stock_track_record_client.news import NewsRoutes
from stock_track_record_client.notes import NoteRoutes
from stock_track_record_client.people import PersonRoutes
from stock_track_record_client.plans import PlanRoutes
from stock_track_record_client.reviews import ReviewRoutes
from stock_track_record_client.runs import RunRoutes
from stock_track_record_client.scores import ScoreRoutes
from stock_track_record_client.sending import Sender
from stock_track_record_client.stocks import StockRoutes

TIMEOUT_SECONDS = 35.0
"""Longer than the API takes for any request."""


class Client(
    ChannelRoutes,
    ScoreRoutes,
    StockRoutes,
    NewsRoutes,
    ReviewRoutes,
    NoteRoutes,
    RunRoutes,
    PlanRoutes,
    ExportRoutes,
    PersonRoutes,
):
    """Safe to share between threads. Close it, or use it in a `with` block."""

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`timeout` is in seconds, for each attempt; `transport` is for own certificates and for tests."""
        self._sender = Sender(base_url, token, timeout, transport)

    def __repr__(self) -> str:
        return f"Client({self._sender.address!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._sender.close()

    def setup(self) -> Setup:
        """Which providers the API uses, and which settings they lack."""
        return self._get(Setup, "setup")
