"""The dashboard's files: served as a browser wants them, and nothing but them."""

import gzip
from base64 import b64decode
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from local.pages import Pages

HTML = {"accept": "text/html,application/xhtml+xml"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>the dashboard")
    (folder / "assets" / "index-abc123.js").write_text("let dashboard = 1;\n" * 200)
    (folder / "favicon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("outside")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "above").symlink_to(tmp_path)
    return folder


@pytest.fixture
def pages(folder: Path) -> Pages:
    return Pages(folder)


def get(pages: Pages, path: str, headers: Mapping[str, str] = HTML) -> Mapping[str, Any]:
    response = pages.respond("GET", path, headers)
    assert response
    return response


def body(response: Mapping[str, Any]) -> bytes:
    return b64decode(response["body"])


@pytest.mark.parametrize("path", ["/", "/channels/x", "/channels/x/timeline", "/channels/x/stocks/BRK.B", "/nothing"])
def test_every_page_of_the_dashboard_is_its_one_document(pages: Pages, path: str) -> None:
    response = get(pages, path)

    assert response["statusCode"] == 200
    assert response["headers"]["content-type"] == "text/html; charset=utf-8"
    assert b"the dashboard" in body(response)


@pytest.mark.parametrize("path", ["/api", "/api/channels", "/api/nothing", "/docs", "/openapi.json", "/health"])
def test_the_apis_paths_are_left_to_it(pages: Pages, path: str) -> None:
    assert pages.respond("GET", path, HTML) is None


def test_a_program_that_requests_an_unknown_path_is_left_to_the_api(pages: Pages) -> None:
    assert pages.respond("GET", "/nothing", {"accept": "*/*"}) is None
    assert pages.respond("GET", "/assets/gone.js", HTML) is None
    assert pages.respond("POST", "/", HTML) is None


def test_named_files_are_kept_for_ever_and_the_document_is_requested_again(pages: Pages) -> None:
    named, document = get(pages, "/assets/index-abc123.js"), get(pages, "/")

    assert "immutable" in named["headers"]["cache-control"]
    assert named["headers"]["content-type"].startswith("text/javascript")
    assert document["headers"]["cache-control"] == "no-cache"


def test_a_document_that_has_not_changed_is_not_sent_again(pages: Pages) -> None:
    etag = get(pages, "/")["headers"]["etag"]

    response = get(pages, "/", {"if-none-match": etag})

    assert response["statusCode"] == 304
    assert "body" not in response


def test_text_is_compressed_for_those_who_can_read_it(pages: Pages) -> None:
    plain = get(pages, "/assets/index-abc123.js")
    compressed = get(pages, "/assets/index-abc123.js", {"accept-encoding": "gzip, br"})

    assert "content-encoding" not in plain["headers"]
    assert compressed["headers"]["content-encoding"] == "gzip"
    assert gzip.decompress(body(compressed)) == body(plain)


def test_no_script_or_style_from_elsewhere_may_run(pages: Pages) -> None:
    headers = get(pages, "/")["headers"]

    assert "unsafe" not in headers["content-security-policy"]
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "referrer-policy" in headers


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/link.txt",
        "/above/secret.txt",
        "/index.html\0.js",
        "/assets/",
        "/assets\\..\\..\\secret.txt",
    ],
)
def test_no_path_leads_out_of_the_folder(pages: Pages, path: str) -> None:
    assert pages.respond("GET", path, {}) is None
    as_a_page = pages.respond("GET", path, HTML)
    assert as_a_page is None or b"the dashboard" in body(as_a_page)


def test_a_new_build_is_served_without_a_restart(pages: Pages, folder: Path) -> None:
    get(pages, "/")
    (folder / "index.html").write_text("another build")

    assert body(get(pages, "/")) == b"another build"


def test_without_a_build_the_page_says_how_to_make_one(tmp_path: Path) -> None:
    response = get(Pages(tmp_path / "nothing"), "/")

    assert response["statusCode"] == 503
    assert "npm run build" in response["body"]
