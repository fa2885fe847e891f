"""How long the randomised tests run: briefly in `make test`, long in `make soak`."""

import os
import random

SOAKING = os.environ.get("SOAK") == "1"


def times(*, short: int, long: int) -> int:
    return long if SOAKING else short


def seed(setting: str) -> int:
    """From an environment variable, to repeat a failure; else random."""
    return int(os.environ.get(setting) or random.randrange(10**6))
