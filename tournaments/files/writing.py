"""Write tables as CSV, Excel and JSON."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
"""A text, number, exact number, day or moment; None for an empty cell."""
LONGEST_TITLE = 31
"""The most characters of a sheet's name."""
PART = 64 * 1024
"""Bytes read at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTable:
    """A table to export; `rows` may be an iterator, and is read once."""

    name: str
    """Its name in files and for programs."""
    owner_name: str
    """The name of its club or tournament."""
    zone: tzinfo
    """The time zone of its moments: that of the club, not of the reader."""
    columns: Mapping[str, str]
    """Headings for people, by key for programs; empty for a column that is only in JSON."""
    rows: Iterable[Sequence[Cell]]


def _without_json_columns(table: FileTable) -> FileTable:
    """Return the table without the columns that are only in JSON."""
    has_head = [bool(head) for head in table.columns.values()]
    return replace(
        table,
        columns={key: head for key, head in table.columns.items() if head},
        rows=(list(compress(row, has_head)) for row in table.rows),
    )


def as_csv(table: FileTable) -> Iterator[bytes]:
    """Return the table as CSV, in UTF-8 with a BOM for Excel.

    Semicolons separate the cells if the current language has decimal commas. An apostrophe is
    put before text that a spreadsheet would take for a formula.
    """
    table = _without_json_columns(table)
    # Read now: when the rows are written, the request's language is no longer active.
    decimal_sign = str(get_format("DECIMAL_SEPARATOR"))
    delimiter = ";" if decimal_sign == "," else ","
    heads: list[str | int] = [escape_formulas(head) for head in table.columns.values()]

    def lines() -> Iterator[bytes]:
        rows = (
            [_csv_cell(cell, table.zone, decimal_sign) for cell in row]
            for row in table.rows
        )
        yield "\ufeff".encode()
        for row in chain([heads], rows):
            line = StringIO()
            # Quote texts, so that a separator within one is not mistaken for the delimiter.
            writer = csv.writer(line, delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
            writer.writerow(row)
            yield line.getvalue().encode()

    return lines()


def _csv_cell(cell: Cell, zone: tzinfo, decimal_sign: str) -> str | int:
    match cell:
        case None:
            return ""
        case bool():
            return int(cell)
        case str():
            return escape_formulas(strip_unsafe(cell))
        case Fraction():
            return _format_decimal(_spreadsheet_number(cell), decimal_sign)
        case float():
            return _format_decimal(cell, decimal_sign)
        case datetime():
            return cell.astimezone(zone).isoformat(sep=" ", timespec="minutes")
        case date():
            return cell.isoformat()
        case _:
            return cell


def _format_decimal(number: float, decimal_sign: str) -> str:
    """Return a number with at most six decimals, without an exponent."""
    if isinstance(number, int):
        return str(number)
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    # Three decimals could be read as thousands.
    if text[-4:-3] == ".":
        text += "0"
    return text.replace(".", decimal_sign)


def _spreadsheet_number(number: Fraction) -> int | float:
    """Return a number for spreadsheets, rounded to six decimals.

    >>> _spreadsheet_number(Fraction(43, 4)), _spreadsheet_number(Fraction(6)), _spreadsheet_number(Fraction(1, 3))
    (10.75, 6, 0.333333)
    """
    return int(number) if number.denominator == 1 else round(float(number), 6)


def as_json(table: FileTable) -> Iterator[bytes]:
    """Yield the table as JSON: its name, its club or tournament, and an object for each row.

    Exact numbers are texts as in `43/4`; moments have their time zone.
    """
    head = {
        "format": "table",
        "version": 1,
        "table": table.name,
        "of": table.owner_name,
    }
    yield json.dumps(head, ensure_ascii=False)[:-1].encode() + b', "rows": ['
    for number, row in enumerate(table.rows):
        values: dict[str, Any] = dict(zip(table.columns, row, strict=True))
        for key, cell in values.items():
            if isinstance(cell, Fraction):
                values[key] = str(cell)
            elif isinstance(cell, date):
                values[key] = cell.isoformat()
        line = json.dumps(values, ensure_ascii=False).encode()
        yield (b",\n" if number else b"\n") + line
    yield b"\n]}\n"


def as_xlsx(table: FileTable) -> Iterator[bytes]:
    """Yield the table as a workbook with one sheet, which is first written to disk."""
    table = _without_json_columns(table)
    book = Workbook(write_only=True)
    sheet = book.create_sheet(table.name[:LONGEST_TITLE])
    sheet.freeze_panes = "A2"
    heads = [_text_cell(sheet, head) for head in table.columns.values()]
    for head in heads:
        head.font = Font(bold=True)
    sheet.append(heads)
    for row in table.rows:
        cells: list[Any] = []
        for cell in row:
            match cell:
                case str():
                    cells.append(_text_cell(sheet, cell))
                case Fraction():
                    cells.append(_spreadsheet_number(cell))
                case datetime():
                    # Sheets have no time zones, so write the local time.
                    local = timezone.make_naive(cell, table.zone)
                    cells.append(local.replace(microsecond=0))
                case _:
                    cells.append(cell)
        sheet.append(cells)
    with TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        yield from read_remaining_chunks(file)


def read_remaining_chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the rest of a file in chunks."""
    while part := file.read(PART):
        yield part


def _text_cell(sheet: Any, text: str) -> Any:
    """Return a cell that is always text, even if it looks like a formula."""
    cell = WriteOnlyCell(sheet, strip_unsafe(text))
    cell.data_type = "s"
    return cell


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFileFormat:
    """A file format: its media type, its name for people, and its writer."""

    media_type: str
    label: str
    write: Callable[[FileTable], Iterator[bytes]]


FORMATS = {
    "csv": TableFileFormat(
        media_type="text/csv; charset=utf-8", label="CSV", write=as_csv
    ),
    "xlsx": TableFileFormat(
        media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        label="Excel",
        write=as_xlsx,
    ),
    "json": TableFileFormat(media_type="application/json", label="JSON", write=as_json),
}
"""The formats by file extension."""
