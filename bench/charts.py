"""Draws bar charts of the figures as SVG files."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

WIDTH, BAR, GAP, LABELS, VALUES = 720, 22, 10, 230, 90
STYLE = "<style>text{fill:#1f2328}@media (prefers-color-scheme:dark){text{fill:#e6edf3}}</style>"


def write_charts(figures: Mapping[str, Any], folder: Path) -> None:
    for size, reads in figures.get("reads", {}).items():
        slower = {
            name: plans["per video"]["median"] / plans["ours"]["median"]
            for name, plans in reads.items()
            if "per video" in plans
        }
        _write(folder / f"reads-{size}.svg", f"Times faster than a query per video ({size})", slower, "x")
    if "costs" in figures:
        cheaper = {
            call: plans["per video"]["read"] / plans["ours"]["read"]
            for call, plans in figures["costs"].items()
            if "per video" in plans
        }
        _write(folder / "costs.svg", "Times fewer read units than a query per video", cheaper, "x")
    if "cold start" in figures:
        ratios = {module: figure["ratio"] for module, figure in figures["cold start"].items()}
        _write(folder / "cold-start.svg", "Cold start, as a ratio to a bare boto3 client", ratios, "x")


def _write(path: Path, title: str, values: Mapping[str, float], unit: str) -> None:
    largest = max(values.values(), default=1.0)
    height = 40 + len(values) * (BAR + GAP)
    bars = [_bar(row, name, value, largest, unit) for row, (name, value) in enumerate(values.items())]
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        f'font-size="13">{STYLE}<text x="0" y="18" font-weight="bold">{escape(title)}</text>{"".join(bars)}</svg>\n'
    )


def _bar(row: int, name: str, value: float, largest: float, unit: str) -> str:
    top = 36 + row * (BAR + GAP)
    width = (WIDTH - LABELS - VALUES) * value / largest
    return (
        f'<text x="0" y="{top + 15}">{escape(name)}</text>'
        f'<rect x="{LABELS}" y="{top}" width="{width:.1f}" height="{BAR}" rx="3" fill="#3b6ea5"/>'
        f'<text x="{LABELS + width + 6:.1f}" y="{top + 15}">{value:.1f} {unit}</text>'
    )
