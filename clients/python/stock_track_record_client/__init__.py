"""A typed client of the API of Stock Track Record."""

from stock_track_record_client.client import Client
from stock_track_record_client.errors import (
    ApiError,
    ClientError,
    Conflict,
    Invalid,
    InvalidField,
    NotFound,
    TimedOut,
    Unauthorized,
    Unreachable,
)
from stock_track_record_client.exports import NotExported
from stock_track_record_client.pages import Pages
from stock_track_record_client.version import VERSION as __version__

__all__ = [
    "ApiError",
    "Client",
    "ClientError",
    "Conflict",
    "Invalid",
    "InvalidField",
    "NotExported",
    "NotFound",
    "Pages",
    "TimedOut",
    "Unauthorized",
    "Unreachable",
    "__version__",
]
