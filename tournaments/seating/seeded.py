"""Rounds and nights that begin with seeds: players in the order of their strength."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, zip_longest
from random import Random
from typing import Any

from tournaments.seating.planned import (
    Draw,
    DrawRequest,
    build_seated_draw,
    count_meetings_with_separations,
    plan_night,
)
from tournaments.seating.quality import Tables, measure_quality
from tournaments.seating.swiss import draw_swiss
from tournaments.seating.tables import choose_table_sizes, split_tables

SEPARATION_COST = 1000
"""The weight of a pair to keep apart, in meetings."""
SEPARATION_ATTEMPTS = 60
"""Starting orders that are tried to keep all pairs apart."""
BLOCK_GAP = 10
"""Points between adjacent tables of similar strength, so many that only a pair to keep apart mixes them."""
RELABELINGS = 100
"""Random ways to fill a plan with the seeds, until one keeps all pairs apart."""


class SeedPattern(StrEnum):
    """The way in which seeds are dealt onto the tables."""

    POTS = "pots"
    """Each table gets one of each pot, by lot; a pot has a player for each table."""
    SNAKE = "snake"
    """From the first table to the last, then back, so that tables are equally strong."""
    SIMILAR = "similar"
    """The best at the first table, the next at the second, and so on."""


def order_seeds(
    players: Sequence[int], ranks: Mapping[int, Any], *, seed: int
) -> list[int]:
    """Return the players by rank; the equal ones, and last those without a rank, by lot.

    >>> order_seeds([1, 2, 3], {3: 1, 1: 2}, seed=1)
    [3, 1, 2]
    """
    drawn = sorted(players)
    Random(seed).shuffle(drawn)
    ranked = sorted(filter(ranks.__contains__, drawn), key=ranks.__getitem__)
    return [*ranked, *(player for player in drawn if player not in ranks)]


def draw_seeded(request: DrawRequest, pattern: SeedPattern) -> Draw:
    """Return one round; `request.players` are sorted from best to last.

    Players sit out on request or by lot. Pairs to keep apart and earlier opponents are separated by swaps of
    players of the same pot. Raises SeatingRefusal if there are too few players for a table.
    """
    rng = Random(request.seed)
    resting = request.resting_in_round(0)
    available = [player for player in request.players if player not in resting]
    sizes = choose_table_sizes(len(available), request.sizing)
    byes = resting.union(rng.sample(available, len(available) - sum(sizes)))
    players = [player for player in available if player not in byes]
    sorted_byes = tuple(sorted(byes))
    if pattern == SeedPattern.SIMILAR:
        points = {
            player: Fraction(-BLOCK_GAP * number)
            for number, block in enumerate(split_tables(players, sizes))
            for player in block
        }
        sizing = request.sizing.without_chosen_byes()
        similar = draw_swiss(
            replace(request, players=players, sizing=sizing, resting=()), points
        )
        return replace(similar, byes=(sorted_byes,))
    rows = _deal_rows(players, len(sizes), pattern, rng)
    rows = _separate_opponents(
        rows, count_meetings_with_separations(request, SEPARATION_COST), rng
    )
    tables = [[p for p in table if p is not None] for table in zip_longest(*rows)]
    return build_seated_draw(request, [tables], [sorted_byes])


def plan_seeded_night(request: DrawRequest, rounds: int, pattern: SeedPattern) -> Draw:
    """Return a plan for a night whose first round is seeded, with as few repeats as `plan_night`.

    It repeats more only for pairs to keep apart and requests to sit out. `request.players` are sorted from best to last, and
    nothing is played. Raises SeatingRefusal if there are too few players for a table.
    """
    sizings = request.sizings or [request.sizing] * rounds
    seeded = draw_seeded(replace(request, sizing=sizings[0]), pattern)
    if rounds == 1:
        return seeded
    plan = plan_night(request, rounds)
    rng = Random(request.seed)
    # Whoever is who in a plan makes no difference to its repeats: only pairs to keep apart and
    # requests to sit out do.
    attempts = RELABELINGS if request.apart else 1
    for _attempt in range(0 if any(request.resting) else attempts):
        names = _relabel(plan.rounds[0], seeded.rounds[0], rng)
        names |= dict(zip(plan.byes[0], seeded.byes[0], strict=True))
        relabeled = tuple(
            tuple(tuple(names[player] for player in table) for table in tables)
            for tables in plan.rounds
        )
        quality = measure_quality(relabeled, request.apart)
        if not quality.together:
            return replace(
                plan,
                rounds=relabeled,
                byes=tuple(
                    tuple(sorted(names[player] for player in out)) for out in plan.byes
                ),
                quality=quality,
            )
    others = plan_night(
        replace(
            request,
            played=seeded.rounds,
            sizings=sizings[1:],
            resting=request.resting[1:],
        ),
        rounds - 1,
    )
    return replace(
        others, rounds=seeded.rounds + others.rounds, byes=seeded.byes + others.byes
    )


def _relabel(planned: Tables, seeded: Tables, rng: Random) -> dict[int, int]:
    """Return for each player of a planned round a player of the seeded one, table by table."""
    planned_tables = sorted(planned, key=len)
    seeded_tables = sorted(seeded, key=lambda table: (len(table), rng.random()))
    return {
        player: name
        for table, seeded_table in zip(planned_tables, seeded_tables, strict=True)
        for player, name in zip(
            table, rng.sample(list(seeded_table), len(seeded_table)), strict=True
        )
    }


def _deal_rows(
    players: Sequence[int], table_count: int, pattern: SeedPattern, rng: Random
) -> list[list[int]]:
    """Return rows of similar strength, one player for each table; the last may be shorter."""
    rows = [
        list(players[first : first + table_count])
        for first in range(0, len(players), table_count)
    ]
    if pattern == SeedPattern.POTS:
        for row in rows:
            rng.shuffle(row)
    else:
        # Larger tables come first, so a shorter last row begins at the first table.
        for row in rows[1:-1:2] if len(rows[-1]) < table_count else rows[1::2]:
            row.reverse()
    return rows


def _separate_opponents(
    rows: list[list[int]], weights: Mapping[tuple[int, int], int], rng: Random
) -> list[list[int]]:
    """Return the rows in an order that seats few weighted pairs at one table.

    Other starting orders are tried only while a pair to keep apart is together.
    """
    best: list[list[int]] = []
    least = 0
    for attempt in range(SEPARATION_ATTEMPTS):
        tried = [list(row) for row in rows]
        if attempt:
            for row in tried:
                rng.shuffle(row)
        _separate_repeat_opponents(tried, weights)
        tables = [[p for p in table if p is not None] for table in zip_longest(*tried)]
        cost = sum(
            weights.get((min(pair), max(pair)), 0)
            for table in tables
            for pair in combinations(table, 2)
        )
        if not best or cost < least:
            best, least = tried, cost
        if least < SEPARATION_COST:
            break
    return best


def _separate_repeat_opponents(
    rows: list[list[int]], weights: Mapping[tuple[int, int], int]
) -> None:
    """Swap players of one row as long as that reduces repeated meetings."""

    def count_repeats(table: int, row: int, player: int) -> int:
        opponents = [
            other_row[table]
            for other_row in rows
            if other_row is not rows[row] and table < len(other_row)
        ]
        return sum(weights.get((min(o, player), max(o, player)), 0) for o in opponents)

    is_improved = True
    while is_improved:
        is_improved = False
        for number, row in enumerate(rows):
            for i, j in combinations(range(len(row)), 2):
                repeats_now = count_repeats(i, number, row[i]) + count_repeats(
                    j, number, row[j]
                )
                repeats_swapped = count_repeats(i, number, row[j]) + count_repeats(
                    j, number, row[i]
                )
                if repeats_swapped < repeats_now:
                    row[i], row[j] = row[j], row[i]
                    is_improved = True
