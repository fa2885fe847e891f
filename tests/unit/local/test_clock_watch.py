"""The watch on the machine's clock notices when it is set, but neither small corrections nor a sleeping machine."""

import logging
import threading
import time
from collections.abc import Iterator

import pytest

from local import runner as runners
from local.clock_watch import STEADY_SECONDS, ClockWatch, sentence_of
from local.runner import Runner
from tests.fakes import eventually

YEAR = 365 * 24 * 60 * 60.0


class Machine:
    def __init__(self) -> None:
        self.running = 1_000.0
        self.set_by = 1_800_000_000.0

    def wall(self) -> float:
        return self.running + self.set_by


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def watch(machine: Machine) -> ClockWatch:
    return ClockWatch(machine.wall, lambda: machine.running)


@pytest.fixture
def runner(watch: ClockWatch, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    monkeypatch.setattr(runners, "ClockWatch", lambda: watch)
    monkeypatch.setattr(runners, "CLOCK_WATCH_SECONDS", 0.01)
    monkeypatch.setattr(runners, "OLD_EXPORTS_SECONDS", 0.01)
    runner = Runner()
    yield runner
    runner.stop()


def test_a_clock_that_goes_or_is_corrected_a_little_did_not_jump(machine: Machine, watch: ClockWatch) -> None:
    machine.running += YEAR
    machine.set_by += 200

    assert watch.jump() == 0
    assert watch.is_steady()


def test_a_year_ahead_and_back_are_two_jumps_and_a_day_of_patience(machine: Machine, watch: ClockWatch) -> None:
    machine.set_by += YEAR
    assert not watch.is_steady()
    assert watch.jump() == YEAR
    assert watch.jump() == 0
    machine.set_by -= YEAR
    assert watch.jump() == -YEAR
    machine.running += STEADY_SECONDS - 1
    assert not watch.is_steady()
    machine.running += 1
    assert watch.is_steady()


def test_each_direction_is_one_sentence() -> None:
    ahead = "The clock was set 365 days ahead. For a day nothing is removed because of its age."
    assert sentence_of(YEAR) == ahead
    assert sentence_of(-5400) == "The clock was set back by 1.5 hours. Whatever waited for the time before is due now."


def test_the_runner_resumes_everything_once_after_the_clock_was_set_back(
    machine: Machine, runner: Runner, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    resumed: list[bool] = []
    monkeypatch.setattr(runner, "resume_runs", lambda *, all_are_dead: resumed.append(all_are_dead))
    threading.Thread(target=runner.keep_watching_clock, daemon=True).start()

    machine.set_by += YEAR
    eventually(lambda: "ahead" in caplog.text)
    assert resumed == []
    machine.set_by -= YEAR
    eventually(lambda: resumed)
    runner.stop()

    assert resumed == [True]
    assert [record.message.split(".")[0] for record in caplog.records if record.levelno == logging.WARNING] == [
        "The clock was set 365 days ahead",
        "The clock was set back by 365 days",
    ]


def test_no_export_is_removed_while_the_clock_is_doubtful(
    machine: Machine, runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    removals: list[float] = []
    monkeypatch.setattr(runners, "remove_old_exports", lambda: removals.append(machine.running))
    machine.set_by += YEAR
    threading.Thread(target=runner.keep_removing_exports, daemon=True).start()
    time.sleep(0.1)
    assert removals == []

    runner._clock.jump()
    machine.running += STEADY_SECONDS

    eventually(lambda: removals)
