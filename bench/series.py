"""Measures reading stored closes: requests, time and bytes, beside the raw requests for the same items."""

import math
from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any

from bench.measure import milliseconds, requests_of, side_by_side, table, watched
from functions.record.models.series import Series, SeriesHeader, series_of_rows
from functions.record.prices.current import closes_of
from functions.record.store.price_series import save_series, series_of
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import MAX_BATCH_READ, chunked

TICKERS = [f"BENCH{number}" for number in range(60)]
START, END = date(2021, 1, 1), date(2023, 12, 31)
ROUNDS = 25


def run() -> tuple[str, dict[str, Any]]:
    for ticker in TICKERS:
        _store(ticker)
    reads: dict[str, dict[str, Callable[[], object]]] = {
        f"{len(TICKERS)} tickers x 3 years": {"ours": partial(series_of, TICKERS, START, END), "raw": _raw_batches},
        "chart of 3 years": {
            "ours": partial(closes_of, TICKERS[0], START, END, from_source=False),
            "raw": _raw_query,
        },
    }
    figures = {name: _measured(plans) for name, plans in reads.items()}
    header = ("", "requests", "kB", "median ms", "p95 ms", "raw ms", "raw: ours is")
    return table("Stored closes", header, [_row(name, plans) for name, plans in figures.items()]), figures


def _store(ticker: str) -> None:
    """Three years of sessions with prices of six digits, as most are, and dividends."""
    days = (START + timedelta(number) for number in range((END - START).days + 1))
    sessions = enumerate(day for day in days if day.weekday() < 5)
    rows = [(day, price := round(200 + 60 * math.sin(number / 40), 2), price * 0.9713) for number, day in sessions]
    header = SeriesHeader(ticker, START.isoformat(), next_check_at="9999", fetched_from=START.isoformat())
    save_series(header, series_of_rows(ticker, rows), Series(ticker))


def _measured(plans: dict[str, Callable[[], object]]) -> dict[str, Any]:
    timings = side_by_side(plans, ROUNDS)
    return {
        name: {
            "median": timings[name].median,
            "p95": timings[name].p95,
            "requests": requests_of(work),
            "bytes": _bytes_of(work),
        }
        for name, work in plans.items()
    }


def _bytes_of(work: Callable[[], object]) -> int:
    """The bytes of the responses to what the work asks of DynamoDB."""
    sizes: list[int] = []
    with watched(after_call=lambda http_response, **_: sizes.append(len(http_response.content))):
        work()
    return sum(sizes)


def _raw_batches() -> None:
    years = range(START.year, END.year + 1)
    keys = [encode(tables.series_year_key(ticker, year)) for ticker in TICKERS for year in years]
    for chunk in chunked(keys, MAX_BATCH_READ):
        dynamodb().batch_get_item(RequestItems={main_table(): {"Keys": chunk}})


def _raw_query() -> None:
    dynamodb().query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.series_pk(TICKERS[0])}),
    )


def _row(name: str, plans: dict[str, Any]) -> tuple[object, ...]:
    ours, raw = plans["ours"], plans["raw"]
    return (
        name,
        ours["requests"],
        f"{ours['bytes'] / 1000:.0f}",
        milliseconds(ours["median"]),
        milliseconds(ours["p95"]),
        milliseconds(raw["median"]),
        f"{ours['median'] / raw['median']:.2f} x",
    )
