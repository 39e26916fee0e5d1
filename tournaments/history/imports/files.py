"""Convert files and pasted texts of past results to cells, and back."""

import csv
import re
from collections.abc import Sequence
from datetime import date
from functools import partial
from io import StringIO

from django.utils.translation import gettext as _

from tournaments.event.setup.spreadsheets import (
    UnreadableListError,
    WorkbookSheets,
    detect_delimiter,
    escape_formulas,
    first_rows_in_file,
    looks_like_json,
    parse_first_rows,
    read_first_json_rows,
    sheets_in_file,
    text_unless_spreadsheet,
)
from tournaments.history.imports.past_results import (
    MOST_READ,
    count_known_headings,
    has_list_headings,
    heading_line_index,
)

SPLIT_NUMBER = re.compile(r"(?:^|,)[-−–]?\d+,\d+(?:,|$)")


def cells_in_file(
    filename: str, content: bytes, *, today: date, sheet: int | None = None
) -> list[list[str]]:
    """Return the cells of a file; of a workbook those of `sheet`, or else of the fitting sheet.

    Raises UnreadableListError if the file cannot be read or is empty.
    """
    text = text_unless_spreadsheet(filename, content)
    if text is not None:
        cells = cells_in_text(text)
    else:
        if sheet is None:
            sheet = list_sheets_and_best_fit(filename, content, today=today).fitting
        cells = first_rows_in_file(
            filename, content, max_rows=MOST_READ, sheet=sheet, fills_merged=True
        )
    if not any(cell.strip() for row in cells for cell in row):
        raise UnreadableListError(_("This file or sheet is empty. Choose another one."))
    return cells


def cells_in_text(text: str) -> list[list[str]]:
    """Return the cells of a pasted list or of JSON. Raises UnreadableListError."""
    if looks_like_json(text):
        return read_first_json_rows(text, max_rows=MOST_READ)
    cells = parse_first_rows(text, max_rows=MOST_READ)
    heads = heading_line_index(cells) if cells else 0
    # If a line is longer than the headings, decimal commas may have split its numbers.
    if detect_delimiter(text) == "," and any(
        any(row[len(cells[heads]) :]) and SPLIT_NUMBER.search(",".join(row))
        for row in cells[heads + 1 :]
        if has_list_headings(cells[heads])
    ):
        raise UnreadableListError(
            _(
                "Commas separate the columns and also appear in numbers. Save the list "
                "with semicolons, or put those numbers in quotation marks."
            )
        )
    return cells


def csv_from_cells(cells: Sequence[Sequence[str]]) -> str:
    """Return a list as CSV text that `cells_in_text` reads as the same cells."""
    # Pad lines to one width: `cells_in_text` takes longer ones for numbers with commas.
    width = max(map(len, cells), default=0)
    # Other separators within cells have to be quoted.
    is_ambiguous = any(re.search("[;\t]", cell) for row in cells for cell in row)
    text = StringIO()
    writer = csv.writer(
        text, quoting=csv.QUOTE_ALL if is_ambiguous else csv.QUOTE_MINIMAL
    )
    for row in cells:
        padding = [""] * (width - len(row) if any(row) else 0)
        writer.writerow([*map(escape_formulas, row), *padding])
    return text.getvalue()


def list_sheets_and_best_fit(
    filename: str, content: bytes, *, today: date
) -> WorkbookSheets:
    """Return the sheets of a workbook, with the one that looks most like past results.

    Other files have no sheets. Raises UnreadableListError.
    """
    if text_unless_spreadsheet(filename, content) is not None:
        return WorkbookSheets(names=(), fitting=0)
    return sheets_in_file(content, fits=partial(count_known_headings, today=today))
