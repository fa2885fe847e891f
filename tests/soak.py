"""How long the randomised tests look for trouble: a short run of each in `make test`, a long one in `make soak`."""

import os
import random

SOAKING = os.environ.get("SOAK") == "1"


def times(*, short: int, long: int) -> int:
    return long if SOAKING else short


def seed(setting: str) -> int:
    """What an environment variable says, to repeat a failure; else any."""
    return int(os.environ.get(setting) or random.randrange(10**6))
