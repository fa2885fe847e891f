"""Writes functions/reading/data/us_listings.csv from the SEC rows that ship with the edgartools wheel.

pip install --no-deps edgartools==5.62.1 && pip install pyarrow==26.0.1 wordfreq==3.1.1
python -m scripts.extract_listings
"""

import csv
import importlib.util
import re
from importlib.metadata import version
from pathlib import Path

import pyarrow.parquet
from wordfreq import zipf_frequency

from functions.reading.listings import NAME_ENDINGS, NASDAQ_FLAG

TARGET = Path(__file__).parents[1] / "functions" / "reading" / "data" / "us_listings.csv"
HEADER = """\
# Shares of companies listed on the NYSE and the Nasdaq, the largest companies first.
# Source: company_tickers.parquet of edgartools {version} (MIT licence): the SEC's companies, tickers and exchanges.
# flags: t = the ticker is an ordinary word, n = so is the name, s = the name's first word alone tells the company,
# q = on the Nasdaq, otherwise on the NYSE; a capital letter stands for the end of the name (listings.NAME_ENDINGS).
# Extracted {day} with scripts/extract_listings.py: no funds, warrants, units, rights, preferred shares or notes.
"""
LEGAL_FORMS = re.compile(
    r"inc|corp|corporation|co|company|companies|ltd|limited|plc|llc|lp|holdings|holding|group|the|and"
)
EXTRACTED_ON = "2026-11-16"
EXCHANGES = {"Nasdaq": NASDAQ_FLAG, "NYSE": ""}

FUND = re.compile(
    r"\b(?:funds?|etfs?|etns?|municipals?|ishares|proshares|spdr|grayscale|strats|pplus|select tax free|depositor"
    r"|income securities|income opportunities|currencyshares)\b",
    re.IGNORECASE,
)
TRUST = re.compile(r"\btrust\b", re.IGNORECASE)
OPERATING_TRUST = re.compile(
    r"\b(?:realty|property|properties|reit|real estate|lodging|hotel|hospitality|mortgage|storage|residential|homes"
    r"|healthcare|industrial|redwood|adamas|american assets|northern trust|bancorp|finance|infrastructure)\b",
    re.IGNORECASE,
)
CLASS_SUFFIXES = ("A", "B", "C", "K")
NOT_SHARES = {"STRC", "STRD", "STRF", "STRK", "SATA", "CHSCP", "BPYPP", "VIASP", "SWKHL", "OCTVV"}

SPELLINGS = {
    "AMZN": "Amazon.com, Inc.",
    "NVDA": "NVIDIA Corporation",
    "TSM": "Taiwan Semiconductor Manufacturing Co. Ltd.",
    "JPM": "JPMorgan Chase & Co.",
    "MCD": "McDonald's Corporation",
    "NVO": "Novo Nordisk A/S",
    "MELI": "MercadoLibre, Inc.",
    "FDX": "FedEx Corporation",
    "PEP": "PepsiCo, Inc.",
    "LOW": "Lowe's Companies, Inc.",
    "KSS": "Kohl's Corporation",
    "M": "Macy's, Inc.",
    "DE": "Deere & Company",
    "UAL": "United Airlines Holdings, Inc.",
    "EBAY": "eBay Inc.",
    "GME": "GameStop Corp.",
    "ORLY": "O'Reilly Automotive, Inc.",
    "DLTR": "Dollar Tree, Inc.",
    "GILD": "Gilead Sciences, Inc.",
    "MKTX": "MarketAxess Holdings Inc.",
    "EQIX": "Equinix, Inc.",
    "JBLU": "JetBlue Airways Corporation",
    "MSCI": "MSCI Inc.",
    "HPQ": "HP Inc.",
    "SAP": "SAP SE",
    "MU": "Micron Technology, Inc.",
    "CVS": "CVS Health Corporation",
    "BLNK": "Blink Charging Co.",
    "ASML": "ASML Holding N.V.",
    "UNH": "UnitedHealth Group Inc.",
    "AZN": "AstraZeneca plc",
    "KO": "The Coca-Cola Company",
    "XOM": "Exxon Mobil Corporation",
    "ARM": "Arm Holdings plc",
    "GAIN": "Gladstone Investment Corp.",
    "BX": "Blackstone Inc.",
    "BF-A": "Brown-Forman Corporation",
    "BF-B": "Brown-Forman Corporation",
    "TMUS": "T-Mobile US, Inc.",
    "CL": "Colgate-Palmolive Company",
    "KMB": "Kimberly-Clark Corporation",
    "FCX": "Freeport-McMoRan Inc.",
    "BMY": "Bristol-Myers Squibb Company",
}
LEGAL = {
    "inc": "Inc.", "inc.": "Inc.", "corp": "Corp.", "corp.": "Corp.", "co": "Co.", "co.": "Co.", "ltd": "Ltd.",
    "ltd.": "Ltd.", "plc": "plc", "llc": "LLC", "lp": "LP", "l.p.": "L.P.", "nv": "N.V.", "n.v.": "N.V.", "sa": "S.A.",
    "s.a.": "S.A.", "ag": "AG", "se": "SE", "ab": "AB", "a/s": "A/S", "of": "of", "and": "and", "the": "the",
    "for": "for", "de": "de", "usa": "USA", "us": "US", "ii": "II", "iii": "III", "iv": "IV", "com": "com",
}  # fmt: skip
SHORT_WORDS = re.compile(
    r"AIR|NEW|OIL|GAS|SUN|RED|BAY|OLD|ONE|TWO|BIG|SEA|SKY|FOX|LAM|ELI|TOP|MAN|CAR|ICE|KEY|MID|WAY|BOX|FUN|PET|ART|BIO|NET"
    r"|PRO|BAR|PAN|RIO|LEE|ROY|RAY|LA|EL|MAX|ACE|ALL|GAP|BIT|HUB|FIT|TEN|SIX|TRI|ION"
)
REGISTRAR_NOTE = re.compile(r"\s*(?:[/\\][A-Z]{2,3}[/\\]?|[/\\](?:NEW|ADR|FI|CAN)[/\\]?|\\|/)\s*$", re.IGNORECASE)


def source() -> Path:
    package = importlib.util.find_spec("edgar")
    if package is None or package.origin is None:
        raise SystemExit("edgartools is not installed: see the top of this file.")
    return Path(package.origin).parent / "reference" / "data" / "company_tickers.parquet"


def is_company_share(ticker: str, name: str, main_ticker: str) -> bool:
    if ticker in NOT_SHARES or FUND.search(name):
        return False
    if TRUST.search(name) and not OPERATING_TRUST.search(name):
        return False
    if "-" in ticker:
        return ticker.partition("-")[2] in CLASS_SUFFIXES
    if ticker == main_ticker:
        return len(ticker) < 5 or not (ticker.endswith(("U", "W", "R")) or "acquisition" in name.lower())
    return is_share_class(ticker, main_ticker)


def is_share_class(ticker: str, main_ticker: str) -> bool:
    """A company's other ticker is a share class when only a class letter sets them apart: UA of UAA."""
    if ticker == "GOOG":
        return True
    shorter, longer = sorted((ticker, main_ticker), key=len)
    if len(shorter) == len(longer):
        return len(ticker) == 5 and ticker[:4] == main_ticker[:4] and ticker[4] in CLASS_SUFFIXES
    if main_ticker.partition("-")[0] == ticker:
        return True
    if longer[:-1] != shorter:
        return False
    return main_ticker == longer or (len(longer) == 5 and longer[-1] in CLASS_SUFFIXES)


def display_name(ticker: str, name: str) -> str:
    if ticker in SPELLINGS:
        return SPELLINGS[ticker]
    name = REGISTRAR_NOTE.sub("", REGISTRAR_NOTE.sub("", name)).strip()
    letters = [character for character in name if character.isalpha()]
    shouting = sum(map(str.isupper, letters)) > 0.6 * len(letters)
    words = [display_word(word, shouting, ticker) for word in name.split()]
    if words[0].islower() and shouting:
        words[0] = words[0].capitalize()
    return " ".join(words)


def display_word(word: str, shouting: bool, ticker: str) -> str:
    bare = word.rstrip(",")
    comma = word[len(bare) :]
    if bare.lower() in LEGAL and (shouting or bare.isupper() or bare.lower() in {"corp", "inc", "ltd", "co"}):
        return LEGAL[bare.lower()] + comma
    if not shouting or not bare.isupper() or bare == ticker or "&" in bare or "." in bare:
        return word
    if (len(bare) <= 3 and not SHORT_WORDS.fullmatch(bare)) or (len(bare) == 4 and not re.search(r"[AEIOUY]", bare)):
        return word
    return re.sub(r"[A-Z]+", lambda match: match[0].capitalize(), bare).replace("'S", "'s") + comma


def flags(ticker: str, name: str) -> str:
    words = [word for word in re.findall(r"[a-z0-9']+", name.lower()) if not LEGAL_FORMS.fullmatch(word)]
    familiar = [zipf_frequency(word, "en") for word in words] or [9.0]
    ordinary_ticker = zipf_frequency(ticker.lower(), "en") >= 3.0
    ordinary_name = familiar[0] >= 2.5 if len(words) == 1 else min(familiar) >= 4.0
    telling_first_word = len(words) > 1 and len(words[0]) >= 5 and familiar[0] < 2.0
    return "t" * ordinary_ticker + "n" * ordinary_name + "s" * telling_first_word


def abbreviated(name: str) -> tuple[str, str]:
    """Splits the longest common ending off a name, and returns the letter for it."""
    fitting = ((ending, letter) for letter, ending in NAME_ENDINGS.items() if name.endswith(ending))
    ending, letter = max(fitting, key=lambda pair: len(pair[0]), default=("", ""))
    return name.removesuffix(ending), letter


def company_shares() -> list[tuple[str, str, str]]:
    rows = pyarrow.parquet.read_table(source()).to_pylist()
    main_ticker: dict[str, str] = {}
    shares = []
    for row in rows:
        exchange = EXCHANGES.get(row["exchange"] or "")
        if exchange is None:
            continue
        main = main_ticker.setdefault(row["cik"], row["ticker"])
        if is_company_share(row["ticker"], row["name"], main):
            ticker, name = row["ticker"].replace("-", "."), display_name(row["ticker"], row["name"])
            start, ending = abbreviated(name)
            shares.append((ticker, start, flags(ticker, name) + exchange + ending))
    return shares


def main() -> None:
    with TARGET.open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER.format(version=version("edgartools"), day=EXTRACTED_ON))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("ticker", "name", "flags"))
        writer.writerows(company_shares())


if __name__ == "__main__":
    main()
