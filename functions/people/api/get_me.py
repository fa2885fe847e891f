"""GET /api/me: the authenticated caller."""

from functions.people import users
from functions.people.api.schemas import Me
from functions.runtime.http.caller import caller_of, email_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_me() -> Me:
    event = app.current_event.raw_event
    return Me.model_validate(users.visit(caller_of(event), email_of(event)))


handler = create_handler(app)
