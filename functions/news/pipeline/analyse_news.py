"""Analyses the stories in the news queue, in a separate worker so that they don't wait behind prices."""

from typing import Any

from functions.news.analysis import analyse_news
from functions.runtime.dispatch import AnalyseNews
from functions.runtime.pipeline.messages import Work, WorkTable, do_messages
from functions.runtime.pipeline.step import Event, step

WORK: WorkTable = {AnalyseNews: Work(lambda job: analyse_news(job.items), "analyse_news")}


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return do_messages(event, WORK)
