"""Operators can follow alerts: the saved query finds every try to deliver one by its id."""

from collections.abc import Callable
from typing import Any

from functions.alerts.pipeline import deliver_alerts
from functions.record.models.records import Channel
from infra.saved_queries import ONE_ALERT, ONE_CHANNEL
from local.entities import put_entities
from tests.builders import an_alert
from tests.integration.alerts.test_delivery import channel, hook, make_due, subscribe
from tests.receivers import Receiver

LogLines = Callable[[], list[dict[str, Any]]]

__all__ = ["channel", "hook"]


def test_every_try_to_deliver_an_alert_is_found(hook: Receiver, channel: Channel, log_lines: LogLines) -> None:
    subscribe(hook)
    alert, other = an_alert(channel.id), an_alert(channel.id)
    put_entities([alert])
    hook.status = 503
    deliver_alerts.handler({}, None)
    hook.status = 204
    make_due()
    put_entities([other])
    deliver_alerts.handler({}, None)

    found = [line for line in log_lines() if ONE_ALERT.finds(line, alert.id)]

    assert [(line["level"], line["message"], line.get("attempts")) for line in found] == [
        ("INFO", "Alert queued for those who want it", None),
        ("WARNING", "Alert not delivered, and tried again later", 0),
        ("INFO", "Alert delivered", 1),
    ]
    queued, *tries = found
    assert queued["readers"] == 1
    assert "503" in tries[0]["reason"]
    assert {(line["step"], line["user_id"], line["way"]) for line in tries} == {
        ("deliver_alerts", "somebody", "webhook")
    }
    assert all(ONE_CHANNEL.finds(line, channel.id) for line in found)
    assert [line for line in log_lines() if ONE_ALERT.finds(line, other.id)]


def test_an_alert_that_nobody_wants_is_found(hook: Receiver, channel: Channel, log_lines: LogLines) -> None:
    subscribe(hook, kinds=("verdict",))
    alert = an_alert(channel.id)
    put_entities([alert])

    deliver_alerts.handler({}, None)

    (line,) = [line for line in log_lines() if ONE_ALERT.finds(line, alert.id)]
    assert (line["readers"], line["channel_id"]) == (0, channel.id)
