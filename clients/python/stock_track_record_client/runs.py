"""Runs: what was read when, on whose behalf, and what came of it."""

from stock_track_record_client.models import Attempt, AttemptsPage, Run, RunsPage, RunStatus
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes


class RunRoutes(Routes):
    def runs(self, *, status: RunStatus | None = None, analyst: str | None = None) -> Pages[RunsPage, Run]:
        """Across all channels, newest first."""
        return self._list(RunsPage, Run, "runs", status=status, analyst=analyst)

    def run(self, run_id: str) -> Run:
        return self._get(Run, "runs", run_id)

    def channel_runs(self, channel_id: str) -> Pages[RunsPage, Run]:
        return self._list(RunsPage, Run, "channels", channel_id, "runs")

    def video_runs(self, channel_id: str, video_id: str) -> Pages[AttemptsPage, Attempt]:
        """The result of each run for a video, newest first."""
        return self._list(AttemptsPage, Attempt, "channels", channel_id, "videos", video_id, "runs")
