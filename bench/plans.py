"""Baselines for our reads: the straightforward plan, and the minimum that any plan must do."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
from boto3.dynamodb.conditions import Attr, Key

from bench.measure import observe
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table, stocks_table
from functions.runtime.settings import settings


class PerVideo:
    """The obvious way: boto3 tables, the channel's videos, a query for each video and a get for each ticker."""

    def __init__(self, channel_id: str) -> None:
        self._channel_id = channel_id
        resource = boto3.resource(
            "dynamodb",
            endpoint_url=settings().dynamodb_endpoint,
            region_name=settings().region,
            aws_access_key_id="local",
            aws_secret_access_key="local",
        )
        observe(resource.meta.client)
        self._main, self._stocks = resource.Table(main_table()), resource.Table(stocks_table())

    def mentions(self, ticker: str | None = None) -> list[dict[str, Any]]:
        self._main.get_item(Key=tables.channel_key(self._channel_id))
        only = {"FilterExpression": Attr("ticker").eq(ticker)} if ticker else {}
        found: list[dict[str, Any]] = []
        for video in self._query(Key("PK").eq(tables.channel_pk(self._channel_id)), tables.VIDEO_PREFIX):
            found += self._query(Key("PK").eq(tables.video_pk(video["id"])), tables.MENTION_PREFIX, **only)
        return found

    def stocks(self) -> None:
        for ticker in {mention["ticker"] for mention in self.mentions()}:
            self._stocks.get_item(Key={"ticker": ticker})

    def _query(self, partition: Any, prefix: str, **request: Any) -> Iterator[dict[str, Any]]:
        request["KeyConditionExpression"] = partition & Key("SK").begins_with(prefix)
        while True:
            page = self._main.query(**request)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


class Floor:
    """The fewest requests that move the bytes of a response, without decoding them."""

    def __init__(self, channel_id: str) -> None:
        self._channel_id = channel_id

    def channel_and_videos(self, *, only: str | None = None, value: str | None = None, **request: Any) -> None:
        if only:
            request["FilterExpression"] = only
        self._together(self._channel, lambda: self._below(tables.VIDEO_PREFIX, value, **request))

    def logs(self) -> None:
        self._together(self._channel, lambda: self._below(tables.LOG_PREFIX))

    def channels(self) -> None:
        of_all = {"IndexName": tables.BY_TICKER_OR_LISTING.name, "KeyConditionExpression": "GSI1PK = :pk"}
        values = encode({":pk": tables.ALL_CHANNELS})
        self._together(
            lambda: _pages(**of_all, ExpressionAttributeValues=values, Select="COUNT"),
            lambda: _page(**of_all, ExpressionAttributeValues=values, ScanIndexForward=False, Limit=20),
        )

    def page_of_timeline(self, limit: int) -> None:
        request = {
            "IndexName": tables.BY_TICKER_OR_LISTING.name,
            "KeyConditionExpression": "GSI1PK = :pk",
            "ExpressionAttributeValues": encode({":pk": tables.channel_pk(self._channel_id)}),
            "ScanIndexForward": False,
        }
        self._together(self._channel, lambda: _page(**request, Limit=limit))

    def stocks(self, tickers: Iterable[str]) -> None:
        keys = [encode({"ticker": ticker}) for ticker in tickers]
        dynamodb().batch_get_item(RequestItems={stocks_table(): {"Keys": keys}})

    @staticmethod
    def one_after_another(*steps: Callable[[], object]) -> None:
        for step in steps:
            step()

    def _channel(self) -> None:
        dynamodb().get_item(TableName=main_table(), Key=encode(tables.channel_key(self._channel_id)))

    def _below(self, prefix: str, value: str | None = None, **request: Any) -> None:
        values = {":pk": tables.channel_pk(self._channel_id), ":prefix": prefix, ":value": value}
        _pages(
            KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
            ExpressionAttributeValues=encode(values),
            **request,
        )

    @staticmethod
    def _together(first: Callable[[], object], second: Callable[[], object]) -> None:
        with ThreadPoolExecutor(1) as thread:
            other = thread.submit(second)
            first()
            other.result()


def _pages(**request: Any) -> None:
    after: Item | None = None
    while True:
        after = _page(**request, **({"ExclusiveStartKey": after} if after else {}))
        if not after:
            return


def _page(**request: Any) -> Item | None:
    after: Item | None = dynamodb().query(TableName=main_table(), **request).get("LastEvaluatedKey")
    return after
