"""The current speed of this machine, compared to the one on which the goals were set.

That one adds up 1,000 x 10 floats in 2.4 ms (bench_standings has these sums).
"""

import time
from random import Random

from tests.benchmarks.bench_standings import float_floor, random_event

REFERENCE = 0.0024
"""Seconds of the float sums on the machine of the goals."""
SUMS = 100
"""Number of repetitions."""


def speed() -> float:
    """Return the current speed of this machine; that of the goals has 1.

    It is a mean, because a shared machine is slow at times.
    """
    event = random_event(1_000, 10, Random(1))
    start = time.perf_counter()
    for _sum in range(SUMS):
        float_floor(event)
    return REFERENCE * SUMS / (time.perf_counter() - start)
