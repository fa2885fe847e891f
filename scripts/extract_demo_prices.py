"""Rebuild the demo's price file from the skfolio wheel.

    pip install --no-deps skfolio==1.12.2
    python scripts/extract_demo_prices.py

The numbers are copied as text, never parsed, so that they stay exactly those of the source.
"""

import csv
import gzip
from importlib.util import find_spec
from pathlib import Path

FIRST_DAY, LAST_DAY = "2019-01-01", "2022-12-28"
TARGET = Path(__file__).parents[1] / "functions" / "providers" / "demo" / "prices.csv"


def main() -> None:
    data = _package_folder() / "datasets" / "data"
    stocks = _rows_by_day(data / "sp500_dataset.csv.gz")
    index = _rows_by_day(data / "sp500_index.csv.gz")
    tickers = [name for name in next(iter(stocks.values())) if name != "Date"]
    days = sorted(day for day in stocks if FIRST_DAY <= day <= LAST_DAY)
    with TARGET.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["date", *tickers, "^GSPC"])
        for day in days:
            writer.writerow([day, *(stocks[day][ticker] for ticker in tickers), index[day]["SP500"]])
    print(f"{TARGET}: {len(days)} days from {days[0]} to {days[-1]}, {len(tickers)} stocks and ^GSPC")


def _package_folder() -> Path:
    # Found but not imported: importing skfolio needs numpy, scipy and more, which --no-deps leaves out.
    spec = find_spec("skfolio")
    if spec is None or spec.origin is None:
        raise SystemExit("skfolio is not installed: pip install --no-deps skfolio==1.12.2")
    return Path(spec.origin).parent


def _rows_by_day(path: Path) -> dict[str, dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return {row["Date"]: row for row in csv.DictReader(file)}


if __name__ == "__main__":
    main()
