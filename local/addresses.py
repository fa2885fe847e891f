"""Finds an address for the engine that no web page can reach: engines check neither who asks nor from which page."""

import errno
import random
import secrets
import socket
from urllib.parse import urlsplit

from functions.runtime.errors import StockTrackRecordError

BLOCKED_PORTS = (1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6665, 6666, 6667, 6668, 6669, 6697)
"""Ports to which browsers never send HTTP (https://fetch.spec.whatwg.org/#port-blocking): other protocols use them."""
LOOPBACK = "127.0.0.1"


class NoHiddenAddress(StockTrackRecordError):
    """All ports that web pages cannot reach are taken. The message says what to do."""


def hidden_address() -> tuple[str, int]:
    """Returns a free host and port. The host is random where the system has more than one loopback address."""
    ports = random.sample(BLOCKED_PORTS, len(BLOCKED_PORTS))
    for host in (_random_loopback(), LOOPBACK):
        for port in ports:
            if _is_free(host, port):
                return host, port
    raise NoHiddenAddress(
        "All ports on which web pages cannot reach the database engine are taken "
        f"({', '.join(map(str, BLOCKED_PORTS))}). Stop one of the programs that use them, or set DYNAMODB_ENDPOINT."
    )


def is_open_to_web_pages(endpoint: str) -> bool:
    """True if browsers connect to the port of an engine on this machine."""
    address = urlsplit(endpoint)
    is_local = address.hostname == "localhost" or (address.hostname or "").startswith(("127.", "::1"))
    return is_local and address.port not in BLOCKED_PORTS


def _random_loopback() -> str:
    """Linux answers on all of 127.0.0.0/8, macOS on 127.0.0.1 only."""
    return socket.inet_ntoa((0x7F000000 | 1 + secrets.randbelow(2**24 - 2)).to_bytes(4, "big"))


def _is_free(host: str, port: int) -> bool:
    try:
        socket.create_server((host, port)).close()
    except OSError as problem:
        if problem.errno in (errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES):
            return False
        raise
    return True
