"""A table of an archive, opened by LibreOffice: no cell is a formula, and no text is changed. Part of `make soak`."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from functions.record.models.records import ChannelStatus
from tests.archives import store_videos, unpacked, written
from tests.builders import a_channel, a_mention, a_video
from tests.conftest import cannot_run
from tests.markets import rising, store_benchmark, store_closes

OFFICE, TABLE, TEXT = (f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table", "text"))
UTF_8_WITH_COMMAS = "CSV:44,34,76,1"
HOSTILE = {
    "A": '=HYPERLINK("http://example.com";"click")',
    "B": "+1-1",
    "C": "-1+2",
    "D": "@SUM(1;2)",
    "E": "'=1+1",
    "F": "\t=1+1",
    "G": 'He said "buy", and, well\nbought.',
    "H": "🚀 to the 月",
    "I": "plain words",
}


def test_a_spreadsheet_computes_nothing_and_shows_every_text(tables: str, tmp_path: Path) -> None:
    office = shutil.which("soffice")
    if office is None:
        cannot_run("needs LibreOffice")
    store_benchmark()
    store_closes("A", rising)
    channel = a_channel(status=ChannelStatus.COMPLETED)
    video = a_video(channel.id)
    calls = tuple(a_mention(video, ticker, context_snippet=text) for ticker, text in HOSTILE.items())
    store_videos(channel, [replace(video, calls=calls)])
    folder = unpacked(written([channel.id])[0], tmp_path)

    for name in ("mentions", "calls"):
        command = [str(office), f"-env:UserInstallation=file://{tmp_path}/profile", "--headless"]
        command += ["--convert-to", "fods", f"--infilter={UTF_8_WITH_COMMAS}", "--outdir", str(folder)]
        subprocess.run([*command, str(folder / f"{name}.csv")], check=True, capture_output=True, timeout=300)
    mentions, opened = (cells_of(folder / f"{name}.fods") for name in ("mentions", "calls"))

    by_ticker = {row[mentions[0].index("ticker")]: row for row in mentions[1:]}
    shown = {ticker: row[mentions[0].index("context_snippet")] for ticker, row in by_ticker.items()}
    # A tab is an element of its own there.
    escaped = {ticker: "'" * (ticker in "ABCDEF") + text.replace("\t", "") for ticker, text in HOSTILE.items()}
    assert shown == escaped
    assert float(opened[1][opened[0].index("excess_percent")]) > 0


def cells_of(path: Path) -> list[list[str]]:
    """The rows of a spreadsheet: the number of a cell, or the text that is shown. No cell may be a formula."""
    rows = []
    for row in ElementTree.parse(path).iter(f"{{{TABLE}}}table-row"):
        cells: list[str] = []
        for cell in row.findall(f"{{{TABLE}}}table-cell"):
            assert f"{{{TABLE}}}formula" not in cell.attrib, ElementTree.tostring(cell)
            lines = ["".join(each.itertext()) for each in cell.findall(f"{{{TEXT}}}p")]
            value = cell.get(f"{{{OFFICE}}}value") or "\n".join(lines)
            cells += [value] * min(int(cell.get(f"{{{TABLE}}}number-columns-repeated", "1")), 50)
        rows.append(cells)
    return [row for row in rows if any(row)]
