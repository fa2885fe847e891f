"""The work table of the jobs queue: what each kind of job does, and the name under which it is counted."""

from functions.plans.models import PlanChangeKind
from functions.plans.pipeline.plan_tasks import run_task
from functions.plans.plans import finish_change
from functions.record.pipeline.keep_score import keep_score
from functions.record.prices.refresh import backfill_mentions, refresh_stocks
from functions.record.prices.series import update_series
from functions.record.score_requests import request_scores_of_stocks
from functions.record.uploads.read import give_up_reading, postpone_reading, read_handed_in
from functions.runtime.dispatch import (
    BackfillPrices,
    FinishPlanChange,
    Job,
    ReadTranscript,
    RefreshPrices,
    RunTask,
    ScoreChannel,
    ScoreMentions,
    ScoreMentionsOfDays,
    UpdateSeries,
)
from functions.runtime.observability import logger
from functions.runtime.pipeline.messages import Work, WorkTable
from functions.runtime.reasons import reason_for_people
from functions.steps import is_transient


def _read_transcript(job: ReadTranscript) -> None:
    """A transcript that cannot be analysed is reported in its channel's log, so that it is not retried forever."""
    try:
        read_handed_in(job.channel_id, job.video_id)
    except Exception as problem:
        reason = reason_for_people(problem)
        if is_transient(problem) and postpone_reading(job.channel_id, job.video_id, reason):
            raise
        logger.exception("A transcript could not be read", channel_id=job.channel_id, video_id=job.video_id)
        give_up_reading(job.channel_id, job.video_id, reason)


WORK: WorkTable = {
    RefreshPrices: Work(lambda job: refresh_stocks(job.tickers), "refresh_prices"),
    UpdateSeries: Work(lambda job: update_series(job.tickers), "update_series"),
    BackfillPrices: Work(lambda job: backfill_mentions(job.channel_id), "backfill_prices"),
    ScoreChannel: Work(lambda job: keep_score(job.channel_id), "score"),
    ScoreMentions: Work(lambda job: request_scores_of_stocks(job.tickers), "request_scores"),
    ScoreMentionsOfDays: Work(
        lambda job: request_scores_of_stocks(job.tickers, (job.first_day, job.last_day)), "request_scores"
    ),
    ReadTranscript: Work(_read_transcript, "read_transcript"),
    RunTask: Work(lambda job: run_task(job.plan_id, job.key), None),
    FinishPlanChange: Work(lambda job: finish_change(job.plan_id, PlanChangeKind(job.change)), "finish_plan"),
}


def do_job(job: Job) -> None:
    """Does a job of the queue. Idempotent: the queue may deliver a job twice."""
    WORK[type(job)].do(job)
