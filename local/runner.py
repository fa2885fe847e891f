"""The local equivalent of Step Functions, SQS and the scheduler: runs and jobs, on threads of this process."""

import queue
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.queues import SimpleQueue
from pathlib import Path
from typing import Any
from uuid import uuid4

from botocore.exceptions import BotoCoreError, ClientError

from functions.alerts.pipeline import deliver_alerts
from functions.news.pipeline import analyse_news, ingest_news, watch_news
from functions.plans.due_tasks import resume_tasks
from functions.plans.pipeline import send_due_tasks
from functions.record.channels.dead_runs import resume_dead_runs
from functions.record.errors import RunEnded
from functions.record.pipeline import (
    check_channels,
    fail_run,
    finish_run,
    list_videos,
    price_calls,
    process_video,
    record_failed_video,
    update_prices,
)
from functions.record.pipeline.reasons import as_caught
from functions.record.prices.series import resume_updates
from functions.record.store.index_keys import index_runs_under_way
from functions.record.store.runs import LEASE_SECONDS, renew_lease
from functions.record.uploads.resend import request_lost_readings
from functions.runtime.dispatch import LONG_JOBS, AnalyseNews, ImportData, Job, WriteExport, job_to_message
from functions.runtime.errors import TransientError
from functions.runtime.observability import describe, logger
from functions.runtime.reasons import reason_for_people
from functions.runtime.settings import settings
from functions.runtime.storage import is_data_damaged, is_disk_full
from functions.service.pipeline import run_jobs
from functions.steps import JOB_ATTEMPTS, TRANSIENT, VIDEOS_AT_ONCE, Retry, retry_of
from functions.transfers.exports.models import Export
from functions.transfers.imports.models import Import
from functions.transfers.pipeline import write_exports
from functions.transfers.transfers import resume_transfers
from local.clock_watch import ClockWatch, sentence_of
from local.data_file import DataFileDamaged, copy_data_file
from local.long_work import LongWork
from local.old_exports import remove_old_exports, remove_unfinished_exports
from local.timer import Timer

RUN_THREADS = 32
SWEEP_SECONDS = 60
"""Seconds between checks for dead runs of other processes."""
CHECK_CLOCK_SECONDS = 60
"""Seconds between checks for channels whose check is due."""
PRICE_CLOCK_SECONDS = 60
"""Seconds between checks for series whose next close is due."""
TASK_CLOCK_SECONDS = 5
"""Seconds between checks for plan tasks that are due: one query of an index that is mostly empty."""
JOB_THREADS = 4
OLD_EXPORTS_SECONDS = 3600
"""Seconds between checks for files whose exports have expired or are gone."""
CLOCK_WATCH_SECONDS = 5
"""Seconds between checks for a clock that was set."""
COPY_CLOCK_SECONDS = 3600
"""Seconds between checks for a copy of the data file that is a day old."""
ALERT_CLOCK_SECONDS = 15
"""Seconds between checks for alerts to deliver."""
NEWS_CLOCK_SECONDS = 30
"""Seconds between checks for news feeds that are due, as set by NEWS_EVERY."""
NEWS_WATCH_SECONDS = 300
END_OF_TIME = "9999"
Worker = Callable[[Mapping[str, Any], object], dict[str, Any]]
WORKERS: dict[type[Job], Worker] = {
    WriteExport: write_exports.handler,
    ImportData: write_exports.handler,
    AnalyseNews: analyse_news.handler,
}
"""The handlers of jobs with a dedicated queue."""


@dataclass(frozen=True, slots=True)
class Delayed:
    """A job that is to be done later."""

    job: Job
    seconds: float


class QueueDispatcher:
    """Passes work from the API's processes to the runner's."""

    def __init__(self, queue: "SimpleQueue[Any]") -> None:
        self._queue = queue

    def start_run(self, channel_id: str, run_id: str) -> None:
        self._queue.put((channel_id, run_id))

    def stop_run(self, channel_id: str, run_id: str) -> None:
        """Nothing to free: the runner notices at its next write."""

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        self._queue.put(Delayed(job, delay_seconds) if delay_seconds > 0 else job)


class Runner:
    """A Dispatcher that does the work itself."""

    def __init__(
        self,
        videos_at_once: int = VIDEOS_AT_ONCE,
        pause: Callable[[float], bool] | None = None,
        on_damage: Callable[[], None] = lambda: None,
    ) -> None:
        """`pause` waits before a retry, and returns True if the runner was stopped in the meantime. `on_damage` is
        called once the data file turns out to be damaged."""
        self._on_damage = on_damage
        self._clock = ClockWatch()
        self._videos_at_once = videos_at_once
        self._videos = ThreadPoolExecutor(videos_at_once, thread_name_prefix="video")
        self._runs = ThreadPoolExecutor(RUN_THREADS, thread_name_prefix="run")
        self._jobs = ThreadPoolExecutor(JOB_THREADS, thread_name_prefix="job")
        self._timer = Timer()
        self._stopping = threading.Event()
        # So that a large export or import holds up no job.
        self._long_work = LongWork(self._stopping)
        self._pause = self._stopping.wait if pause is None else pause
        self._active_runs: dict[str, str] = {}
        """The runs that are under way or queued here, by channel."""

    def start_run(self, channel_id: str, run_id: str) -> None:
        # A run that arrives during shutdown is resumed at the next start.
        if self._stopping.is_set() or self._active_runs.get(channel_id) == run_id:
            return
        self._active_runs[channel_id] = run_id
        self._submit(self._runs, self._run, channel_id, run_id)

    def stop_run(self, channel_id: str, run_id: str) -> None:
        """Nothing to free: the run notices at its next write."""

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        if delay_seconds > 0:
            self._timer.call_later(delay_seconds, lambda: self.send(job))
        else:
            self._send_now(job)

    def serve(self, queue: "SimpleQueue[Any]") -> None:
        """Takes work from the API's processes until it receives None."""
        while (work := queue.get()) is not None:
            if isinstance(work, tuple):
                self.start_run(*work)
            elif isinstance(work, Delayed):
                self.send(work.job, work.seconds)
            else:
                self.send(work)

    def resume_runs(self, *, all_are_dead: bool) -> list[str]:
        """Resumes the runs and readings that a crash interrupted, and returns the names of the runs' channels.

        No other process can use our own data folder, so there every run under way is dead, and nobody is fetching
        prices. Elsewhere only those runs are dead whose lease has ended.
        """
        if all_are_dead:
            resume_updates()
        while not index_runs_under_way():
            pass
        before = END_OF_TIME if all_are_dead else None
        swept = resume_dead_runs(self.start_run, lease_before=before, at_work=self._active_runs)
        if all_are_dead:
            request_lost_readings(END_OF_TIME)
            resume_tasks()
            if settings().exports_folder:
                remove_unfinished_exports()
            resume_transfers(Export)
            resume_transfers(Import)
        return [channel.name for channel in swept.resumed]

    def keep_resuming_runs(self) -> None:
        """Resumes runs of other processes that died, until the runner stops."""
        while not self._stopping.wait(SWEEP_SECONDS):
            self._run_logged(self.resume_runs, all_are_dead=False)

    def keep_updating_prices(self) -> None:
        """Has the series that are due updated, at once and from then on, until the runner stops."""
        while True:
            self._run_logged(update_prices.handler, {}, None)
            if self._stopping.wait(PRICE_CLOCK_SECONDS):
                return

    def keep_sending_tasks(self) -> None:
        """Has the tasks of plans worked on that are due, until the runner stops."""
        while not self._stopping.wait(TASK_CLOCK_SECONDS):
            self._run_logged(send_due_tasks.handler, {}, None)

    def keep_checking_channels(self) -> None:
        """Starts the periodic checks, immediately and then until the runner stops."""
        while True:
            self._run_logged(check_channels.handler, {}, None)
            if self._stopping.wait(CHECK_CLOCK_SECONDS):
                return

    def keep_delivering_alerts(self) -> None:
        """Delivers what is due, at once and from then on, until the runner stops."""
        while True:
            self._run_logged(deliver_alerts.handler, {}, None)
            if self._stopping.wait(ALERT_CLOCK_SECONDS):
                return

    def keep_ingesting_news(self) -> None:
        """Reads the feeds that are due, at once and from then on, until the runner stops."""
        while True:
            self._run_logged(ingest_news.handler, {}, None)
            if self._stopping.wait(NEWS_CLOCK_SECONDS):
                return

    def keep_watching_news(self) -> None:
        """Has news analysed whose job was lost, at once and from then on, until the runner stops."""
        while True:
            self._run_logged(watch_news.handler, {}, None)
            if self._stopping.wait(NEWS_WATCH_SECONDS):
                return

    def keep_watching_clock(self) -> None:
        """Resumes what a wrong clock has put off, until the runner stops."""
        while not self._stopping.wait(CLOCK_WATCH_SECONDS):
            if jump := self._clock.jump():
                logger.warning(sentence_of(jump))
                if jump < 0:
                    self._run_logged(self.resume_runs, all_are_dead=True)

    def keep_removing_exports(self) -> None:
        """Removes the files of exports that have expired or are gone, until the runner stops."""
        while True:
            if self._clock.is_steady():
                self._run_logged(remove_old_exports)
            if self._stopping.wait(OLD_EXPORTS_SECONDS):
                return

    def keep_copying_data(self, data: Path) -> None:
        """Copies the data file once a day, until the runner stops."""
        while True:
            self._run_logged(copy_data_file, data)
            if self._stopping.wait(COPY_CLOCK_SECONDS):
                return

    def stop(self) -> None:
        """Finishes the videos under way, and leaves exports, imports and the rest to the next start."""
        self._stopping.set()
        self._timer.stop()
        for pool in (self._videos, self._runs, self._jobs):
            pool.shutdown(wait=True, cancel_futures=True)
        self._long_work.stop()

    def _send_now(self, job: Job) -> None:
        if isinstance(job, LONG_JOBS):
            self._long_work.submit(lambda: self._run_logged(self._job, job))
        else:
            self._submit(self._jobs, self._job, job)

    def _submit(self, pool: ThreadPoolExecutor, work: Callable[..., None], *arguments: Any) -> None:
        # The pool may have been closed: the next start resumes what is left.
        with suppress(RuntimeError):
            pool.submit(self._run_logged, work, *arguments)

    def _run(self, channel_id: str, run_id: str) -> None:
        run = {"channel_id": channel_id, "run_id": run_id}
        ended = threading.Event()
        threading.Thread(target=self._keep_alive, args=(channel_id, run_id, ended), daemon=True).start()
        try:
            self._steps(run, ended)
        except (RunEnded, CancelledError):
            return
        except Exception as problem:
            if self._stopping.is_set():
                return
            with suppress(RunEnded):
                self._call(fail_run.handler, {**run, "error": as_caught(problem)})
        finally:
            ended.set()
            if self._active_runs.get(channel_id) == run_id:
                del self._active_runs[channel_id]

    def _steps(self, run: dict[str, str], ended: threading.Event) -> None:
        while (listed := self._call(list_videos.handler, run))["must_wait"]:
            self._wait(listed)
        if listed["nothing_to_do"]:
            return
        self._process_all(listed["video_ids"], run, ended)
        pricing = {**run, "checks": 0}
        while (pricing := self._call(price_calls.handler, pricing))["must_wait"]:
            self._wait(pricing)
        finished = self._call(finish_run.handler, run)
        if finished["must_wait"]:
            self._wait(finished)
            self._steps(run, ended)

    def _wait(self, state: Mapping[str, Any]) -> None:
        if self._pause(state["wait_seconds"]):
            raise CancelledError

    def _process_all(self, video_ids: list[str], run: dict[str, str], ended: threading.Event) -> None:
        """Never queues more than the pool can take at once, so that other runs get their turn in between."""
        done: queue.SimpleQueue[Future[None]] = queue.SimpleQueue()
        for number, video_id in enumerate(video_ids):
            if number >= self._videos_at_once:
                done.get().result()
            # The callback also runs for futures that are cancelled on shutdown; waiting for those would block forever.
            self._videos.submit(self._video, {**run, "video_id": video_id}, ended).add_done_callback(done.put)
        for _ in range(min(len(video_ids), self._videos_at_once)):
            done.get().result()

    def _video(self, video: dict[str, str], ended: threading.Event) -> None:
        """Processes a video or records its failure. Once the run has ended, no further video is started."""
        if ended.is_set():
            raise CancelledError
        try:
            self._call(process_video.handler, video)
        except RunEnded:
            ended.set()
            raise
        except Exception as problem:
            if self._stopping.is_set():
                # Its retries were cut short. The next start processes it again.
                raise CancelledError from None
            self._call(record_failed_video.handler, {**video, "error": as_caught(problem)})

    def _call(self, handler: Callable[[Any, Any], Any], event: Mapping[str, Any]) -> Any:
        """Calls a step as the state machine does: each kind of error has its own retry, a permanent one has none."""
        retries: Counter[Retry] = Counter()
        while True:
            try:
                return handler(event, None)
            except Exception as problem:
                retry = retry_of(type(problem).__name__)
                if retry is None:
                    raise
                retries[retry] += 1
                if retries[retry] == retry.attempts or self._pause(
                    retry.wait_before(retries[retry], getattr(problem, "retry_after", None))
                ):
                    raise

    def _job(self, job: Job) -> None:
        """Runs a job like the queue and its worker do, with as many tries."""
        handler: Worker = WORKERS.get(type(job)) or run_jobs.handler
        message = {"messageId": str(uuid4()), "body": job_to_message(job)}
        for attempt in range(1, JOB_ATTEMPTS + 1):
            received = {**message, "attributes": {"ApproximateReceiveCount": str(attempt)}}
            if not handler({"Records": [received]}, None)["batchItemFailures"]:
                return
            if attempt < JOB_ATTEMPTS and self._pause(TRANSIENT.wait_before(attempt)):
                return

    def _keep_alive(self, channel_id: str, run_id: str, ended: threading.Event) -> None:
        """Renews the lease, also while a single video takes long."""
        while not ended.wait(LEASE_SECONDS / 5):
            try:
                renew_lease(channel_id, run_id)
            except RunEnded:
                ended.set()
            except (ClientError, BotoCoreError) as problem:
                fields = {"channel_id": channel_id, "run_id": run_id, **describe(problem)}
                logger.warning("The lease was not renewed, and will be tried again", extra=fields)

    def _run_logged(self, work: Callable[..., object], *arguments: Any, **options: Any) -> None:
        """Logs the failure of a thread that nothing waits for."""
        name = getattr(work, "__name__", str(work))
        try:
            work(*arguments, **options)
        except Exception as problem:
            if isinstance(problem, DataFileDamaged) or is_data_damaged(problem.__cause__ or problem):
                self._on_damage()
            elif isinstance(problem, ClientError | BotoCoreError | TransientError) or is_disk_full(problem):
                # A traceback each time would fill the log while the engine is down or the disk full.
                logger.error("Work failed", work=name, reason=reason_for_people(problem))
            else:
                logger.exception("Work failed", work=name)
