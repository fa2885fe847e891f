"""Identifiers. Video and mention ids are derived from their content, so that a retry writes the same item."""

import re
import secrets
import time
from uuid import UUID, uuid4, uuid5

_NAMESPACE = UUID("6f3c1d0e-9a5b-5c1e-8f0a-2f6b8c4d7e11")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_channel_id() -> str:
    return str(uuid4())


def imported_channel_id(identity: str) -> str:
    """The id of a channel that has another kind of id at its source: the same on every import."""
    return str(uuid5(_NAMESPACE, f"channel/{identity}"))


def is_uuid(text: str) -> bool:
    """True if it can be the id of a channel or a video."""
    return bool(_UUID.fullmatch(text))


def video_id(channel_id: str, youtube_video_id: str) -> str:
    return str(uuid5(_NAMESPACE, f"video/{channel_id}/{youtube_video_id}"))


def mention_id(video_id: str, ticker: str) -> str:
    return str(uuid5(_NAMESPACE, f"mention/{video_id}/{ticker}"))


def new_run_id() -> str:
    """Runs sort by their start."""
    return _ulid()


def new_audit_id() -> str:
    """Entries of the audit sort by their time."""
    return _ulid()


def new_change_id() -> str:
    """Changes sort by their time."""
    return _ulid()


def new_plan_id() -> str:
    """Plans sort by their creation."""
    return _ulid()


def new_alert_id() -> str:
    """Alerts sort by the time they were written."""
    return _ulid()


def new_import_id() -> str:
    """Imports sort by their creation."""
    return _ulid()


def new_export_id() -> str:
    """Exports sort by their creation."""
    return _ulid()


def new_note_id() -> str:
    """Notes sort by their creation."""
    return _ulid()


def is_ulid(text: str) -> bool:
    """True if it can be the id of a run, a plan, an export, an import or a note."""
    return bool(_ULID.fullmatch(text))


def milliseconds_of(ulid: str) -> int:
    """When the ULID was created."""
    return sum(_CROCKFORD.index(digit) << shift for digit, shift in zip(ulid[:10], range(45, -5, -5), strict=True))


def first_ulid_of(milliseconds: int) -> str:
    """The smallest ULID of that millisecond."""
    return _as_text(milliseconds << 80)


def _ulid() -> str:
    """48 bits of milliseconds and 80 random bits."""
    return _as_text(time.time_ns() // 1_000_000 << 80 | secrets.randbits(80))


def _as_text(number: int) -> str:
    return "".join(_CROCKFORD[number >> shift & 31] for shift in range(125, -5, -5))
