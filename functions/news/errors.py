"""Domain errors of news."""

from functions.runtime.errors import StockTrackRecordError


class NewsAlreadyKnown(StockTrackRecordError):
    def __init__(self, url: str) -> None:
        super().__init__(f"{url} is stored already")
