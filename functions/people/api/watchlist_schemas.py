"""Request and response models of the watchlist."""

from typing import Annotated

from pydantic import AfterValidator, Field

from functions.record.api.schemas import Schema, Version

MAX_WATCHED = 200


WatchedTicker = Annotated[str, Field(pattern=r"^\^?[A-Za-z0-9][A-Za-z0-9.-]{0,10}$"), AfterValidator(str.upper)]


WatchedChannel = Annotated[str, Field(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]


class WatchlistRequest(Schema):
    tickers: list[WatchedTicker] = Field(max_length=MAX_WATCHED)
    channel_ids: list[WatchedChannel] = Field(max_length=MAX_WATCHED)
    version: Version


class Watchlist(Schema):
    tickers: list[str]
    channel_ids: list[str]
    version: int
