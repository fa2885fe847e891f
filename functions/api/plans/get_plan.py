"""GET /api/plans/{plan_id}: a plan with its tasks."""

from functions.api.plan_schemas import Plan, PlanId
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import Strong
from functions.logic import plans

app = create_app(__name__)


@app.endpoint()
def get_plan(plan_id: PlanId, strong: Strong = False) -> Plan:
    return Plan.in_full(plans.get_plan(plan_id, consistent=strong))


handler = create_handler(app)
