"""GET /api/watchlist: the stocks and channels that the caller follows."""

from functions.people import watchlists
from functions.people.api.watchlist_schemas import Watchlist
from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_watchlist() -> Watchlist:
    return Watchlist.model_validate(watchlists.get_watchlist(caller_of(app.current_event.raw_event)))


handler = create_handler(app)
