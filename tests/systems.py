"""A second, empty system within a test, and a channel that a run has processed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from functions.record.channels.channels import create_channel, get_channel
from functions.record.models.records import Channel
from functions.record.runs.processing import finish_run, list_videos, price_calls, process_video
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.settings import settings
from local.tables import create_tables, delete_tables


@contextmanager
def another_system() -> Iterator[None]:
    """Has the store use empty tables while the block lasts."""
    before, prefix = os.environ["DYNAMODB_TABLE_PREFIX"], f"Test{uuid4().hex[:12]}"
    os.environ["DYNAMODB_TABLE_PREFIX"] = prefix
    settings.cache_clear()
    create_tables(dynamodb(), prefix)
    try:
        yield
    finally:
        delete_tables(dynamodb(), prefix)
        os.environ["DYNAMODB_TABLE_PREFIX"] = before
        settings.cache_clear()


def a_processed_channel(url: str) -> Channel:
    """One of the demo, after a whole run. It needs a dispatcher that does jobs at once."""
    channel = create_channel(url, time_range_months=12)
    assert channel.run_id
    for video_id in list_videos(channel.id, channel.run_id) or ():
        process_video(channel.id, channel.run_id, video_id)
    price_calls(channel.id, channel.run_id, is_last_check=True)
    finish_run(channel.id, channel.run_id)
    return get_channel(channel.id)
