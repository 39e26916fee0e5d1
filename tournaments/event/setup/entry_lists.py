"""Read lists of players as clubs have them: pasted text, or a file from a spreadsheet."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import permutations

from django.utils.translation import gettext as _

from scoring.rules.names import has_visible_character, normalize_text
from tournaments.event.setup.headings import (
    OTHERS,
    TITLE_LINES,
    find_name_columns,
    has_mostly_names,
    heading_key,
)
from tournaments.event.setup.spreadsheets import (
    UnreadableListError,
    detect_delimiter,
    find_formula_fault,
    first_rows_in_file,
    is_too_long_or_unencodable,
    load_json,
    looks_like_json,
    parse_first_rows,
    sheets_in_file,
    text_unless_spreadsheet,
)

MOST_ROWS = 1_000
LONGEST_READING = 5
"""Seconds; the director is waiting for the answer."""
NAME_SUFFIXES = {"jr", "junior", "sr", "senior", "ii", "iii", "iv", "phd", "md", "esq"}
"""Words after a comma that are not a first name: “Cal Ripken, Jr.”"""
LISTED = re.compile(
    r"""
    [0-9.)\-•*\s]*  # what a list puts before a name
    (?: "(?P<quoted> (?: [^"] | "" )* )" \s* (?= ; | $ )
      | (?P<plain> [^;]* ) )
    """,
    re.VERBOSE,
)
"""A name in a line; in quotation marks it may contain semicolons, and its own marks are doubled."""
LIST_MARK = re.compile(r"\s*(?:\d{1,4}[.)]|[-•*])\s+")
"""A number or bullet in front of a name in a cell."""
MOST_COLUMNS_OF_NAMES = 4
"""Most columns of names to choose from."""


class AmbiguousListError(Exception):
    """A list that can be read in several ways; `readings` has the names of each, by its key."""

    def __init__(self, readings: Mapping[str, list[str]]) -> None:
        super().__init__(_("These names can be read in more than one way."))
        self.readings = readings


class SeveralSheetsError(Exception):
    """A workbook with text in several sheets.

    `sheets` has the title and the cells of each by its index; `fitting` is the likeliest index.
    """

    def __init__(self, sheets: Mapping[int, Sequence[str]], fitting: int) -> None:
        super().__init__(_("This workbook has more than one sheet."))
        self.sheets, self.fitting = sheets, fitting


def read_names(text: str, chosen_reading: str = "") -> list[str]:
    """Return the names of a pasted list: one per line, or separated by semicolons.

    Numbers and bullets in front of a name are dropped, as are quotation marks around a whole
    name and names without a visible character. In a pasted table the column with the names is
    used. Raises UnreadableListError for JSON without names, and AmbiguousListError for a list
    that can be read in several ways, unless `chosen_reading` is the key of one.

    >>> read_names("1. Ann\\n2) Bo Lee;Cy")
    ['Ann', 'Bo Lee', 'Cy']
    >>> read_names('Nr;Name;Club\\n1;"Bo Lee";West\\n2;Cy;East')
    ['Bo Lee', 'Cy']
    >>> read_names('"Karl, der Große"\\n"Bo ""Bobby"" Lee"; Cy "the Eye"')
    ['Karl, der Große', 'Bo "Bobby" Lee', 'Cy "the Eye"']
    >>> read_names("Ann\\n\\u3164\\u200b\\nBo")
    ['Ann', 'Bo']
    """
    if looks_like_json(text):
        return _names_in_json(text)
    table: list[list[str]] = []
    with suppress(UnreadableListError):
        table = parse_first_rows(text, max_rows=MOST_ROWS)
    names = []
    for line in text.splitlines():
        for match in LISTED.finditer(line):
            quoted = match["quoted"]
            name = match["plain"] if quoted is None else quoted.replace('""', '"')
            names.append(first_name_first(" ".join(name.split())))
    if _has_name_headings(table):
        return _names_in_rows(table, chosen_reading)
    if _is_pasted_table(table, detect_delimiter(text)):
        return _names_in_rows(table, chosen_reading, names)
    rows = [[name] for name in names if has_visible_character(name)]
    return _choose_reading(_possible_readings(rows, {"0": (0,)}), chosen_reading)


def first_name_first(name: str) -> str:
    """Return a name with the first name in front if a comma shows that the family name is.

    >>> first_name_first("Größe, Jürgen"), first_name_first("Cal Ripken, Jr.")
    ('Jürgen Größe', 'Cal Ripken, Jr.')
    >>> first_name_first("Griffey, Ken Jr."), first_name_first("Karl, der Große")
    ('Ken Griffey Jr.', 'Karl, der Große')
    """
    family, comma, first = name.partition(", ")
    is_suffix = first.rstrip(".").replace(".", "").casefold() in NAME_SUFFIXES
    is_epithet = first[:1].islower() and not family[:1].islower()
    # As in “Klaus, Zoe (round 3)”.
    is_list = "," in first or any(map(str.isdigit, first))
    if not comma or not family or not first or is_list or is_suffix or is_epithet:
        return name
    first_names, _space, last = first.rpartition(" ")
    if first_names and last.rstrip(".").casefold() in NAME_SUFFIXES:
        return f"{first_names} {family} {last}"
    first_names, bracket, remark = first.partition(" (")
    return f"{first_names} {family}{bracket}{remark}"


def _names_in_json(text: str) -> list[str]:
    """Return the names in an exported table of players, a list of names or of objects with a name.

    Raises UnreadableListError for all other text.

    >>> _names_in_json('["Ann", {"name": "Bo  Lee"}]')
    ['Ann', 'Bo Lee']
    """
    fault = UnreadableListError(
        _(
            "This JSON isn’t a list of names. Use a players table exported from "
            "Tricky, a JSON list of names, or a CSV or XLSX file."
        )
    )
    match load_json(text, fault):
        case list(rows) | {
            "format": "table",
            "version": 1,
            "table": "entries" | "players",
            "rows": list(rows),
        }:
            pass
        case _:
            raise fault
    names = []
    for row in rows[:MOST_ROWS]:
        name = row.get("name") if isinstance(row, dict) else row
        if not isinstance(name, str) or is_too_long_or_unencodable(name):
            raise fault
        names.append(normalize_text(name))
    return [first_name_first(name) for name in names if name]


def _has_name_headings(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether one of the first lines has headings, of several columns or of the only one."""
    return any(
        _headed_name_columns(rows, line) and (len(row) > 1 or line == 0)
        for line, row in enumerate(rows[:TITLE_LINES])
    )


def _is_pasted_table(rows: Sequence[Sequence[str]], delimiter: str) -> bool:
    """Return whether a pasted text without known headings is a table, not several names per line."""
    cells = [[cell for cell in row if cell.strip()] for row in rows]
    widths = [len(row) for row in cells if row]
    if delimiter == "\t":
        return max(widths, default=0) > 1
    if len(widths) < 2 or 2 * sum(width > 1 for width in widths) < len(widths):
        return False
    if not all(has_mostly_names(rows, column) for column in range(max(widths))):
        return True
    # A name may contain a comma.
    return delimiter == ";" and min(widths) == max(widths)


def names_in_file(
    filename: str,
    content: bytes,
    encoding: str = "",
    chosen_reading: str = "",
    sheet: int | None = None,
) -> list[str]:
    """Return the names in a file: text in this encoding, or the sheet of a workbook.

    Raises the errors of `first_rows_in_file`, AmbiguousListError as `read_names` does, and
    SeveralSheetsError if it is not clear which sheet has the names.
    """
    text = text_unless_spreadsheet(filename, content, encoding)
    if text is not None and looks_like_json(text):
        return _names_in_json(text)
    if text is not None:
        return _names_in_rows(
            parse_first_rows(text, max_rows=MOST_ROWS), chosen_reading
        )
    if sheet is None:
        texts: list[list[str]] = []

        def collect_and_score(rows: Sequence[Sequence[str]]) -> int:
            texts.append([cell.strip() for row in rows for cell in row if cell.strip()])
            return 2 if _has_name_headings(rows) else bool(texts[-1])

        sheets = sheets_in_file(content, fits=collect_and_score)
        with_text = {
            index: [title, *cells]
            for index, (title, cells) in enumerate(
                zip(sheets.names, texts, strict=False)
            )
            if cells
        }
        if len(with_text) > 1:
            raise SeveralSheetsError(with_text, sheets.fitting)
        sheet = sheets.fitting
    rows = first_rows_in_file(
        filename, content, max_rows=MOST_ROWS, seconds=LONGEST_READING, sheet=sheet
    )
    return _names_in_rows(rows, chosen_reading)


def _names_in_rows(
    rows: Iterable[list[str]], chosen_reading: str, listed_names: Sequence[str] = ()
) -> list[str]:
    """Return the names below a heading for names, else those of the likeliest column.

    There may be titles above the headings. Separate columns of first and family names are
    joined. `listed_names` are the cells if each may be a name.
    """
    rows = [row for row in rows if any(map(str.strip, row))]
    for line in range(min(TITLE_LINES, len(rows))):
        if columns := _headed_name_columns(rows, line):
            return _names_in_columns(rows[line + 1 :], columns)
    line, other_columns = _find_body_line_and_other_columns(rows)
    body = rows[line:]
    # Columns in which all cells below the first have a “1.” or “•” lose these marks.
    marked_columns = {
        column
        for column in range(max(map(len, body), default=0))
        if (
            cells_below := [
                cell for row in body[1:] if (cell := _stripped_cell(row, column))
            ]
        )
        and all(LIST_MARK.match(cell) for cell in cells_below)
    }
    body = [
        [
            LIST_MARK.sub("", cell, 1) if column in marked_columns else cell
            for column, cell in enumerate(row)
        ]
        for row in body
    ]
    text_columns = [
        column
        for column in range(max(map(len, body), default=0))
        if column not in other_columns and has_mostly_names(body[1:] or body, column)
    ]
    # Most names are different, while those of clubs repeat.
    cells = {
        column: [c for row in body if (c := _stripped_cell(row, column))]
        for column in text_columns
    }
    varied_columns = [
        column
        for column in text_columns
        if 2 * len({*cells[column]}) > len(cells[column])
    ]
    name_columns = (varied_columns or text_columns)[:MOST_COLUMNS_OF_NAMES]
    pairs = permutations(name_columns[:2], 2)
    readings = _possible_readings(
        body,
        {
            **{f"{column}": (column,) for column in name_columns},
            **{f"{first}-{second}": (first, second) for first, second in pairs},
        },
        is_headed=bool(other_columns),
    )
    if len(rows) == 1:
        listed_names = [" ".join(cell.split()) for cell in rows[0]]
    if len(name_columns) > 1 and not other_columns and listed_names:
        readings["all"] = [name for name in listed_names if has_visible_character(name)]
    return _choose_reading(readings, chosen_reading)


def _possible_readings(
    rows: Sequence[Sequence[str]],
    columns: Mapping[str, tuple[int, ...]],
    *,
    is_headed: bool = False,
) -> dict[str, list[str]]:
    """Return the names in columns, by key, with and without a first line that may be a heading."""
    readings: dict[str, list[str]] = {}
    for key, name_columns in columns.items():
        if not is_headed and _begins_with_title_or_heading(rows, name_columns[0]):
            readings[f"{key}-below"] = _names_in_columns(rows[1:], name_columns)
        readings[key] = _names_in_columns(rows, name_columns)
    return readings


def _choose_reading(
    readings: Mapping[str, list[str]], chosen_reading: str
) -> list[str]:
    """Return the names of the only reading, or of the chosen one. Raises AmbiguousListError."""
    distinct = {tuple(names) for names in readings.values()}
    if len(distinct) > 1 and chosen_reading not in readings:
        raise AmbiguousListError(readings)
    return readings.get(chosen_reading) or next(iter(readings.values()), [])


def _begins_with_title_or_heading(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Return whether the first line looks like a title or like the heading of a column of names."""
    if len(rows) < 2:
        return False
    first, rows_below = rows[0], rows[1:]
    cell = _stripped_cell(first, column)
    if not cell:
        return False
    cells_below = [_stripped_cell(row, column) for row in rows_below]
    # “Evening 14.3.” above names; “Ann 2” would rarely be the only one.
    is_dated = (
        len(cells_below) > 1
        and _has_digit(cell)
        and not any(map(_has_digit, cells_below))
    )
    widths = [sum(bool(text.strip()) for text in row) for row in rows_below]
    is_alone = (
        column == 0
        and sum(bool(text.strip()) for text in first) == 1
        and 2 * sum(width > 1 for width in widths) > len(widths)
    )
    return (
        cell.endswith(":")
        or is_dated
        or is_alone
        or any(
            has_mostly_names([first], other_column)
            and not _has_digit(_stripped_cell(first, other_column))
            and not has_mostly_names(rows_below, other_column)
            for other_column in range(len(first))
            if 2 * sum(bool(_stripped_cell(row, other_column)) for row in rows_below)
            > len(rows_below)
        )
    )


def _find_body_line_and_other_columns(
    rows: Sequence[Sequence[str]],
) -> tuple[int, set[int]]:
    """Return the line below the headings and the columns that are headed as something else.

    `(0, set())` without such headings.
    """
    for line, row in enumerate(rows[:TITLE_LINES]):
        if sum(bool(cell.strip()) for cell in row) > 1:
            keys = [heading_key(cell) for cell in row]
            other_columns = {column for column, key in enumerate(keys) if key in OTHERS}
            is_value = any(
                heading_key(_stripped_cell(row_below, column)) == keys[column]
                for row_below in rows[line + 1 :]
                for column in other_columns
            )
            return (
                (line + 1, other_columns)
                if other_columns and not is_value
                else (0, set())
            )
    return 0, set()


def _stripped_cell(row: Sequence[str], column: int) -> str:
    return row[column].strip() if column < len(row) else ""


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _names_in_columns(
    rows: Sequence[Sequence[str]], columns: Sequence[int]
) -> list[str]:
    """Return the names in these columns, each joined. Raises UnreadableListError."""
    for cell in (
        row[column] for row in rows for column in columns if column < len(row)
    ):
        if fault := find_formula_fault(cell):
            raise UnreadableListError(fault)
    names = (
        first_name_first(
            " ".join(
                " ".join(row[column] for column in columns if column < len(row)).split()
            )
        )
        for row in rows
    )
    return [name for name in names if has_visible_character(name)]


def _headed_name_columns(rows: Sequence[Sequence[str]], line: int) -> tuple[int, ...]:
    """Return the columns of names below the headings in a line; empty if it has none.

    A text that occurs in its column again is not a heading, unless another heading is next to
    it.
    """
    columns = find_name_columns(rows[line], rows[line + 1 :])
    keys = [heading_key(head) for head in rows[line]]
    is_repeated = any(
        heading_key(_stripped_cell(row, column)) == keys[column]
        for row in (*rows[:line], *rows[line + 1 :])
        for column in columns
    )
    return () if is_repeated and not OTHERS.intersection(keys) else columns
