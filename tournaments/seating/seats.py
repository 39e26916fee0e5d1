"""The order of seats at the tables: all players start, and sit in each seat, equally often."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import ceil, floor

from tournaments.seating.quality import Tables

MOST_PERMUTED = 6
"""The largest table for which every seat order is tried."""


def seat_rounds(
    rounds: Sequence[Tables], earlier_rounds: Sequence[Tables]
) -> list[Tables]:
    """Return the rounds with each table in seat order, the starter first.

    With equal tables and no rounds before, a player sits in each seat equally often, give or
    take one. Otherwise each player's starts are their fair share, rounded down or up, if the
    rounds before allow it, and the other seats are spread as evenly as possible.
    """
    sizes = {len(table) for tables in rounds for table in tables}
    if not earlier_rounds and len(sizes) == 1:
        return _seat_equal_tables(rounds, sizes.pop())
    due: dict[int, Fraction] = defaultdict(Fraction)
    for tables in [*earlier_rounds, *rounds]:
        for table in tables:
            for player in table:
                due[player] += Fraction(1, len(table))
    starts_before = Counter(table[0] for tables in earlier_rounds for table in tables)
    places = {
        (r, t): list(table)
        for r, tables in enumerate(rounds)
        for t, table in enumerate(tables)
    }
    starts = _StarterMatching(places)
    for player, share in due.items():
        for _start in range(floor(share) - starts_before[player]):
            starts.add_start(player, set())
    beyond = 0
    while len(starts.starter) < len(places):
        limits = {
            player: ceil(share) - starts_before[player] + beyond
            for player, share in due.items()
        }
        starts.choose_missing_starters(limits)
        beyond += 1
    counts = Counter(
        (player, seat)
        for tables in earlier_rounds
        for table in tables
        for seat, player in enumerate(table)
    )
    return [
        [
            _order_and_count_table(table, starts.starter[r, t], counts)
            for t, table in enumerate(tables)
        ]
        for r, tables in enumerate(rounds)
    ]


Turn = tuple[int, int]
"""A player and the number of a group of their tables; a group has as many as a table has seats."""


def _seat_equal_tables(rounds: Sequence[Tables], size: int) -> list[Tables]:
    """Return equal tables in which each player has each seat equally often, give or take one.

    Tables and turns are a bipartite graph of degree `size` at most, so its edges can be
    coloured with `size` colours (König). The colours are the seats: no turn has one twice.
    """
    tables = [table for tables in rounds for table in tables]
    turn_counts: Counter[int] = Counter()
    at_table: list[list[Turn | None]] = [[None] * size for _table in tables]
    at_turn: dict[Turn, list[int | None]] = {}
    for number, table in enumerate(tables):
        for player in table:
            turn = (player, turn_counts[player] // size)
            turn_counts[player] += 1
            at_turn.setdefault(turn, [None] * size)
            seat, other_seat = at_table[number].index(None), at_turn[turn].index(None)
            # Swap the two seats along an alternating path from the turn. It never reaches the
            # table, because `seat` is still free there.
            path: list[tuple[int, Turn, int]] = []
            end_turn: Turn | None = turn
            while (
                end_turn is not None
                and (next_table := at_turn[end_turn][seat]) is not None
            ):
                path.append((next_table, end_turn, seat))
                end_turn = at_table[next_table][other_seat]
                if end_turn is not None:
                    path.append((next_table, end_turn, other_seat))
            for table_number, path_turn, place in path:
                at_table[table_number][place] = at_turn[path_turn][place] = None
            for table_number, path_turn, place in path:
                swapped_seat = other_seat if place == seat else seat
                (
                    at_table[table_number][swapped_seat],
                    at_turn[path_turn][swapped_seat],
                ) = path_turn, table_number
            at_table[number][seat], at_turn[turn][seat] = turn, number
    seated = iter([[turn[0] for turn in seats if turn] for seats in at_table])
    return [[next(seated) for _table in tables] for tables in rounds]


class _StarterMatching:
    """A matching of tables with their starters."""

    def __init__(self, places: dict[tuple[int, int], list[int]]) -> None:
        self.places = places
        self.tables: dict[int, list[tuple[int, int]]] = {}
        for place, table in places.items():
            for player in table:
                self.tables.setdefault(player, []).append(place)
        self.starter: dict[tuple[int, int], int] = {}
        self.starts: Counter[int] = Counter()

    def add_start(self, player: int, visited: set[tuple[int, int]]) -> bool:
        """Let the player start once more, moving other starters to other tables if needed.

        `visited` are the tables not to try. Returns whether it was possible.
        """
        for place in self.tables.get(player, ()):
            if place in visited:
                continue
            visited.add(place)
            holder = self.starter.get(place)
            if holder == player:
                continue
            if holder is None or self.add_start(holder, visited):
                if holder is not None:
                    self.starts[holder] -= 1
                self.starts[player] += 1
                self.starter[place] = player
                return True
        return False

    def choose_missing_starters(self, limits: dict[int, int]) -> None:
        """Choose a starter for every table that has none, if the limits allow it."""
        for place in self.places:
            if place not in self.starter:
                self._assign_starter(place, limits, set())

    def _assign_starter(
        self, place: tuple[int, int], limits: dict[int, int], visited: set[int]
    ) -> bool:
        for player in self.places[place]:
            if player in visited:
                continue
            visited.add(player)
            if self.starts[player] < limits[player]:
                self.starts[player] += 1
                self.starter[place] = player
                return True
            for other_place in self.tables[player]:
                if self.starter.get(other_place) == player and self._assign_starter(
                    other_place, limits, visited
                ):
                    self.starter[place] = player
                    return True
        return False


def _order_and_count_table(
    table: Sequence[int], starter: int, counts: Counter[tuple[int, int]]
) -> list[int]:
    """Return the table in seat order, with players in seats they had least; updates `counts`."""
    unseated = [player for player in table if player != starter]
    order = [starter]
    if len(table) <= MOST_PERMUTED:
        order += min(
            permutations(unseated),
            key=lambda order: sum(
                counts[player, seat] for seat, player in enumerate(order, start=1)
            ),
        )
    while len(order) < len(table):
        # Greedily at larger tables, one seat after the other.
        seat = len(order)
        fewest = min(counts[player, seat] for player in unseated)
        player = next(p for p in unseated if counts[p, seat] == fewest)
        unseated.remove(player)
        order.append(player)
    for seat, player in enumerate(order):
        counts[player, seat] += 1
    return order
