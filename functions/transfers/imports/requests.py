"""A person's file imports: started and read."""

from functions.record.models.audit import AuditAction
from functions.record.store.audit import audit_action
from functions.runtime import ids
from functions.runtime.caller import Caller
from functions.runtime.clock import now
from functions.runtime.errors import NotAccepted
from functions.transfers.errors import ImportNotFound
from functions.transfers.imports.files import KEY
from functions.transfers.imports.models import Import
from functions.transfers.models import expiry_of
from functions.transfers.store import transfer_id_of_request, transfer_of_user
from functions.transfers.transfers import begin_transfer


def begin_import(by: Caller, key: str, *, request: str | None = None) -> Import:
    """Has a file imported. Repeated for the same `request`, it returns the import that was begun first.

    NotAccepted if no file can have that name; TooManyImports.
    """
    if not KEY.fullmatch(key):
        raise NotAccepted(
            "key", "Give the name of a file such as imports/export.zip, ending in zip, sql or sql.gz", key
        )
    if request and (begun := transfer_id_of_request(Import, request)):
        return get_import(by.id, begun)
    import_id, timestamp = ids.new_import_id(), now()
    record = Import(import_id, by.id, timestamp, timestamp, expiry_of(import_id), key, sent_at=timestamp)
    audit = audit_action(by, AuditAction.IMPORT_STARTED, f"/api/imports/{import_id}", key)
    if not begin_transfer(record, request, [audit]):
        return begin_import(by, key, request=request)
    return record


def get_import(user_id: str, import_id: str) -> Import:
    record = transfer_of_user(Import, user_id, import_id) if ids.is_ulid(import_id) else None
    if record is None:
        raise ImportNotFound(import_id)
    return record
