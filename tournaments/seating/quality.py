"""The quality of a seating: repeated meetings, and a lower bound for them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

Table = Sequence[int]
Tables = Sequence[Table]
"""One round: its tables, each with its players in seat order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingQuality:
    """The quality figures of a draw."""

    repeats: int
    """Meetings of two players beyond their first."""
    bound: int
    """A lower bound for the repeats of any draw with these tables, and with these pairs kept apart."""
    most_meetings: int
    again: tuple[tuple[int, int, int], ...]
    """Pairs that meet more than once: both players, and the number of meetings."""
    together: tuple[tuple[int, int], ...]
    """Pairs that share a table although they were to be kept apart."""


def count_meetings(rounds: Iterable[Tables]) -> Counter[tuple[int, int]]:
    """Return the number of meetings of each pair that meets, the lower player first."""
    return Counter(
        pair
        for tables in rounds
        for table in tables
        for pair in combinations(sorted(table), 2)
    )


def measure_quality(
    rounds: Sequence[Tables], apart: Iterable[tuple[int, int]] = ()
) -> SeatingQuality:
    """Return the quality of the rounds; `apart` are pairs to keep apart."""
    meeting_counts = count_meetings(rounds)
    repeated = sorted(
        (first, second, m) for (first, second), m in meeting_counts.items() if m > 1
    )
    separated_pairs = {(min(pair), max(pair)) for pair in apart}
    together = tuple(sorted(separated_pairs & meeting_counts.keys()))
    bound = lower_bound_of_repeats(rounds)
    if not together:
        players = {player for tables in rounds for table in tables for player in table}
        separated = sum(players.issuperset(pair) for pair in separated_pairs)
        pairs = comb(len(players), 2) - separated
        bound = max(bound, meeting_counts.total() - pairs)
    return SeatingQuality(
        repeats=sum(m - 1 for _first, _second, m in repeated),
        bound=bound,
        most_meetings=max(meeting_counts.values(), default=0),
        again=tuple(repeated),
        together=together,
    )


PROVEN = {(6, 3, 3): 5}
"""Minima found by exhausting all seatings: by players, table size and rounds."""


def lower_bound_of_repeats(rounds: Sequence[Tables]) -> int:
    """Return a lower bound for the repeats of any seating with tables of these sizes.

    By counting: the pairs seated minus the pairs that exist. By the pigeonhole principle: if a
    table has more players than a later round has tables, some of them meet again.
    """
    players = {player for tables in rounds for table in tables for player in table}
    sizes = [[len(table) for table in tables] for tables in rounds]
    seated = sum(comb(size, 2) for round_ in sizes for size in round_)
    whole = all(sum(round_) == len(players) for round_ in sizes)
    bounds = [seated - comb(len(players), 2), 0]
    if whole and sizes:
        later = sum(count_forced_repeats(sizes[0], round_) for round_ in sizes[1:])
        bounds += [later, PROVEN.get((len(players), max(sizes[0]), len(rounds)), 0)]
    return max(bounds)


def count_forced_repeats(first_sizes: Sequence[int], later_sizes: Sequence[int]) -> int:
    """Return how many pairs of one round's tables must share a table of another.

    Both rounds are lists of table sizes, and seat the same players.
    """
    total = 0
    for size in first_sizes:
        per_table, larger_count = divmod(size, len(later_sizes))
        total += larger_count * comb(per_table + 1, 2) + (
            len(later_sizes) - larger_count
        ) * comb(per_table, 2)
    return total
