"""Swiss rounds: tables of players with similar points and few meetings so far."""

from collections.abc import Mapping
from fractions import Fraction
from math import exp
from random import Random

from tournaments.seating.planned import (
    Draw,
    DrawRequest,
    build_seated_draw,
    count_missed_rounds,
    count_turns_at_smaller_tables,
)
from tournaments.seating.quality import count_meetings
from tournaments.seating.tables import choose_table_sizes, split_tables

STEPS_A_PLAYER = 600
HOT, COLD = 3.0, 0.05
"""The temperatures at the start and the end, in squares of tournament points."""
NEVER = 1e6
"""The cost of a third meeting, which prevents it if possible."""
SEPARATION_COST = 1e8
"""The cost of seating a pair together that is to be kept apart, even if others meet again."""
SHORT = 4.0
"""The weight of a second turn at a smaller table."""
REACH = 3
"""Most swaps are between tables at most this far apart."""


def draw_swiss(
    request: DrawRequest, points: Mapping[int, Fraction], *, strictness: int = 4
) -> Draw:
    """Return one round; `request.players` are in the order of the standings.

    A second meeting costs `strictness` times the round's number (twice that directly after the
    first), a difference in points costs its square; a pair meets a third time only if there is
    no other way. Raises SeatingRefusal if there are too few players for a table.
    """
    rng = Random(request.seed)
    resting = request.resting_in_round(0)
    available = [player for player in request.players if player not in resting]
    sizes = choose_table_sizes(len(available), request.sizing)
    if request.players and request.players[-1] in request.full_table_players:
        # The smaller tables are for the best, who come first.
        sizes.reverse()
    bye_count = len(available) - sum(sizes)
    # Of the players with the fewest byes, the last ones sit out; before any results, by lot.
    counts = count_missed_rounds(request)
    candidates = list(reversed(available))
    if bye_count and not any(request.played):
        rng.shuffle(candidates)
    candidates.sort(key=counts.__getitem__)
    bye_players = {*candidates[:bye_count], *resting}
    order = [player for player in request.players if player not in bye_players]
    weight = strictness * (len(request.played) + 1)
    _anneal_order(order, sizes, _SeatingCosts(request, points, weight), rng)
    tables = split_tables(order, sizes)
    return build_seated_draw(request, [tables], [sorted(bye_players)])


class _SeatingCosts:
    """The costs of seating two players together, and players' turns at smaller tables."""

    def __init__(
        self, request: DrawRequest, points: Mapping[int, Fraction], weight: float
    ) -> None:
        self.points = {p: float(points.get(p, 0)) for p in request.players}
        self.extra: dict[int, dict[int, float]] = {p: {} for p in request.players}
        meeting_counts = count_meetings(request.played)
        last = count_meetings(request.played[-1:])
        for pair, times in meeting_counts.items():
            repeat_cost = weight * times**2 * (2 if pair in last else 1)
            self._add_pair_cost(pair, repeat_cost + (NEVER if times > 1 else 0))
        for pair in {(min(pair), max(pair)) for pair in request.apart}:
            self._add_pair_cost(pair, SEPARATION_COST)
        self.short = count_turns_at_smaller_tables(request)

    def _add_pair_cost(self, pair: tuple[int, int], weight: float) -> None:
        first, second = pair
        if first in self.extra and second in self.extra:
            self.extra[first][second] = self.extra[first].get(second, 0) + weight
            self.extra[second][first] = self.extra[first][second]

    def compute_seating_cost(self, player: int, opponents: list[int]) -> float:
        """Return the cost of seating the player with these others."""
        own, extra = self.points[player], self.extra[player]
        points = self.points
        total = 0.0
        for opponent in opponents:
            gap = own - points[opponent]
            total += gap * gap + extra.get(opponent, 0.0)
        return total


def _anneal_order(
    order: list[int], sizes: list[int], weights: _SeatingCosts, rng: Random
) -> None:
    """Improve the round in place by swapping players of two tables, with annealing."""
    if len(sizes) < 2:
        return
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size)
    table_at = [table for table, size in enumerate(sizes) for _seat in range(size)]
    steps = STEPS_A_PLAYER * len(order)
    cooling = (COLD / HOT) ** (1 / steps)
    heat = HOT
    reach = REACH * max(sizes)
    for _step in range(steps):
        heat *= cooling
        i = int(rng.random() * len(order))
        if rng.random() < 0.9:
            j = i + int((2 * rng.random() - 1) * reach)
        else:
            j = int(rng.random() * len(order))
        if not 0 <= j < len(order) or table_at[i] == table_at[j]:
            continue
        a, b = order[i], order[j]
        s, t = table_at[i], table_at[j]
        with_a = order[starts[s] : i] + order[i + 1 : starts[s + 1]]
        with_b = order[starts[t] : j] + order[j + 1 : starts[t + 1]]
        change = (
            weights.compute_seating_cost(b, with_a)
            + weights.compute_seating_cost(a, with_b)
            - weights.compute_seating_cost(a, with_a)
            - weights.compute_seating_cost(b, with_b)
        )
        if len(with_a) != len(with_b):
            down, up = (a, b) if len(with_b) < len(with_a) else (b, a)
            # The change in squares of turns; `short` has the turns before this round.
            change += SHORT * 2 * (weights.short[down] - weights.short[up])
        if change <= 0 or rng.random() < exp(-change / heat):
            order[i], order[j] = b, a
