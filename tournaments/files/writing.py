"""How a table is written: the one place that knows CSV, Excel and JSON."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from fractions import Fraction
from io import StringIO
from itertools import chain, compress
from tempfile import TemporaryFile
from typing import IO, Any

from django.utils import timezone
from django.utils.formats import get_format
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Font

from scoring.rules.names import strip_unsafe
from tournaments.event.setup.spreadsheets import escape_formulas

Cell = str | int | float | bool | Fraction | date | datetime | None
"""A text, a number, an exact number, a day or a moment; None for nothing."""
LONGEST_TITLE = 31
"""Letters of the name of a sheet."""
PART = 64 * 1024
"""Bytes that are read at once from a file that was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileColumn:
    """One column: its key for programs, and its head for people."""

    key: str
    head: str
    """Empty for a column that JSON alone has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTable:
    """A table to take along: rows may come one after another, and are read once."""

    name: str
    """What programs and files call it."""
    of: str
    """Of which club or tournament it is."""
    zone: tzinfo
    """The time zone of its hours: that of the club, not of the reader."""
    columns: Sequence[FileColumn]
    rows: Iterable[Sequence[Cell]]


def _for_people(table: FileTable) -> FileTable:
    """Return a table without the columns that JSON alone has."""
    has_head = [bool(column.head) for column in table.columns]
    return replace(
        table,
        columns=list(compress(table.columns, has_head)),
        rows=(list(compress(row, has_head)) for row in table.rows),
    )


def as_csv(table: FileTable) -> Iterator[bytes]:
    """Return a table as separated values, in UTF-8 as Excel recognises it.

    Where the reader's language has decimal commas, semicolons separate the cells. An
    apostrophe stands before what a spreadsheet would take for a formula.
    """
    table = _for_people(table)
    # Read now: the rows are written once the request and its language are over.
    decimal_sign = str(get_format("DECIMAL_SEPARATOR"))
    delimiter = ";" if decimal_sign == "," else ","
    heads: list[str | int] = [escape_formulas(column.head) for column in table.columns]

    def lines() -> Iterator[bytes]:
        rows = (
            [_in_csv(cell, table.zone, decimal_sign) for cell in row]
            for row in table.rows
        )
        yield "\ufeff".encode()
        for row in chain([heads], rows):
            line = StringIO()
            # Texts are quoted, so that a separator in one never looks like that of the file.
            writer = csv.writer(line, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
            writer.writerow(row)
            yield line.getvalue().encode()

    return lines()


def _in_csv(cell: Cell, zone: tzinfo, decimal_sign: str) -> str | int:
    match cell:
        case None:
            return ""
        case bool():
            return int(cell)
        case str():
            return escape_formulas(strip_unsafe(cell))
        case Fraction():
            return _format_decimal(_decimal(cell), decimal_sign)
        case float():
            return _format_decimal(cell, decimal_sign)
        case datetime():
            return cell.astimezone(zone).isoformat(sep=" ", timespec="minutes")
        case date():
            return cell.isoformat()
        case _:
            return cell


def _format_decimal(number: float, decimal_sign: str) -> str:
    """Return a number to six places, without an exponent."""
    if isinstance(number, int):
        return str(number)
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    # Three decimals could be thousands.
    if text[-4:-3] == ".":
        text += "0"
    return text.replace(".", decimal_sign)


def _decimal(number: Fraction) -> int | float:
    """Return a number as spreadsheets count, to six places.

    >>> _decimal(Fraction(43, 4)), _decimal(Fraction(6)), _decimal(Fraction(1, 3))
    (10.75, 6, 0.333333)
    """
    return int(number) if number.denominator == 1 else round(float(number), 6)


def as_json(table: FileTable) -> Iterator[bytes]:
    """Yield a table as JSON: its name, whose it is, and an object a row.

    Exact numbers are texts as in `43/4`, moments have their zone.
    """
    head = {"format": "table", "version": 1, "table": table.name, "of": table.of}
    yield json.dumps(head, ensure_ascii=False)[:-1].encode() + b', "rows": ['
    keys = [column.key for column in table.columns]
    for number, row in enumerate(table.rows):
        values: dict[str, Any] = dict(zip(keys, row, strict=True))
        for key, cell in values.items():
            if isinstance(cell, Fraction):
                values[key] = str(cell)
            elif isinstance(cell, date):
                values[key] = cell.isoformat()
        line = json.dumps(values, ensure_ascii=False).encode()
        yield (b",\n" if number else b"\n") + line
    yield b"\n]}\n"


def as_xlsx(table: FileTable) -> Iterator[bytes]:
    """Yield a table as a workbook of one sheet; it is written to disk first."""
    table = _for_people(table)
    book = Workbook(write_only=True)
    sheet = book.create_sheet(table.name[:LONGEST_TITLE])
    sheet.freeze_panes = "A2"
    heads = [_text(sheet, column.head) for column in table.columns]
    for head in heads:
        head.font = Font(bold=True)
    sheet.append(heads)
    for row in table.rows:
        cells: list[Any] = []
        for cell in row:
            match cell:
                case str():
                    cells.append(_text(sheet, cell))
                case Fraction():
                    cells.append(_decimal(cell))
                case datetime():
                    # A sheet knows no zones: it has the hour of the clock on the wall.
                    local = timezone.make_naive(cell, table.zone)
                    cells.append(local.replace(microsecond=0))
                case _:
                    cells.append(cell)
        sheet.append(cells)
    with TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        yield from read_chunks(file)


def read_chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield a file from where it stands, some at a time."""
    while part := file.read(PART):
        yield part


def _text(sheet: Any, text: str) -> Any:
    """Return a cell that holds a text, whatever it looks like."""
    cell = WriteOnlyCell(sheet, strip_unsafe(text))
    cell.data_type = "s"
    return cell


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFormat:
    """A format: what browsers call it, what people do, and how a table is written."""

    media_type: str
    words: str
    write: Callable[[FileTable], Iterator[bytes]]


FORMATS = {
    "csv": TableFormat(media_type="text/csv; charset=utf-8", words="CSV", write=as_csv),
    "xlsx": TableFormat(
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        words="Excel",
        write=as_xlsx,
    ),
    "json": TableFormat(media_type="application/json", words="JSON", write=as_json),
}
"""By how a file's name ends."""
