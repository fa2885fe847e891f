"""The spelling of tickers. Ours have a dot before a share class: `BRK.B`."""

import re

_TICKER = re.compile(r"\^?[A-Z0-9][A-Z0-9.-]{0,10}")


def is_ticker(text: str) -> bool:
    """True if the text is a well-formed ticker of a stock or an index."""
    return bool(_TICKER.fullmatch(text))


def with_dash(ticker: str) -> str:
    """Returns the ticker as Yahoo and Tiingo spell it: `BRK-B`."""
    return ticker.replace(".", "-")
