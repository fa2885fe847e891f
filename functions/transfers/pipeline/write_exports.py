"""Processes the queue of exports and imports, which has a dedicated worker because one may take many minutes."""

from typing import Any

from functions.runtime.dispatch import ImportData, WriteExport
from functions.runtime.pipeline.messages import Work, WorkTable, do_messages
from functions.runtime.pipeline.step import Event, step
from functions.transfers.pipeline.export_jobs import write_export


def _import_data(import_id: str) -> None:
    # Imported here: most messages are exports.
    from functions.transfers.pipeline.import_jobs import import_data

    import_data(import_id)


WORK: WorkTable = {
    WriteExport: Work(lambda job: write_export(job.export_id), None),
    ImportData: Work(lambda job: _import_data(job.import_id), None),
}


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return do_messages(event, WORK)
