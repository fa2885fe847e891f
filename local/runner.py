"""Does the work that AWS gives to Step Functions and SQS: runs and price jobs, on threads of this process."""

import queue
import random
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.queues import SimpleQueue
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from functions.core.errors import RunEnded
from functions.core.observability import logger
from functions.dispatch import Job
from functions.logic.dead_runs import dead_runs, take_over
from functions.logic.failures import reason_for_people
from functions.logic.price_keeping import do_job
from functions.pipeline import fail_run, finish_run, list_videos, process_video, record_failed_video
from functions.providers.protocols import Unavailable
from functions.steps import VIDEOS_AT_ONCE
from functions.store.runs import LEASE_SECONDS, renew_lease

RUNS_AT_ONCE = 32
TRIES = 4
LONGEST_WAIT = 30.0
SWEEP_SECONDS = 60
"""How often to look for runs of other processes that died."""
PASSING_FAULTS = (Unavailable, ClientError, BotoCoreError)
END_OF_TIME = "9999"


class QueueDispatcher:
    """Hands work from the API's processes to the runner's."""

    def __init__(self, queue: "SimpleQueue[Any]") -> None:
        self._queue = queue

    def start_run(self, channel_id: str, run_id: str) -> None:
        self._queue.put((channel_id, run_id))

    def stop_run(self, channel_id: str, run_id: str) -> None:
        """Nothing to free: the runner notices at its next write."""

    def send(self, job: Job) -> None:
        self._queue.put(job)


class Runner:
    """A Dispatcher that does the work itself."""

    def __init__(self, videos_at_once: int = VIDEOS_AT_ONCE, pause: Callable[[float], bool] | None = None) -> None:
        """`pause` passes the time before a retry, and says whether the runner was stopped meanwhile."""
        self._videos_at_once = videos_at_once
        self._videos = ThreadPoolExecutor(videos_at_once, thread_name_prefix="video")
        self._runs = ThreadPoolExecutor(RUNS_AT_ONCE, thread_name_prefix="run")
        self._jobs = ThreadPoolExecutor(2, thread_name_prefix="job")
        self._stopping = threading.Event()
        self._pause = self._stopping.wait if pause is None else pause
        self._at_work: dict[str, str] = {}
        """The run of each channel that is under way or waits here."""

    def start_run(self, channel_id: str, run_id: str) -> None:
        # A run that comes while the runner stops is taken up at the next start.
        if self._stopping.is_set() or self._at_work.get(channel_id) == run_id:
            return
        self._at_work[channel_id] = run_id
        self._submit(self._runs, self._run, channel_id, run_id)

    def stop_run(self, channel_id: str, run_id: str) -> None:
        """Nothing to free: the run notices at its next write."""

    def send(self, job: Job) -> None:
        self._submit(self._jobs, self._with_retries, do_job, job)

    def serve(self, queue: "SimpleQueue[Any]") -> None:
        """Takes work from the API's processes until None comes."""
        while (work := queue.get()) is not None:
            if isinstance(work, tuple):
                self.start_run(*work)
            else:
                self.send(work)

    def take_up_runs(self, *, all_are_dead: bool) -> list[str]:
        """Begins anew what a crash left behind; the names of those channels.

        With a data folder of our own nobody else can be at work, so every run under way is dead. Elsewhere only
        those are whose lease has ended.
        """
        before = END_OF_TIME if all_are_dead else None
        taken = []
        for channel in dead_runs(lease_before=before):
            ours = channel.id in self._at_work
            if not ours and (run_id := take_over(channel, lease_before=before)):
                self.start_run(channel.id, run_id)
                taken.append(channel.name)
        return taken

    def keep_taking_up_runs(self) -> None:
        """Looks after runs that another process leaves behind, until the runner stops."""
        while not self._stopping.wait(SWEEP_SECONDS):
            self._reported(self.take_up_runs, all_are_dead=False)

    def stop(self) -> None:
        """Lets the videos at hand be finished and leaves the rest to the next start."""
        self._stopping.set()
        for pool in (self._videos, self._runs, self._jobs):
            pool.shutdown(wait=True, cancel_futures=True)

    def _submit(self, pool: ThreadPoolExecutor, work: Callable[..., None], *arguments: Any) -> None:
        # The pool may have been closed since: what is left over is found at the next start.
        with suppress(RuntimeError):
            pool.submit(self._reported, work, *arguments)

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
            logger.exception("The run failed", extra=run)
            with suppress(RunEnded):
                self._with_retries(fail_run.handler, {**run, "reason": reason_for_people(problem)})
        finally:
            ended.set()
            if self._at_work.get(channel_id) == run_id:
                del self._at_work[channel_id]

    def _steps(self, run: dict[str, str], ended: threading.Event) -> None:
        listed = self._with_retries(list_videos.handler, run)
        self._process_all(listed["video_ids"], run, ended)
        self._with_retries(finish_run.handler, run)

    def _process_all(self, video_ids: list[str], run: dict[str, str], ended: threading.Event) -> None:
        """Never queues more than the pool can take at once, so that other runs get their turn in between."""
        done: queue.SimpleQueue[Future[None]] = queue.SimpleQueue()
        for number, video_id in enumerate(video_ids):
            if number >= self._videos_at_once:
                done.get().result()
            # Called also for what is cancelled when the runner stops; waiting for the futures would not end then.
            self._videos.submit(self._video, {**run, "video_id": video_id}, ended).add_done_callback(done.put)
        for _ in range(min(len(video_ids), self._videos_at_once)):
            done.get().result()

    def _video(self, video: dict[str, str], ended: threading.Event) -> None:
        """One video to its outcome, whatever that is. Once the run has ended, the others do not begin."""
        if ended.is_set():
            raise CancelledError
        try:
            self._with_retries(process_video.handler, video)
        except RunEnded:
            ended.set()
            raise
        except Exception as problem:
            if self._stopping.is_set():
                # Its retries were cut short. The next start takes it up again.
                raise CancelledError from None
            logger.exception("The video failed", extra=video)
            self._with_retries(record_failed_video.handler, {**video, "reason": reason_for_people(problem)})

    def _with_retries(self, work: Callable[..., Any], subject: Any) -> Any:
        """Passing faults are tried again after a while; what is permanent is raised at once."""
        arguments = (subject, None) if isinstance(subject, dict) else (subject,)
        for attempt in range(TRIES):
            try:
                return work(*arguments)
            except PASSING_FAULTS as fault:
                if attempt == TRIES - 1 or self._pause(_wait_seconds(attempt, fault)):
                    raise
        raise AssertionError("the last try returns or raises")

    def _keep_alive(self, channel_id: str, run_id: str, ended: threading.Event) -> None:
        """Renews the lease, also while a single video takes long."""
        while not ended.wait(LEASE_SECONDS / 5):
            try:
                renew_lease(channel_id, run_id)
            except RunEnded:
                ended.set()
            except (ClientError, BotoCoreError):
                logger.exception("The lease was not renewed; it will be tried again", channel_id=channel_id)

    def _reported(self, work: Callable[..., object], *arguments: Any, **options: Any) -> None:
        """A failure of a thread nobody waits for reaches the log."""
        try:
            work(*arguments, **options)
        except Exception:
            logger.exception("Work failed", work=getattr(work, "__name__", str(work)))


def _wait_seconds(attempt: int, fault: BaseException) -> float:
    asked = fault.retry_after if isinstance(fault, Unavailable) else None
    return min(LONGEST_WAIT, random.uniform(0.25, 0.5) * 3**attempt if asked is None else asked)
