"""GET /api/me: the authenticated caller."""

from functions.people import users
from functions.people.api.schemas import Me
from functions.runtime.http.caller import email_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_me() -> Me:
    caller = app.caller
    user = users.visit(caller.id, email_of(app.current_event.raw_event))
    return Me(
        user_id=user.user_id,
        email=user.email,
        name=caller.name,
        role=caller.role,
        first_seen_at=user.first_seen_at,
        last_seen_at=user.last_seen_at,
    )


handler = create_handler(app)
