"""The resources of the token's owner: their identity, settings, watchlist and alerts."""

from collections.abc import Iterable

from stock_track_record_client.models import (
    Alert,
    AlertKind,
    AlertSettings,
    AlertSettingsRequest,
    AlertsPage,
    Horizon,
    Me,
    Settings,
    TestAlert,
    Watchlist,
)
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes


class PersonRoutes(Routes):
    def me(self) -> Me:
        """Whom the API takes the caller for."""
        return self._get(Me, "me")

    def settings(self) -> Settings:
        return self._get(Settings, "settings")

    def save_settings(
        self,
        *,
        version: int,
        horizon: Horizon | None = None,
        cost_bps: float | None = None,
        review_below: float | None = None,
        benchmark: str | None = None,
    ) -> Settings:
        """Replaces the settings of the version that was read; what is not given follows the default from then on."""
        chosen = {"horizon": horizon, "cost_bps": cost_bps, "review_below": review_below, "benchmark": benchmark}
        return self._put(Settings, "settings", body={**chosen, "version": version})

    def watchlist(self) -> Watchlist:
        return self._get(Watchlist, "watchlist")

    def save_watchlist(self, tickers: Iterable[str], channel_ids: Iterable[str], *, version: int) -> Watchlist:
        """Replaces the version that was read; a concurrent change is a Conflict."""
        body = {"tickers": list(tickers), "channel_ids": list(channel_ids), "version": version}
        return self._put(Watchlist, "watchlist", body=body)

    def alerts(self, *, kind: AlertKind | None = None) -> Pages[AlertsPage, Alert]:
        """Across all channels, newest first."""
        return self._list(AlertsPage, Alert, "alerts", kind=kind)

    def channel_alerts(self, channel_id: str, *, kind: AlertKind | None = None) -> Pages[AlertsPage, Alert]:
        return self._list(AlertsPage, Alert, "channels", channel_id, "alerts", kind=kind)

    def alert_settings(self) -> AlertSettings:
        return self._get(AlertSettings, "alerts", "settings")

    def save_alert_settings(self, settings: AlertSettingsRequest) -> AlertSettings:
        """Replaces the version that was read; a concurrent change is a Conflict."""
        return self._put(AlertSettings, "alerts", "settings", body=settings)

    def send_test_alert(self) -> TestAlert:
        return self._post(TestAlert, "alerts", "settings", "test")
