"""Checks that a user-supplied address is public, and connects to exactly the IP address that was checked."""

import http.client
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from functions.runtime.errors import StockTrackRecordError
from functions.runtime.settings import settings
from functions.runtime.text import MAX_ADDRESS_LENGTH

CONNECT_SECONDS = 5.0
"""Per IP address; the next one is tried afterwards."""
READ_SECONDS = 10.0
HTTPS_PORT = 443
FIRST_FREE_PORT = 1024


_LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_NAME = re.compile(rf"({_LABEL}\.)+[a-z]([a-z0-9-]{{0,61}}[a-z0-9])?")
"""With a dot, and a last label that begins with a letter: what looks like a number is taken for an IP address."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_REFUSED = tuple(
    ipaddress.ip_network(each)
    for each in (
        *("64:ff9b:1::/48", "192.88.99.0/24", "192.0.0.0/24", "fec0::/10", "2001::/23", "::/96"),
        *("3fff::/20", "5f00::/16", "100:0:0:1::/64"),
    )
)
"""Not global in fact, whatever the version of Python says of them: local NAT64, relays, site-local addresses,
documentation, segment routing, the dummy prefix."""
RESOLVE_SECONDS = 5.0
"""For a name server's response, which the system may wait for much longer."""
_LOOKUPS_AT_ONCE = 32
_NAME_NOT_FOUND = tuple(
    getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA", "EAI_ADDRFAMILY") if hasattr(socket, name)
)
"""Errors that mean the name does not exist. Not every system has all of them."""
_lookups = threading.BoundedSemaphore(_LOOKUPS_AT_ONCE)
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class BadAddress(StockTrackRecordError):
    """Messages may not be sent to this address. The message is shown to users."""


class NoSuchHost(BadAddress):
    """The host name does not exist."""


class NotDelivered(StockTrackRecordError):
    """The receiver did not accept a message. The message is shown to users."""

    def __init__(self, message: str, *, is_gone: bool = False, concerns_message: bool = False) -> None:
        super().__init__(message)
        self.is_gone = is_gone
        """True if the receiver asks for no further messages."""
        self.concerns_message = concerns_message
        """True if the receiver rejected this message but may accept others."""


@dataclass(frozen=True, slots=True)
class Receiver:
    """A webhook address, parsed and validated."""

    scheme: str
    host: str
    port: int
    target: str
    """Path and query."""
    addresses: tuple[str, ...]
    """The IP addresses it may be reached at."""

    @property
    def host_header(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        is_usual = self.port == (HTTPS_PORT if self.scheme == "https" else http.client.HTTP_PORT)
        return name if is_usual else f"{name}:{self.port}"


def check(url: str, *, allow_private: bool | None = None) -> Receiver:
    """Raises BadAddress if messages may not be sent there, NotDelivered if that cannot be determined right now.
    `allow_private` defaults to the setting."""
    if allow_private is None:
        allow_private = settings().webhook_allow_private
    scheme, host, port, target = _parts(url, allow_http=allow_private)
    addresses = _resolve(host, port)
    if not allow_private and not all(map(is_public, addresses)):
        raise BadAddress("Give an address on the public internet: this one leads into a private network.")
    return Receiver(scheme, host, port, target, tuple(str(address) for address in addresses))


def is_public(address: Address) -> bool:
    """True if the address, and every IPv4 address embedded in it, is on the public internet."""
    inner = _inside(address)
    if inner is not None:
        return all(map(is_public, inner))
    return (
        address.is_global
        and not (address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback)
        and not any(address in network for network in _REFUSED if network.version == address.version)
    )


def _inside(address: Address) -> list[Address] | None:
    """Returns the IPv4 addresses embedded in an IPv6 address: mapped, 6to4, Teredo and NAT64."""
    if isinstance(address, ipaddress.IPv4Address):
        return None
    if address.ipv4_mapped:
        return [address.ipv4_mapped]
    if address.sixtofour:
        return [address.sixtofour]
    if address.teredo:
        return list(address.teredo)
    if address in _NAT64:
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    return None


def _parts(url: str, *, allow_http: bool) -> tuple[str, str, int, str]:
    if len(url) > MAX_ADDRESS_LENGTH or not re.fullmatch(r"[!-~]+", url) or "\\" in url:
        raise BadAddress("Give an address such as https://example.com/alerts, of ASCII characters without spaces.")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadAddress("Give an address such as https://example.com/alerts.") from None
    schemes = ("https", "http") if allow_http else ("https",)
    if parts.scheme not in schemes:
        raise BadAddress("Give an address that begins with https://.")
    if "@" in parts.netloc:
        raise BadAddress("Give an address without a user name or password.")
    if port is None:
        port = HTTPS_PORT if parts.scheme == "https" else http.client.HTTP_PORT
    elif port != HTTPS_PORT and port < FIRST_FREE_PORT:
        raise BadAddress("Give an address at port 443, or at 1024 or higher.")
    host = _host(parts.hostname or "", allow_any=allow_http)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, host, port, target


def _host(host: str, *, allow_any: bool) -> str:
    """A host name, or an IP address in canonical form; not the numeric forms that only some programs accept."""
    name = host.removesuffix(".")
    with suppress(ValueError):
        if "%" not in name:
            return str(ipaddress.ip_address(name))
    if not _NAME.fullmatch(name) and not (allow_any and name == "localhost"):
        raise BadAddress("Give an address with a full host name, such as https://example.com/alerts.")
    return name


def _resolve(host: str, port: int) -> list[Address]:
    try:
        found = _looked_up(host, port)
        # Only addresses that are refused anyway have a scope, as in fe80::1%eth0.
        return [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    except OSError as problem:
        if isinstance(problem, socket.gaierror) and problem.errno in _NAME_NOT_FOUND:
            raise NoSuchHost(f"There is no address for {host}.") from None
        # The name server failed or did not respond, which says nothing about the name.
        raise NotDelivered(f"The name {host} cannot be looked up at the moment.") from None
    except ValueError:
        raise NoSuchHost(f"There is no address for {host}.") from None


def _looked_up(host: str, port: int) -> list[Any]:
    """Looks the name up on a thread of its own, since nothing can interrupt the system's resolver. Raises TimeoutError
    after RESOLVE_SECONDS, or if too many lookups are stuck."""
    lookups = _lookups
    if not lookups.acquire(blocking=False):
        raise TimeoutError
    done: queue.SimpleQueue[list[Any] | OSError | ValueError] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            done.put(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, ValueError) as problem:
            done.put(problem)
        finally:
            lookups.release()

    threading.Thread(target=look_up, name="resolver", daemon=True).start()
    try:
        found = done.get(timeout=RESOLVE_SECONDS)
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(found, Exception):
        raise found
    return found


def connect(receiver: Receiver, deadline: float) -> socket.socket:
    """Connects to one of the checked addresses. The certificate has to be valid for the host's name."""
    problem: OSError = TimeoutError()
    for address in receiver.addresses:
        left = deadline - time.monotonic()
        if left <= 0:
            break
        try:
            plain = socket.create_connection((address, receiver.port), timeout=min(left, CONNECT_SECONDS))
        except OSError as refused:
            problem = refused
            continue
        plain.settimeout(READ_SECONDS)
        if receiver.scheme == "http":
            return plain
        # The handshake is deferred until the timer can interrupt the socket.
        return ssl.create_default_context().wrap_socket(
            plain, server_hostname=receiver.host, do_handshake_on_connect=False
        )
    raise problem
