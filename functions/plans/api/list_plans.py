"""GET /api/plans: the plans, newest first, without their tasks."""

from functions.plans import plans
from functions.plans.api.schemas import PlansPage, PlanSummary
from functions.record.api.schemas import DEFAULT_LIMIT, Limit, NextToken
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

SCOPE = "plans"

app = create_app(__name__)


@app.endpoint()
def list_plans(limit: Limit = None, next_token: NextToken = None) -> PlansPage:
    page = plans.list_plans(start_key(next_token, SCOPE), limit or DEFAULT_LIMIT)
    items = [PlanSummary.of(plan, app.shown) for plan in page.items]
    return PlansPage(items=items, nextToken=page_token(page.next_key, SCOPE))


handler = create_handler(app)
