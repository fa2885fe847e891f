"""A person's imports of files: begun, looked at, and found again when their message was lost."""

from functions.core import ids
from functions.core.clock import now, seconds_after
from functions.core.errors import ImportNotFound, NotAccepted
from functions.core.imports import Import, expiry_of
from functions.core.observability import logger
from functions.dispatch import ImportData, dispatcher
from functions.store import import_records
from functions.store.import_files import KEY

PATIENCE_SECONDS = 300
"""How long a message may take before it counts as lost."""
LATE_SECONDS = 3600


def begin_import(user_id: str, key: str) -> Import:
    """Has a file imported. NotAccepted if no file can have that name."""
    if not KEY.fullmatch(key):
        raise NotAccepted(
            "key", "Give the name of a file such as imports/export.zip, ending in zip, sql or sql.gz", key
        )
    import_id, moment = ids.new_import_id(), now()
    record = Import(import_id, user_id, key, moment, moment, expiry_of(import_id), sent_at=moment)
    import_records.add_import(record)
    try:
        dispatcher().send(ImportData(record.id))
    except Exception:
        # It is stored: an error would have it begun twice.
        logger.exception("An import was stored, but its message was not sent; the clock does it", import_id=record.id)
    return record


def get_import(user_id: str, import_id: str) -> Import:
    record = import_records.import_of_user(user_id, import_id) if ids.is_ulid(import_id) else None
    if record is None:
        raise ImportNotFound(import_id)
    return record


def send_lost_imports() -> tuple[list[str], int]:
    """Sends a message for imports that have none on their way, or whose worker died; returns their ids, and how many
    were begun more than an hour ago and have not ended. Called by the clock."""
    moment = now()
    sent = []
    late = 0
    for record in list(import_records.open_imports()):
        late += record.created_at < seconds_after(moment, -LATE_SECONDS)
        is_at_work = record.lease_until is not None and record.lease_until > moment
        is_on_its_way = record.sent_at is not None and record.sent_at > seconds_after(moment, -PATIENCE_SECONDS)
        if not is_at_work and not is_on_its_way and import_records.mark_import_sent(record, moment):
            dispatcher().send(ImportData(record.id))
            sent.append(record.id)
    return sent, late


def resume_imports() -> None:
    """Goes on with everything that is open, where no worker can be alive and no message was kept."""
    for record in list(import_records.open_imports()):
        import_records.free_import(record)
        dispatcher().send(ImportData(record.id))
