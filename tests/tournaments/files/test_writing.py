"""A table is declared once and written in three formats."""

import csv
import json
from collections.abc import Iterable
from datetime import UTC
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.utils.translation import override
from openpyxl import load_workbook

from tournaments.files.writing import FORMATS, Cell, FileTable


def make_table(rows: Iterable[tuple[Cell, ...]], heads: str = "A") -> FileTable:
    return FileTable(
        name="players",
        owner_name="The club",
        zone=UTC,
        columns={head: head for head in heads},
        rows=rows,
    )


def write_and_read(ending: str, name: str) -> Any:
    """Return the only row of a table as read back from its file."""
    content = b"".join(FORMATS[ending].write(make_table([(name,)])))
    if ending == "csv":
        return list(csv.reader(StringIO(content.decode("utf-8-sig"))))[1]
    if ending == "json":
        return json.loads(content)["rows"]
    sheet = load_workbook(BytesIO(content)).active
    assert sheet is not None
    return [(cell.value, cell.data_type) for cell in list(sheet.rows)[1]]


FORMULA = '=HYPERLINK("http://example.org","Ann")'


@pytest.mark.parametrize("name", [FORMULA, "+1", "-Ann", "@sum", "\tx", "\rx"])
def test_a_name_that_looks_like_a_formula_stays_a_text(name: str) -> None:
    assert write_and_read("csv", name) == [f"'{name}"]
    assert write_and_read("json", name) == [{"A": name}]
    if name != "\rx":  # XML has one way to end a line.
        assert write_and_read("xlsx", name) == [(name, "s")]


def test_characters_forbidden_in_workbooks_are_removed() -> None:
    assert write_and_read("xlsx", "A\x0bnn Çelik 🂡") == [("Ann Çelik 🂡", "s")]


def test_rows_are_streamed() -> None:
    rows_read = 0

    def rows() -> Any:
        nonlocal rows_read
        for number in range(10_000):
            rows_read += 1
            yield (number,)

    parts = FORMATS["csv"].write(make_table(rows()))
    _mark, _heads, first = (next(parts) for _part in range(3))
    assert (first, rows_read) == (b"0\r\n", 1)


def test_csv_has_semicolons_and_decimal_commas_in_german() -> None:
    rows: list[tuple[Cell, ...]] = [
        ("Ann", Fraction(43, 4)),
        ("Bo", 0.000001),
        ("Cy", Fraction(23, 8)),
    ]
    with override("de"):
        parts = FORMATS["csv"].write(make_table(rows, "AB"))
    # The language is over once the rows are written.
    lines = b"".join(parts).decode("utf-8-sig").splitlines()
    assert lines == ['"A";"B"', '"Ann";"10,75"', '"Bo";"0,000001"', '"Cy";"2,8750"']


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "＝", "＋", "－", "＠"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_formulas_are_safe_with_either_separator(sign: str, language: str) -> None:
    rows = [(f"{sign}1",), (f"Ann;{sign}1",), (f"Ann,{sign}1",)]
    with override(language):
        text = b"".join(FORMATS["csv"].write(make_table(rows))).decode("utf-8-sig")
    for separator in ";,\t":
        for row in csv.reader(StringIO(text), delimiter=separator):
            assert not any(cell.startswith(sign) for cell in row)
