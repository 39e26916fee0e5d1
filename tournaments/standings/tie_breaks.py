"""Tie-breaks: each a column with an exact value for every player, None for undefined.

The better value is the higher one, but for `final_table` and `lot`. Head-to-head
depends on who is level, so the ranking asks for it group by group.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest
from itertools import chain
from math import lcm
from operator import attrgetter
from typing import TypeAlias

from tournaments.standings.event import Event, Exact
from tournaments.standings.points import Ranks, halves_against
from tournaments.standings.tally import CountedTable, Tally

LOWER_IS_BETTER = frozenset({"final_table", "final_place", "lot"})


@dataclass(frozen=True, slots=True)
class Column:
    """One number for each player, all over one scale."""

    numbers: Sequence[Exact | None]
    """Compared as they are: most are ints, which is what makes ranking quick."""
    scale: int = 1

    def values(self) -> list[Fraction | None]:
        """Return the exact values."""
        scale = self.scale
        whole = {number for number in self.numbers if isinstance(number, int)}
        fractions: dict[Exact | None, Fraction | None] = {
            number: Fraction(number, scale) for number in whole
        }
        fractions[None] = None
        return [
            (number if scale == 1 else number / scale)
            if isinstance(number, Fraction)
            else fractions[number]
            for number in self.numbers
        ]


def points_of(event: Event, tally: Tally) -> Column:
    """Return the points of each player: tables, byes, less penalties.

    Where only the best tables count, a bye is a table like any other.
    """
    scale, best = tally.point_scale, event.counting.best
    numbers: list[Exact] = list(tally.totals)
    if best:
        by_player = _points_by_table(event, tally)
        numbers = [sum(nlargest(best, table_points)) for table_points in by_player]
    for player, byes in enumerate(tally.byes):
        if byes and not best:
            numbers[player] += byes * bye_worth(event, tally, player)
        if tally.penalties[player]:
            numbers[player] -= tally.penalties[player] * scale
    return Column(numbers, scale)


def bye_worth(event: Event, tally: Tally, player: int) -> Fraction:
    """Return the scaled points of a bye: what was fixed, or the mean of own tables.

    Who has no table of their own gets the mean of all seats.
    """
    if event.counting.bye is not None:
        return event.counting.bye * tally.point_scale
    tables = len(tally.sat_at[player])
    return Fraction(tally.totals[player], tables) if tables else tally.mean()


def wins(event: Event, tally: Tally) -> Column:
    """Return the tables won; a shared first place counts its share."""
    return _shares_of(1, tally)


def seconds(event: Event, tally: Tally) -> Column:
    """Return the second places; a shared one counts its share."""
    return _shares_of(2, tally)


def _shares_of(rank: int, tally: Tally) -> Column:
    holders = {table.ranks: table.ranks.count(rank) for table in tally.tables}
    whole = lcm(*{count for count in holders.values() if count})
    shares: dict[Ranks, list[int]] = {
        ranks: [whole // count if seat_rank == rank else 0 for seat_rank in ranks]
        for ranks, count in holders.items()
    }
    return Column(tally.sums(lambda table: shares[table.ranks]), whole)


def opponents(event: Event, tally: Tally) -> Column:
    """Return the mean of the opponents' average points at tables without the player.

    Encounters with somebody who has no such table are left out; without any encounter
    it is the mean of all seats.
    """
    others = [len(tables) - 1 for tables in tally.sat_at]
    parts, whole = _parts(others)
    # Who met nobody twice: each opponent's tables but the common one count.
    weights = [parts[count] for count in others]
    weighed = [
        total * weight for total, weight in zip(tally.totals, weights, strict=True)
    ]
    alone = {player for player, count in enumerate(others) if not count}
    sums = [0] * len(others)
    for table in tally.tables:
        at_table = sum(
            [
                weighed[player] - weights[player] * points
                for player, points in zip(table.seats, table.points, strict=True)
            ]
        )
        for player in table.seats:
            sums[player] += at_table
    neutral = tally.mean() / tally.point_scale
    numbers = []
    for player, tables in enumerate(tally.sat_at):
        # At each table the player's own average was counted with the others'.
        total, over = sums[player] - weighed[player] * others[player], whole
        seats = [table.seats for table in tables]
        met_in = sum(map(len, seats)) - len(seats)
        if len(set().union(*seats)) <= met_in:
            more, over, fewer = _met_again(tally, player, whole)
            total, met_in = total * (over // whole) + more, met_in - fewer
        if alone:
            met_in -= sum(other in alone for other in chain(*seats) if other != player)
        scale = over * met_in * tally.point_scale
        numbers.append(Fraction(total, scale) if met_in else neutral)
    return Column(numbers)


def _parts(counts: Iterable[int]) -> tuple[dict[int, int], int]:
    """Return by what to multiply for a division by each count, and over what."""
    different = {count for count in counts if count > 0}
    whole = lcm(*different)
    return {0: 0, -1: 0} | {count: whole // count for count in different}, whole


def _met_again(tally: Tally, player: int, whole: int) -> tuple[int, int, int]:
    """Return what to add to the sum over a player's opponents met more than once.

    They were counted as if each common table were the only one. With it comes over what
    it stands, a multiple of `whole`, and how many encounters do not count, as the
    opponent sat at common tables only.
    """
    tables = tally.sat_at[player]
    met = Counter(chain.from_iterable(table.seats for table in tables))
    again = {other for other, times in met.items() if times > 1 and other != player}
    conceded = dict.fromkeys(again, 0)
    for table in tables:
        for other in again.intersection(table.seats):
            conceded[other] += table.points[table.seats.index(other)]
    more: dict[int, int] = defaultdict(int)
    fewer = 0
    for other in again:
        times, seats = met[other], len(tally.sat_at[other])
        total, lost = tally.totals[other], conceded[other]
        more[seats - 1] -= times * total - lost
        if seats > times:
            more[seats - times] += times * (total - lost)
        else:
            fewer += times
    over = lcm(whole, *more)
    return sum(amount * (over // n) for n, amount in more.items()), over, fewer


def opponents_all(event: Event, tally: Tally) -> Column:
    """Return the mean of the opponents' average points, common tables included."""
    averages, whole = _averages(tally)
    encounters = tally.sums(lambda table: [len(table.seats) - 1] * len(table.seats))

    def of_others(table: CountedTable) -> list[int]:
        own_averages = [averages[player] for player in table.seats]
        at_table = sum(own_averages)
        return [at_table - own for own in own_averages]

    scale = whole * tally.point_scale
    neutral = tally.mean() / tally.point_scale
    return Column(
        [
            Fraction(total, scale * met) if met else neutral
            for total, met in zip(tally.sums(of_others), encounters, strict=True)
        ]
    )


def _averages(tally: Tally) -> tuple[list[int], int]:
    """Return each player's mean points of a table as whole numbers, and over what."""
    counts = [len(tables) for tables in tally.sat_at]
    parts, whole = _parts(counts)
    return [
        total * parts[count] for total, count in zip(tally.totals, counts, strict=True)
    ], whole


def sonneborn_berger(event: Event, tally: Tally) -> Column:
    """Return the results against each opponent times the opponent's average points."""
    averages, whole = _averages(tally)

    def against_each(table: CountedTable) -> list[int]:
        own_averages = [averages[player] for player in table.seats]
        return [
            sum(
                halves_against(rank, other) * average
                for other, average in zip(table.ranks, own_averages, strict=True)
            )
            # Nobody plays against themselves, though everyone is level with oneself.
            - own
            for rank, own in zip(table.ranks, own_averages, strict=True)
        ]

    return Column(tally.sums(against_each), 2 * whole * tally.point_scale)


def beaten(event: Event, tally: Tally) -> Column:
    """Return the opponents beaten; who was level counts a half."""
    halves = {
        ranks: [
            sum(halves_against(rank, other) for other in ranks) - 1 for rank in ranks
        ]
        for ranks in {table.ranks for table in tally.tables}
    }
    return Column(tally.sums(lambda table: halves[table.ranks]), 2)


def margin(event: Event, tally: Tally) -> Column:
    """Return the sum of differences to the mean score of the table."""
    return Column(tally.sums(attrgetter("margins")), tally.score_scale)


def best_table(event: Event, tally: Tally) -> Column:
    """Return the best difference to the mean score of a table."""
    best: list[int | None] = [None] * len(tally.names)
    for player, difference in tally.by_seat(attrgetter("margins")):
        before = best[player]
        if before is None or difference > before:
            best[player] = difference
    return Column(best, tally.score_scale)


def cut_one(event: Event, tally: Tally) -> Column:
    """Return the points without the worst table."""
    by_player = _points_by_table(event, tally)
    return Column(
        [
            sum(table_points) - min(table_points) if table_points else None
            for table_points in by_player
        ],
        tally.point_scale,
    )


def median(event: Event, tally: Tally) -> Column:
    """Return the points without the best and the worst of three tables or more."""
    return Column(
        [
            sum(table_points) - min(table_points) - max(table_points)
            if len(table_points) > 2
            else None
            for table_points in _points_by_table(event, tally)
        ],
        tally.point_scale,
    )


def _points_by_table(event: Event, tally: Tally) -> list[list[Exact]]:
    """Return by player the points of each table, byes at the end."""
    by_player: list[list[Exact]] = [[] for _name in tally.names]
    for table in tally.tables:
        for player, points in zip(table.seats, table.points, strict=True):
            by_player[player].append(points)
    for player, byes in enumerate(tally.byes):
        if byes:
            by_player[player] += [bye_worth(event, tally, player)] * byes
    return by_player


def raw(event: Event, tally: Tally) -> Column:
    """Return the sum of scores."""
    return Column(tally.sums(lambda table: table.scores), tally.score_scale)


def percentage(event: Event, tally: Tally) -> Column:
    """Return the sum of scores as parts of the winner's.

    Where the winner has nothing, or less, the winner counts one and all others nothing.
    """

    def part(table: CountedTable, score: int) -> tuple[int, int]:
        best = max(table.scores)
        return (score, best) if best > 0 else (int(score == best), 1)

    return _parts_of_tables(tally, part)


def share(event: Event, tally: Tally) -> Column:
    """Return the sum of scores as parts of the table's.

    Undefined for who sat at a table with a score below nothing, or with nothing at all.
    """

    def part(table: CountedTable, score: int) -> tuple[int, int] | None:
        together = sum(table.scores)
        return None if min(table.scores) < 0 or not together else (score, together)

    return _parts_of_tables(tally, part)


def _parts_of_tables(
    tally: Tally, part: Callable[[CountedTable, int], tuple[int, int] | None]
) -> Column:
    """Return by player the sum of numerator and denominator pairs, a pair a table."""
    pairs: list[list[tuple[int, int] | None]] = [[] for _name in tally.names]
    for table in tally.tables:
        for player, score in zip(table.seats, table.scores, strict=True):
            pairs[player].append(part(table, score))
    return Column([_sum_of_parts(own_pairs) for own_pairs in pairs])


def _sum_of_parts(pairs: Sequence[tuple[int, int] | None]) -> Fraction | None:
    if None in pairs:
        return None
    defined = [pair for pair in pairs if pair is not None]
    # A denominator of one's own: one for all players would grow with every table.
    whole = lcm(*[under for _over, under in defined])
    return Fraction(sum([over * (whole // under) for over, under in defined]), whole)


def final_table(event: Event, tally: Tally) -> Column:
    """Return the number of the table in the last round; the lower is the better."""
    return _at_the_last_table(tally, lambda table: [table.number] * len(table.seats))


def final_place(event: Event, tally: Tally) -> Column:
    """Return the place at that table; the lower is the better."""
    return _at_the_last_table(tally, lambda table: table.ranks)


def _at_the_last_table(
    tally: Tally, of_table: Callable[[CountedTable], Sequence[int | None]]
) -> Column:
    last = tally.last_round()
    numbers: list[int | None] = [None] * len(tally.names)
    for table in tally.tables:
        if table.round == last and table.number is not None:
            for player, number in zip(table.seats, of_table(table), strict=True):
                numbers[player] = number
    return Column(numbers)


def lot(event: Event, tally: Tally) -> Column:
    """Return the lots that were drawn; None for who drew none."""
    return Column([event.lots.get(name) for name in tally.names])


TieBreak: TypeAlias = Callable[[Event, Tally], Column]

TIE_BREAKS: Mapping[str, TieBreak] = {
    "wins": wins,
    "seconds": seconds,
    "opponents": opponents,
    "opponents_all": opponents_all,
    "sonneborn_berger": sonneborn_berger,
    "beaten": beaten,
    "margin": margin,
    "best_table": best_table,
    "cut_one": cut_one,
    "median": median,
    "raw": raw,
    "percentage": percentage,
    "share": share,
    "final_table": final_table,
    "lot": lot,
}
"""How each is computed, but for head-to-head."""

HEAD_TO_HEAD = "head_to_head"
NAMES = (*TIE_BREAKS, HEAD_TO_HEAD)
