"""Parses the YouTube channel from a URL."""

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

HOSTS = {"youtube.com", "www.youtube.com", "m.youtube.com"}
KINDS = {"channel": "channel_id", "c": "custom", "user": "user"}
MAX_NAME_LENGTH = 100
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-]*://", re.IGNORECASE)
_UNPRINTABLE = re.compile(r"[\s\x00-\x1f\x7f\\]")


@dataclass(frozen=True, slots=True)
class ChannelName:
    kind: str
    name: str

    @property
    def identifier(self) -> str:
        """Stored until YouTube's own id is known: `handle:x`, `channel_id:x`, `custom:x` or `user:x`."""
        return f"{self.kind}:{self.name}"


def parse_channel_url(url: str) -> ChannelName:
    """Returns the channel of a youtube.com URL; raises ValueError with a message for the user otherwise."""
    text = url.strip()
    if _UNPRINTABLE.search(text):
        raise ValueError("A URL holds no spaces, backslashes or control characters")
    parts = urlsplit(text if _SCHEME.match(text) else f"https://{text}")
    if parts.scheme.lower() not in ("http", "https") or "@" in parts.netloc or _host(parts.netloc) not in HOSTS:
        raise ValueError("Give the URL of a channel on youtube.com, such as https://www.youtube.com/@name")
    first, _, rest = parts.path.removeprefix("/").partition("/")
    if first.startswith(("@", "%40")):
        return ChannelName("handle", _name(unquote(first)[1:]))
    kind = KINDS.get(first.lower())
    if kind is None:
        raise ValueError("Give the URL of a channel: youtube.com/@name, /channel/…, /c/… or /user/…")
    return ChannelName(kind, _name(unquote(rest.partition("/")[0])))


def _host(netloc: str) -> str:
    return re.sub(r":(80|443)?$", "", netloc.lower())


def _name(text: str) -> str:
    name = unicodedata.normalize("NFC", text)
    if not 0 < len(name) <= MAX_NAME_LENGTH or not all(map(_may_be_in_name, name)):
        raise ValueError("The URL names no channel: after the slash comes its handle, id or name")
    return name


def _may_be_in_name(character: str) -> bool:
    """Letters, marks and digits of any script: many scripts write vowels as marks."""
    return character in "._-·" or unicodedata.category(character)[0] in "LMN"
