"""A handler serves its own route and no other."""

from collections import Counter

import pytest

from functions.record.store.channels import create_channel
from functions.routes import FALLBACK, ROUTES, Route
from tests.builders import a_channel
from tests.events import api_event, invoke
from tests.fakes import RecordingDispatcher

BODY = '{"url": "https://www.youtube.com/@SomeName"}'


@pytest.mark.parametrize("own", [*ROUTES, FALLBACK], ids=lambda route: route.module)
def test_a_handler_refuses_the_routes_of_others(
    requests_made: Counter[str], dispatched: RecordingDispatcher, own: Route
) -> None:
    channel = a_channel()
    create_channel(channel)
    requests_made.clear()

    for other in (route for route in ROUTES if route is not own):
        event = api_event(other.method, path_of(other, channel.id), body=BODY)
        response = invoke(own, event)

        assert response.status in (404, 405), other
    assert not requests_made
    assert not dispatched.started
    assert not dispatched.jobs


def path_of(route: Route, channel_id: str) -> str:
    return route.path.replace("{channel_id}", channel_id).replace("{ticker}", "AAPL")
