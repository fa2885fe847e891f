"""Extracts plain text from text that may contain HTML."""

import html
import re

MAX_READ = 20_000
"""Maximum characters processed: far more than are stored."""
_NOT_SHOWN = re.compile(
    r"""
    <!--.*?(?:-->|\Z)
    | <(script|style|head|template)(?![\w-]).*?(?:</\1\s*>|\Z)
    | </?[a-z!?](?:[^<>"']++|"[^"]{0,500}+"|'[^']{0,500}+'|["'])*+(?:>|\Z|(?=<))
    | &\#[0-9]{8,};?
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
"""Comments, hidden elements, tags and invalid character references. Unclosed ones extend to the end, and quoted values
have a maximum length, so that matching stays linear on hostile input."""


def without_html(text: str) -> str:
    """Returns the visible text, with a space for each tag and entities decoded."""
    return html.unescape(_NOT_SHOWN.sub(" ", text[:MAX_READ]))
