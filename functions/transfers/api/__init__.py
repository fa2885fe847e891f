"""The routes for exports and imports, and the responses to their errors."""

import functions.record.api  # noqa: F401 - its errors may be raised here too
from functions.runtime.http.resolver import register_errors
from functions.transfers.errors import ExportNotFound, ImportNotFound, TooManyExports, TooManyImports
from functions.transfers.models import MAX_OPEN

register_errors(
    {
        ExportNotFound: (404, "Export not found"),
        ImportNotFound: (404, "Import not found"),
        TooManyExports: (409, f"{MAX_OPEN} of your exports are under way; wait for one to end, or delete it"),
        TooManyImports: (409, f"{MAX_OPEN} of your imports are under way; wait for one to end and try again"),
    }
)
