"""PUT /api/watchlist: changes the stocks and channels that the caller follows."""

from functions.people import watchlists
from functions.people.api.watchlist_schemas import Watchlist, WatchlistRequest
from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(present=Watchlist.model_validate)
def put_watchlist(request: WatchlistRequest) -> Watchlist:
    user_id = caller_of(app.current_event.raw_event)
    saved = watchlists.put_watchlist(user_id, request.version, request.tickers, request.channel_ids)
    return Watchlist.model_validate(saved)


handler = create_handler(app)
