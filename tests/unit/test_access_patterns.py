"""The page of access patterns is generated from the stores, and every store function has a use."""

from local.engine import ROOT
from scripts.write_access_patterns import callers, page, store_functions

FOR_OPERATORS = {
    "functions.record.store.channels.channel_by_youtube_id",
    "functions.record.store.mentions.mentions_of_channel",
    "functions.record.store.mentions.mentions_of_video",
    "functions.record.store.videos.video_by_youtube_id",
}
"""Questions that people ask by hand; tests use them too."""


def test_the_page_is_what_the_code_declares() -> None:
    assert (ROOT / "docs" / "access-patterns.md").read_text() == page(), "run `make types`"


def test_every_store_function_is_used() -> None:
    unused = {function.name for function in store_functions() if not callers()[function.name]}

    assert unused - FOR_OPERATORS == set()


def test_a_row_has_what_a_function_asks() -> None:
    (videos,) = (each for each in store_functions() if each.name == "functions.record.store.videos.video_by_id")
    (due,) = (each for each in store_functions() if each.name == "functions.record.store.checks.due_checks")

    assert (videos.operations, videos.keys) == ({"GetItem"}, {"PK = CHANNEL#{channel_id}, SK = VIDEO#{video_id}"})
    assert due.indexes == {"GSI1-index"}
