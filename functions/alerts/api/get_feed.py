"""GET /api/feed.atom: the newest calls, verdicts and matured calls of all channels, as an Atom feed."""

from aws_lambda_powertools.event_handler import Response

from functions.alerts.api.atom import feed_response
from functions.alerts.atom_feeds import feed_of_all
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_feed() -> Response[str]:
    return feed_response(app.current_event.raw_event, feed_of_all)


handler = create_handler(app)
