"""How fast this machine is now, beside the one that the goals were set on.

That one adds up 1,000 x 10 floats in 2.4 ms (bench_standings has these sums).
"""

import time
from random import Random

from tests.benchmarks.bench_standings import float_floor, random_event

REFERENCE = 0.0024
"""Seconds that the float sums took where the goals were set."""
SUMS = 100
"""How often they are added up to know this machine."""


def speed() -> float:
    """Return how fast this machine is now, where the goals' machine has 1.

    The mean, because a machine shared with others is slow by moments.
    """
    event = random_event(1_000, 10, Random(1))
    start = time.perf_counter()
    for _sum in range(SUMS):
        float_floor(event)
    return REFERENCE * SUMS / (time.perf_counter() - start)
