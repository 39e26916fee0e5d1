"""Speed of scoring: `python -m tests.benchmarks.bench_rules`.

Prints the workload, the figure and how it compares with the goal. It is a script and
not a test: a figure depends on the machine.
"""

import os
import timeit
from collections.abc import Callable
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
django.setup()

from scoring.games.random_match import generate_match  # noqa: E402 - Django is set up first
from scoring.rules import MatchRecord, score_match  # noqa: E402
from tests.benchmarks.extent import SHORT  # noqa: E402

SUMS_GOAL = 100_000
TRICKS_GOAL = 10_000
SUMS, TRICKS, MANY = (1_000, 200, 10_000) if SHORT else (10_000, 2_000, 100_000)
"""Hands of a match."""
TARGET = 10**9
"""High enough that no match ends early."""


def random_match(hands: int, *, tricks: bool) -> MatchRecord:
    options = {"target": TARGET}
    rng = Random(hands)
    return generate_match("tricky", 3, options, rng, tricks=tricks, most_hands=hands)


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the shortest of several runs, without the garbage collector's share."""
    return min(timeit.repeat(work, number=1, repeat=times))


def report(workload: str, figure: float, goal: float, unit: str) -> None:
    print(
        f"{workload:<44} {figure:>10,.1f} {unit:<8} goal {goal:,} ({figure / goal:.2f}×)"
    )


def main() -> None:
    sums, tricks = random_match(SUMS, tricks=False), random_match(TRICKS, tricks=True)
    many_hands = random_match(MANY, tricks=False)
    sums_seconds = seconds(lambda: score_match(sums))
    report(
        f"Tricky for 3, {SUMS:,} hands of sums",
        SUMS / sums_seconds,
        SUMS_GOAL,
        "hands/s",
    )
    report(
        f"Tricky for 3, {TRICKS:,} hands of nine tricks",
        TRICKS / seconds(lambda: score_match(tricks)),
        TRICKS_GOAL,
        "hands/s",
    )
    ratio = seconds(lambda: score_match(many_hands), times=2) / sums_seconds
    report(f"{MANY:,} hands against {SUMS:,}: time", ratio, 10, "times")


if __name__ == "__main__":
    main()
