"""Normalises URLs, to recognise a story under any of them. No I/O."""

import hashlib
import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

_TRACKING = re.compile(
    r"utm_\w+|\.?tsrc|(fb|g|d|y)clid|msclkid|igshid|mc_[ce]id|cmpid|ncid|guccounter|guce_\w+|yptr|ocid|smid|smtyp|ftag"
    r"|ref_src|referrer|soc_(src|trk)|_hs(enc|mi)",
    re.IGNORECASE,
)
"""Tracking parameters. Excludes those that identify a story on some site, such as `cid`: treating two stories as one
would lose the second."""
_USUAL_PORTS = {"http": 80, "https": 443}


def normalised_url(url: str) -> str:
    """Removes tracking parameters, fragment, default port and trailing slash. Raises ValueError if it isn't a URL."""
    parts = urlsplit(url)
    host = _host(parts.hostname or "")
    port = "" if parts.port in (None, _USUAL_PORTS.get(parts.scheme)) else f":{parts.port}"
    wanted = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(pair[0])]
    return urlunsplit((parts.scheme, f"{host}{port}", parts.path.rstrip("/"), urlencode(sorted(wanted)), ""))


def url_digest(url: str) -> str:
    """Returns the SHA-256, in hex, that identifies a story, with or without TLS."""
    _, _, rest = normalised_url(url).partition("://")
    return hashlib.sha256(rest.removeprefix("www.").encode()).hexdigest()


def _host(host: str) -> str:
    """Returns the host in ASCII, as in DNS, or unchanged if it cannot be encoded."""
    if ":" in host:
        return f"[{host}]"
    try:
        return host.rstrip(".").encode("idna").decode().lower()
    except UnicodeError:
        return host.lower()
