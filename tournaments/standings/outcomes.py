"""What can come of tables that are still played: every order of places, ties included."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from scoring.rules.game import rank_values
from tournaments.standings.event import TableResult
from tournaments.standings.points import Ranks

LISTED = 6
"""Players at a table, at most, whose orders are listed: 4,683 of six, 47,293 of seven."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """A table whose result is to come."""

    round: int
    table: int | None = None
    players: Sequence[str]


class TablePlace(NamedTuple):
    """How somebody comes in at a table."""

    rank: int
    holders: int
    """How many share the rank; 1 where nobody else does."""


@cache
def orders(size: int) -> tuple[Ranks, ...]:
    """Return every way in which a table of this size can end.

    >>> orders(2)
    ((1, 1), (1, 2), (2, 1))
    """
    every = product(range(size), repeat=size)
    return tuple(sorted({rank_values(scores) for scores in every}))


def result_from_order(table: OpenTable, order: Ranks) -> TableResult:
    """Return the result of a table that ended in an order.

    Its scores say nothing but who came where.
    """
    return TableResult(
        round=table.round,
        table=table.table,
        scores={
            player: len(order) - rank
            for player, rank in zip(table.players, order, strict=True)
        },
    )


@cache
def order_place(order: Ranks, seat: int) -> TablePlace:
    """Return the place of a seat in an order."""
    return TablePlace(order[seat], order.count(order[seat]))
