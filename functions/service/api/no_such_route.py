"""Handles requests that no route matches: 404, or 405 where only the method is wrong."""

from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)

handler = create_handler(app)
