"""Scheduled: resumes tasks, exports and imports whose message was lost or whose worker died."""

from aws_lambda_powertools.metrics import MetricUnit

from functions.plans.due_tasks import send_due_tasks
from functions.runtime.observability import TASKS_WAITING, logger, metrics
from functions.runtime.pipeline.step import Event, step
from functions.transfers.exports.models import Export
from functions.transfers.imports.models import Import
from functions.transfers.transfers import send_lost_transfers


@step
def handler(event: Event, context: object) -> dict[str, list[str]]:
    sent, late = send_due_tasks()
    exports, late_exports = send_lost_transfers(Export)
    imports, late_imports = send_lost_transfers(Import)
    metrics.add_metric(name=TASKS_WAITING, unit=MetricUnit.Count, value=late + late_exports + late_imports)
    if late or late_exports or late_imports:
        waiting = {"tasks": late, "exports": late_exports, "imports": late_imports}
        logger.warning("Tasks, exports or imports have been due for more than an hour", extra=waiting)
    return {"sent": sent, "exports": exports, "imports": imports}
