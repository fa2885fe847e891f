"""POST /api/plans/{plan_id}/cancel: cancels the tasks that have not begun; those under way finish."""

from functions.api.idempotency import once_per_key
from functions.api.plan_schemas import Plan, PlanId
from functions.api.resolver import create_app, create_handler
from functions.logic import plans

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def cancel_plan(plan_id: PlanId) -> Plan:
    return Plan.in_full(plans.cancel_plan(plan_id))


handler = create_handler(app)
