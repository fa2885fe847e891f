"""The tokens that a model takes are kept and shown, and MODEL_DAILY_TOKENS stops reading until the next day."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from functions.reading.analyst import Analysis, TokenUsage
from functions.record.models.records import AnalysisStatus, Channel, ChannelStatus
from functions.record.models.runs import RunKind
from functions.record.pipeline import finish_run, list_videos, price_calls, process_video
from functions.record.runs import token_budget
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, create_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.run_records import run_of_channel
from functions.record.store.token_counts import count_tokens, tokens_of_day
from functions.record.store.videos import each_video_of_channel
from functions.runtime import ids
from functions.runtime.provider_settings import provider_keys
from functions.runtime.settings import settings
from local.runner import Runner
from operations import check
from tests.builders import a_channel
from tests.events import call
from tests.fakes import FakeAnalyst, ImmediateDispatcher, World, eventually, some_videos

TODAY = date(2026, 11, 18)
LATE = datetime(2026, 11, 18, 23, 59, tzinfo=UTC)
TOMORROW = datetime(2026, 11, 19, 0, 1, tzinfo=UTC)
WAITS = "Reading goes on at 00:00 UTC on 2026-11-19."
Clock = list[datetime]


@pytest.fixture
def world(tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    """Three videos, and a model that takes 1,000 tokens for each."""
    ImmediateDispatcher().install(monkeypatch)
    monkeypatch.setattr(token_budget, "provider", lambda: "openai")
    world = World().install(monkeypatch)
    world.videos.listed = some_videos(3)
    world.analyst.read = lambda text: Analysis(FakeAnalyst.statements(text), TokenUsage(900, 100))
    return world


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = [LATE]
    monkeypatch.setattr(token_budget, "_now", lambda: clock[0])
    return clock


@pytest.fixture
def budget(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MODEL_DAILY_TOKENS", "2,000")
    _reset()
    yield
    monkeypatch.undo()
    _reset()


def _reset() -> None:
    settings.cache_clear()
    provider_keys.cache_clear()


def begin() -> dict[str, str]:
    channel, run_id = a_channel(status=ChannelStatus.COMPLETED), ids.new_run_id()
    create_channel(channel)
    runs.claim_run(channel.id, run_id)
    return {"channel_id": channel.id, "run_id": run_id}


def do_run(run: dict[str, str]) -> dict[str, Any]:
    """The steps of a run, until it ends or waits."""
    listed = list_videos.handler(run, None)
    if listed["must_wait"]:
        return listed
    for video_id in listed["video_ids"]:
        process_video.handler({**run, "video_id": video_id}, None)
    price_calls.handler({**run, "checks": 100}, None)
    return finish_run.handler(run, None)


def stored(run: dict[str, str]) -> Channel:
    channel = channel_by_id(run["channel_id"], consistent=True)
    assert channel
    return channel


def log_of(run: dict[str, str]) -> list[str]:
    return [line.message for line in logs_of_channel(run["channel_id"], consistent=True)]


def test_the_tokens_of_each_video_and_run_are_kept_and_shown(world: World, clock: Clock) -> None:
    run = begin()

    assert do_run(run)["must_wait"] is False

    videos = list(each_video_of_channel(run["channel_id"]))
    record = run_of_channel(run["channel_id"], run["run_id"])
    assert {(video.tokens_in, video.tokens_out) for video in videos} == {(900, 100)}
    assert record and (record.tokens_in, record.tokens_out) == (2_700, 300)
    assert tokens_of_day(TODAY) == TokenUsage(2_700, 300)
    assert sum("1,000 tokens." in line for line in log_of(run)) == 3
    shown = call("GET", f"/api/channels/{run['channel_id']}/runs").json()["items"][0]
    assert (shown["tokens_in"], shown["tokens_out"]) == (2_700, 300)
    listed = call("GET", f"/api/channels/{run['channel_id']}/videos").json()["items"]
    assert {(video["tokens_in"], video["tokens_out"]) for video in listed} == {(900, 100)}


def test_the_rules_take_no_tokens(world: World, clock: Clock) -> None:
    world.analyst.read = None
    run = begin()

    do_run(run)

    assert {video.tokens_in for video in each_video_of_channel(run["channel_id"])} == {None}
    assert tokens_of_day(TODAY) == TokenUsage()
    assert not any("tokens" in line for line in log_of(run))


def test_reading_stops_when_the_day_s_tokens_are_spent_and_goes_on_the_next_day(
    world: World, clock: Clock, budget: None
) -> None:
    run = begin()

    first = do_run(run)
    again = do_run(run)
    waiting = [video.analysis_status for video in each_video_of_channel(run["channel_id"])]
    clock[0] = TOMORROW
    last = do_run(run)

    assert (first["must_wait"], again["must_wait"], last["must_wait"]) == (True, True, False)
    assert sorted(waiting) == sorted([*[AnalysisStatus.COMPLETED] * 2, AnalysisStatus.PENDING])
    assert len(world.analyst.speeches) == 3
    assert stored(run).status == ChannelStatus.COMPLETED
    lines = log_of(run)
    assert sum(WAITS in line for line in lines) == 1
    assert sum("failed" in line and " 0 failed" not in line for line in lines) == 0
    assert "Reading goes on." in lines
    record = run_of_channel(run["channel_id"], run["run_id"])
    assert record and (record.videos, record.processed, record.failed) == (3, 3, 0)
    assert tokens_of_day(TOMORROW.date()) == TokenUsage(900, 100)


def test_a_run_that_begins_when_the_tokens_are_spent_waits_before_it_lists(
    world: World, clock: Clock, budget: None
) -> None:
    count_tokens(TODAY, TokenUsage(1_999, 1))
    run = begin()

    waits = do_run(run)

    assert waits["must_wait"] is True
    assert 0 < waits["wait_seconds"] < runs.LEASE_SECONDS / 2
    assert list(each_video_of_channel(run["channel_id"])) == []
    assert stored(run).status == ChannelStatus.PENDING
    assert any(WAITS in line for line in log_of(run))


def test_a_waiting_run_can_be_cancelled(world: World, clock: Clock, budget: None) -> None:
    count_tokens(TODAY, TokenUsage(2_000, 0))
    run = begin()
    do_run(run)

    runs.cancel_run(run["channel_id"], "Cancelled.")

    assert stored(run).status == ChannelStatus.CANCELLED


def test_the_rules_need_no_budget(world: World, clock: Clock, budget: None, monkeypatch: pytest.MonkeyPatch) -> None:
    count_tokens(TODAY, TokenUsage(2_000, 0))
    monkeypatch.setattr(token_budget, "provider", lambda: "rules")

    assert do_run(begin())["must_wait"] is False


def test_reading_again_waits_as_well_and_reads_the_rest_the_next_day(
    kept_transcripts: Path, world: World, clock: Clock, budget: None
) -> None:
    run = begin()
    clock[0] = datetime(2026, 11, 16, tzinfo=UTC)
    do_run(run)
    clock[0] = datetime(2026, 11, 17, tzinfo=UTC)
    do_run(run)
    clock[0] = LATE
    again = {**run, "run_id": ids.new_run_id()}
    runs.claim_run(again["channel_id"], again["run_id"], kind=RunKind.REREAD)

    waits = do_run(again)
    clock[0] = TOMORROW
    ends = do_run(again)

    assert (waits["must_wait"], ends["must_wait"]) == (True, False)
    assert {video.run_id for video in each_video_of_channel(run["channel_id"])} == {again["run_id"]}
    assert len(world.analyst.speeches) == 6


def test_the_local_runner_waits_and_goes_on(world: World, clock: Clock, budget: None) -> None:
    waited: list[float] = []

    def pause(seconds: float) -> bool:
        waited.append(seconds)
        clock[0] = TOMORROW
        return False

    runner = Runner(videos_at_once=1, pause=pause)
    run = begin()
    try:
        runner.start_run(run["channel_id"], run["run_id"])
        eventually(lambda: stored(run).status == ChannelStatus.COMPLETED)
    finally:
        runner.stop()

    assert waited
    assert {video.analysis_status for video in each_video_of_channel(run["channel_id"])} == {AnalysisStatus.COMPLETED}


def test_the_count_of_a_day_is_no_inconsistency(world: World, clock: Clock) -> None:
    run = begin()
    do_run(run)

    assert tokens_of_day(TODAY).total
    assert list(check.problems(check.read_everything())) == []
