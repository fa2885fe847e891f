"""The local server that copies its data file each second instead of each day."""

import sys

from local import data_file, runner
from local.__main__ import main

if __name__ == "__main__":
    data_file.COPY_SECONDS = 1
    runner.COPY_CLOCK_SECONDS = 1
    sys.exit(main())
