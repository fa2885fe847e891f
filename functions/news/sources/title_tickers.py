"""The stocks that a headline names by their tickers: `(NASDAQ: AAPL)`, `$AAPL`."""

import re

_NAMED = re.compile(
    r"\((?:NYSE|NASDAQ|Nasdaq|NYSE American|NasdaqGS)\s*:\s*([A-Z]{1,5}(?:[.-][A-Z])?)\)|\$([A-Z]{1,5})\b"
)


def tickers_named(text: str) -> list[str]:
    return list(dict.fromkeys(one or other for one, other in _NAMED.findall(text)))
