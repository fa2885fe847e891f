"""The API's own documentation."""

import httpx

from functions.routes import ROUTES

UNDOCUMENTED = {"/openapi.json", "/docs"}


def test_the_document_names_every_route(api: httpx.Client) -> None:
    response = api.get("/openapi.json")

    document = response.json()
    described = {(method.upper(), path) for path, methods in document["paths"].items() for method in methods}
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/json")
    assert document["openapi"].startswith("3.1")
    assert described == {(route.method, route.path) for route in ROUTES if route.path not in UNDOCUMENTED}


def test_every_operation_has_a_summary_a_success_and_its_errors(api: httpx.Client) -> None:
    document = api.get("/openapi.json").json()

    for route in ROUTES:
        if route.path in UNDOCUMENTED:
            continue
        operation = document["paths"][route.path][route.method.lower()]
        successes = {status for status in operation["responses"] if status.startswith("2")}
        assert operation["summary"]
        assert len(successes) == 1
        assert {str(status) for status in (*route.errors, 500)} == operation["responses"].keys() - successes


def test_what_is_always_written_is_required(api: httpx.Client) -> None:
    schemas = api.get("/openapi.json").json()["components"]["schemas"]

    for name in ("Channel", "Video", "Mention", "ChannelStock", "Log", "StockPrice", "Prices"):
        assert set(schemas[name]["required"]) == set(schemas[name]["properties"]), name


def test_a_created_channel_says_where_it_is(api: httpx.Client) -> None:
    created = api.get("/openapi.json").json()["paths"]["/api/channels"]["post"]["responses"]["201"]

    assert created["headers"]["Location"]["required"]


def test_every_reference_leads_somewhere(api: httpx.Client) -> None:
    document = api.get("/openapi.json")

    named = set(document.json()["components"]["schemas"])
    referred = {part.split('"')[0] for part in document.text.split("#/components/schemas/")[1:]}
    assert referred == named


def test_the_page_can_be_read_without_anything_from_elsewhere(api: httpx.Client) -> None:
    response = api.get("/docs")

    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/html")
    assert "<script" not in response.text
    assert "src=" not in response.text
    assert "rel='stylesheet'" not in response.text
    assert response.headers["content-security-policy"].startswith("default-src 'none'")


def test_the_page_names_every_route_and_is_small(api: httpx.Client) -> None:
    document = api.get("/openapi.json").json()

    page = api.get("/docs", headers={"Accept-Encoding": "gzip"})

    assert int(page.headers["content-length"]) < 50_000
    for path, methods in document["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page.text
    for name in document["components"]["schemas"]:
        assert f"<details id='{name}'>" in page.text
