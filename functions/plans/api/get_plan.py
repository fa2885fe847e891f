"""GET /api/plans/{plan_id}: a plan with its tasks."""

from functions.plans import plans
from functions.plans.api.schemas import Plan, PlanId
from functions.record.api.schemas import Strong
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_plan(plan_id: PlanId, strong: Strong = False) -> Plan:
    return Plan.in_full(plans.get_plan(plan_id, consistent=strong), app.shown)


handler = create_handler(app)
