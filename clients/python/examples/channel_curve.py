"""Draws what following a channel would have brought, beside its benchmark, as an SVG file.

With `make run` going: `PYTHONPATH=clients/python .venv/bin/python clients/python/examples/channel_curve.py`.
`API`, `API_TOKEN`, `CHANNEL` (an id) and `OUT` choose another API, its token, a channel and the file. An editor that
knows cells (`# %%`) runs them one by one, as in a notebook.
"""

# %% Connect, and choose the channel: the one on top of the leaderboard, unless another is named.
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from stock_track_record_client import Client

client = Client(os.environ.get("API", "http://127.0.0.1:3000"), os.environ.get("API_TOKEN") or None)
channel_id = os.environ.get("CHANNEL") or next(iter(client.leaderboard()))["channel"]["id"]
channel = client.wait_until_processed(channel_id)

# %% Follow every call for three months, at a tenth of a percent for each trade.
backtest = client.backtest(channel_id, strategy="follow", horizon="3m", cost_bps=10)
benchmark = client.score(channel_id)["benchmark"]
points = backtest["points"]
if not points:
    raise SystemExit(f"{channel['name']} cannot be followed: {backtest['reason']}")

# %% Draw two lines over the same days, with the value at the start as 100 %.
WIDTH, HEIGHT, MARGIN = 960, 480, 60
COLOURS = ("#1668dc", "#8c8c8c")


def line(values: Sequence[float], low: float, high: float, colour: str) -> str:
    """A curve over the whole width, between the lowest and the highest value of the picture."""
    across = (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    up = (HEIGHT - 2 * MARGIN) / ((high - low) or 1)
    places = (
        f"{MARGIN + number * across:.1f},{HEIGHT - MARGIN - (value - low) * up:.1f}"
        for number, value in enumerate(values)
    )
    return f'<polyline points="{" ".join(places)}" fill="none" stroke="{colour}" stroke-width="2"/>'


def text(x: float, y: float, words: str, anchor: str = "start", colour: str = "#262626") -> str:
    return f'<text x="{x}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def in_percent(values: Sequence[float]) -> list[float]:
    return [100 * value / values[0] for value in values]


curves = [
    (channel["name"], in_percent([point["value"] for point in points])),
    (benchmark["name"], in_percent([point["benchmark"] for point in points])),
]
low, high = min(min(values) for _, values in curves), max(max(values) for _, values in curves)
drawn = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="14">',
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    text(MARGIN - 8, HEIGHT - MARGIN, f"{low:.0f} %", "end"),
    text(MARGIN - 8, MARGIN, f"{high:.0f} %", "end"),
    text(MARGIN, HEIGHT - MARGIN / 3, points[0]["date"]),
    text(WIDTH - MARGIN, HEIGHT - MARGIN / 3, points[-1]["date"], "end"),
]
for number, ((name, values), colour) in enumerate(zip(curves, COLOURS, strict=True)):
    drawn.append(line(values, low, high, colour))
    drawn.append(text(MARGIN, 20 + 20 * number, f"{name}: {values[-1]:.1f} %", colour=colour))

# %% Save it.
out = Path(os.environ.get("OUT", "curve.svg"))
out.write_text("\n".join([*drawn, "</svg>", ""]), encoding="utf-8")
client.close()
print(f"{out}: {channel['name']} from {points[0]['date']} to {points[-1]['date']}")
