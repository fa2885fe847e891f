"""People's notes on the stocks of a channel. They lie in the channel's partition and go with it."""

from collections.abc import Iterator

from functions.record.errors import ChannelNotFound, NoteNotFound, NotTheAuthor
from functions.record.models.notes import Note
from functions.record.store.logs import channel_is_there
from functions.record.store.readings import put_action
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


def notes_of_channel(channel_id: str) -> Iterator[Note]:
    """By ticker, the oldest first. A consistent read, a page at a time."""
    items = query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.NOTE_PREFIX}),
        ConsistentRead=True,
    )
    return map(Note.from_item, items)


def newest_notes_of_stock(channel_id: str, ticker: str, limit: int, start: Item | None = None) -> Page[Note]:
    """Those on one stock of a channel."""
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.note_sk(ticker)}),
        ScanIndexForward=False,
        # Whoever has just written a note reads the list next.
        ConsistentRead=True,
    )
    return Page([Note.from_item(item) for item in page.items], page.next_key)


def newest_notes_of_ticker(ticker: str, limit: int, start: Item | None = None) -> Page[Note]:
    """Those on a stock in any channel. The index is eventually consistent."""
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


def add_note(note: Note, request: str | None = None) -> Note:
    """Writes a note below a channel that is there; ChannelNotFound otherwise.

    `request` names the request that makes it: if that has made a note before, this returns that one.
    """
    made = [_record_of(request, note)] if request else []
    put = put_action(note, ConditionExpression="attribute_not_exists(PK)")
    try:
        transact([channel_is_there(note.channel_id), put, *made])
    except TransactionRefused as refused:
        if refused.failed[0] or not request:
            raise ChannelNotFound(note.channel_id) from None
        return _note_of_request(note, request)
    return note


def change_note(note: Note, text: str, moment: str) -> Note:
    """Writes the text in the place of the version that is given, and returns the note as it is stored then: where
    another version is stored, that. NoteNotFound if it is gone, NotTheAuthor if it is somebody else's."""
    try:
        changed = update(
            tables.note_key(note.channel_id, note.ticker, note.id),
            "SET #text = :text, updated_at = :moment, #version = :after",
            "#author = :author AND #version = :before",
            {
                "text": text,
                "moment": moment,
                "author": note.author,
                "before": note.version,
                "after": note.version + 1,
            },
        )
    except ConditionNotMet as refused:
        return _own(refused.item, note.id, note.author)
    return Note.from_item(changed)


def remove_note(channel_id: str, ticker: str, note_id: str, author: str) -> None:
    """NoteNotFound if it is gone, NotTheAuthor if it is somebody else's."""
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
