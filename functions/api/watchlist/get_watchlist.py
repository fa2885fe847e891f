"""GET /api/watchlist: the stocks and channels that the caller follows."""

from functions.api.alert_schemas import Watchlist
from functions.api.caller import caller_of
from functions.api.resolver import create_app, create_handler
from functions.logic import watchlists

app = create_app(__name__)


@app.endpoint()
def get_watchlist() -> Watchlist:
    return Watchlist.model_validate(watchlists.get_watchlist(caller_of(app.current_event.raw_event)))


handler = create_handler(app)
