"""The process-wide DynamoDB client, and the table names."""

import json
import threading
from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

from botocore import UNSIGNED
from botocore.config import Config
from botocore.loaders import Loader
from botocore.parsers import JSONParser, ResponseParserFactory
from botocore.session import Session

from functions.runtime.concurrency import MAX_CONCURRENCY
from functions.runtime.dynamodb import tables
from functions.runtime.settings import ON_LAMBDA, settings
from functions.runtime.version import VERSION

DYNAMODB = "dynamodb"

_creating = threading.Lock()


def dynamodb() -> Any:
    """Shared by all threads. Locked because creating a client is not thread-safe."""
    current = settings()
    with _creating:
        return _client(current.dynamodb_endpoint, current.region, current.sdk_max_attempts)


def main_table() -> str:
    return tables.MAIN.name(settings().table_prefix)


def stocks_table() -> str:
    return tables.STOCKS.name(settings().table_prefix)


def news_table() -> str:
    return tables.NEWS.name(settings().table_prefix)


class _RawJsonParser(JSONParser):
    """Returns DynamoDB's JSON unchanged. botocore copies each attribute, which takes 90 % of a large read."""

    def parse(self, response: Mapping[str, Any], shape: Any) -> Any:
        if response["status_code"] != HTTPStatus.OK:
            return super().parse(response, shape)
        parsed: dict[str, Any] = json.loads(response["body"] or b"{}")
        parsed["ResponseMetadata"] = {"HTTPStatusCode": response["status_code"], "HTTPHeaders": response["headers"]}
        return parsed


class _RawJsonParserFactory(ResponseParserFactory):
    def create_parser(self, protocol_name: str) -> Any:
        return _RawJsonParser() if protocol_name == "json" else super().create_parser(protocol_name)


class _LimitedLoader(Loader):
    """Lists only DynamoDB and the services that provide credentials, instead of reading all service folders."""

    def list_available_services(self, type_name: str) -> list[str]:
        return [DYNAMODB, "signin", "sso", "sso-oidc", "sts"]


@cache
def _client(endpoint: str | None, region: str, max_attempts: int) -> Any:
    config = Config(
        connect_timeout=2,
        read_timeout=10,
        max_pool_connections=2 * MAX_CONCURRENCY,
        retries={"mode": "standard", "total_max_attempts": max_attempts},
        tcp_keepalive=True,
        parameter_validation=False,
        # botocore builds its own user agent twice per request, which takes a seventh of the client's time.
        user_agent=f"StockTrackRecord/{VERSION}",
        # A proxy in the environment is for the internet, not for a local engine.
        **({"proxies": {}, "signature_version": UNSIGNED} if endpoint else {}),
    )
    # botocore, because boto3 also loads its transfer manager, which slows every cold start.
    session = Session()
    session.register_component("data_loader", _LimitedLoader())
    session.register_component("response_parser_factory", _RawJsonParserFactory())
    client = session.create_client(DYNAMODB, endpoint_url=endpoint, region_name=region, config=config)
    if endpoint:
        client.meta.events.register(f"before-call.{DYNAMODB}", _name_local_credentials)
    return client


def _name_local_credentials(params: dict[str, Any], **_: object) -> None:
    """Local engines require a signature but do not verify it; computing one takes a fifth of the client's time."""
    scope = f"local/20200101/{settings().region}/{DYNAMODB}/aws4_request"
    params["headers"] |= {
        "Authorization": f"AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=none",
        "X-Amz-Date": "20200101T000000Z",
    }


if ON_LAMBDA:
    # A Lambda function has a full CPU during initialisation, and only a fraction of one afterwards.
    dynamodb()
