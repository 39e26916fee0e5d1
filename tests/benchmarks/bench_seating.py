"""How long a draw takes: `python -m tests.benchmarks.bench_seating`.

Prints each workload, its time, and its repeats with their lower bound.
"""

import os
from fractions import Fraction
from time import perf_counter

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
django.setup()

from tests.benchmarks.extent import SHORT  # noqa: E402
from tournaments.event.setup.proposals import propose_nights  # noqa: E402 - after set-up
from tournaments.seating import (  # noqa: E402
    Draw,
    DrawRequest,
    TableSizeLimits,
    draw_swiss,
    plan_night,
)

NIGHTS = [
    (16, 5, 4), (20, 5, 4), (24, 7, 4), (32, 9, 4), (36, 11, 4), (40, 13, 4), (64, 12, 4),
    (200, 12, 4), (15, 7, 3), (9, 4, 3), (25, 6, 5), (15, 5, 4), (17, 5, 4), (23, 5, 4),
    (13, 4, 4), (12, 3, 4),
]  # fmt: skip
WIZARDS = [
    ("tricky_bid", 240),
    ("tricky_bid", 180),
    ("tricky", 240),
    ("tricky_dice", 240),
]
"""Games and minutes of proposals for 17 players, the slowest first."""
GOAL = 0.5
SWISS_GOAL = 1.0
WIZARD_GOAL = 1.0
"""Seconds."""


def report(workload: str, draw: Draw, seconds: float, goal: float) -> None:
    quality = draw.quality
    print(
        f"{workload:<34} {quality.repeats:>3} repeats (bound {quality.bound}), "
        f"{seconds:.3f} s, goal {goal} s ({seconds / goal:.2f}×)"
    )


def main() -> None:
    for players, rounds, table in NIGHTS:
        sizing = TableSizeLimits(
            preferred=table, least=max(table - 1, 2), most=table + 1
        )
        request = DrawRequest(players=range(1, players + 1), sizing=sizing)
        started_at = perf_counter()
        draw = plan_night(request, rounds)
        workload = f"{players} players, {rounds} rounds of {table}"
        report(workload, draw, perf_counter() - started_at, GOAL)
    points = {player: Fraction(200 - player, 20) for player in range(1, 201)}
    started_at = perf_counter()
    draw = draw_swiss(DrawRequest(players=range(1, 201)), points)
    report("a Swiss round of 200", draw, perf_counter() - started_at, SWISS_GOAL)
    for game, minutes in WIZARDS[2:3] if SHORT else WIZARDS:
        started_at = perf_counter()
        offers = len(propose_nights(17, minutes, game))
        seconds = perf_counter() - started_at
        print(
            f"{offers} evenings of {game} for 17, {minutes} minutes: {seconds:.3f} s, "
            f"goal {WIZARD_GOAL} s ({seconds / WIZARD_GOAL:.2f}×)"
        )


if __name__ == "__main__":
    main()
