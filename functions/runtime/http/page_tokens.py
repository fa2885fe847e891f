"""Signed page tokens: each contains DynamoDB's `LastEvaluatedKey` and is valid only for the list it came from."""

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64

from functions.runtime.dynamodb.attributes import Item
from functions.runtime.errors import InvalidPageToken
from functions.runtime.settings import settings

MAC_BYTES = 16


def page_token(key: Item | None, scope: str) -> str | None:
    """None on the last page."""
    if key is None:
        return None
    text = json.dumps(key, separators=(",", ":")).encode()
    return urlsafe_b64encode(_mac(text, scope) + text).decode().rstrip("=")


def start_key(token: str | None, scope: str) -> Item | None:
    """Returns the key to continue from; raises InvalidPageToken for a forged token or one from another list."""
    if token is None:
        return None
    try:
        content = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
    except (NotBase64, UnicodeEncodeError):
        raise InvalidPageToken from None
    mac, text = content[:MAC_BYTES], content[MAC_BYTES:]
    is_canonical = urlsafe_b64encode(content).decode().rstrip("=") == token
    if not is_canonical or not hmac.compare_digest(mac, _mac(text, scope)):
        raise InvalidPageToken
    key: Item = json.loads(text)
    return key


def _mac(text: bytes, scope: str) -> bytes:
    key = settings().page_token_key.encode()
    return hmac.digest(key, scope.encode() + b"\n" + text, hashlib.sha256)[:MAC_BYTES]
