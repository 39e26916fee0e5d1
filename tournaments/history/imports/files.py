"""Files and pasted texts of past results, as cells."""

import csv
import re
from collections.abc import Sequence
from datetime import date
from functools import partial
from io import StringIO

from tournaments.event.setup.json_lists import table_in_json
from tournaments.event.setup.spreadsheets import (
    Sheets,
    escape_formulas,
    looks_like_json,
    rows_in_file,
    rows_of,
    sheets_in_file,
    text_in_file,
)
from tournaments.history.imports.past_results import MOST_READ, fits


def cells_in_file(
    filename: str, content: bytes, *, today: date, sheet: int | None = None
) -> list[list[str]]:
    """Return the cells of a file, of a workbook those of one sheet or of the fitting one.

    Raises UnreadableListError.
    """
    text = text_in_file(filename, content)
    if text is not None:
        return cells_in_text(text)
    if sheet is None:
        sheet = fitting_sheets(filename, content, today=today).fitting
    return rows_in_file(filename, content, most=MOST_READ, sheet=sheet)


def cells_in_text(text: str) -> list[list[str]]:
    """Return the cells of a pasted list or of JSON. Raises UnreadableListError."""
    if looks_like_json(text):
        return table_in_json(text, most=MOST_READ)
    return rows_of(text, most=MOST_READ)


def text_of_cells(cells: Sequence[Sequence[str]]) -> str:
    """Return a list as the text of which `cells_in_text` reads the same cells."""
    # What else could separate cells is read as such unless it is quoted.
    is_ambiguous = any(re.search("[;\t]", cell) for row in cells for cell in row)
    text = StringIO()
    writer = csv.writer(
        text, quoting=csv.QUOTE_ALL if is_ambiguous else csv.QUOTE_MINIMAL
    )
    writer.writerows([escape_formulas(cell) for cell in row] for row in cells)
    return text.getvalue()


def fitting_sheets(filename: str, content: bytes, *, today: date) -> Sheets:
    """Return the sheets of a workbook, and which of them looks like past results.

    Raises UnreadableListError.
    """
    if text_in_file(filename, content) is not None:
        return Sheets(names=(), fitting=0)
    return sheets_in_file(content, fits=partial(fits, today=today))
