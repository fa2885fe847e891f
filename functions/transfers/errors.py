"""The domain errors of exports and imports."""

from functions.runtime.errors import StockTrackRecordError


class ExportNotFound(StockTrackRecordError):
    def __init__(self, export_id: str) -> None:
        super().__init__(f"there is no export {export_id}")


class TooManyExports(StockTrackRecordError):
    """The person has reached the limit of open exports; nothing was written."""


class TooManyImports(StockTrackRecordError):
    """The person has reached the limit of open imports; nothing was written."""


class TransferTaken(StockTrackRecordError):
    """The export or import was deleted, or another worker has taken it over; nothing was written."""

    def __init__(self, transfer_id: str, *, is_gone: bool) -> None:
        super().__init__(f"{transfer_id} is gone" if is_gone else f"another worker has {transfer_id} now")
        self.is_gone = is_gone


class ImportNotFound(StockTrackRecordError):
    def __init__(self, import_id: str) -> None:
        super().__init__(f"there is no import {import_id}")


class ImportTaken(StockTrackRecordError):
    """Another writer is importing the channel; nothing more was written."""

    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} is being imported by another process")
