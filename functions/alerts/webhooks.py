"""Sends messages to webhooks that people configure, but never to addresses inside our own network.

The address is resolved once: all of its IP addresses must be public, and the connection uses one that was checked,
so that DNS rebinding cannot redirect it. Redirects are not followed.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from http import HTTPStatus

from functions.runtime.http.outbound import BadCertificate, Limits, SendError, TooSlow, send_to_checked
from functions.runtime.http.public_addresses import NotDelivered, check
from functions.runtime.version import VERSION

TOTAL_SECONDS = 10.0
"""For the whole exchange, from connecting to the response."""
MAX_RESPONSE_BYTES = 65_536


def send(url: str, message_id: str, timestamp: int, body: bytes, key: bytes) -> None:
    """Posts a signed message. BadAddress and NotDelivered otherwise."""
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"StockTrackRecord/{VERSION}",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature(key, message_id, timestamp, body),
    }
    status = _post(url, headers, body)
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


def _post(url: str, headers: Mapping[str, str], body: bytes) -> int:
    """Returns the status of the response. Reads at most MAX_RESPONSE_BYTES of its body."""
    limits = Limits(total_seconds=TOTAL_SECONDS, bytes=MAX_RESPONSE_BYTES)
    try:
        return send_to_checked(check(url), "POST", headers, body, limits, needs_body=False).status
    except BadCertificate:
        raise NotDelivered("The webhook has no valid certificate for its name.") from None
    except TooSlow:
        raise NotDelivered(f"The webhook did not respond within {TOTAL_SECONDS:.0f} seconds.") from None
    except SendError:
        raise NotDelivered("The webhook could not be reached, or broke off the connection.") from None
