"""The tables of an event as whole numbers, with every player a number too.

Players are numbered in the order of their names, so nothing that follows depends on
the order in which results were listed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import NamedTuple, TypeVar

from tournaments.standings.event import Counting, Event, TableResult
from tournaments.standings.points import (
    Ranks,
    common_denominator,
    ranks_of,
    scaled,
    shared_points,
)

Number = TypeVar("Number")


class CountedTable(NamedTuple):
    """One table that counts; all columns in the order of its seats."""

    round: int
    number: int | None
    seats: list[int]
    """Players by their number."""
    scores: list[int]
    """Over `Tally.score_scale`."""
    ranks: Ranks
    points: list[int]
    """Over `Tally.point_scale`; shared with tables of the same ranks."""
    margins: list[int]
    """What each score differs from their mean by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What every player has after all tables."""

    names: Sequence[str]
    tables: Sequence[CountedTable]
    sat_at: Sequence[list[CountedTable]]
    """By player: the tables that count."""
    seated: Sequence[int]
    """Every seat of every table, one after the other: the player's number."""
    totals: list[int]
    """By player: the sum of points, byes and penalties apart."""
    byes: list[int]
    penalties: list[Fraction]
    score_scale: int
    """Makes every score, and the mean of every table, whole."""
    point_scale: int
    """Makes the points of every table whole."""

    def last_round(self) -> int:
        """Return the last round that has a table; 0 without any."""
        return max((table.round for table in self.tables), default=0)

    def mean(self) -> Fraction:
        """Return the mean points of a seat, scaled: what favours nobody."""
        seats = sum(len(table.seats) for table in self.tables)
        return Fraction(sum(self.totals), seats or 1)

    def sums(self, of_table: Callable[[CountedTable], Sequence[int]]) -> list[int]:
        """Return by player the sum of what `of_table` gives to each seat."""
        sums = [0] * len(self.names)
        for player, number in self.by_seat(of_table):
            sums[player] += number
        return sums

    def by_seat(
        self, of_table: Callable[[CountedTable], Sequence[Number]]
    ) -> Iterator[tuple[int, Number]]:
        """Return the player of every seat, and what `of_table` gives to it."""
        numbers = chain.from_iterable(map(of_table, self.tables))
        return zip(self.seated, numbers, strict=True)


def tally(event: Event) -> Tally:
    """Return the event in whole numbers."""
    void = event.counting.unfinished == "void"
    results = [result for result in event.tables if result.finished or not void]
    names = sorted(_listed(event, results))
    index = {name: number for number, name in enumerate(names)}
    score_scale = common_denominator(
        score for result in results for score in result.scores.values()
    ) * lcm(*{len(result.scores) for result in results})
    tables, point_scale = _counted(results, event.counting, index, score_scale)
    sat_at: list[list[CountedTable]] = [[] for _name in names]
    totals, byes = [0] * len(names), [0] * len(names)
    for table in tables:
        for player, points in zip(table.seats, table.points, strict=True):
            sat_at[player].append(table)
            totals[player] += points
    for bye in event.byes:
        byes[index[bye.player]] += 1
    return Tally(
        names=names,
        tables=tables,
        sat_at=sat_at,
        seated=[player for table in tables for player in table.seats],
        totals=totals,
        byes=byes,
        penalties=_penalties(event, index),
        score_scale=score_scale,
        point_scale=point_scale,
    )


def _listed(event: Event, results: Sequence[TableResult]) -> set[str]:
    names = set(event.players)
    names.update(*(result.scores for result in results))
    names.update(bye.player for bye in event.byes)
    names.update(penalty.player for penalty in event.penalties)
    return names


def _counted(
    results: Sequence[TableResult],
    counting: Counting,
    index: dict[str, int],
    scale: int,
) -> tuple[list[CountedTable], int]:
    """Return the tables, and the scale of their points."""
    scores = [
        [
            score * scale if type(score) is int else scaled(score, scale)
            for score in result.scores.values()
        ]
        for result in results
    ]
    margins = [_margins(table_scores) for table_scores in scores]
    ranks = [ranks_of(table_scores) for table_scores in scores]
    points, point_scale = scores, scale
    if counting.points == "margin":
        points = margins
    elif counting.points != "raw":
        points, point_scale = _points_by_place(ranks, counting)
    seats = [[index[name] for name in result.scores] for result in results]
    rounds = [result.round for result in results]
    numbers = [result.table for result in results]
    columns = (rounds, numbers, seats, scores, ranks, points, margins)
    return [*map(CountedTable, *columns)], point_scale


def _margins(scores: list[int]) -> list[int]:
    mean = sum(scores) // len(scores)
    return [score - mean for score in scores]


def _points_by_place(
    ranks: Sequence[Ranks], counting: Counting
) -> tuple[list[list[int]], int]:
    # Few ways to come in exist at small tables: each is worked out once.
    worth = {
        table_ranks: shared_points(counting, table_ranks) for table_ranks in set(ranks)
    }
    scale = common_denominator(
        points for table_points in worth.values() for points in table_points
    )
    whole = {
        table_ranks: [scaled(points, scale) for points in table_points]
        for table_ranks, table_points in worth.items()
    }
    return [whole[table_ranks] for table_ranks in ranks], scale


def _penalties(event: Event, index: dict[str, int]) -> list[Fraction]:
    """Return what each player loses: penalties, and deductions of unfinished tables."""
    lost = [Fraction()] * len(index)
    for penalty in event.penalties:
        lost[index[penalty.player]] += penalty.points
    if event.counting.unfinished == "deduct":
        for table in event.tables:
            for name in () if table.finished else table.scores:
                lost[index[name]] += event.counting.deduction
    return lost
