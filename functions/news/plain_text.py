"""The words of a text that may hold HTML."""

import html
import re

MAX_READ = 20_000
"""Characters of a text that are looked at: far more than is kept of it."""
_NOT_SHOWN = re.compile(
    r"""
    <!--.*?(?:-->|\Z)
    | <(script|style|head|template)(?![\w-]).*?(?:</\1\s*>|\Z)
    | </?[a-z!?](?:[^<>"']++|"[^"]{0,500}+"|'[^']{0,500}+'|["'])*+(?:>|\Z|(?=<))
    | &\#[0-9]{8,};?
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
"""Comments, what browsers hide, tags, and numbers that are no character. What is never closed reaches to the end, and
values in quotes have a limit, so that hostile texts take no longer than others of their length."""


def without_html(text: str) -> str:
    """What a reader of the page would see, with a space where a tag was. Entities become their characters."""
    return html.unescape(_NOT_SHOWN.sub(" ", text[:MAX_READ]))
