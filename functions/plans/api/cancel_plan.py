"""POST /api/plans/{plan_id}/cancel: cancels the tasks that have not started; running tasks finish."""

from functions.plans import plans
from functions.plans.api.schemas import Plan, PlanId
from functions.runtime.http.idempotency import once_per_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def cancel_plan(plan_id: PlanId) -> Plan:
    return Plan.in_full(plans.cancel_plan(plan_id, app.caller), app.shown)


handler = create_handler(app)
