"""Sends messages to webhooks that people configure, but never to addresses inside our own network.

The address is resolved once: all of its IP addresses must be public, and the connection uses one that was checked,
so that DNS rebinding cannot redirect it. Redirects are not followed.
"""

import base64
import hashlib
import hmac
import http.client
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus

from functions.runtime.http.public_addresses import (
    NotDelivered,
    Receiver,
    check,
    connect,
    interrupt,
)
from functions.runtime.version import VERSION

TOTAL_SECONDS = 10.0
"""For the whole exchange, from connecting to the response."""
MAX_RESPONSE_BYTES = 65_536


def send(url: str, message_id: str, timestamp: int, body: bytes, key: bytes) -> None:
    """Posts a signed message; raises BadAddress or NotDelivered."""
    receiver = check(url)
    headers = {
        "Host": receiver.host_header,
        "Content-Type": "application/json",
        "User-Agent": f"StockTrackRecord/{VERSION}",
        "Connection": "close",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(key, message_id, timestamp, body),
    }
    status = _post(receiver, headers, body)
    if 200 <= status < 300:
        return
    if status == HTTPStatus.GONE:
        raise NotDelivered("The webhook responded with 410 Gone, and was turned off.", is_gone=True)
    if 300 <= status < 400:
        raise NotDelivered(f"The webhook responded with a redirect (HTTP {status}), which is not followed.")
    refused = 400 <= status < 500 and status not in (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
    raise NotDelivered(f"The webhook responded with HTTP {status}.", concerns_message=refused)


def signature(key: bytes, message_id: str, timestamp: int, body: bytes) -> str:
    """The signature defined by the Standard Webhooks convention."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


def _post(receiver: Receiver, headers: Mapping[str, str], body: bytes) -> int:
    """Returns the status of the response. Reads only a bounded part of its body."""
    connection = http.client.HTTPConnection(receiver.host, receiver.port, timeout=TOTAL_SECONDS)
    deadline = time.monotonic() + TOTAL_SECONDS
    timer = threading.Timer(TOTAL_SECONDS, interrupt, [connection])
    timer.daemon = True
    timer.start()
    try:
        connection.sock = connect(receiver, deadline)
        if time.monotonic() >= deadline:
            # The timer may have fired before there was a socket, and would not interrupt what follows.
            raise TimeoutError
        if isinstance(connection.sock, ssl.SSLSocket):
            connection.sock.do_handshake()
        connection.request("POST", receiver.target, body, dict(headers))
        response = connection.getresponse()
        with suppress(OSError, http.client.HTTPException):
            response.read(MAX_RESPONSE_BYTES)
        return response.status
    except ssl.SSLCertVerificationError:
        raise NotDelivered("The webhook has no valid certificate for its name.") from None
    except (OSError, http.client.HTTPException):
        # The socket's timeout may fire slightly before the timer.
        if time.monotonic() >= deadline - TOTAL_SECONDS / 10:
            raise NotDelivered(f"The webhook did not respond within {TOTAL_SECONDS:.0f} seconds.") from None
        raise NotDelivered("The webhook could not be reached, or broke off the connection.") from None
    finally:
        timer.cancel()
        connection.close()
