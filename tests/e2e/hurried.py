"""The local server with shorter pauses after a source has refused a request, so that tests need not wait for them."""

import sys
from datetime import timedelta

from functions.record.prices import schedule as check_times
from functions.record.sources import rate_limit as pace
from local.__main__ import main

if __name__ == "__main__":
    pace.BLOCKED_SECONDS = 3.0
    pace.CAPTIONS_MIN_HOLD = 3.0
    check_times.RETRY_PAUSE = timedelta(seconds=3)
    sys.exit(main())
