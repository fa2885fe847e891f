"""Writes the exports of their queue: a worker of its own, since one may take many minutes."""

from typing import Any

from functions.dispatch import WriteExport
from functions.pipeline.export_jobs import write_export
from functions.pipeline.messages import Work, WorkTable, do_messages
from functions.pipeline.step import Event, step

WORK: WorkTable = {WriteExport: Work(lambda job: write_export(job.export_id), None)}


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return do_messages(event["Records"], WORK)
