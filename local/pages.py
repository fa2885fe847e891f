"""Serves the built dashboard. Paths are looked up among the files read at start, so none can lead out of the folder."""

import gzip
import hashlib
import mimetypes
import os
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from functions.routes import ROUTES

WEB = Path(__file__).parent.parent / "web"
BUILT = WEB / "dist"
INDEX = "/index.html"
NOT_BUILT = (
    "<!doctype html><title>Stock Track Record</title>"
    "<p>The dashboard is not built yet: run <code>make run</code>, or <code>npm ci && npm run build</code> in web/. "
    'The API is here already, with its <a href="/docs">documentation</a>.'
)
SECURITY = {
    # CloudFront sends the same headers.
    "content-security-policy": "; ".join((WEB / "content-security-policy.txt").read_text().splitlines()),
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
}
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
COMPRESSED = ("text/", "image/svg+xml", "application/json")
MIN_COMPRESSED_BYTES = 1024
NOT_PAGES = {route.path.split("/")[1] for route in ROUTES}
"""The first parts of paths that belong to the API."""

PageResponse = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Page:
    """A built file, with everything a response needs."""

    body: bytes
    compressed: bytes | None
    content_type: str
    etag: str
    cache: str


class Pages:
    """The files of a folder, read again after each build."""

    def __init__(self, folder: Path = BUILT) -> None:
        self._folder = folder
        self._built_at: int | None = None
        self._pages: dict[str, Page] = {}

    def respond(self, method: str, path: str, headers: Mapping[str, str]) -> PageResponse | None:
        """None where the request is for the API."""
        if method not in ("GET", "HEAD") or path.removeprefix("/").partition("/")[0] in NOT_PAGES:
            return None
        self._reload_if_rebuilt()
        page = self._pages.get(INDEX if path == "/" else path)
        if page is None and path != "/" and not _is_navigation(path, headers):
            return None
        page = page or self._pages.get(INDEX)
        return _page_response(page, headers) if page else _not_built()

    def _reload_if_rebuilt(self) -> None:
        try:
            built_at = (self._folder / "index.html").stat().st_mtime_ns
        except OSError:
            built_at = None
        if built_at != self._built_at:
            self._pages = _read(self._folder) if built_at else {}
            self._built_at = built_at


def _read(folder: Path) -> dict[str, Page]:
    """The regular files below a folder, by their path in a URL. Links are skipped."""
    pages = {}
    for parent, _, names in os.walk(folder, followlinks=False):
        for file in (Path(parent, name) for name in names):
            if file.is_file() and not file.is_symlink():
                pages[f"/{file.relative_to(folder).as_posix()}"] = _page(file, hashed=Path(parent).name == "assets")
    return pages


def _page(file: Path, hashed: bool) -> Page:
    body = file.read_bytes()
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    is_text = kind.startswith(COMPRESSED)
    return Page(
        body=body,
        compressed=gzip.compress(body, mtime=0) if is_text and len(body) >= MIN_COMPRESSED_BYTES else None,
        content_type=f"{kind}; charset=utf-8" if is_text else kind,
        etag=f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        cache=IMMUTABLE if hashed else REVALIDATE,
    )


def _is_navigation(path: str, headers: Mapping[str, str]) -> bool:
    """True if a browser opens a page that the dashboard renders itself. The path may contain a dot: some tickers do."""
    return "text/html" in headers.get("accept", "") and not path.startswith("/assets/")


def _page_response(page: Page, headers: Mapping[str, str]) -> PageResponse:
    response_headers = {**SECURITY, "etag": page.etag, "cache-control": page.cache, "vary": "Accept-Encoding"}
    if page.etag in headers.get("if-none-match", ""):
        return {"statusCode": 304, "headers": response_headers}
    response_headers["content-type"] = page.content_type
    body = page.body
    if page.compressed and "gzip" in headers.get("accept-encoding", ""):
        response_headers["content-encoding"] = "gzip"
        body = page.compressed
    return {"statusCode": 200, "headers": response_headers, "body": b64encode(body).decode(), "isBase64Encoded": True}


def _not_built() -> PageResponse:
    headers = {**SECURITY, "content-type": "text/html; charset=utf-8", "cache-control": "no-store"}
    return {"statusCode": 503, "headers": headers, "body": NOT_BUILT}
