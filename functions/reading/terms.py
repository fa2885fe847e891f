"""Domain terms: the sentiment of a mention, and the exchange of a listing."""

from enum import StrEnum


class Sentiment(StrEnum):
    BUY = "buy"
    HOLD = "hold"
    SELL = "sell"
    MENTIONED = "mentioned"


SENTIMENTS = {sentiment.value: sentiment for sentiment in Sentiment}
"""By value: a lookup here is faster than calling `Sentiment`, which matters in large reads."""


SIDES = {Sentiment.BUY: 1, Sentiment.SELL: -1}


class Exchange(StrEnum):
    NYSE = "NYSE"
    NASDAQ = "NASDAQ"
