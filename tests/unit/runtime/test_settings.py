"""Settings: what the environment says, with its defaults, and what it may not say."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from functions.runtime.concurrency import MAX_CONCURRENCY
from functions.runtime.dynamodb import connection
from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import DEMO, LIVE, LIVE_KEYS, Settings, settings


def test_news_come_from_the_demo_or_from_yahoo_unless_sources_are_named() -> None:
    def news(**environment: str) -> tuple[object, ...]:
        found = Settings.from_environment(environment)
        return found.news_providers, found.news_every_minutes, found.news_analyst

    assert news() == (("demo",), 15, "rules")
    assert news(PROVIDERS="live", NEWS_EVERY="off") == (("yahoo_rss",), None, "rules")
    assert news(NEWS_PROVIDERS="edgar, newsapi,edgar", NEWS_EVERY="60", NEWS_ANALYST="bedrock") == (
        ("edgar", "newsapi"),
        60,
        "bedrock",
    )
    for wrong in ({"NEWS_PROVIDERS": "reuters"}, {"NEWS_EVERY": "0"}, {"NEWS_EVERY": "1 h"}, {"NEWS_ANALYST": "me"}):
        with pytest.raises(InvalidSetting, match=next(iter(wrong))):
            news(**wrong)


@pytest.fixture
def fresh() -> Iterator[None]:
    settings.cache_clear()
    yield
    settings.cache_clear()


def test_an_empty_environment_is_aws_with_the_defaults() -> None:
    empty = Settings.from_environment({})

    assert (empty.dynamodb_endpoint, empty.table_prefix) == (None, "StockTrackRecord")
    assert (empty.region, empty.sdk_max_attempts) == ("us-east-1", 3)
    assert (empty.providers, empty.demo_pause_seconds, empty.price_cache_seconds) == (DEMO, 0, 900)


def test_what_is_set_is_used() -> None:
    environment = {
        "DYNAMODB_ENDPOINT": "http://127.0.0.1:8000",
        "DYNAMODB_TABLE_PREFIX": "Mine",
        "DYNAMODB_REGION": "eu-central-1",
        "AWS_SDK_MAX_ATTEMPTS": "7",
    }

    found = Settings.from_environment(environment)

    assert (found.dynamodb_endpoint, found.table_prefix) == ("http://127.0.0.1:8000", "Mine")
    assert (found.region, found.sdk_max_attempts) == ("eu-central-1", 7)


def test_providers_are_chosen_together_or_each_alone() -> None:
    chosen = Settings.from_environment({"PROVIDERS": "live", "PRICES_PROVIDER": "tiingo"}).providers

    assert chosen == replace(LIVE, prices="tiingo")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PROVIDERS", "real"),
        ("METERED_READS", "some"),
        ("CHECK_EVERY", "hourly"),
        ("CALL_THRESHOLD", "1.2"),
        ("CALL_THRESHOLD", "nan"),
        ("REVIEW_BELOW", "70 %"),
        ("COST_BPS", "-1"),
        ("COST_BPS", "10001"),
        ("COST_BPS", "nan"),
        ("ANALYST_PROVIDER", "oracle"),
        ("DEMO_PAUSE_SECONDS", "-1"),
        ("DEMO_PAUSE_SECONDS", "nan"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(InvalidSetting, match=name):
        Settings.from_environment({name: value})


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "off"),
        ({"PROVIDERS": "live"}, "daily"),
        ({"PROVIDERS": "live", "VIDEOS_PROVIDER": "demo"}, "off"),
        ({"PROVIDERS": "live", "CHECK_EVERY": "weekly"}, "weekly"),
        ({"CHECK_EVERY": "daily"}, "daily"),
    ],
)
def test_only_real_channels_are_checked_unless_it_is_asked_for(environment: dict[str, str], expected: str) -> None:
    assert Settings.from_environment(environment).check_every == expected


def test_keys_are_not_shown() -> None:
    shown = repr(Settings.from_environment({"YOUTUBE_API_KEY": "very-secret"}))

    assert "very-secret" not in shown


def test_what_is_set_to_nothing_is_not_set() -> None:
    empty = dict.fromkeys(["DYNAMODB_ENDPOINT", "DYNAMODB_TABLE_PREFIX", "DYNAMODB_REGION", "AWS_SDK_MAX_ATTEMPTS"], "")

    assert Settings.from_environment(empty) == Settings.from_environment({})


def test_the_region_of_the_function_is_used_where_none_is_named() -> None:
    assert Settings.from_environment({"AWS_REGION": "eu-west-1"}).region == "eu-west-1"
    assert (
        Settings.from_environment({"AWS_REGION": "eu-west-1", "DYNAMODB_REGION": "eu-north-1"}).region == "eu-north-1"
    )


@pytest.mark.parametrize(
    "endpoint",
    ["http://localhost:8000", "https://dynamodb.example.com", "http://dynamodb_local:8000/", "http://[::1]:8000"],
)
def test_an_endpoint_is_an_address(endpoint: str) -> None:
    assert Settings.from_environment({"DYNAMODB_ENDPOINT": f" {endpoint} "}).dynamodb_endpoint == endpoint


@pytest.mark.parametrize("endpoint", ["localhost:8000", "ftp://localhost", "http://", "http://a b", "http://h:port"])
def test_what_is_no_address_is_refused(endpoint: str) -> None:
    with pytest.raises(InvalidSetting, match="DYNAMODB_ENDPOINT must be http://HOST:PORT"):
        Settings.from_environment({"DYNAMODB_ENDPOINT": endpoint})


BASE_URLS = [name for name in LIVE_KEYS if name.endswith("_BASE_URL")]


@pytest.mark.parametrize("name", BASE_URLS)
@pytest.mark.parametrize(
    "address",
    ["https://proxy.example.com/yahoo/v8", "http://127.0.0.1:9000", "http://[::1]:9000/a/", "https://h/a.b~c"],
)
def test_the_address_of_a_service_is_kept_without_a_slash_at_its_end(name: str, address: str) -> None:
    assert Settings.from_environment({name: f" {address} "}).keys == {name: address.rstrip("/")}


@pytest.mark.parametrize("name", BASE_URLS)
@pytest.mark.parametrize(
    "address",
    [
        "yahoo",
        "ftp://host",
        "https://",
        "https://user:pass@host",
        "https://h/?q=1",
        "https://h/#a",
        "https://h/a b",
        "https://h\\n/",
    ],
)
def test_what_is_no_address_of_a_service_is_refused_by_name(name: str, address: str) -> None:
    with pytest.raises(InvalidSetting, match=f"{name} must be an address"):
        Settings.from_environment({name: address})


@pytest.mark.parametrize("attempts", ["0", "-1", "many", "1.5", "²"])
def test_attempts_are_a_whole_number(attempts: str) -> None:
    with pytest.raises(InvalidSetting, match="AWS_SDK_MAX_ATTEMPTS must be a whole number of at least 1"):
        Settings.from_environment({"AWS_SDK_MAX_ATTEMPTS": attempts})


class NotSent(Exception):
    """Instead of sending a request."""


def _authorization_of(client: Any) -> str:
    """The credentials that a request would be signed with."""
    headers = {}

    def look(request: Any, **_: object) -> None:
        headers.update(request.headers)
        raise NotSent

    client.meta.events.register("before-send.dynamodb", look)
    with pytest.raises(NotSent):
        client.list_tables()
    return str(headers["Authorization"])


@pytest.mark.usefixtures("fresh")
class TestConnection:
    def test_the_environment_is_read_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DYNAMODB_TABLE_PREFIX", "First")
        assert connection.main_table() == "First"

        monkeypatch.setenv("DYNAMODB_TABLE_PREFIX", "Second")

        assert (connection.main_table(), connection.stocks_table()) == ("First", "First-Stocks")

    def test_a_local_engine_is_called_with_credentials_of_its_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DYNAMODB_ENDPOINT", "http://127.0.0.1:8765")
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "real")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "real")

        client = connection.dynamodb()

        assert client.meta.endpoint_url == "http://127.0.0.1:8765"
        assert client._get_credentials() is None
        assert "Credential=local/" in _authorization_of(client)

    def test_the_client_is_made_once_and_sized_for_its_threads(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DYNAMODB_ENDPOINT", "http://127.0.0.1:8766")
        monkeypatch.setenv("AWS_SDK_MAX_ATTEMPTS", "5")

        client = connection.dynamodb()

        assert connection.dynamodb() is client
        assert client.meta.config.max_pool_connections >= MAX_CONCURRENCY
        assert client.meta.config.retries["total_max_attempts"] == 5
        assert client.meta.config.connect_timeout < client.meta.config.read_timeout <= 10
