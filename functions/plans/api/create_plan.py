"""POST /api/plans: validates a plan of interdependent tasks, and starts it."""

from aws_lambda_powertools.event_handler import Response

from functions.plans import plans
from functions.plans.api.schemas import Plan, PlanRequest
from functions.runtime.http.idempotency import once_per_key, request_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(status_code=201, middlewares=[once_per_key])
def create_plan(request: PlanRequest) -> Response[Plan]:
    caller = app.caller
    created = plans.create_plan(request.name, request.wanted(), caller, request=request_of(app, caller.id))
    return Response(
        201,
        content_type="application/json",
        headers={"Location": f"/api/plans/{created.plan.id}"},
        body=Plan.in_full(created, app.shown),
    )


handler = create_handler(app)
