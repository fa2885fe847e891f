"""The one way out: every HTTP request that we send goes through here, with limits of time and size.

Redirects are never followed: one would take a key, or a message, to another host.
"""

import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException

import urllib3
from urllib3.connection import HTTPConnection
from urllib3.exceptions import HTTPError, LocationParseError, NewConnectionError
from urllib3.exceptions import TimeoutError as TimedOut

from functions.runtime.http.public_addresses import Receiver, connect

CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Limits:
    """Time and size limits of a response."""

    connect_seconds: float = 5.0
    read_seconds: float = 15.0
    """Between two packets."""
    total_seconds: float = 60.0
    """For the whole response, so that a slow one does not block a worker."""
    bytes: int = 10_000_000


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """Case-insensitive."""
    body: bytes
    is_cut: bool = False
    """True if the body was longer than the limit; `body` then holds its beginning."""


class SendError(Exception):
    """No response came: the connection could not be made, or broke off."""


class TooSlow(SendError):
    """The response did not arrive in time."""


class BadCertificate(SendError):
    """The certificate is not valid for the host's name."""


class CannotBeSent(SendError):
    """The address or a header has characters that no request may have."""


def send(method: str, url: str, headers: Mapping[str, str], body: bytes | str | None, limits: Limits) -> Response:
    """Sends a request to a service that the operator chose, over pooled connections. SendError if it fails."""
    deadline = time.monotonic() + limits.total_seconds
    # The error is raised after the except block: a chained one would carry the address or a header along.
    error: SendError
    try:
        response = _pool().request(
            method,
            url,
            headers=headers,
            body=body,
            timeout=urllib3.Timeout(connect=limits.connect_seconds, read=limits.read_seconds),
            retries=False,
            redirect=False,
            preload_content=False,
        )
        try:
            return _response(response, limits, deadline)
        finally:
            response.close()
    except NewConnectionError as problem:
        # A kind of TimeoutError to urllib3, although nothing listens there.
        error = SendError(type(problem).__name__)
    except (TimedOut, TimeoutError):
        error = TooSlow()
    except LocationParseError:
        error = CannotBeSent()
    except (HTTPError, HTTPException, OSError) as problem:
        error = SendError(type(problem).__name__)
    except ValueError:
        error = CannotBeSent()
    raise error


def send_to_checked(
    receiver: Receiver,
    method: str,
    headers: Mapping[str, str],
    body: bytes | None,
    limits: Limits,
    *,
    needs_body: bool = True,
) -> Response:
    """Sends a request to an address that somebody else gave, at one of the IP addresses that were checked.

    Without `needs_body`, a response whose body breaks off or drips in counts by its status.
    """
    deadline = time.monotonic() + limits.total_seconds
    connection = HTTPConnection(receiver.host, receiver.port, timeout=limits.total_seconds)
    timer = threading.Timer(limits.total_seconds, _interrupt, [connection])
    timer.daemon = True
    timer.start()
    error: SendError
    try:
        connection.sock = connect(receiver, deadline)
        if time.monotonic() >= deadline:
            # The timer may have gone off before there was a socket, and would not interrupt what follows.
            raise TimeoutError
        if isinstance(connection.sock, ssl.SSLSocket):
            connection.sock.do_handshake()
        own = {"Host": receiver.host_header, "Connection": "close"}
        # A body that breaks off is read as far as it came.
        connection.request(
            method,
            receiver.target,
            body,
            {**own, **headers},
            preload_content=False,
            decode_content=False,
            enforce_content_length=False,
        )
        response = connection.getresponse()
        try:
            return _response(response, limits, deadline)
        except (OSError, HTTPException, HTTPError):
            if needs_body:
                raise
            return Response(response.status, response.headers, b"", is_cut=True)
    except ssl.SSLCertVerificationError:
        error = BadCertificate()
    except (OSError, HTTPException, HTTPError):
        # A timeout of the socket may come just before that of the timer.
        error = TooSlow() if time.monotonic() >= deadline - limits.total_seconds / 10 else SendError()
    finally:
        timer.cancel()
        connection.close()
    raise error


def _response(response: urllib3.BaseHTTPResponse, limits: Limits, deadline: float) -> Response:
    received = bytearray()
    # read1 returns what has arrived; read would block for a full chunk, past the deadline.
    while len(received) <= limits.bytes and (chunk := response.read1(CHUNK)):
        received += chunk
        if time.monotonic() > deadline:
            raise TimeoutError
    return Response(
        response.status, response.headers, bytes(received[: limits.bytes]), is_cut=len(received) > limits.bytes
    )


def _interrupt(connection: HTTPConnection) -> None:
    """A receiver that sends a byte now and then would keep a worker for ever."""
    if connection.sock:
        with suppress(OSError):
            # Not that of SSLSocket, which would take the encryption away from the thread that reads.
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)


@cache
def _pool() -> urllib3.PoolManager:
    return urllib3.PoolManager(maxsize=10)
