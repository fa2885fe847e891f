"""Exports: the record of channels as a zip of tables, made by the API and downloaded when it is whole."""

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Literal
from uuid import uuid4

from stock_track_record_client.errors import ApiError, ClientError, Unreachable
from stock_track_record_client.models import Export, ExportInFull, ExportsPage
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes
from stock_track_record_client.sending import RETRIED, TRIES, seconds_before_retry
from stock_track_record_client.waiting import wait_until

OPEN = ("PENDING", "PROCESSING")


class NotExported(ClientError):
    """An export that has no file to download: it failed, or is not completed yet."""


class ExportRoutes(Routes):
    def exports(self) -> Pages[ExportsPage, Export]:
        """One's own, newest first."""
        return self._list(ExportsPage, Export, "exports")

    def export(self, export_id: str) -> ExportInFull:
        """With the address of its file, once it is completed. The address holds for ten minutes."""
        return self._get(ExportInFull, "exports", export_id)

    def create_export(
        self, *, format: Literal["csv", "jsonl"] = "csv", channel_ids: Iterable[str] | None = None
    ) -> Export:
        """Starts an export of these channels, or of all."""
        body = {"format": format, "channel_ids": None if channel_ids is None else list(channel_ids)}
        return self._post(Export, "exports", body=body)

    def wait_for_export(self, export_id: str, *, timeout: float = 3600.0) -> ExportInFull:
        """The export once it has ended: completed or failed."""
        return wait_until(lambda export: export["status"] not in OPEN, lambda: self.export(export_id), timeout)

    def download_export(self, export_id: str, file: str | os.PathLike[str]) -> Path:
        """Saves the zip of a completed export. The file is there only once it is whole."""
        for attempt in range(1, TRIES + 1):
            # Each attempt with an address of its own, since they hold for minutes only.
            export = self.export(export_id)
            if export["download_url"] is None:
                raise NotExported(export["error_message"] or f"The export is {export['status']}")
            try:
                return self._save(export["download_url"], export["size_bytes"], Path(file))
            except (Unreachable, ApiError) as problem:
                if attempt == TRIES or (isinstance(problem, ApiError) and problem.status not in RETRIED):
                    raise
            time.sleep(seconds_before_retry(attempt))
        raise AssertionError("the last attempt returns or raises")

    def delete_export(self, export_id: str) -> None:
        self._delete("exports", export_id)

    def _save(self, url: str, size: int | None, file: Path) -> Path:
        part = file.with_name(f"{file.name}.{uuid4().hex}.part")
        try:
            with self._sender.stream(url) as response, part.open("xb") as opened:
                for chunk in response.iter_bytes():
                    opened.write(chunk)
            if size is not None and part.stat().st_size != size:
                raise Unreachable(f"Of {size} bytes of the export {part.stat().st_size} arrived")
            return part.replace(file)
        finally:
            part.unlink(missing_ok=True)
