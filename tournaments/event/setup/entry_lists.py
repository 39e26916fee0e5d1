"""Lists of players as clubs keep them: pasted, or a file from a spreadsheet."""

import csv
from collections.abc import Iterable
from io import BytesIO, StringIO
from itertools import islice
from zipfile import BadZipFile

from openpyxl import load_workbook

MOST_ROWS = 1_000
HEADS = ("name", "player", "players", "spieler", "joueur")
"""What stands above a column of names; without it the first column is taken."""


class UnreadableListError(Exception):
    """A file that is no list of names."""


def read_names(text: str) -> list[str]:
    """Return the names of a pasted list: one a line, or separated by semicolons.

    Numbers and dots that a list puts before a name are left out.

    >>> read_names("1. Ann\\n2) Bo Lee;Cy")
    ['Ann', 'Bo Lee', 'Cy']
    """
    lines = text.replace(";", "\n").splitlines()
    names = (" ".join(line.lstrip("0123456789.)-•* \t").split()) for line in lines)
    return [name for name in names if name]


def names_in_file(filename: str, content: bytes) -> list[str]:
    """Return the names in a file; raises as `rows_in_file`."""
    return _names(rows_in_file(filename, content, most=MOST_ROWS))


def rows_in_file(filename: str, content: bytes, *, most: int) -> list[list[str]]:
    """Return the cells of a file of comma-separated values, or of a spreadsheet.

    So many lines at most. Raises UnreadableListError for any other file.
    """
    if filename.lower().endswith(".xlsx"):
        return list(_rows_of_spreadsheet(content, most))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableListError(filename) from None
    return rows_of(text, most=most)


def rows_of(text: str, *, most: int) -> list[list[str]]:
    """Return the cells of separated values, whatever separates them."""
    dialect: type[csv.Dialect] = csv.excel
    try:
        dialect = csv.Sniffer().sniff(text[:2000], ",;\t")
    except csv.Error:
        # One column has no delimiter that could be found.
        pass
    return list(islice(csv.reader(StringIO(text), dialect), most))


def _rows_of_spreadsheet(content: bytes, most: int) -> Iterable[list[str]]:
    try:
        book = load_workbook(BytesIO(content), read_only=True, data_only=True)
    except (BadZipFile, KeyError, OSError, ValueError):
        raise UnreadableListError("") from None
    for row in islice(book.worksheets[0].iter_rows(values_only=True), most):
        yield ["" if cell is None else str(cell) for cell in row]


def _names(rows: Iterable[list[str]]) -> list[str]:
    """Return the names of the column that is headed so, else of the first."""
    listed = [row for row in islice(rows, MOST_ROWS) if any(map(str.strip, row))]
    column = 0
    if listed:
        heads = [cell.strip().casefold() for cell in listed[0]]
        named = [place for place, head in enumerate(heads) if head in HEADS]
        if named:
            column, listed = named[0], listed[1:]
    cells = (row[column] for row in listed if column < len(row))
    return [name for cell in cells if (name := " ".join(cell.split()))]
