"""Seating by simulated annealing, for what algebra has no schedule for.

The cost of a pair that meets m times is C(m + 1, 3): 0, 1, 4, 10 for one, two, three,
four meetings, so that repeats are spread before anybody meets three times. To it comes
a little for every player, by the square of how often they sit at a smaller table.
"""

from dataclasses import dataclass
from itertools import accumulate, combinations
from math import exp
from random import Random

from tournaments.seating.quality import repeated_pairings

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
    short = night.short
    pairs = _Pairs(night.meetings)
    rises, falls = pairs.rises, pairs.falls
    # For each place, where its table begins and ends.
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
    cost, uneven = cost_above_least(night), _is_uneven(night)
    cooling = (COLD / hot) ** (1 / max(steps, 1))
    heat = hot
    draw = rng.random
    # What is inside runs some hundred thousand times for a night: nothing is called that
    # can stand here.
    for _step in range(steps if movable else 0):
        if cost <= 0 and not uneven:
            return
        heat *= cooling
        order, places, spans = movable[int(draw() * len(movable))]
        i = int(draw() * places)
        first, end = spans[i]
        # Somebody at another table.
        j = int(draw() * (places - end + first))
        if j >= first:
            j += end - first
        others_first, others_end = spans[j]
        a, b = order[i], order[j]
        # Two who change places go on meeting each other as often; but each is counted
        # as one of their own table, too, whom the other comes to meet.
        rises_of_a, rises_of_b = rises[a], rises[b]
        falls_of_a, falls_of_b = falls[a], falls[b]
        change = -2 * rises_of_a[b]
        for c in order[first:end]:
            change += rises_of_b[c] - falls_of_a[c]
        for c in order[others_first:others_end]:
            change += rises_of_a[c] - falls_of_b[c]
        grown = others_end - others_first - end + first
        weighed: float = change
        if grown:
            gap = short[b] - short[a]
            weighed += evenness * 2 * (1 + (gap if grown > 0 else -gap))
        if weighed > 0 and draw() >= exp(-weighed / heat):
            continue
        _exchange(pairs, order, i, j, spans)
        cost += change
        if grown:
            short[a] -= 1 if grown > 0 else -1
            short[b] += 1 if grown > 0 else -1
            uneven = _is_uneven(night)


class _Pairs:
    """The meetings of all pairs, with what one more or one less of them would cost."""

    __slots__ = ("falls", "meetings", "rises")

    def __init__(self, meetings: list[list[int]]) -> None:
        self.meetings = meetings
        self.rises = [[_cost_of_meeting(m) for m in row] for row in meetings]
        self.falls = [[_cost_of_meeting(m - 1) for m in row] for row in meetings]

    def count(self, a: int, b: int, by: int) -> None:
        """Count so many meetings of two players more."""
        m = self.meetings[a][b] + by
        self.meetings[a][b] = self.meetings[b][a] = m
        self.rises[a][b] = self.rises[b][a] = _cost_of_meeting(m)
        self.falls[a][b] = self.falls[b][a] = _cost_of_meeting(m - 1)


def _cost_of_meeting(meetings: int) -> int:
    """Return what a pair that met so often costs more once it meets again."""
    return (meetings + 1) * meetings // 2


def _exchange(
    pairs: _Pairs, order: list[int], i: int, j: int, spans: list[tuple[int, int]]
) -> None:
    """Swap two players, and update their meetings."""
    a, b = order[i], order[j]
    for place in range(*spans[i]):
        if place != i:
            pairs.count(a, order[place], -1)
            pairs.count(b, order[place], 1)
    for place in range(*spans[j]):
        if place != j:
            pairs.count(b, order[place], -1)
            pairs.count(a, order[place], 1)
    order[i], order[j] = b, a


def cost_above_least(night: Night) -> int:
    """Return the cost of all meetings, less what no seating of such tables can go below.

    With 0 nothing can be better: nobody meets again, everybody equally often, or none
    but those who must, since a table's players are more than the tables of another round.
    """
    counts = [m for player, row in enumerate(night.meetings) for m in row[:player]]
    each, more = divmod(sum(counts), max(len(counts), 1))
    level = more * _pair_cost(each + 1) + (len(counts) - more) * _pair_cost(each)
    # Two rounds of everybody must have some meetings in common. Of a pair that meets m
    # times that counts C(m, 2), which its cost never is below.
    of_everybody = [
        sizes
        for order, sizes in zip(night.rounds, night.sizes, strict=True)
        if len(order) == len(night.short)
    ]
    repeated = sum(
        max(repeated_pairings(first, second), repeated_pairings(second, first))
        for first, second in combinations(of_everybody, 2)
    )
    return sum(map(_pair_cost, counts)) - max(level, repeated)


def _pair_cost(meetings: int) -> int:
    return (meetings + 1) * meetings * (meetings - 1) // 6


def _is_uneven(night: Night) -> bool:
    """Return whether turns at smaller tables differ by more than one."""
    if all(sizes[0] == sizes[-1] for sizes in night.sizes):
        return False
    seated = {player for order in night.rounds for player in order}
    counts = [night.short[player] for player in seated]
    return max(counts) - min(counts) > 1
