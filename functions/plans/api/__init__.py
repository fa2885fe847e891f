"""The routes for plans, and the responses to their errors."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError

import functions.record.api  # noqa: F401 - its errors may be raised here too
from functions.plans.errors import InvalidPlan, PlanEnded, PlanNotFound, TaskLacksChannel
from functions.runtime.http.resolver import error_response, invalid_request, register_errors


def _invalid_plan(problem: InvalidPlan) -> "Response[Any]":
    return error_response(400, str(problem))


def _task_lacks_channel(problem: TaskLacksChannel) -> "Response[Any]":
    location = ("body", "tasks", problem.position, "channel_id")
    error = {"type": "value_error", "loc": location, "msg": str(problem), "input": None}
    return invalid_request(RequestValidationError([error]))


register_errors(
    {
        PlanNotFound: (404, "Plan not found"),
        PlanEnded: (400, "Plan has ended"),
        InvalidPlan: _invalid_plan,
        TaskLacksChannel: _task_lacks_channel,
    }
)
