"""Plans: many tasks that depend on each other, sent once and done by the API."""

from collections.abc import Sequence

from stock_track_record_client.models import Plan, PlansPage, PlanSummary, TaskRequest
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes
from stock_track_record_client.waiting import wait_until


class PlanRoutes(Routes):
    def plans(self) -> Pages[PlansPage, PlanSummary]:
        """Newest first."""
        return self._list(PlansPage, PlanSummary, "plans")

    def plan(self, plan_id: str, *, strong: bool = False) -> Plan:
        return self._get(Plan, "plans", plan_id, strong=strong or None)

    def create_plan(self, name: str, tasks: Sequence[TaskRequest]) -> Plan:
        """At most 500 tasks. A circle or an unknown key is a 400 that names it."""
        return self._post(Plan, "plans", body={"name": name, "tasks": list(tasks)})

    def cancel_plan(self, plan_id: str) -> Plan:
        """Cancels the tasks that have not started."""
        return self._post(Plan, "plans", plan_id, "cancel")

    def wait_for_plan(self, plan_id: str, *, timeout: float = 3600.0) -> Plan:
        """The plan once every task has ended: completed, failed or cancelled."""
        return wait_until(lambda plan: plan["status"] != "running", lambda: self.plan(plan_id, strong=True), timeout)
