"""The grid of Tricks and Treats: where tokens lie, and how they are laid out."""

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

LEAST_SIDE = 4
MOST_SIDE = 8
"""Squares of 16, 25, 36, 49 and 64 are made (treats.mixer)."""


class Place(NamedTuple):
    """Where a token lies, rows from the top, columns from the left, both from 0."""

    row: int
    column: int

    def touches(self, other: "Place") -> bool:
        """Tell whether the other place is one of the up to eight around this one."""
        rows, columns = abs(self.row - other.row), abs(self.column - other.column)
        return max(rows, columns) == 1


class Cell(NamedTuple):
    """A place with the token on it, as the board alone knows it."""

    place: Place
    face: str
    """A card as a record writes it, or a kind of treat."""
    is_up: bool = False


class Shown(NamedTuple):
    """A place as everybody sees it."""

    row: int
    column: int
    face: str | None
    """What lies there face up; None for what lies face down."""


def laid_out(faces: Sequence[str]) -> tuple[Cell, ...]:
    """Return the grid of these tokens, all face down (treats.start, treats.mixer)."""
    places = places_of(len(faces))
    return tuple(Cell(place, face) for place, face in zip(places, faces, strict=True))


def places_of(count: int) -> list[Place]:
    """Return where so many tokens lie, by row, then by column (treats.mixer).

    The largest square comes first; what is over fills a column along its right side,
    then a row along the bottom of both. 81 tokens make the whole of 9 × 9 like this
    (treats.start).

    >>> [len([at for at in places_of(31) if at.row == row]) for row in range(6)]
    [6, 6, 6, 6, 6, 1]
    """
    side = min(isqrt(count), MOST_SIDE)
    if side < LEAST_SIDE:
        return [Place(0, column) for column in range(count)]
    square = [Place(row, column) for row in range(side) for column in range(side)]
    right = [Place(row, side) for row in range(side)]
    bottom = [Place(side, column) for column in range(side + 1)]
    return sorted((square + right + bottom)[:count])
