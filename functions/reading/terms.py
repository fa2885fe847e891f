"""The words of the field: what a mention says of a stock, and where the stock is listed."""

from enum import StrEnum


class Sentiment(StrEnum):
    BUY = "buy"
    HOLD = "hold"
    SELL = "sell"
    MENTIONED = "mentioned"


SENTIMENTS = {sentiment.value: sentiment for sentiment in Sentiment}
"""By value: a lookup here is faster than a call of `Sentiment`, and large reads make many."""


SIDES = {Sentiment.BUY: 1, Sentiment.SELL: -1}


class Exchange(StrEnum):
    NYSE = "NYSE"
    NASDAQ = "NASDAQ"
