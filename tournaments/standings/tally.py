"""The tables of an event in whole numbers, with players as indices.

Players are numbered in the order of their names, so that results do not depend on the order in
which tables are listed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice
from math import lcm
from typing import cast

from tournaments.standings.event import ByeKind, StandingsInput
from tournaments.standings.points import (
    Ranks,
    common_denominator,
    place_points_by_seat,
    scale_number,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The results of all tables that count, in whole numbers.

    Columns by table have one item for each table that counts. If the items are lists, they have
    one value for each player of the table, rank 1 first.
    """

    event: StandingsInput
    names: Sequence[str]
    rounds: Sequence[int]
    """By table."""
    numbers: Sequence[int | None]
    """By table."""
    seats: Sequence[list[int]]
    """By table: the indices of the players."""
    scores: Sequence[list[int]]
    """By table, over `score_scale`."""
    ranks: Sequence[Ranks]
    """By table."""
    points: Sequence[list[int]]
    """By table, over `point_scale`; tables of the same ranks may share one list."""
    seated: Sequence[int]
    """By seat, table after table: the index of the player."""
    margins: Sequence[int]
    """By seat: the score minus the table's mean, over `margin_scale`."""
    tables_by_player: Sequence[list[int]]
    """By player: the indices of their tables in the columns."""
    met_players: Sequence[list[int]]
    """By player: all players of each of these tables, the player included."""
    totals: list[int]
    """By player: the sum of the points of tables, without byes and penalties."""
    byes: list[list[ByeKind]]
    """By player: the byes that count as tables."""
    penalties: list[Fraction]
    score_scale: int
    """Makes every score whole."""
    margin_scale: int
    """Makes every score, and the mean of every table, whole."""
    point_scale: int
    """Makes the points of every table whole."""

    def mean_seat_points_times_point_scale(self) -> Fraction:
        """Return the mean points of a seat, over `point_scale`; 0 without tables."""
        return Fraction(sum(self.totals), len(self.seated) or 1)

    def sum_by_player(self, by_seat: Iterable[int]) -> list[int]:
        """Return the sums by player of a column that has a number for each seat."""
        sums = [0] * len(self.names)
        for player, number in zip(self.seated, by_seat, strict=True):
            sums[player] += number
        return sums


def tally_event(event: StandingsInput) -> Tally:
    """Return the event in whole numbers, without unfinished tables if they are void."""
    void = event.counting.unfinished == "void"
    results = [result for result in event.tables if result.finished or not void]
    players = set(event.players)
    players.update(*(result.scores for result in results))
    players.update(bye.player for bye in event.byes)
    players.update(penalty.player for penalty in event.penalties)
    names = sorted(players)
    index = {name: number for number, name in enumerate(names)}
    # Best first, so that tables of one size have few different ranks.
    in_order = [
        sorted(result.ranks, key=result.ranks.__getitem__)
        if result.ranks
        else sorted(result.scores, key=result.scores.__getitem__, reverse=True)
        for result in results
    ]
    seats = [list(map(index.__getitem__, ordered)) for ordered in in_order]
    exact_scores = [
        list(map(result.scores.__getitem__, ordered))
        for result, ordered in zip(results, in_order, strict=True)
    ]
    if {int}.issuperset(map(type, chain.from_iterable(exact_scores))):
        scores, score_scale = cast(list[list[int]], exact_scores), 1
    else:
        score_scale = common_denominator(chain.from_iterable(exact_scores))
        scores = [
            [scale_number(score, score_scale) for score in table_scores]
            for table_scores in exact_scores
        ]
    # Tables of one size share their ranks if no players are level.
    ranks_without_ties = {
        size: tuple(range(1, size + 1)) for size in set(map(len, scores))
    }
    ranks = [
        tuple(sorted(result.ranks.values()))
        if result.ranks
        else ranks_without_ties[len(table_scores)]
        if len(set(table_scores)) == len(table_scores)
        else tuple([table_scores.index(score) + 1 for score in table_scores])
        for result, table_scores in zip(results, scores, strict=True)
    ]
    # By seat, the score minus the mean of its table.
    parts = lcm(*ranks_without_ties)
    margin_scale = score_scale * parts
    margins = [
        score * parts - mean
        for table_scores in scores
        for mean in [sum(table_scores) * (parts // len(table_scores))]
        for score in table_scores
    ]
    if event.counting.points == "raw":
        points, point_scale = scores, score_scale
    elif event.counting.points == "margin":
        at_seats, point_scale = iter(margins), margin_scale
        points = [list(islice(at_seats, len(table_seats))) for table_seats in seats]
    else:
        # Small tables have few different ranks: compute the points of each once.
        worth = {
            table_ranks: place_points_by_seat(event.counting, table_ranks)
            for table_ranks in set(ranks)
        }
        point_scale = common_denominator(chain.from_iterable(worth.values()))
        whole = {
            table_ranks: [scale_number(part, point_scale) for part in table_points]
            for table_ranks, table_points in worth.items()
        }
        points = [whole[table_ranks] for table_ranks in ranks]
    seated = list(chain.from_iterable(seats))
    tables_by_player: list[list[int]] = [[] for _name in names]
    met_players: list[list[int]] = [[] for _name in names]
    for position, table_seats in enumerate(seats):
        for player in table_seats:
            tables_by_player[player].append(position)
            met_players[player] += table_seats
    totals = [0] * len(names)
    for player, number in zip(seated, chain.from_iterable(points), strict=True):
        totals[player] += number
    byes: list[list[ByeKind]] = [[] for _name in names]
    for bye in event.byes_like_tables():
        byes[index[bye.player]].append(bye.kind)
    penalties = [Fraction()] * len(names)
    for penalty in event.penalties:
        penalties[index[penalty.player]] += penalty.points
    deduct = event.counting.unfinished == "deduct"
    deducted = [result for result in event.tables if deduct and not result.finished]
    for name in chain.from_iterable(result.scores for result in deducted):
        penalties[index[name]] += event.counting.deduction
    return Tally(
        event=event,
        names=names,
        rounds=[result.round for result in results],
        numbers=[result.table for result in results],
        seats=seats,
        scores=scores,
        ranks=ranks,
        points=points,
        seated=seated,
        margins=margins,
        tables_by_player=tables_by_player,
        met_players=met_players,
        totals=totals,
        byes=byes,
        penalties=penalties,
        score_scale=score_scale,
        margin_scale=margin_scale,
        point_scale=point_scale,
    )
