"""Who was ahead of whom, as a table whose cells are fuller the oftener it was so."""

from collections.abc import Sequence
from typing import NamedTuple

STEPS = (25, 50, 75)
"""Shares, of a hundred, at which a cell becomes fuller."""


class Cell(NamedTuple):
    """How often one was ahead of another."""

    share: int | None
    """Of a hundred meetings; None where they met too rarely, or are the same."""
    step: str
    """How full the cell is: `h1` to `h4`, or `few`."""


class HeatRow(NamedTuple):
    """A player, and how often they were ahead of each."""

    name: str
    cells: Sequence[Cell]


def heat(names: Sequence[str], shares: Sequence[Sequence[int | None]]) -> list[HeatRow]:
    """Return a row for each player, with a cell for each; empty below two players."""
    if len(names) < 2:
        return []
    return [
        HeatRow(name, [Cell(share, step_of(share)) for share in row])
        for name, row in zip(names, shares, strict=True)
    ]


def step_of(share: int | None) -> str:
    """Return how full the cell of a share is.

    >>> [step_of(share) for share in (0, 25, 50, 100, None)]
    ['h1', 'h2', 'h3', 'h4', 'few']
    """
    if share is None:
        return "few"
    return f"h{1 + sum(share >= step for step in STEPS)}"
