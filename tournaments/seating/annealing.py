"""Seating by simulated annealing, if algebra has no schedule.

The cost of a pair that meets m times is C(m + 1, 3): 0, 1, 4, 10 for one, two, three,
four meetings, so that repeats are spread before any pair meets three times. Each player adds a
little, by the square of the number of their turns at smaller tables.
"""

from dataclasses import dataclass
from itertools import accumulate, combinations
from math import exp
from random import Random

from tournaments.seating.quality import count_forced_repeats

HOT, COLD = 0.6, 0.08
"""The temperatures at the start and the end; measured, see docs/reference/seating.md."""
SEPARATION_MEETINGS = 100
"""The meetings that a pair to keep apart starts with: more than any pair has in a night."""


@dataclass(slots=True)
class AnnealingState:
    """The rounds being improved, with players as indices from 0."""

    rounds: list[list[int]]
    """By round: the seated players, table after table."""
    sizes: list[list[int]]
    """By round: the sizes of the tables, the larger first."""
    meetings: list[list[int]]
    """How often each pair meets, in these rounds and before."""
    short: list[int]
    """How often each player sits at a smaller table, in these rounds and before."""
    separated_count: int = 0
    """The number of pairs that started with `SEPARATION_MEETINGS`."""

    def add_rounds_to_counts(self) -> None:
        """Add the meetings and smaller tables of all rounds to the counts."""
        for order, sizes in zip(self.rounds, self.sizes, strict=True):
            first = 0
            for size in sizes:
                table = order[first : first + size]
                for player in table:
                    row = self.meetings[player]
                    for opponent in table:
                        row[opponent] += 1
                    row[player] -= 1
                    self.short[player] += size < sizes[0]
                first += size


def anneal(
    night: AnnealingState, rng: Random, steps: int, *, evenness: float, hot: float = HOT
) -> None:
    """Improve the night in place, until it cannot get better or for at most `steps`.

    The counts of `night` must include its rounds. `evenness` is the cost of a second turn at a
    smaller table; that of a second meeting is 1.
    """
    short = night.short
    pairs = _PairCosts(night.meetings)
    rises, falls = pairs.rises, pairs.falls
    # For each place, the bounds of its table.
    movable = [
        (
            order,
            len(order),
            [
                (end - size, end)
                for end, size in zip(accumulate(sizes), sizes, strict=True)
                for _place in range(size)
            ],
        )
        for order, sizes in zip(night.rounds, night.sizes, strict=True)
        if len(sizes) > 1
    ]
    cost, uneven = (
        cost_above_lower_bound(night),
        _has_uneven_turns_at_smaller_tables(night),
    )
    cooling = (COLD / hot) ** (1 / max(steps, 1))
    heat = hot
    draw = rng.random
    # The body runs some hundred thousand times for a night, so calls are inlined.
    for _step in range(steps if movable else 0):
        if cost <= 0 and not uneven:
            return
        heat *= cooling
        order, places, spans = movable[int(draw() * len(movable))]
        i = int(draw() * places)
        first, end = spans[i]
        # A player at another table.
        j = int(draw() * (places - end + first))
        if j >= first:
            j += end - first
        other_first, other_end = spans[j]
        a, b = order[i], order[j]
        # The two players swapped meet each other as often as before, but each loop below counts
        # one more meeting of theirs, as each is still in the table that the other joins.
        rises_of_a, rises_of_b = rises[a], rises[b]
        falls_of_a, falls_of_b = falls[a], falls[b]
        change = -2 * rises_of_a[b]
        for c in order[first:end]:
            change += rises_of_b[c] - falls_of_a[c]
        for c in order[other_first:other_end]:
            change += rises_of_a[c] - falls_of_b[c]
        grown = other_end - other_first - end + first
        weighed: float = change
        if grown:
            gap = short[b] - short[a]
            weighed += evenness * 2 * (1 + (gap if grown > 0 else -gap))
        if weighed > 0 and draw() >= exp(-weighed / heat):
            continue
        _swap_players(pairs, order, i, j, spans)
        cost += change
        if grown:
            short[a] -= 1 if grown > 0 else -1
            short[b] += 1 if grown > 0 else -1
            uneven = _has_uneven_turns_at_smaller_tables(night)


class _PairCosts:
    """The meetings of all pairs, with the change in cost of one more or one less."""

    __slots__ = ("falls", "meetings", "rises")

    def __init__(self, meetings: list[list[int]]) -> None:
        self.meetings = meetings
        self.rises = [[_cost_of_next_meeting(m) for m in row] for row in meetings]
        self.falls = [[_cost_of_next_meeting(m - 1) for m in row] for row in meetings]

    def add_meetings(self, a: int, b: int, change: int) -> None:
        """Add `change` meetings of two players."""
        m = self.meetings[a][b] + change
        self.meetings[a][b] = self.meetings[b][a] = m
        self.rises[a][b] = self.rises[b][a] = _cost_of_next_meeting(m)
        self.falls[a][b] = self.falls[b][a] = _cost_of_next_meeting(m - 1)


def _cost_of_next_meeting(meetings: int) -> int:
    """Return the extra cost if a pair with so many meetings meets once more."""
    return (meetings + 1) * meetings // 2


def _swap_players(
    pairs: _PairCosts, order: list[int], i: int, j: int, spans: list[tuple[int, int]]
) -> None:
    """Swap two players, and update their meetings."""
    a, b = order[i], order[j]
    for place in range(*spans[i]):
        if place != i:
            pairs.add_meetings(a, order[place], -1)
            pairs.add_meetings(b, order[place], 1)
    for place in range(*spans[j]):
        if place != j:
            pairs.add_meetings(b, order[place], -1)
            pairs.add_meetings(a, order[place], 1)
    order[i], order[j] = b, a


def cost_above_lower_bound(night: AnnealingState) -> int:
    """Return the cost of all meetings above a lower bound for tables of these sizes.

    At 0 no seating is better: no pair meets again, all pairs meet equally often, or only those
    pairs that must, because a table has more players than another round has tables.
    """
    counts = [m for player, row in enumerate(night.meetings) for m in row[:player]]
    # All meetings are between the other pairs, if none of the separated ones meets.
    separated = night.separated_count
    pairs = len(counts) - separated
    meetings = sum(counts) - separated * SEPARATION_MEETINGS
    least_meetings, more = divmod(meetings, max(pairs, 1))
    level = more * _pair_cost(least_meetings + 1) + (pairs - more) * _pair_cost(
        least_meetings
    )
    # Two rounds in which all players sit must have some meetings in common. A pair that meets
    # m times has C(m, 2) of them, which is never more than its cost.
    full_rounds = [
        sizes
        for order, sizes in zip(night.rounds, night.sizes, strict=True)
        if len(order) == len(night.short)
    ]
    repeated = sum(
        max(count_forced_repeats(first, second), count_forced_repeats(second, first))
        for first, second in combinations(full_rounds, 2)
    )
    start = separated * _pair_cost(SEPARATION_MEETINGS)
    return sum(map(_pair_cost, counts)) - start - max(level, repeated)


def _pair_cost(meetings: int) -> int:
    return (meetings + 1) * meetings * (meetings - 1) // 6


def _has_uneven_turns_at_smaller_tables(night: AnnealingState) -> bool:
    """Return whether the players' turns at smaller tables differ by more than one."""
    if all(sizes[0] == sizes[-1] for sizes in night.sizes):
        return False
    seated = {player for order in night.rounds for player in order}
    counts = [night.short[player] for player in seated]
    return max(counts) - min(counts) > 1
