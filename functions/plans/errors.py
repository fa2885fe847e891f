"""The domain errors of plans."""

from functions.runtime.errors import StockTrackRecordError


class PlanNotFound(StockTrackRecordError):
    def __init__(self, plan_id: str) -> None:
        super().__init__(f"there is no plan {plan_id}")


class PlanEnded(StockTrackRecordError):
    def __init__(self, plan_id: str) -> None:
        super().__init__(f"plan {plan_id} has ended")


class InvalidPlan(StockTrackRecordError):
    """The tasks do not make a plan. The message is shown to users."""


class TaskLacksChannel(StockTrackRecordError):
    """A task names no channel, nor takes one from the task that adds it. The message is shown to users."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position


class TaskTaken(StockTrackRecordError):
    """The claim of this worker ended, and another has taken the task over; nothing was written."""

    def __init__(self, plan_id: str, key: str) -> None:
        super().__init__(f"task {key} of plan {plan_id} is another worker's now")
