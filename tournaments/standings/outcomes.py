"""The possible outcomes of open tables: every order of places, ties included."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import NamedTuple

from scoring.rules.game import rank_values
from tournaments.standings.event import TableResult
from tournaments.standings.points import Ranks

LISTED = 6
"""The largest table whose orders are listed: six players have 4,683, seven 47,293."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """A table without a result yet."""

    round: int
    table: int | None = None
    players: Sequence[str]


class TablePlace(NamedTuple):
    """The place of a player at a table."""

    rank: int
    holders: int
    """The number of players at this rank, at least 1."""


@cache
def list_possible_orders(size: int) -> tuple[Ranks, ...]:
    """Return every order in which a table of this size can end.

    >>> list_possible_orders(2)
    ((1, 1), (1, 2), (2, 1))
    """
    score_lists = product(range(size), repeat=size)
    return tuple(sorted({rank_values(scores) for scores in score_lists}))


def result_from_order(table: OpenTable, order: Ranks) -> TableResult:
    """Return the result of a table that ended in an order.

    Its scores express the order only, not the margins.
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
    return TablePlace(order[seat], order.count(order[seat]))
