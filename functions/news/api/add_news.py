"""POST /api/news: adds one story manually."""

from aws_lambda_powertools.event_handler import Response

from functions.news.add import add_by_hand
from functions.news.api.schemas import News
from functions.news.incoming import IncomingNews
from functions.runtime.http.idempotency import once_per_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(status_code=201, middlewares=[once_per_key])
def add_news(request: IncomingNews) -> Response[News]:
    """Its tone follows within a minute."""
    return Response(201, content_type="application/json", body=News.of(add_by_hand(request, app.caller)))


handler = create_handler(app)
