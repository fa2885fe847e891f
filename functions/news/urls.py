"""One form for all addresses of a story, by which it is recognised. No I/O."""

import hashlib
import re
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

_TRACKING = re.compile(
    r"utm_\w+|\.?tsrc|(fb|g|d|y)clid|msclkid|igshid|mc_[ce]id|cmpid|ncid|guccounter|guce_\w+|yptr|ocid|smid|smtyp|ftag"
    r"|ref_src|referrer|soc_(src|trk)|_hs(enc|mi)",
    re.IGNORECASE,
)
"""Parameters that only say where a reader came from. What may name a story on some site, such as `cid`, is not one:
two stories taken for one would lose the second."""
_USUAL_PORTS = {"http": 80, "https": 443}


def normalised_url(url: str) -> str:
    """Without what only says how a reader got there: tracking parameters, fragment, usual port, slash at the end.

    ValueError for what is no URL.
    """
    parts = urlsplit(url)
    host = _host(parts.hostname or "")
    port = "" if parts.port in (None, _USUAL_PORTS.get(parts.scheme)) else f":{parts.port}"
    wanted = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(pair[0])]
    return urlunsplit((parts.scheme, f"{host}{port}", parts.path.rstrip("/"), urlencode(sorted(wanted)), ""))


def url_digest(url: str) -> str:
    """The SHA-256, in hex, by which a story is known. The same story with and without TLS is one."""
    _, _, rest = normalised_url(url).partition("://")
    return hashlib.sha256(rest.removeprefix("www.").encode()).hexdigest()


def _host(host: str) -> str:
    """In ASCII, as DNS has it; as it is where it cannot be written so."""
    if ":" in host:
        return f"[{host}]"
    try:
        return host.rstrip(".").encode("idna").decode().lower()
    except UnicodeError:
        return host.lower()
