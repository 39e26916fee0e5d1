"""Read files as clubs have them: separated values of any kind, spreadsheets, and JSON.

Reading always ends, whatever the file contains: in rows, or in an UnreadableListError with a
sentence on what to do. Rows, columns, unpacked bytes, cell lengths and seconds are limited.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, time
from decimal import Decimal
from io import BytesIO, StringIO
from itertools import islice
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from zipfile import BadZipFile, ZipFile

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from openpyxl import Workbook

MOST_COLUMNS = 302
"""Columns for the seats of a night of 100 rounds in JSON."""
LONGEST_CELL = 2_000
"""Characters."""
LARGEST_UNPACKED = 25_000_000
"""Bytes; a list of 20,000 lines has about ten million."""
LONGEST_READING = 30
"""Seconds."""
MOST_SHEETS, FIRST_LINES = 50, 20
"""Most sheets, and lines of each, that are examined to find the best one."""
MOST_PARTS = 500
"""Files within a spreadsheet."""
SPREADSHEET, OLD_SPREADSHEET = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
DECLARATIONS = re.compile(
    rb"<!(DOCTYPE|ENTITY)"
    # Any other encoding could hide such a declaration.
    rb"|<\?xml[^>]*encoding\s*=\s*[\"'](?!utf-8|utf-16|us-ascii|iso-8859-1)",
    re.IGNORECASE,
)
MERGED = re.compile(
    rb"<(?:\w+:)?mergeCell\s[^>]*ref=[\"']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?[A-Z]{1,3}\$?(\d{1,7})"
)
HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row\s[^<>]*hidden=[\"'](?:1|true)[\"'][^<>/]*>")
HIDDEN_COLUMNS = re.compile(rb"<(?:\w+:)?col\s[^<>]*hidden=[\"'](?:1|true)[\"'][^<>]*>")
FIRST_COLUMN = re.compile(rb"min=[\"'](\d{1,5})")
LITERAL = re.compile(r'"[^"]*"|\\.')
"""Literal text in the number format of a cell."""
FORMULA = re.compile(rb"<(\w+:)?f[\s/>]")
COMMON_ENCODINGS = ("cp1252", "cp1250", "cp850", "mac_roman")
"""Encodings of Western and Central European Windows, of DOS and of older Macs."""
OLDER_ENCODINGS = (*COMMON_ENCODINGS, "iso8859_2", "cp852")
"""Also those of older Linux and of DOS in Central Europe."""
ODD_IN_WORDS = re.compile(
    r"(?<=[^\W\d_])[^\w\s.,;:'’´`()/\"&|-](?=[^\W\d_])"
    r"|(?<=[^\W\d_])[\u2500-\u259f\xb0-\xbf\x80-\x9f\u2020\u2021\u201a\u201e\u201d\u02c6\u02d8-\u02dd\u2030]"
    r"|[a-zß-ÿ](?=[À-ÞŠŸŽĄĆĘŁŃŚŹŻČĎĚŇŘŤŮ])"
    r"|[¡-¿÷×\u2200-\u259f](?=[^\W\d_])"
)
"""Signs of a wrong encoding: a symbol in or before a word, a box character after one, an
accented capital after a small letter."""
NUMBER_CELL = "\u2060"
"""Invisible mark of a decimal number from a number cell; its point says nothing about its column."""
NUMBER_CELL_1904 = NUMBER_CELL * 2
"""Mark of a number that can be a day, in a workbook that counts its days from 1904."""
UNCOMPUTED = "\u2060="
"""Mark of a formula without a result, followed by its cell and sheet, as in `C2 Nights`."""
SEPARATOR_LINE = re.compile(
    r"\A\ufeff?\"?sep=[;,\t|]\"?$", re.IGNORECASE | re.MULTILINE
)
"""The line in which Excel looks for the delimiter of a CSV file."""
DELIMITERS = "\t;,"
"""The least common in names and numbers come first."""


QUOTED_CELL = re.compile(r'(^|[;,\t])"(?:[^"]|"")*"(?=[;,\t]|$)', re.MULTILINE)
FORMULA_START = r"'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]"
BEFORE_FORMULA = re.compile(rf"(^|[;,\t\r\n])(?={FORMULA_START})")
ESCAPED_FORMULA = re.compile(rf"(^|[;,\t\r\n])'(?={FORMULA_START})")


def escape_formulas(text: str) -> str:
    """Escape a text so that no spreadsheet computes any part of it, whatever separates its cells.

    >>> escape_formulas("=1+1"), escape_formulas("Ann;=1+1"), escape_formulas("Ann")
    ("'=1+1", "Ann;'=1+1", 'Ann')
    """
    return BEFORE_FORMULA.sub(r"\1'", text)


def unescape_formulas(text: str) -> str:
    """Return the text before `escape_formulas`.

    >>> unescape_formulas("'=1+1"), unescape_formulas("'t Hooft")
    ('=1+1', "'t Hooft")
    """
    return ESCAPED_FORMULA.sub(r"\1", text)


class UnreadableListError(Exception):
    """A file that cannot be read as a list; the message says what to do about it."""


FitScorer: TypeAlias = Callable[[Sequence[Sequence[str]]], int]
"""Scores how well the first lines of a sheet fit; higher is better."""


def first_rows_in_file(
    filename: str,
    content: bytes,
    *,
    max_rows: int,
    seconds: float = LONGEST_READING,
    sheet: int = 0,
    fills_merged: bool = False,
) -> list[list[str]]:
    """Return the cells of a file, by its content, whatever its name.

    Reads at most `max_rows` lines of one sheet of a spreadsheet, the first or the one with index
    `sheet`. With `fills_merged` the text of merged cells is repeated in each of their lines.
    Raises UnreadableListError, also if a spreadsheet takes longer than `seconds`.
    """
    text = text_unless_spreadsheet(filename, content)
    if text is not None:
        return parse_first_rows(text, max_rows=max_rows)
    deadline = monotonic() + seconds
    cells = []
    with _guard_reading(content):
        rows = _read_sheet_rows(content, max_rows, deadline, sheet)
        if fills_merged:
            rows = _fill_merged(rows, content, sheet)
        for row in islice(rows, max_rows):
            cells.append(_validate_row(row))
            _check_deadline(deadline)
    return cells


def text_unless_spreadsheet(
    filename: str, content: bytes, encoding: str = ""
) -> str | None:
    """Return the text of a file; None for a spreadsheet.

    Without an `encoding` the likeliest one is used. Raises UnreadableListError.
    """
    if content.startswith(OLD_SPREADSHEET):
        raise UnreadableListError(
            _("This spreadsheet format is too old. Save the file as XLSX or CSV.")
        )
    if content.startswith(SPREADSHEET) or filename.lower().endswith(".xlsx"):
        return None
    return decode_text(content, encoding)


def looks_like_json(text: str) -> bool:
    """Return whether a text begins like JSON, and not like a list of a club.

    >>> looks_like_json(' [{"name": "Ann"}]'), looks_like_json("Ann;Bo")
    (True, False)
    """
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "["))


def unpacked_size(content: bytes) -> int:
    """Return the unpacked size of a file in bytes; its own size if it is not an archive."""
    if not content.startswith(SPREADSHEET):
        return len(content)
    try:
        with ZipFile(BytesIO(content)) as archive:
            return sum(part.file_size for part in archive.infolist())
    except (BadZipFile, ValueError):
        return len(content)


class WorkbookSheets(NamedTuple):
    names: Sequence[str]
    fitting: int
    """Index of the best sheet, the first of several; a hidden one only if no visible one fits."""
    other_indexes: Sequence[int] = ()
    """Indexes of the other sheets that fit, with a score above 1."""


def sheets_in_file(content: bytes, *, fits: FitScorer) -> WorkbookSheets:
    """Return the sheets of a workbook, scored by their first lines. Raises UnreadableListError."""
    deadline = monotonic() + LONGEST_READING
    with _guard_reading(content):
        book = _open_workbook(content, data_only=True)
        sheets = book.worksheets[:MOST_SHEETS]
        scores = []
        for sheet in sheets:
            _check_deadline(deadline)
            rows = sheet.iter_rows(max_row=FIRST_LINES, max_col=MOST_COLUMNS)
            texts = [[_text_with_percent(cell) for cell in row] for row in rows]
            fit = fits(texts) if any(any(row) for row in texts) else -1
            scores.append((fit > 0 and sheet.sheet_state == "visible", fit))
        book.close()
        fitting = scores.index(max(scores))
        return WorkbookSheets(
            [sheet.title for sheet in book.worksheets],
            fitting,
            [
                index
                for index, (_, fit) in enumerate(scores)
                if fit > 1 and index != fitting
            ],
        )


def decode_text(content: bytes, encoding: str = "") -> str:
    """Decode text in this encoding, else in UTF-8, UTF-16 or the likeliest older one.

    Raises UnreadableListError.
    """
    if encoding:
        encodings = [encoding]
    elif content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif content[:200].count(0) > len(content[:200]) // 4:
        encodings = ["utf-16-le" if content[1:2] == b"\0" else "utf-16-be"]
    else:
        encodings = ["utf-8-sig", *plausible_encodings(content)]
    for candidate in encodings:
        try:
            text = content.decode(candidate)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise UnreadableListError(
        _("This isn’t a CSV or XLSX file. Save it as one of these.")
    )


def ambiguous_encodings(filename: str, content: bytes) -> list[str]:
    """Return the encodings that the director has to choose from; empty if it is clear."""
    if content.startswith((SPREADSHEET, OLD_SPREADSHEET)) or filename.endswith(".xlsx"):
        return []
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        plausible = plausible_encodings(content)
        return plausible if len(plausible) > 1 and b"\0" not in content else []
    return []


def plausible_encodings(content: bytes) -> list[str]:
    """Return the older encodings that give sensible words, likeliest first.

    If none gives sensible words everywhere, all possible ones, including rarer ones. Of
    encodings with the same result only the first.
    """
    decodings: dict[str, tuple[int, str]] = {}
    for encoding in OLDER_ENCODINGS:
        if encoding not in COMMON_ENCODINGS and any(
            not faults for faults, _text in decodings.values()
        ):
            break
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not any(
            text == decoded_text for _faults, decoded_text in decodings.values()
        ):
            decodings[encoding] = len(ODD_IN_WORDS.findall(text)), text
    if all(faults for faults, _text in decodings.values()):
        return sorted(decodings, key=lambda encoding: decodings[encoding][0])
    return [encoding for encoding, (faults, _text) in decodings.items() if not faults]


def parse_first_rows(text: str, *, max_rows: int) -> list[list[str]]:
    """Return the cells of separated values, with any delimiter and line ending.

    Raises UnreadableListError for too many columns or too long cells, as after a missing
    quotation mark.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Emptied, not removed: messages number the lines as they are in the file.
    text = SEPARATOR_LINE.sub("", text)
    reader = csv.reader(StringIO(text), delimiter=detect_delimiter(text))
    try:
        return [
            _validate_row([unescape_formulas(cell) for cell in row])
            for row in islice(reader, max_rows)
        ]
    except csv.Error:
        raise UnreadableListError(
            _("A quotation mark in this list is never closed. Add the missing one.")
        ) from None


def detect_delimiter(text: str) -> str:
    """Return the delimiter of the cells: the first that at least half of the lines contain.

    >>> detect_delimiter("Ann;3,5"), detect_delimiter("Ann,3"), detect_delimiter("Ann")
    (';', ',', ',')
    """
    # Delimiters in quotation marks do not count.
    unquoted = QUOTED_CELL.sub(r"\1Q", text[:4_000])
    lines = [line for line in unquoted.split("\n")[:30] if line.strip()]
    for delimiter in DELIMITERS:
        if lines and 2 * sum(delimiter in line for line in lines) >= len(lines):
            return delimiter
    return ","


def _validate_row(row: Sequence[str]) -> list[str]:
    """Return a row as a list. Raises UnreadableListError if it is wider or longer than any list."""
    if len(row) > MOST_COLUMNS:
        raise UnreadableListError(
            _("A line in this list has more than %(most)s columns. Remove some.")
            % {"most": MOST_COLUMNS}
        )
    if any(len(cell) > LONGEST_CELL for cell in row):
        raise UnreadableListError(
            _("A cell in this list is longer than %(most)s characters. Shorten it.")
            % {"most": LONGEST_CELL}
        )
    return list(row)


@contextmanager
def _guard_reading(content: bytes) -> Iterator[None]:
    """Check a spreadsheet before it is read in the context.

    Raises UnreadableListError if it is broken, has too many parts or bytes, or declares
    entities.
    """
    try:
        if unpacked_size(content) > LARGEST_UNPACKED:
            raise _too_large_error()
        with ZipFile(BytesIO(content)) as archive:
            if len(archive.infolist()) > MOST_PARTS:
                raise _too_large_error()
        if any(
            DECLARATIONS.search(part) for part in _unzip_and_strip_null_bytes(content)
        ):
            raise UnreadableListError(
                _(
                    "This spreadsheet has declarations that aren’t allowed. Save the "
                    "list as CSV."
                )
            )
        yield
    except UnreadableListError:
        raise
    except Exception as error:
        # On a broken file the library raises the errors of its parts: bad zip, bad XML, missing
        # sheets, letters instead of numbers.
        raise UnreadableListError(
            _("This spreadsheet can’t be read. Open it and save it again as XLSX.")
        ) from error


def _check_deadline(deadline: float) -> None:
    if monotonic() > deadline:
        raise _too_large_error()


def _too_large_error() -> UnreadableListError:
    return UnreadableListError(
        _("This spreadsheet is too large. Keep just the sheet with your list.")
    )


def _unzip_and_strip_null_bytes(content: bytes) -> Iterator[bytes]:
    """Yield the files inside a spreadsheet without null bytes, so that UTF-16 reads like UTF-8."""
    with ZipFile(BytesIO(content)) as archive:
        for part in archive.infolist():
            yield archive.read(part).replace(b"\0", b"")


def _read_sheet_rows(
    content: bytes, most: int, deadline: float, sheet_index: int
) -> Iterator[list[str]]:
    """Yield the rows of a sheet with stored results; `UNCOMPUTED` marks formulas without one."""
    from openpyxl.utils import get_column_letter
    from openpyxl.utils.datetime import WINDOWS_EPOCH

    book = _open_workbook(content, data_only=True)
    formulas = _formula_columns_by_line(content, sheet_index, most, deadline)
    try:
        sheet = book.worksheets[sheet_index]
        rows = sheet.iter_rows(max_row=most, max_col=MOST_COLUMNS)
        for line, row in enumerate(rows, 1):
            cells = [_text_with_percent(cell) for cell in row]
            if book.epoch != WINDOWS_EPOCH:
                for index, cell in enumerate(row):
                    is_number = isinstance(cell.value, int | float)
                    if is_number and 10_000 <= cell.value < 100_000:
                        cells[index] = NUMBER_CELL_1904 + cells[index].lstrip(
                            NUMBER_CELL
                        )
            for column in formulas.get(line, ()):
                cell = row[column - 1]
                # An empty text as a result has the type `str`.
                if cell.value is None and cell.data_type != "str":
                    place = f"{get_column_letter(column)}{line}"
                    cells[column - 1] = f"{UNCOMPUTED}{place} {sheet.title}"
            while cells and not cells[-1]:
                cells.pop()
            yield cells
    finally:
        book.close()


def _read_sheet_xml(content: bytes, sheet_index: int) -> bytes:
    book = _open_workbook(content)
    part = book.worksheets[sheet_index]._worksheet_path
    book.close()
    with ZipFile(BytesIO(content)) as archive:
        return archive.read(part.removeprefix("/"))


def has_hidden_cells(content: bytes, sheet: int, *, width: int) -> bool:
    """Return whether a sheet hides rows, or some of its first `width` columns."""
    if not content.startswith(SPREADSHEET):
        return False
    part = _read_sheet_xml(content, sheet)
    columns = (FIRST_COLUMN.search(match[0]) for match in HIDDEN_COLUMNS.finditer(part))
    return HIDDEN_ROW.search(part) is not None or any(
        int(first[1]) <= width for first in columns if first
    )


def _fill_merged(
    rows: Iterator[list[str]], content: bytes, sheet_index: int
) -> Iterator[list[str]]:
    from openpyxl.utils import column_index_from_string

    # By first line, the column and the last line of merged cells, counted from 1.
    merged: dict[int, list[tuple[int, int]]] = {}
    for match in MERGED.finditer(_read_sheet_xml(content, sheet_index)):
        column = column_index_from_string(match[1].decode())
        merged.setdefault(int(match[2]), []).append((column, int(match[3])))
    covered_cells: dict[int, tuple[int, str]] = {}
    for line, row in enumerate(rows, 1):
        covered_cells = {
            column_number: cell
            for column_number, cell in covered_cells.items()
            if cell[0] >= line
        }
        for column_number, (_last, text) in covered_cells.items():
            row += [""] * (column_number - len(row))
            row[column_number - 1] = text
        for column_number, last in merged.get(line, ()):
            if last > line and column_number <= len(row):
                covered_cells[column_number] = last, row[column_number - 1]
        yield row


def find_formula_fault(text: str) -> str | None:
    """Return what to do about a formula without a result; None for any other cell."""
    if not text.startswith(UNCOMPUTED):
        return None
    cell, _space, sheet = text.removeprefix(UNCOMPUTED).partition(" ")
    return _(
        "Cell %(cell)s of the sheet “%(sheet)s” has a formula without a result. Open "
        "the file in a spreadsheet program and save it again."
    ) % {"cell": cell, "sheet": sheet}


def cell_text(value: object) -> str:
    """Return the value of a cell as text, numbers exactly.

    >>> cell_text(10.125), cell_text(12.0), cell_text(None)
    ('\\u206010.125', '12', '')
    """
    if value is None:
        return ""
    if isinstance(value, float) and isfinite(value):
        text = f"{Decimal(repr(value)):f}"
        whole, _point, decimals = text.partition(".")
        decimals = decimals.rstrip("0")
        return f"{NUMBER_CELL}{whole}.{decimals}" if decimals else whole
    if isinstance(value, datetime) and value.time() == time.min:
        return value.date().isoformat()
    return str(value)


def _text_with_percent(cell: Any) -> str:
    """Return a cell as text, percentages in the same form as in text files."""
    value = cell.value
    if isinstance(value, float | int) and "%" in LITERAL.sub("", cell.number_format):
        return cell_text(float(Decimal(repr(value)) * 100)) + "%"
    return cell_text(value)


def _open_workbook(content: bytes, *, data_only: bool = False) -> "Workbook":
    # Importing this takes a third of a second, and few processes ever open a spreadsheet.
    from openpyxl import load_workbook

    return load_workbook(BytesIO(content), read_only=True, data_only=data_only)


def _formula_columns_by_line(
    content: bytes, sheet_index: int, most: int, deadline: float
) -> dict[int, list[int]]:
    """Return the columns of the formulas of a sheet by line, both counted from 1."""
    if not any(FORMULA.search(part) for part in _unzip_and_strip_null_bytes(content)):
        return {}
    formulas: dict[int, list[int]] = {}
    book = _open_workbook(content)
    try:
        rows = book.worksheets[sheet_index].iter_rows(
            max_row=most, max_col=MOST_COLUMNS
        )
        for row in rows:
            _check_deadline(deadline)
            columns = [cell.column for cell in row if cell.data_type == "f"]
            if columns:
                formulas[row[columns[0] - 1].row] = columns
        return formulas
    finally:
        book.close()


def read_first_json_rows(text: str, *, max_rows: int) -> list[list[str]]:
    """Return the cells of a JSON list of objects, below a row with their keys.

    At most `max_rows` objects. Raises UnreadableListError for all other text.

    >>> read_first_json_rows('[{"name": "Ann", "points": "43/4"}, {"points": 2}]', max_rows=9)
    [['name', 'points'], ['Ann', '43/4'], ['', '2']]
    """
    fault = UnreadableListError(
        _("This JSON has no table. Export it as a list of objects, or as CSV or XLSX.")
    )
    content = load_json(text, fault)
    rows = content.get("rows") if isinstance(content, dict) else content
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise fault
    rows = rows[:max_rows]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if not keys or len(keys) > MOST_COLUMNS:
        raise fault
    table = [keys]
    for row in rows:
        values = [row.get(key) for key in keys]
        cells = [cell_text(value) for value in values]
        is_nested = any(isinstance(value, dict | list) for value in values)
        if is_nested or any(map(is_too_long_or_unencodable, cells)):
            raise fault
        table.append(cells)
    return table


def load_json(text: str, fault: UnreadableListError) -> Any:
    """Return the content of JSON. Raises `fault` for all other text."""
    try:
        return json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        raise fault from None


def is_too_long_or_unencodable(text: str) -> bool:
    """Return whether a text is too long, or has escapes that cannot be encoded in UTF-8."""
    return len(text) > LONGEST_CELL or bool(re.search("[\0\ud800-\udfff]", text))
