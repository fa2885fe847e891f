"""All code that runs in a Lambda function.

Makes the garbage collector run less often: what a cold start imports is never freed, and collecting after every 700
allocations, the default, takes a tenth of its time.
"""

import gc

GC_THRESHOLD = 10_000
GC_OLDER_GENERATIONS_THRESHOLD = 20

gc.set_threshold(GC_THRESHOLD, GC_OLDER_GENERATIONS_THRESHOLD)
