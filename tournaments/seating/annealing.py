"""Seating by simulated annealing, for what algebra has no schedule for.

The cost of a pair that meets m times is C(m + 1, 3): 0, 1, 4, 10 for one, two, three,
four meetings, so that repeats are spread before anybody meets three times. To it comes
a little for every player, by the square of how often they sit at a smaller table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp
from random import Random

from tournaments.seating.quality import crowded

HOT, COLD = 0.6, 0.08
"""Temperatures at which a night begins and ends; measured, see docs/seating.md."""
APART = 3
"""Meetings with which a pair begins that is to be kept apart."""


@dataclass(slots=True)
class Night:
    """Rounds under way to a good seating, players counted from 0."""

    rounds: list[list[int]]
    """Who sits, in the order of tables."""
    sizes: list[list[int]]
    """The tables of each round, the larger first."""
    meetings: list[list[int]]
    """How often each pair met, in these rounds and before."""
    short: list[int]
    """How often each player sat at a smaller table, in these rounds and before."""

    def count(self, by: int) -> None:
        """Count the meetings of all rounds in, or out with -1."""
        for order, sizes in zip(self.rounds, self.sizes, strict=True):
            first = 0
            for size in sizes:
                table = order[first : first + size]
                for player in table:
                    row = self.meetings[player]
                    for other in table:
                        row[other] += by
                    row[player] -= by
                    self.short[player] += by * (size < sizes[0])
                first += size


def anneal(
    night: Night, rng: Random, steps: int, *, evenness: float, hot: float = HOT
) -> None:
    """Improve the night in place, in so many steps or until there is nothing left to.

    The meetings of `night` are counted in. `evenness` is what a second turn at a
    smaller table costs, where a second meeting costs one.
    """
    spans = [_spans(sizes) for sizes in night.sizes]
    movable = [number for number, sizes in enumerate(night.sizes) if len(sizes) > 1]
    cost, uneven = cost_above_least(night), _uneven(night)
    cooling = (COLD / hot) ** (1 / max(steps, 1))
    heat = hot
    for _step in range(steps if movable else 0):
        if cost <= 0 and not uneven:
            return
        heat *= cooling
        number = movable[int(rng.random() * len(movable))]
        order, span = night.rounds[number], spans[number]
        i, j = int(rng.random() * len(order)), int(rng.random() * len(order))
        if span[i] == span[j]:
            continue
        change = _cost_change(night.meetings, order, i, j, span)
        grown = span[j][1] - span[j][0] - span[i][1] + span[i][0]
        weighed: float = change
        if grown:
            gap = night.short[order[j]] - night.short[order[i]]
            weighed += evenness * 2 * (1 + (gap if grown > 0 else -gap))
        if weighed > 0 and rng.random() >= exp(-weighed / heat):
            continue
        _exchange(night.meetings, order, i, j, span)
        cost += change
        if grown:
            # They have changed places already.
            night.short[order[i]] += 1 if grown > 0 else -1
            night.short[order[j]] -= 1 if grown > 0 else -1
            uneven = _uneven(night)


def _cost_change(
    meetings: list[list[int]],
    order: list[int],
    i: int,
    j: int,
    span: list[tuple[int, int]],
) -> int:
    """Return by how much the cost grows when two exchange their places."""
    of_a, of_b = meetings[order[i]], meetings[order[j]]
    change = 0
    for place in range(*span[i]):
        if place != i:
            m, n = of_a[order[place]], of_b[order[place]]
            change += n * (n + 1) - m * (m - 1)
    for place in range(*span[j]):
        if place != j:
            m, n = of_b[order[place]], of_a[order[place]]
            change += n * (n + 1) - m * (m - 1)
    return change >> 1


def _exchange(
    meetings: list[list[int]],
    order: list[int],
    i: int,
    j: int,
    span: list[tuple[int, int]],
) -> None:
    """Let two exchange their places, and count their meetings anew."""
    a, b = order[i], order[j]
    of_a, of_b = meetings[a], meetings[b]
    for own, left, come in ((i, of_a, of_b), (j, of_b, of_a)):
        leaves, comes = (a, b) if own == i else (b, a)
        for place in range(*span[own]):
            if place != own:
                c = order[place]
                left[c] -= 1
                come[c] += 1
                meetings[c][leaves] -= 1
                meetings[c][comes] += 1
    order[i], order[j] = b, a


def _spans(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Return, for each place of a round, where its table begins and ends."""
    spans = []
    first = 0
    for size in sizes:
        spans += [(first, first + size)] * size
        first += size
    return spans


def cost_above_least(night: Night) -> int:
    """Return the cost of all meetings, less what no seating of such tables can go below.

    With 0 nothing can be better: nobody meets again, everybody equally often, or none
    but those who must, since a table's players are more than the tables of another round.
    """
    counts = [m for player, row in enumerate(night.meetings) for m in row[:player]]
    each, more = divmod(sum(counts), max(len(counts), 1))
    level = more * _of_pair(each + 1) + (len(counts) - more) * _of_pair(each)
    return sum(map(_of_pair, counts)) - max(level, _crowded_together(night))


def _crowded_together(night: Night) -> int:
    """Return how many meetings two rounds must have in common, for all two of them.

    Of a pair that meets m times that counts C(m, 2), which its cost never is below.
    """
    seats_all = [
        sizes
        for order, sizes in zip(night.rounds, night.sizes, strict=True)
        if len(order) == len(night.short)
    ]
    return sum(
        max(crowded(first, second), crowded(second, first))
        for first, second in combinations(seats_all, 2)
    )


def _of_pair(meetings: int) -> int:
    return (meetings + 1) * meetings * (meetings - 1) // 6


def _uneven(night: Night) -> bool:
    """Tell whether somebody sat at smaller tables two times oftener than another."""
    if all(sizes[0] == sizes[-1] for sizes in night.sizes):
        return False
    seated = {player for order in night.rounds for player in order}
    counts = [night.short[player] for player in seated]
    return max(counts) - min(counts) > 1
