"""An auction as a table: a column for each seat, a line for each time round."""

from collections.abc import Sequence
from typing import NamedTuple


class CallCell(NamedTuple):
    """The call of one seat in one time round."""

    label: str = ""
    """Empty if it has not called, or its turn is still to come."""
    is_highest: bool = False
    """Whether it is the highest bid."""
    is_due: bool = False
    """Whether this seat calls next."""


def auction_table(
    calls: Sequence[tuple[int, str]],
    seats: int,
    *,
    highest: int | None,
    due: int | None,
) -> list[list[CallCell]]:
    """Return the lines of an auction, each with a cell for every seat.

    `calls` are seats and their calls, in order; `highest` is the index of the highest bid in
    them, `due` the seat that calls next.

    >>> calls = [(1, "90"), (2, "pass"), (0, "95")]
    >>> lines = auction_table(calls, 3, highest=2, due=1)
    >>> [[cell.label for cell in line] for line in lines]
    [['', '90', 'pass'], ['95', '', '']]
    """
    lines: list[list[CallCell]] = []
    last = seats
    cells = [
        (seat, CallCell(label, is_highest=place == highest))
        for place, (seat, label) in enumerate(calls)
    ]
    if due is not None:
        cells.append((due, CallCell(is_due=True)))
    for seat, cell in cells:
        # A seat before that of the last call begins the next time round.
        if seat <= last:
            lines.append([CallCell()] * seats)
        lines[-1][seat] = cell
        last = seat
    return lines
