"""People's notes on the stocks of a channel. They are in the channel's partition and are deleted with it."""

from collections.abc import Iterator

from functions.record.errors import ChannelNotFound, NoteNotFound, NotTheAuthor
from functions.record.models.notes import Note
from functions.record.store.allowances import count_action, daily_limit_reached
from functions.record.store.logs import channel_is_there
from functions.record.store.readings import put_action
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import (
    Action,
    ConditionNotMet,
    Page,
    TransactionRefused,
    get,
    query,
    query_page,
    record_of_request,
    transact,
    update,
)
from functions.runtime.limits import Limited


def notes_of_channel(channel_id: str) -> Iterator[Note]:
    """By ticker, oldest first. A consistent read, a page at a time."""
    items = query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.NOTE_PREFIX}),
        ConsistentRead=True,
    )
    return map(Note.from_item, items)


def newest_notes_of_stock(channel_id: str, ticker: str, limit: int, start: Item | None = None) -> Page[Note]:
    """Returns the notes on one stock of a channel."""
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.note_sk(ticker)}),
        ScanIndexForward=False,
        # Clients read the list right after writing a note.
        ConsistentRead=True,
    )
    return Page([Note.from_item(item) for item in page.items], page.next_key)


def newest_notes_of_ticker(ticker: str, limit: int, start: Item | None = None) -> Page[Note]:
    """Returns the notes on a stock in any channel. The index is eventually consistent."""
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.notes_pk(ticker)}),
        ScanIndexForward=False,
    )
    return Page([Note.from_item(item) for item in page.items], page.next_key)


def add_note(note: Note, request: str | None = None, by: Caller = OPERATOR) -> Note:
    """Writes a note below an existing channel; raises ChannelNotFound otherwise.

    `request` is the idempotency key: if that request has already created a note, this returns that note.
    """
    made = [_record_of(request, note)] if request else []
    put = put_action(note, ConditionExpression="attribute_not_exists(PK)")
    try:
        transact([channel_is_there(note.channel_id), put, count_action(by, Limited.NOTES), *made])
    except TransactionRefused as refused:
        is_gone, _, is_too_many, *is_made = refused.failed
        if is_too_many and not is_gone and not any(is_made):
            raise daily_limit_reached(by, Limited.NOTES) from None
        if is_gone or not request:
            raise ChannelNotFound(note.channel_id) from None
        return _note_of_request(note, request)
    return note


def change_note(note: Note, text: str, timestamp: str) -> Note:
    """Replaces the text of the given version, and returns the stored note, which is another version if somebody else
    changed it first. Raises NoteNotFound if it is gone, NotTheAuthor if somebody else wrote it."""
    try:
        changed = update(
            tables.note_key(note.channel_id, note.ticker, note.id),
            "SET #text = :text, updated_at = :timestamp, #version = :after",
            "#author = :author AND #version = :before",
            {
                "text": text,
                "timestamp": timestamp,
                "author": note.author,
                "before": note.version,
                "after": note.version + 1,
            },
        )
    except ConditionNotMet as refused:
        return _own(refused.item, note.id, note.author)
    return Note.from_item(changed)


def remove_note(channel_id: str, ticker: str, note_id: str, author: str) -> None:
    """Raises NoteNotFound if it is gone, NotTheAuthor if somebody else wrote it."""
    try:
        dynamodb().delete_item(
            TableName=main_table(),
            Key=encode(tables.note_key(channel_id, ticker, note_id)),
            ConditionExpression="#author = :author",
            ExpressionAttributeNames={"#author": "author"},
            ExpressionAttributeValues=encode({":author": author}),
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb().exceptions.ConditionalCheckFailedException as refused:
        _own(refused.response.get("Item"), note_id, author)
        raise


def _own(item: Item | None, note_id: str, author: str) -> Note:
    if not item:
        raise NoteNotFound(note_id)
    note = Note.from_item(item)
    if note.author != author:
        raise NotTheAuthor(note_id)
    return note


def _record_of(request: str, note: Note) -> Action:
    return record_of_request(tables.note_request_key(note.channel_id, note.ticker, request), {"note_id": note.id})


def _note_of_request(note: Note, request: str) -> Note:
    made = get(main_table(), tables.note_request_key(note.channel_id, note.ticker, request), consistent=True)
    note_id = made["note_id"]["S"] if made else note.id
    item = get(main_table(), tables.note_key(note.channel_id, note.ticker, note_id), consistent=True)
    if item is None:
        raise NoteNotFound(note_id)
    return Note.from_item(item)
