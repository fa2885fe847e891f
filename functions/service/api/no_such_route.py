"""Handles requests that match no route: 404, or 405 if only the method is wrong."""

from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)

handler = create_handler(app)
