"""Routes share how they read JSON, refuse anything else, echo little, compress, and shape an error."""

import gzip
import io
import json
import random
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from functions.routes import route_of_module
from functions.runtime.http.resolver import ERROR_RESPONSES, MAX_ECHO, MAX_RESPONSE_BYTES, accepts_gzip, read_json
from functions.runtime.observability import logger
from tests.events import Response, api_event, call, invoke

LogLines = Callable[[], list[dict[str, Any]]]
FRONTEND = "http://localhost:5173"


def create(body: str | bytes, **headers: str) -> Response:
    return call("POST", "/api/channels", body=body, headers={"content-type": "application/json", **headers})


def only_detail(response: Response) -> dict[str, Any]:
    assert response.status == 422
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert body.keys() == {"detail"}
    (detail,) = body["detail"]
    assert list(detail) == ["type", "loc", "msg", "input"]
    assert isinstance(detail["type"], str)
    assert isinstance(detail["msg"], str)
    return dict(detail)


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "x",
        "{'url': 1}",
        '{"url": NaN}',
        '{"url": Infinity}',
        '{"url": -Infinity}',
        '{"time_range_months": 1e400}',
        '{"other": {"deep": [-1e999]}}',
        '{"time_range_months": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"a":' * 3000 + "1" + "}" * 3000,
        r'{"url": "\ud800"}',
        r'{"\udfff": 1}',
        "\ufeff{}",
        '{"url": "a"} {"url": "b"}',
        '{"url": "a",}',
        "\x00",
        b'{"url": "\xff"}',
        b"\xff\xfe{\x00}\x00",
        b"\x1f\x8b\x08\x00",
    ],
    ids=lambda body: repr(body[:24]),
)
def test_what_is_not_json_is_told_as_json_invalid(body: str | bytes) -> None:
    detail = only_detail(create(body))

    assert detail["type"] == "json_invalid"
    assert detail["loc"][0] == "body"


@pytest.mark.parametrize(
    ("body", "kind", "loc"),
    [
        ("", "missing", ["body"]),
        ("null", "missing", ["body"]),
        ("[]", "model_attributes_type", ["body"]),
        ('[{"url": "https://youtube.com/@a"}]', "model_attributes_type", ["body"]),
        ('"text"', "model_attributes_type", ["body"]),
        ("5", "model_attributes_type", ["body"]),
        ("{}", "missing", ["body", "url"]),
        ('{"url": null}', "string_type", ["body", "url"]),
        ('{"url": 1}', "string_type", ["body", "url"]),
        ('{"url": ["https://youtube.com/@a"]}', "string_type", ["body", "url"]),
        ('{"url": "https://evil.example/@a"}', "value_error", ["body", "url"]),
        ('{"url": "https://youtube.com/@a", "url": "nowhere"}', "value_error", ["body", "url"]),
        ('{"url": "youtube.com/@a", "time_range_months": 0}', "greater_than_equal", ["body", "time_range_months"]),
        ('{"url": "youtube.com/@a", "time_range_months": 37}', "less_than_equal", ["body", "time_range_months"]),
        ('{"url": "youtube.com/@a", "time_range_months": 1.5}', "int_from_float", ["body", "time_range_months"]),
        ('{"url": "youtube.com/@a", "time_range_months": "x"}', "int_parsing", ["body", "time_range_months"]),
        ('{"url": "youtube.com/@a", "time_range_months": null}', "int_type", ["body", "time_range_months"]),
        ('{"url": "youtube.com/@a", "time_range_months": ' + "9" * 4000 + "}", "less_than_equal", None),
    ],
)
def test_a_wrong_body_is_told_in_pydantics_types(body: str, kind: str, loc: list[str] | None) -> None:
    detail = only_detail(create(body))

    assert detail["type"] == kind
    assert loc is None or detail["loc"] == loc


def test_each_wrong_field_is_told() -> None:
    response = create('{"url": "nowhere", "time_range_months": 99}')

    assert [detail["loc"] for detail in response.json()["detail"]] == [["body", "url"], ["body", "time_range_months"]]


@pytest.mark.parametrize("length", [2049, 100_000])
def test_a_url_over_2048_characters_is_refused(length: int) -> None:
    detail = only_detail(create(json.dumps({"url": "youtube.com/@a?" + "x" * (length - 15)})))

    assert detail["type"] == "string_too_long"


@pytest.mark.parametrize(
    "body",
    [
        json.dumps({"url": "x" * 100_000}),
        json.dumps({"url": {"deep": ["x" * 100_000]}}),
        json.dumps({"other": "x" * 100_000}),
        json.dumps(["x"] * 50_000),
        '{"url": ' + "9" * 4000 + "}",
    ],
)
def test_what_was_sent_is_echoed_only_in_part(body: str) -> None:
    detail = only_detail(create(body))

    assert isinstance(detail["input"], str)
    assert len(detail["input"]) == MAX_ECHO + 1


def test_what_is_short_is_echoed_as_it_is() -> None:
    assert only_detail(create('{"url": [1, "é"]}'))["input"] == [1, "é"]


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "text/plain", "application/xml", ""]
)
def test_a_body_is_read_as_json_whatever_it_is_called(content_type: str) -> None:
    response = call("POST", "/api/channels", body='{"url": "nowhere"}', headers={"content-type": content_type})

    assert only_detail(response)["input"] == "nowhere"


@pytest.mark.parametrize("content_type", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_form_is_not_json(content_type: str) -> None:
    response = call("POST", "/api/channels", body=b"url=https://youtube.com/@a", headers={"content-type": content_type})

    assert only_detail(response)["type"] == "json_invalid"


def test_json_is_read_also_when_it_travelled_as_base64() -> None:
    assert only_detail(create('{"url": "nöwhere"}'.encode()))["input"] == "nöwhere"


def test_reading_keeps_a_list_a_list() -> None:
    assert read_json("[1]") == [[1]]
    assert read_json('{"a": [1]}') == {"a": [1]}


@pytest.mark.parametrize(
    ("query", "kind", "parameter"),
    [
        ("page=0", "greater_than_equal", "page"),
        ("page=-1", "greater_than_equal", "page"),
        ("page=x", "int_parsing", "page"),
        ("page=", "int_parsing", "page"),
        ("page=1.5", "int_parsing", "page"),
        ("page=1,2", "int_parsing", "page"),
        ("page=1&page=2", "int_type", "page"),
        ("page=" + "9" * 5000, "int_parsing_size", "page"),
        ("page=%00", "int_parsing", "page"),
        ("page=%ff", "int_parsing", "page"),
        ("per_page=0", "greater_than_equal", "per_page"),
        ("per_page=101", "less_than_equal", "per_page"),
        ("limit=0", "greater_than_equal", "limit"),
        ("limit=101", "less_than_equal", "limit"),
        ("limit=nan", "int_parsing", "limit"),
    ],
)
def test_a_wrong_query_is_told_in_pydantics_types(query: str, kind: str, parameter: str) -> None:
    detail = only_detail(call("GET", "/api/channels", query=query))

    assert detail["type"] == kind
    assert detail["loc"] == ["query", parameter]


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"])
def test_an_unknown_path_is_not_found(method: str) -> None:
    response = call(method, "/nowhere")

    assert response.status == 404
    assert response.json() == {"detail": "Not Found"}


@pytest.mark.parametrize("method", ["HEAD", "PUT", "PATCH", "DELETE", "TRACE", "FOO"])
def test_a_wrong_method_is_told_with_the_right_ones(method: str) -> None:
    response = call(method, "/api/channels")

    assert response.status == 405
    assert response.json() == {"detail": "Method Not Allowed"}
    assert response.headers["allow"] == "GET, POST"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/health/live", 200),
        ("GET", "/nowhere", 404),
        ("PUT", "/health/live", 405),
        ("GET", "/api/channels/x", 404),
        ("POST", "/api/channels", 422),
    ],
)
def test_the_frontend_may_read_successes_and_errors_and_others_may_not(method: str, path: str, status: int) -> None:
    for_frontend = call(method, path, headers={"origin": FRONTEND})
    for_others = call(method, path, headers={"origin": "https://evil.example"})

    assert for_frontend.status == for_others.status == status
    assert for_frontend.headers["access-control-allow-origin"] == FRONTEND
    assert "access-control-allow-origin" not in for_others.headers
    assert "Origin" in for_frontend.headers["vary"]
    assert "Origin" in for_others.headers["vary"]


def test_a_preflight_names_what_the_frontend_may_send() -> None:
    preflight_headers = {"origin": FRONTEND, "access-control-request-method": "POST"}

    response = call("OPTIONS", "/api/channels", headers=preflight_headers)

    assert response.status == 204
    assert response.content == b""
    assert response.headers["access-control-allow-origin"] == FRONTEND
    assert set(response.headers["access-control-allow-methods"].split(",")) >= {"GET", "POST", "DELETE"}
    assert {"Content-Type", "Idempotency-Key"} <= set(response.headers["access-control-allow-headers"].split(","))


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("gzip", True),
        ("gzip, deflate, br", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        ("GZIP", True),
        ("*", True),
        ("", False),
        ("identity", False),
        ("br, zstd", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("*;q=1, gzip;q=0", False),
        ("*;q=0", False),
        ("xgzip", False),
    ],
)
def test_gzip_is_accepted_when_the_reader_says_so(header: str, accepted: bool) -> None:
    assert accepts_gzip(header) is accepted


def test_a_large_response_is_compressed_for_those_who_accept_it() -> None:
    plain = call("GET", "/openapi.json")
    compressed = call("GET", "/openapi.json", headers={"accept-encoding": "gzip"})

    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(compressed.content) == plain.content
    assert "Accept-Encoding" in plain.headers["vary"]
    assert "Accept-Encoding" in compressed.headers["vary"]


def test_a_small_response_is_not_compressed() -> None:
    response = call("GET", "/health/live", headers={"accept-encoding": "gzip"})

    assert "content-encoding" not in response.headers
    assert response.json() == {"status": "ok"}


@pytest.mark.parametrize("filling", ['"', "é", "株", "x"])
def test_the_size_of_a_response_is_that_of_what_lambda_hands_over(
    filling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Quotes are escaped and letters take several bytes there, so that counting characters would not do."""
    bytes_each = len(json.dumps(json.dumps(filling, ensure_ascii=False)[1:-1], ensure_ascii=False)[1:-1].encode())
    fits = MAX_RESPONSE_BYTES // bytes_each - 1000
    health = "functions.service.api.health_live.Health"

    monkeypatch.setattr(health, lambda status: {"status": filling * fits})
    held = call("GET", "/health/live")
    monkeypatch.setattr(health, lambda status: {"status": filling * (fits + 2000)})
    refused = call("GET", "/health/live")

    assert held.status == 200
    assert refused.status == 413
    assert "`limit`" in refused.json()["detail"]


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_a_page_that_may_call_the_api_may_read_that_a_response_is_too_large(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = b64encode(random.Random(1).randbytes(MAX_RESPONSE_BYTES)).decode()
    monkeypatch.setattr("functions.service.api.health_live.Health", lambda status: {"status": noise})

    for_frontend = call("GET", "/health/live", headers={"origin": FRONTEND, "accept-encoding": encoding})
    for_others = call("GET", "/health/live", headers={"origin": "https://evil.example", "accept-encoding": encoding})

    assert for_frontend.status == for_others.status == 413
    assert for_frontend.headers["access-control-allow-origin"] == FRONTEND
    assert for_frontend.headers["content-type"] == for_others.headers["content-type"] == "application/json"
    assert "content-encoding" not in for_frontend.headers
    assert "access-control-allow-origin" not in for_others.headers
    assert "Origin" in for_frontend.headers["vary"]


@pytest.mark.parametrize(
    ("error", "expected"),
    [(error, response) for error, response in ERROR_RESPONSES.items() if isinstance(response, tuple)],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_each_domain_error_has_its_response(
    error: type[Exception], expected: tuple[int, str], monkeypatch: pytest.MonkeyPatch, log_lines: LogLines
) -> None:
    def fail(status: str) -> None:
        raise error.__new__(error)

    monkeypatch.setattr("functions.service.api.health_live.Health", fail)

    response = call("GET", "/health/live")

    assert (response.status, response.json()) == (expected[0], {"detail": expected[1]})
    assert log_lines() == []


def test_a_response_outside_its_schema_is_our_own_failure(monkeypatch: pytest.MonkeyPatch, log_lines: LogLines) -> None:
    monkeypatch.setattr("functions.service.api.health_live.Health", lambda status: {"status": ["wrong"]})

    response = call("GET", "/health/live", headers={"origin": FRONTEND})

    assert response.status == 500
    assert response.text == '{"detail":"Internal Server Error"}'
    assert response.headers["access-control-allow-origin"] == FRONTEND
    (line,) = log_lines()
    assert "ResponseValidationError" in line["exception"]


def test_the_reason_of_a_failure_is_in_the_log_under_the_request_id_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, log_lines: LogLines
) -> None:
    def fail(status: str) -> None:
        raise RuntimeError("a secret reason")

    monkeypatch.setattr("functions.service.api.health_live.Health", fail)
    event = api_event("GET", "/health/live")

    response = invoke(route_of_module("functions.service.api.health_live"), event)

    assert response.text == '{"detail":"Internal Server Error"}'
    (line,) = log_lines()
    assert line["level"] == "ERROR"
    assert "a secret reason" in line["exception"]
    assert line["correlation_id"] == event["requestContext"]["requestId"]
    assert line["function_request_id"]


HOSTILE = 'a\r\n{"level":"ERROR","message":"forged"}\x1b[31m\x9b31m\x85\u2028\u2029\u202e\x00"'


def test_what_a_caller_sent_cannot_forge_a_line_of_the_log(
    monkeypatch: pytest.MonkeyPatch, written_log: io.StringIO
) -> None:
    def fail(ticker: str, *, from_source: bool) -> None:
        logger.warning("No price of %s", ticker, half=f"{ticker}\ud800")
        raise RuntimeError(f"no price of {ticker}")

    monkeypatch.setattr("functions.record.api.stocks.get_stock_price.price_of", fail)

    response = call("GET", f"/api/stocks/{HOSTILE}/price", headers={"user-agent": HOSTILE, "x-amzn-trace-id": HOSTILE})

    assert response.text == '{"detail":"Internal Server Error"}'
    lines = written_log.getvalue()
    assert lines.isascii()
    assert not set(lines) & {"\r", "\x00", "\x1b", "\x7f"}
    assert [json.loads(line)["level"] for line in lines.splitlines()] == ["WARNING", "ERROR"]
    assert json.loads(lines.splitlines()[0])["half"] == f"{HOSTILE.upper()}\ud800"
