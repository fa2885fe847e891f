"""With an engine that throttles, fails, stalls and hangs up at random, nothing is lost and nothing is doubled."""

import time
from collections.abc import Iterator

import pytest
from botocore.exceptions import BotoCoreError, ClientError

from functions.record.channels import channels
from functions.record.models.records import AnalysisStatus, ChannelStatus
from functions.record.pipeline import price_calls
from functions.record.stocks import track_record
from functions.record.store.mentions import mentions_of_channel
from functions.record.store.videos import videos_of_channel
from functions.runtime.dispatch import dispatch_with
from functions.runtime.settings import settings
from functions.steps import Retry
from local.engine import Engine
from local.runner import Runner
from operations import check
from tests.resilience.proxy import FaultyEngine, faulty_engine
from tests.soak import seed, times

SEED = seed("FAULT_SEED")
RATE = 0.06
MONTHS = times(short=9, long=24)


@pytest.fixture(params=range(times(short=1, long=40)))
def proxy(
    engine: Engine, concurrent_tables: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[FaultyEngine]:
    seed_of_round = SEED + request.param
    print(f"FAULT_SEED={seed_of_round}")
    with faulty_engine(engine.endpoint, seed_of_round, RATE) as proxy:
        monkeypatch.setenv("DYNAMODB_ENDPOINT", proxy.url)
        settings.cache_clear()
        yield proxy
        proxy.rate = 0.0
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    """A runner that waits less between attempts than in production."""
    wait_before = Retry.wait_before
    monkeypatch.setattr(Retry, "wait_before", lambda *retry: wait_before(*retry) / 20)
    monkeypatch.setattr(price_calls, "price_wait_seconds", lambda _: 0.5)
    runner = Runner()
    dispatch_with(runner)
    yield runner
    runner.stop()


def patiently(work: object, *arguments: object) -> object:
    """As a client does that tries again when it is told that something failed."""
    for _ in range(20):
        try:
            return work(*arguments)  # type: ignore[operator]
        except (ClientError, BotoCoreError):
            continue
    raise AssertionError("twenty failures in a row")


def wait_until_over(channel_id: str) -> ChannelStatus:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        status = patiently(channels.get_channel, channel_id).status  # type: ignore[attr-defined]
        if status not in (ChannelStatus.PENDING, ChannelStatus.PROCESSING):
            return ChannelStatus(status)
        time.sleep(0.05)
    raise AssertionError("the run did not end")


def test_a_run_completes_exactly_under_faults(proxy: FaultyEngine, runner: Runner) -> None:
    url = "https://www.youtube.com/@DemoValueInvestor"
    channel = patiently(channels.create_channel, url, MONTHS)

    status = wait_until_over(channel.id)  # type: ignore[attr-defined]

    proxy.rate = 0.0
    videos = videos_of_channel(channel.id, consistent=True)  # type: ignore[attr-defined]
    assert status == ChannelStatus.COMPLETED
    assert list(check.problems(check.read_everything())) == []
    assert not [video for video in videos if video.analysis_status == AnalysisStatus.PENDING]
    assert mentions_of_channel(channel.id)  # type: ignore[attr-defined]
    assert proxy.injected, "no fault was injected: the test proved nothing"


def test_a_delete_that_meets_faults_is_finished_by_repeating_it(proxy: FaultyEngine, runner: Runner) -> None:
    proxy.rate = 0.0
    channel = channels.create_channel("https://www.youtube.com/@DemoMarketTalk", MONTHS)
    wait_until_over(channel.id)
    proxy.rate = 0.3

    for _ in range(30):
        try:
            channels.delete_channel(channel.id)
            break
        except (ClientError, BotoCoreError):
            continue
        except Exception as problem:
            assert type(problem).__name__ == "ChannelNotFound"
            break

    proxy.rate = 0.0
    data = check.read_everything()
    assert (data.channels, data.videos, data.mentions, data.logs, data.guards) == ({}, {}, [], [], {})


def test_reads_are_right_or_fail_cleanly(proxy: FaultyEngine, runner: Runner) -> None:
    proxy.rate = 0.0
    channel = channels.create_channel("https://www.youtube.com/@DemoMomentumTrader", MONTHS)
    wait_until_over(channel.id)
    right = track_record.stocks_of_channel(channel.id)
    proxy.rate = 0.3

    results = []
    for _ in range(20):
        try:
            results.append(track_record.stocks_of_channel(channel.id))
        except (ClientError, BotoCoreError):
            continue

    assert results, "not one of twenty reads succeeded"
    assert all(response == right for response in results)
