"""Corrections of a list of past results, line by line."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.event.setup.spreadsheets import uncomputed_fault
from tournaments.history.imports.past_results import (
    LABELS,
    MOST_FAULTS,
    Fault,
    Past,
)

SHOWN_LINES = 8
"""Lines that are shown where somebody says what the columns are."""
Cells = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineCell:
    """A cell of a line, and the field in which it can be written anew."""

    name: str
    label: str
    value: str
    is_wrong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongLine:
    """A line that does not fit, and why."""

    number: int
    number_in_file: str
    cells: Sequence[LineCell]
    faults: Sequence[Fault]

    @property
    def wrong(self) -> list[LineCell]:
        """Return the cells of which it is known that they are wrong."""
        return [cell for cell in self.cells if cell.is_wrong]

    @property
    def others(self) -> list[LineCell]:
        """Return the cells that may be as they are."""
        return [cell for cell in self.cells if not cell.is_wrong]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of which somebody says what stands in it."""

    place: int
    head: str
    example: str
    known: str
    """What is taken to stand there; empty where that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PutRight:
    """A list that cannot be brought in as it is."""

    faults: Sequence[Fault]
    """Of the whole list."""
    lines: Sequence[WrongLine]
    columns: Sequence[Column]
    """Where they are to be named, which comes before any line."""
    count: int
    """Lines with anything in them, below their heads."""

    @property
    def has_heads(self) -> bool:
        """Tell whether the first line names one of the columns."""
        return any(column.known for column in self.columns)

    @property
    def ready(self) -> int | None:
        """Return how many lines fit; None where not all of them were looked at."""
        if len(self.lines) > MOST_FAULTS:
            return None
        return self.count - len(self.lines)


def put_right(cells: Cells, past: Past) -> PutRight:
    """Return what is wrong with a list of which somebody reads these cells."""
    by_line: dict[int, list[Fault]] = {}
    for fault in past.faults:
        by_line.setdefault(fault.line or 0, []).append(fault)
    whole = by_line.pop(0, [])
    return PutRight(
        faults=whole,
        lines=[
            _wrong_line(number, cells[number - 1], faults, past)
            for number, faults in sorted(by_line.items())
        ],
        columns=[] if by_line else _columns(cells, past),
        count=sum(any(row) for row in cells[past.heads + 1 :]),
    )


def _wrong_line(
    number: int, row: Sequence[str], faults: Sequence[Fault], past: Past
) -> WrongLine:
    wrong = {fault.column for fault in faults}
    places = sorted(past.columns.items(), key=lambda pair: pair[1])
    return WrongLine(
        number=number,
        number_in_file=_cell(row, past.columns.get("line", len(row))) or str(number),
        faults=faults,
        cells=[
            LineCell(
                name=f"cell-{number}-{place}",
                label=str(LABELS[name]),
                value=_cell(row, place),
                is_wrong=name in wrong,
            )
            for name, place in places
            if name in LABELS
        ],
    )


def _columns(cells: Cells, past: Past) -> list[Column]:
    first_lines = cells[:SHOWN_LINES]
    width = max((len(row) for row in first_lines), default=0)
    names = {place: name for name, place in past.columns.items()}
    return [
        Column(
            place=place,
            head=_cell(first_lines[0], place),
            example=_cell(first_lines[1], place) if len(first_lines) > 1 else "",
            known=names.get(place, ""),
        )
        for place in range(width)
    ]


def _cell(row: Sequence[str], place: int) -> str:
    text = row[place] if place < len(row) else ""
    return "" if uncomputed_fault(text) else text
