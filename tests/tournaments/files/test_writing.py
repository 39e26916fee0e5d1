"""A table is declared once and written three ways."""

import csv
import json
from datetime import UTC, date, datetime
from fractions import Fraction
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.utils.translation import override
from openpyxl import load_workbook

from tournaments.files.writing import FORMATS, Cell, FileColumn, FileTable


def written(ending: str, *rows: tuple[Cell, ...]) -> Any:
    """Return the rows of a table as whoever opens its file has them, heads first."""
    width = len(rows[0])
    columns = [FileColumn(key=f"key{n}", head=f"Head {n}") for n in range(width)]
    table = FileTable(
        name="players", of="The club", zone=UTC, columns=columns, rows=iter(rows)
    )
    content = b"".join(FORMATS[ending].write(table))
    if ending == "csv":
        return list(csv.reader(StringIO(content.decode("utf-8-sig"))))
    if ending == "json":
        return json.loads(content)
    sheet = load_workbook(BytesIO(content)).active
    assert sheet is not None
    return [[(cell.value, cell.data_type) for cell in row] for row in sheet.rows]


FORMULA = '=HYPERLINK("http://example.org","Ann")'


@pytest.mark.parametrize("name", [FORMULA, "+1", "-Ann", "@sum", "\tx", "\rx"])
def test_a_name_that_looks_like_a_formula_stays_a_text(name: str) -> None:
    assert written("csv", (name,))[1] == [f"'{name}"]
    assert written("json", (name,))["rows"] == [{"key0": name}]
    if name != "\rx":  # XML has one way to end a line.
        assert written("xlsx", (name,))[1] == [(name, "s")]


def test_numbers_stay_numbers_and_exact_ones_stay_exact_in_json() -> None:
    row: tuple[Cell, ...] = (-5, Fraction(43, 4), Fraction(1, 3), None, True)
    assert written("csv", row)[1] == ["-5", "10.75", "0.333333", "", "1"]
    assert [value for value, _type in written("xlsx", row)[1]] == [
        *(-5, 10.75, 0.333333, None, True)
    ]
    assert list(written("json", row)["rows"][0].values()) == [
        *(-5, "43/4", "1/3", None, True)
    ]


def test_days_and_moments_are_those_of_the_wall() -> None:
    moment = datetime(2026, 7, 1, 18, 30, tzinfo=UTC)
    row = (date(2026, 7, 1), moment)
    day, wall = written("csv", row)[1]
    assert day == "2026-07-01"
    assert wall.startswith("2026-07-01 ")
    assert written("json", row)["rows"][0]["key1"] == "2026-07-01T18:30:00+00:00"
    assert written("xlsx", row)[1][1][1] == "d"


@pytest.mark.parametrize("ending", FORMATS)
def test_a_table_without_rows_has_its_heads(ending: str) -> None:
    table = FileTable(
        name="players",
        of="",
        zone=UTC,
        columns=[FileColumn(key="a", head="A")],
        rows=[],
    )
    content = b"".join(FORMATS[ending].write(table))
    if ending == "json":
        assert json.loads(content)["rows"] == []
    else:
        assert content


def test_letters_that_no_workbook_holds_are_left_out_of_it() -> None:
    assert written("xlsx", ("A\x0bnn Çelik 🂡",))[1] == [("Ann Çelik 🂡", "s")]


def test_rows_are_written_as_they_come() -> None:
    read = 0

    def rows() -> Any:
        nonlocal read
        for number in range(10_000):
            read += 1
            yield (number,)

    table = FileTable(
        name="t", of="", zone=UTC, columns=[FileColumn(key="a", head="A")], rows=rows()
    )
    parts = FORMATS["csv"].write(table)
    _mark, _heads, first = (next(parts) for _part in range(3))
    assert (first, read) == (b"0\r\n", 1)


def test_csv_has_semicolons_and_decimal_commas_in_german() -> None:
    table = FileTable(
        name="t",
        of="",
        zone=UTC,
        columns=[FileColumn(key="a", head="A"), FileColumn(key="b", head="B")],
        rows=[("Ann", Fraction(43, 4)), ("Bo", 0.000001), ("Cy", Fraction(23, 8))],
    )
    with override("de"):
        parts = FORMATS["csv"].write(table)
    # The language is over once the rows are written.
    lines = b"".join(parts).decode("utf-8-sig").splitlines()
    assert lines == ['"A";"B"', '"Ann";"10,75"', '"Bo";"0,000001"', '"Cy";"2,8750"']


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "＝", "＋", "－", "＠"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_formulas_are_safe_with_either_separator(sign: str, language: str) -> None:
    table = FileTable(
        name="t",
        of="",
        zone=UTC,
        columns=[FileColumn(key="a", head="A")],
        rows=[(f"{sign}1",), (f"Ann;{sign}1",), (f"Ann,{sign}1",)],
    )
    with override(language):
        text = b"".join(FORMATS["csv"].write(table)).decode("utf-8-sig")
    for separator in ";,\t":
        for row in csv.reader(StringIO(text), delimiter=separator):
            assert not any(cell.startswith(sign) for cell in row)
