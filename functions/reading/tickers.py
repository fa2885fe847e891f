"""How tickers are spelled. Ours have a dot before a share class: `BRK.B`."""

import re

_TICKER = re.compile(r"\^?[A-Z0-9][A-Z0-9.-]{0,10}")


def is_ticker(text: str) -> bool:
    """Whether it can be the ticker of a stock or an index."""
    return bool(_TICKER.fullmatch(text))


def with_dash(ticker: str) -> str:
    """As Yahoo and Tiingo spell it: `BRK-B`."""
    return ticker.replace(".", "-")
