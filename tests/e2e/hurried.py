"""The local server, with shorter pauses after a source has refused a request, so that tests need not wait for them."""

import sys

from functions.providers import pace
from local.__main__ import main

if __name__ == "__main__":
    pace.BLOCKED_SECONDS = 3.0
    pace.CAPTIONS_MIN_HOLD = 3.0
    sys.exit(main())
