"""The fictional headlines about the demo's stocks, read once from the file beside this module."""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class DemoHeadline:
    url: str
    title: str
    text: str
    published_at: datetime
    source_name: str
    author: str | None
    tags: tuple[str, ...]
    """One to five tickers, the one it is mostly about first."""


@cache
def demo_headlines() -> tuple[DemoHeadline, ...]:
    """Oldest first."""
    entries = json.loads(Path(__file__).with_name("headlines.json").read_bytes())
    return tuple(sorted(map(_headline, entries), key=lambda headline: (headline.published_at, headline.url)))


def _headline(entry: dict[str, Any]) -> DemoHeadline:
    published_at = datetime.fromisoformat(entry["published_at"])
    return DemoHeadline(**entry | {"published_at": published_at, "tags": tuple(entry["tags"])})
