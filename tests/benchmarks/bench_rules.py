"""How fast the rules score: `python -m tests.benchmarks.bench_rules`.

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

from scoring.games.random_match import play_match  # noqa: E402 - Django is set up first
from scoring.rules import Record, score_match  # noqa: E402

SUMS_GOAL = 20_000
TRICKS_GOAL = 3_000
TARGET = 10**9
"""High enough that a match goes on for as many hands as are wanted."""


def played(hands: int, *, tricks: bool) -> Record:
    """Return one match of Tricky for three, as long as wanted."""
    options = {"target": TARGET}
    rng = Random(hands)
    return play_match("tricky", 3, options, rng, tricks=tricks, most_hands=hands)


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the shortest of several runs, without the garbage collector's share."""
    return min(timeit.repeat(work, number=1, repeat=times))


def report(workload: str, figure: float, goal: float, unit: str) -> None:
    """Print one line: what was done, how fast, and how that stands to the goal."""
    print(
        f"{workload:<44} {figure:>10,.1f} {unit:<8} goal {goal:,} ({figure / goal:.2f}×)"
    )


def main() -> None:
    """Measure sums, complete tricks, and whether ten times as much takes ten times."""
    sums, tricks = played(10_000, tricks=False), played(2_000, tricks=True)
    longer = played(100_000, tricks=False)
    taken = seconds(lambda: score_match(sums))
    report("Tricky for 3, 10,000 hands of sums", 10_000 / taken, SUMS_GOAL, "hands/s")
    report(
        "Tricky for 3, 2,000 hands of nine tricks",
        2_000 / seconds(lambda: score_match(tricks)),
        TRICKS_GOAL,
        "hands/s",
    )
    ratio = seconds(lambda: score_match(longer), times=2) / taken
    report("100,000 hands against 10,000: time", ratio, 10, "times")


if __name__ == "__main__":
    main()
