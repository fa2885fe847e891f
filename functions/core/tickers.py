"""How tickers are spelled. Ours have a dot before a share class: `BRK.B`."""


def with_dash(ticker: str) -> str:
    """As Yahoo and Tiingo spell it: `BRK-B`."""
    return ticker.replace(".", "-")
