"""The domain errors of plans."""

from functions.runtime.errors import StockTrackRecordError


class PlanNotFound(StockTrackRecordError):
    def __init__(self, plan_id: str) -> None:
        super().__init__(f"there is no plan {plan_id}")


class PlanEnded(StockTrackRecordError):
    def __init__(self, plan_id: str) -> None:
        super().__init__(f"plan {plan_id} has ended")


class InvalidPlan(StockTrackRecordError):
    """The tasks do not form a valid plan. The message is shown to users."""


class TaskLacksChannel(StockTrackRecordError):
    """A task neither names a channel nor takes one from a task that adds it. The message is shown to users."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position


class TaskTaken(StockTrackRecordError):
    """This worker's claim expired and another worker took the task over; nothing was written."""

    def __init__(self, plan_id: str, key: str) -> None:
        super().__init__(f"task {key} of plan {plan_id} is another worker's now")
