"""Places that are taken and free, as rows of holes with pegs."""

from math import ceil
from typing import NamedTuple

WIDEST, MOST = 16, 96
"""Holes in a row, and how many are drawn at all."""
LEFT, RIGHT = 2, 98
"""Where the first hole of a whole row is and the last, in percent of its width."""


class HoleRow(NamedTuple):
    """A row of holes, of which the first have pegs.

    The ends are in percent; a length is the number of steps between holes, and a
    hundredth, without which rounding would drop the last one.
    """

    end: str
    length: str
    taken_end: str
    taken_length: str
    """Both empty where no hole has a peg."""


def holes(taken: int, capacity: int) -> list[HoleRow]:
    """Return rows of about the same length; none where nobody knows how many places there are.

    >>> [row.length for row in holes(23, 32)], holes(23, 32)[1].taken_length
    (['15.01', '15.01'], '6.01')
    >>> holes(3, 0), holes(3, 200)
    ([], [])
    """
    if not 0 < capacity <= MOST:
        return []
    width = ceil(capacity / ceil(capacity / WIDEST))
    rows = []
    for first in range(0, capacity, width):
        count = min(width, capacity - first)
        pegs = min(max(0, taken - first), count)
        rows.append(
            HoleRow(*_line(count, width), *(_line(pegs, width) if pegs else ("", "")))
        )
    return rows


def _line(count: int, width: int) -> tuple[str, str]:
    steps = count - 1 + 0.01
    end = LEFT + (RIGHT - LEFT) * steps / max(1, width - 1)
    return f"{end:.2f}%", f"{steps:.2f}"
