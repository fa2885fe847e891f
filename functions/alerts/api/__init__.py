"""The routes about alerts."""

import functions.record.api  # noqa: F401 - its errors may be raised here
