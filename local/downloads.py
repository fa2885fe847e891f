"""Serves export files, which may be larger than a Lambda response; on AWS a link leads to the bucket."""

import asyncio
import json
import os
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from functions.transfers.exports.files import local_export_file
from functions.transfers.exports.models import ExportStatus, saved_as

PATH = re.compile(r"(/api/exports/[^/]+)/download/?\Z", re.DOTALL)
CHUNK_BYTES = 256 * 1024
NOT_WRITTEN = 409, "The export is not written yet"
GONE = 404, "Export not found"

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Refuse = Callable[[int, str], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Download:
    """An open file: deleting the export does not interrupt a download in progress."""

    file: BinaryIO
    size: int
    name: str


def export_path_of(path: str) -> str | None:
    """Returns the path of the export whose file is requested; None for other requests."""
    found = PATH.match(path)
    return found.group(1) if found else None


def download_of(response: Mapping[str, Any], refuse: Refuse) -> Mapping[str, Any] | Download:
    """Returns the file of the export that the API showed to the caller, or an error response."""
    if response["statusCode"] != 200:
        return response
    export = json.loads(response["body"])
    if export["status"] != ExportStatus.COMPLETED:
        return refuse(*NOT_WRITTEN)
    try:
        file = local_export_file(export["id"]).open("rb")
    except FileNotFoundError:
        return refuse(*GONE)
    name = saved_as(export["created_at"], export["format"])
    return Download(file, os.fstat(file.fileno()).st_size, name)


async def send_file(download: Download, send: Send) -> None:
    headers = {
        "content-type": "application/zip",
        "content-length": str(download.size),
        "content-disposition": f'attachment; filename="{download.name}"',
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        # No page of another origin may embed it.
        "cross-origin-resource-policy": "same-origin",
    }
    with download.file as file:
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 200, "headers": encoded})
        left = download.size
        while left > 0 and (chunk := await asyncio.to_thread(file.read, min(CHUNK_BYTES, left))):
            left -= len(chunk)
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
