"""The number and sizes of tables for a number of players."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil

from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _


class SeatingRefusal(Exception):  # noqa: N818 - called a refusal everywhere
    """An impossible seating, with the field at fault and a message that helps to correct it."""

    def __init__(self, field: str, message: Sentence) -> None:
        """Store the field and the message."""
        super().__init__(str(message))
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSizeLimits:
    """The preferred number of players at a table, and the least and most allowed."""

    preferred: int = 4
    least: int = 3
    most: int = 5

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


def table_sizes(players: int, sizing: TableSizeLimits) -> list[int]:
    """Return the sizes of the tables, the larger first; they differ by one at most.

    The number of tables is the one closest to the preferred size that respects the limits. If
    none does, as few players as possible sit out, and the sizes add up to less than `players`.
    Raises SeatingRefusal if there are too few players for a table.

    >>> table_sizes(17, TableSizeLimits())
    [4, 4, 3, 3, 3]
    >>> table_sizes(6, TableSizeLimits(least=4, most=4))
    [4]
    """
    for seated in range(players, sizing.least - 1, -1):
        wanted = ceil(seated / sizing.preferred)
        for tables in sorted(
            range(1, seated // sizing.least + 1), key=lambda t: (abs(t - wanted), -t)
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


def split_tables(order: Sequence[int], sizes: Sequence[int]) -> list[Sequence[int]]:
    """Return the players of each table, in order.

    >>> split_tables([4, 2, 3, 1, 5], [3, 2])
    [[4, 2, 3], [1, 5]]
    """
    ends = list(accumulate(sizes))
    return [order[end - size : end] for end, size in zip(ends, sizes, strict=True)]
