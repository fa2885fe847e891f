"""Creating the tables: once, again, beside wrong ones, and where there is no DynamoDB."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.dynamodb.tables import MAIN, STOCKS, TABLES, Table
from functions.runtime.settings import settings
from local.engine import ROOT, Engine, free_port
from local.tables import _differences, _key_schema, create_tables, delete_tables

InThreads = Callable[[int, Callable[[int], object]], list[object]]


def run_script(**environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "scripts/create_tables.py"],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture
def prefix(engine: Engine) -> Iterator[str]:
    """A prefix under which there is nothing yet."""
    prefix = f"Test{uuid4().hex[:12]}"
    yield prefix
    for table in TABLES:
        if table.name(prefix) in table_names():
            dynamodb().delete_table(TableName=table.name(prefix))


def table_names() -> list[str]:
    pages = dynamodb().get_paginator("list_tables").paginate()
    return [name for page in pages for name in page["TableNames"]]


def description(table: Table, prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = dynamodb().describe_table(TableName=table.name(prefix))["Table"]
    return found


def names_of(prefix: str) -> list[str]:
    return [table.name(prefix) for table in TABLES]


class TestScript:
    def test_it_creates_the_tables_and_says_so(self, prefix: str) -> None:
        done = run_script(DYNAMODB_TABLE_PREFIX=prefix)

        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == "".join(f"{name} was created.\n" for name in names_of(prefix))
        assert set(names_of(prefix)) <= set(table_names())

    def test_run_again_it_leaves_them_as_they_are(self, prefix: str) -> None:
        run_script(DYNAMODB_TABLE_PREFIX=prefix)
        dynamodb().put_item(TableName=f"{prefix}-Stocks", Item={"ticker": {"S": "AAPL"}})

        again = run_script(DYNAMODB_TABLE_PREFIX=prefix)

        assert (again.returncode, again.stderr) == (0, "")
        assert again.stdout == "".join(f"{name} is there already.\n" for name in names_of(prefix))
        assert "Item" in dynamodb().get_item(TableName=f"{prefix}-Stocks", Key={"ticker": {"S": "AAPL"}})

    def test_a_table_that_differs_is_described_and_not_touched(self, prefix: str) -> None:
        dynamodb().create_table(
            TableName=prefix,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
        )
        before = description(MAIN, prefix)

        refused = run_script(DYNAMODB_TABLE_PREFIX=prefix)

        assert refused.returncode == 1
        assert refused.stdout == ""
        assert refused.stderr == (
            f"Tables were not created: Table {prefix} differs from its definition and was not touched: its key is id, "
            "not PK and SK; index GSI1-index is missing; index GSI2-index is missing; index GSI3-index is missing.\n"
        )
        assert description(MAIN, prefix) == before
        assert f"{prefix}-Stocks" not in table_names()

    def test_where_nothing_listens_it_says_so_in_one_line(self) -> None:
        endpoint = f"http://127.0.0.1:{free_port()}"

        refused = run_script(DYNAMODB_ENDPOINT=endpoint)

        assert refused.returncode == 1
        assert refused.stderr == (f'Tables were not created: Could not connect to the endpoint URL: "{endpoint}/"\n')

    def test_where_somebody_else_listens_it_says_so_in_one_line(self) -> None:
        with subprocess.Popen(
            [sys.executable, "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as other:
            assert other.stdout
            address = other.stdout.readline().split("(")[1].split("/)")[0]

            refused = run_script(DYNAMODB_ENDPOINT=address)

            other.terminate()

        assert refused.returncode == 1
        assert refused.stderr.startswith("Tables were not created: ")
        assert refused.stderr.count("\n") == 1

    @pytest.mark.parametrize("endpoint", ["127.0.0.1:8000", "ftp://127.0.0.1", "http://", "http://a b:1", "http://h:x"])
    def test_an_endpoint_that_is_none_is_refused_in_one_line(self, endpoint: str) -> None:
        refused = run_script(DYNAMODB_ENDPOINT=endpoint)

        assert refused.returncode == 1
        assert refused.stderr == (
            "Tables were not created: DYNAMODB_ENDPOINT must be http://HOST:PORT or https://HOST:PORT, "
            f"not {endpoint!r}\n"
        )

    def test_a_local_engine_is_not_reached_through_a_proxy_that_the_environment_names(self, prefix: str) -> None:
        nowhere = f"http://127.0.0.1:{free_port()}"

        done = run_script(
            DYNAMODB_TABLE_PREFIX=prefix, HTTP_PROXY=nowhere, http_proxy=nowhere, NO_PROXY="", no_proxy=""
        )

        assert (done.returncode, done.stderr) == (0, "")


class TestTables:
    def test_they_are_as_they_are_defined(self, tables: str) -> None:
        for table in TABLES:
            found = description(table, tables)

            assert _differences(table, found) == []
            assert {each["AttributeName"] for each in found["AttributeDefinitions"]} == set(table.key_attributes)
            ttl = dynamodb().describe_time_to_live(TableName=table.name(tables))["TimeToLiveDescription"]
            assert ttl.get("AttributeName") == table.time_to_live

    def test_expiry_is_switched_on_where_a_creation_died_before_it(self, prefix: str) -> None:
        settings.cache_clear()
        create_tables(dynamodb(), prefix)
        dynamodb().update_time_to_live(
            TableName=prefix, TimeToLiveSpecification={"Enabled": False, "AttributeName": "expires_at"}
        )

        sentences = create_tables(dynamodb(), prefix)

        assert sentences == [
            f"{prefix} is there already; its items now expire by expires_at.",
            f"{prefix}-Stocks is there already.",
            f"{prefix}-News is there already.",
        ]
        assert create_tables(dynamodb(), prefix)[0] == f"{prefix} is there already."

    def test_those_who_create_at_once_do_not_disturb_each_other(
        self, prefix: str, concurrent_tables: str, in_threads: InThreads
    ) -> None:
        outcomes = in_threads(6, lambda _: create_tables(dynamodb(), prefix))

        assert [outcome for outcome in outcomes if not isinstance(outcome, list)] == []
        assert _differences(MAIN, description(MAIN, prefix)) == []

    def test_they_can_be_deleted(self, prefix: str) -> None:
        create_tables(dynamodb(), prefix)

        delete_tables(dynamodb(), prefix)

        assert not set(names_of(prefix)) & set(table_names())


def described(table: Table) -> dict[str, Any]:
    """DynamoDB's description of a table that is as defined."""
    return {
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in table.key_attributes],
        "KeySchema": _key_schema(table),
        "GlobalSecondaryIndexes": [
            {
                "IndexName": index.name,
                "KeySchema": _key_schema(index),
                "Projection": {"ProjectionType": index.projection},
            }
            for index in table.indexes
        ],
    }


class TestDifferences:
    @pytest.mark.parametrize("table", TABLES, ids=lambda table: table.id)
    def test_a_table_as_defined_has_none(self, table: Table) -> None:
        assert _differences(table, described(table)) == []

    def test_a_table_without_indexes_may_leave_them_unsaid(self) -> None:
        there = described(STOCKS)
        del there["GlobalSecondaryIndexes"]

        assert _differences(STOCKS, there) == []

    def test_the_order_in_which_keys_are_told_does_not_matter(self) -> None:
        there = described(MAIN)
        there["KeySchema"].reverse()

        assert _differences(MAIN, there) == []

    def test_another_type_of_a_key(self) -> None:
        there = described(STOCKS)
        there["AttributeDefinitions"][0]["AttributeType"] = "N"

        assert _differences(STOCKS, there) == ["ticker is of type N, not S"]

    def test_another_key(self) -> None:
        there = described(MAIN)
        there["KeySchema"] = [{"AttributeName": "PK", "KeyType": "HASH"}]

        assert _differences(MAIN, there) == ["its key is PK, not PK and SK"]

    def test_a_key_the_wrong_way_round(self) -> None:
        there = described(MAIN)
        there["KeySchema"] = [
            {"AttributeName": "SK", "KeyType": "HASH"},
            {"AttributeName": "PK", "KeyType": "RANGE"},
        ]

        assert _differences(MAIN, there) == ["its key is SK and PK, not PK and SK"]

    def test_an_index_too_few_and_one_too_many(self) -> None:
        there = described(MAIN)
        there["GlobalSecondaryIndexes"][1]["IndexName"] = "other"

        assert _differences(MAIN, there) == ["index GSI2-index is missing", "index other is not one of ours"]

    def test_another_key_of_an_index(self) -> None:
        there = described(MAIN)
        there["GlobalSecondaryIndexes"][0]["KeySchema"].pop()

        assert _differences(MAIN, there) == ["the key of GSI1-index is GSI1PK, not GSI1PK and GSI1SK"]

    def test_another_projection(self) -> None:
        there = described(MAIN)
        there["GlobalSecondaryIndexes"][2]["Projection"]["ProjectionType"] = "ALL"

        assert _differences(MAIN, there) == ["GSI3-index projects ALL, not KEYS_ONLY"]
