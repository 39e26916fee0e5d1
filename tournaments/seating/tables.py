"""The number and sizes of tables for a number of players."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _


class SeatingRefusal(Exception):  # noqa: N818 - called a refusal everywhere
    """An impossible seating, with the field at fault and a message that helps to correct it."""

    def __init__(self, field: str, message: Sentence) -> None:
        """Store the field and the message."""
        super().__init__(str(message))
        self.field = field
        self.message = message


class TableFill(StrEnum):
    """The tables of players that do not fill tables of the preferred size."""

    SMALLER = "smaller"
    """More tables, some of them smaller."""
    LARGER = "larger"
    """Fewer tables, some of them larger."""
    FULL = "full"
    """Only full tables; the other players sit out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSizeLimits:
    """The preferred number of players at a table, and the least and most allowed."""

    preferred: int = 4
    least: int = 3
    most: int = 5
    fill: TableFill = TableFill.SMALLER

    def __post_init__(self) -> None:
        """Raise SeatingRefusal unless 2 ≤ least ≤ preferred ≤ most."""
        if not 2 <= self.least <= self.preferred <= self.most:
            raise SeatingRefusal(
                "table",
                say(
                    _(
                        "The smallest table needs at least 2 players, and the table "
                        "size %(preferred)s must be between %(least)s and %(most)s."
                    ),
                    preferred=self.preferred,
                    least=self.least,
                    most=self.most,
                ),
            )

    def without_chosen_byes(self) -> "TableSizeLimits":
        """Return the same limits, but with smaller tables instead of only full ones."""
        is_full = self.fill == TableFill.FULL
        return replace(self, fill=TableFill.SMALLER) if is_full else self


def choose_table_sizes(players: int, sizing: TableSizeLimits) -> list[int]:
    """Return the sizes of the tables, the larger first; they differ by one at most.

    The number of tables is the one closest to the preferred size that respects the limits; its
    `fill` decides between smaller and larger tables. If no number of tables respects the limits,
    as few players as possible sit out. The sizes then add up to less than `players`, as they do
    if only full tables are wanted. Raises SeatingRefusal if there are too few players for a
    table.

    >>> choose_table_sizes(17, TableSizeLimits())
    [4, 4, 3, 3, 3]
    >>> choose_table_sizes(17, TableSizeLimits(fill=TableFill.LARGER))
    [5, 4, 4, 4]
    >>> choose_table_sizes(17, TableSizeLimits(fill=TableFill.FULL))
    [4, 4, 4, 4]
    >>> choose_table_sizes(6, TableSizeLimits(least=4, most=4))
    [4]
    """
    full_tables = players // sizing.preferred
    if sizing.fill == TableFill.FULL and full_tables:
        return [sizing.preferred] * full_tables
    is_larger = sizing.fill == TableFill.LARGER
    for seated in range(players, sizing.least - 1, -1):
        wanted = (
            seated // sizing.preferred if is_larger else ceil(seated / sizing.preferred)
        )
        for tables in sorted(
            range(1, seated // sizing.least + 1),
            key=lambda t: (abs(t - wanted), t if is_larger else -t),
        ):
            if ceil(seated / tables) <= sizing.most:
                larger = seated % tables
                size = seated // tables
                return [size + 1] * larger + [size] * (tables - larger)
    raise SeatingRefusal(
        "players",
        say(
            _("One player isn’t enough. A table needs at least %(least)s.")
            if players == 1
            else _(
                "%(players)s players aren’t enough. A table needs at least %(least)s."
            ),
            players=players,
            least=sizing.least,
        ),
    )


class TableAlternative(NamedTuple):
    """One way to seat a number of players."""

    fill: TableFill
    sizes: list[int]
    bye_count: int


def list_table_alternatives(
    players: int, sizing: TableSizeLimits
) -> list[TableAlternative]:
    """Return the different ways to seat so many players, that of the limits' own `fill` first.

    Raises SeatingRefusal if there are too few players for a table.

    >>> [each.sizes for each in list_table_alternatives(17, TableSizeLimits())]
    [[4, 4, 3, 3, 3], [5, 4, 4, 4], [4, 4, 4, 4]]
    """
    alternatives: list[TableAlternative] = []
    for fill in sorted(TableFill, key=lambda fill: fill != sizing.fill):
        sizes = choose_table_sizes(players, replace(sizing, fill=fill))
        if all(sizes != other.sizes for other in alternatives):
            bye_count = players - sum(sizes)
            alternatives.append(TableAlternative(fill, sizes, bye_count))
    return alternatives


def split_tables(order: Sequence[int], sizes: Sequence[int]) -> list[Sequence[int]]:
    """Return the players of each table, in order.

    >>> split_tables([4, 2, 3, 1, 5], [3, 2])
    [[4, 2, 3], [1, 5]]
    """
    ends = list(accumulate(sizes))
    return [order[end - size : end] for end, size in zip(ends, sizes, strict=True)]
