"""Any sequence of API calls and steps of runs leaves what the contract says: the API against a small model of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule, run_state_machine_as_test

from functions.record.models.records import AnalysisStatus, ChannelStatus, LogLevel
from functions.record.store import runs
from functions.record.store.videos import videos_of_channel
from functions.runtime import dispatch
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.settings import settings as product_settings
from local.tables import create_tables, delete_tables
from operations import check
from tests.builders import a_video, commit
from tests.events import call
from tests.soak import SOAKING, times

NAMES = ("alpha", "Alpha", "beta", "gamma")
"""Two of them are one channel: a handle counts in any case."""


@dataclass
class Known:
    """A channel as the model knows it."""

    name: str
    status: str = "pending"
    run_id: str = ""
    videos: int = 0
    finished: int = 0
    lines: int = 0


class Dispatched:
    """Takes runs over, and lets the rules decide when their steps happen."""

    def __init__(self) -> None:
        self.runs: dict[str, str] = {}

    def start_run(self, channel_id: str, run_id: str) -> None:
        self.runs[channel_id] = run_id

    def stop_run(self, channel_id: str, run_id: str) -> None:
        self.runs.pop(channel_id, None)

    def send(self, job: dispatch.Job, delay_seconds: float = 0) -> None:
        raise AssertionError("no job is sent here")


class Api(RuleBasedStateMachine):
    channels: Bundle[str] = Bundle("channels")

    def __init__(self) -> None:
        super().__init__()
        self.prefix = f"Model{uuid4().hex[:12]}"
        self.environment = pytest.MonkeyPatch()
        self.environment.setenv("DYNAMODB_TABLE_PREFIX", self.prefix)
        product_settings.cache_clear()
        create_tables(dynamodb(), self.prefix)
        self.dispatched = Dispatched()
        dispatch.dispatch_with(self.dispatched)
        self.model: dict[str, Known] = {}

    def teardown(self) -> None:
        delete_tables(dynamodb(), self.prefix)
        self.environment.undo()
        product_settings.cache_clear()

    @rule(target=channels, name=st.sampled_from(NAMES))
    def create(self, name: str) -> str:
        response = call("POST", "/api/channels", json_body={"url": f"https://youtube.com/@{name}"})
        if any(known.name == name.lower() for known in self.model.values()):
            assert (response.status, response.json()) == (400, {"detail": "Channel already exists"})
            return "00000000-0000-4000-8000-000000000000"
        assert response.status == 201
        channel_id: str = response.json()["id"]
        self.model[channel_id] = Known(name.lower(), run_id=self.dispatched.runs[channel_id])
        return channel_id

    @rule(channel_id=channels)
    def process(self, channel_id: str) -> None:
        response = call("POST", f"/api/channels/{channel_id}/process")
        known = self.model.get(channel_id)
        if known is None:
            assert response.status == 404
        elif known.status in ("pending", "processing"):
            assert (response.status, response.json()) == (400, {"detail": "Channel is already processing"})
        else:
            assert (response.status, response.json()["status"]) == (200, "pending")
            known.status, known.run_id = "pending", self.dispatched.runs[channel_id]

    @rule(channel_id=channels)
    def cancel(self, channel_id: str) -> None:
        response = call("POST", f"/api/channels/{channel_id}/cancel")
        known = self.model.get(channel_id)
        if known is None:
            assert response.status == 404
        elif known.status in ("pending", "processing"):
            assert (response.status, response.json()["status"]) == (200, "cancelled")
            known.status = "cancelled"
            known.lines += 1
        else:
            assert (response.status, response.json()) == (400, {"detail": "Channel is not processing"})

    @rule(channel_id=consumes(channels))
    def delete(self, channel_id: str) -> None:
        response = call("DELETE", f"/api/channels/{channel_id}")
        assert response.status == (204 if self.model.pop(channel_id, None) else 404)

    @rule(channel_id=channels, videos=st.integers(0, 3))
    def list_step(self, channel_id: str, videos: int) -> None:
        """The first step of the run, which finds so many new videos."""
        known = self.model.get(channel_id)
        if known is None or known.status != "pending":
            return
        runs.begin_run(channel_id, known.run_id, "Started")
        new = [a_video(channel_id, f"video{known.videos + number:06d}") for number in range(videos)]
        runs.add_videos(channel_id, known.run_id, new)
        known.videos += videos
        done = sum(video.analysis_status == AnalysisStatus.COMPLETED for video in videos_of_channel(channel_id))
        runs.set_video_counts(channel_id, known.run_id, known.videos, done, "Found")
        known.status, known.finished = "processing", done
        known.lines += 2

    @rule(channel_id=channels)
    def video_step(self, channel_id: str) -> None:
        known = self.model.get(channel_id)
        if known is None or known.status != "processing":
            return
        unfinished = [video for video in videos_of_channel(channel_id) if not video.tickers]
        if unfinished:
            assert commit(known.run_id, unfinished[0], "AAPL")
            known.finished += 1
            known.lines += 1

    @rule(channel_id=channels)
    def finish_step(self, channel_id: str) -> None:
        known = self.model.get(channel_id)
        if known is None or known.status != "processing" or known.finished < known.videos:
            return
        runs.finish_run(channel_id, known.run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
        known.status = "completed"
        known.lines += 1

    @invariant()
    def the_list_is_the_model(self) -> None:
        listed = call("GET", "/api/channels").json()
        assert listed["total"] == len(self.model)
        assert {channel["id"]: channel["status"] for channel in listed["items"]} == {
            channel_id: known.status for channel_id, known in self.model.items()
        }

    @invariant()
    def each_channel_is_the_model(self) -> None:
        for channel_id, known in self.model.items():
            channel = call("GET", f"/api/channels/{channel_id}", query="strong=true").json()
            assert (channel["status"], channel["processed_video_count"]) == (known.status, known.finished)
            timeline = call("GET", f"/api/channels/{channel_id}/timeline").json()["timeline"]
            lines = call("GET", f"/api/channels/{channel_id}/logs").json()["logs"]
            assert len(lines) == known.lines
            assert len(timeline) == sum(bool(video.tickers) for video in videos_of_channel(channel_id))

    @invariant()
    def the_data_is_whole(self) -> None:
        assert list(check.problems(check.read_everything())) == []


@pytest.fixture
def no_dispatcher(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(dispatch, "_dispatchers", [])
    yield


@pytest.mark.usefixtures("engine", "no_dispatcher")
def test_any_sequence_of_calls_keeps_the_contract() -> None:
    run_state_machine_as_test(
        Api,
        settings=settings(
            max_examples=times(short=10, long=300),
            stateful_step_count=times(short=15, long=40),
            deadline=None,
            derandomize=not SOAKING,
            suppress_health_check=list(HealthCheck),
        ),
    )
