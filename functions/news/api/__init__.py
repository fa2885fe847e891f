"""The news routes, and the responses to their errors."""

import functions.record.api  # noqa: F401 - its errors may be raised here too
from functions.news.errors import NewsAlreadyKnown
from functions.runtime.http.resolver import register_errors

register_errors(
    {
        NewsAlreadyKnown: (409, "This story is known already"),
    }
)
