"""A column of numbers or days is read one way, however ambiguous single cells are."""

import html
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH
from openpyxl.worksheet.worksheet import Worksheet

from tests.factories.workbooks import build_workbook, spreadsheet
from tournaments.event.setup.spreadsheets import (
    ambiguous_encodings,
    first_rows_in_file,
    plausible_encodings,
)
from tournaments.history.imports.columns import (
    format_unambiguous_number,
    parse_number,
    read_days,
    read_points,
)
from tournaments.history.imports.crosstables import unpivot
from tournaments.history.imports.files import cells_in_file, list_sheets_and_best_fit
from tournaments.history.imports.imports import redo_import, undo_import
from tournaments.history.imports.past_results import (
    PastResultRow,
    PastResultsReading,
    has_list_headings,
    read_past_results,
)
from tournaments.models import Club

TODAY = date(2026, 4, 1)


def read_lines(*lines: str, **answers: object) -> PastResultsReading:
    cells = [line.split(";") for line in ("date;player;score", *lines)]
    return read_past_results(cells, game="tricky", today=TODAY, **answers)  # type: ignore[arg-type]


def split_cells(text: str) -> list[list[str]]:
    return [line.split(";") for line in text.split("|")]


def read_table(cells: list[list[str]]) -> PastResultsReading:
    """Read a list or a crosstable."""
    rows = unpivot(cells, has_list_headings=has_list_headings, today=TODAY)
    return read_past_results(rows, game="tricky", today=TODAY)


def read_workbook(*rows: Sequence[object], **options: Any) -> PastResultsReading:
    content = spreadsheet(*rows, **options)
    return read_table(cells_in_file("list.xlsx", content, today=TODAY))


def rows_in(past: PastResultsReading) -> list[PastResultRow]:
    """Return all rows in the order of their lines; every line was read."""
    assert past.faults == []
    rows = (row for event in past.events for row in event.rows)
    return sorted(rows, key=lambda row: row.line)


def scores(past: PastResultsReading) -> list[str]:
    return [str(row.score) for row in rows_in(past)]


def days(past: PastResultsReading) -> list[str]:
    return [row.day.isoformat() for row in rows_in(past)]


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["12.5", "12.375"], ["25/2", "99/8"]),
        (["12,5", "12,375"], ["25/2", "99/8"]),
        (["1.234,5", "2.000"], ["2469/2", "2000"]),
        (["1,234.5", "2,000"], ["2469/2", "2000"]),
        (["0.875", "2.875"], ["7/8", "23/8"]),
        (["1234.567", "1.001"], ["1234567/1000", "1001/1000"]),
        (["10½", "2⅔", "10 1/2", "1/3"], ["21/2", "8/3", "21/2", "1/3"]),
        (["–3", "−2,5", "-1"], ["-3", "-5/2", "-1"]),
        (["1 234", "1'234", "7"], ["1234", "1234", "7"]),
        (["50 %", "33,3%", "100\u00a0%"], ["50", "333/10", "100"]),
    ],
)
def test_column_decides_decimal_sign(
    language: str, texts: list[str], expected: list[str]
) -> None:
    with translation.override(language):
        past = read_lines(*(f"2025-03-14;P{n};{text}" for n, text in enumerate(texts)))
    assert past.is_unambiguous
    assert scores(past) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14.03.2025 19:30", "2025-03-14"),
        ("3/14/2025 7:30 PM", "2025-03-14"),
        ("2025-03-14T19:30:00+01:00", "2025-03-14"),
        ("14.3.99", "1999-03-14"),
        ("14.3.26", "2026-03-14"),
        ("14.3.27", "1927-03-14"),
        ("14. März 2025, 19:30 Uhr", "2025-03-14"),
        ("2025/3/14", "2025-03-14"),
        ("14.03.2025 19 Uhr", "2025-03-14"),
        ("3/14/2025 7 PM", "2025-03-14"),
        ("14.3.2025 um 19:30 Uhr", "2025-03-14"),
        ("14 mars 2025 à 19h30", "2025-03-14"),
        ("14.03.2025 19:30–23:00", "2025-03-14"),
        ("14.03.2025 (19-23 Uhr)", "2025-03-14"),
        ("2025-03-14T18:30Z", "2025-03-14"),
        ("14-Mar-25", "2025-03-14"),
        ("14/Mär/2025", "2025-03-14"),
        ("14.3.’25", "2025-03-14"),
        ("45730", "2025-03-14"),
        ("45730,8125", "2025-03-14"),
        ("45730.81", "2025-03-14"),
        ("050324", "None"),
        ("450.81", "None"),
        ("99999.5", "None"),
        ("t" * 81, "None"),
        ("Do, 14.03.2024", "2024-03-14"),
        ("Donnerstag, 21. März 2024", "2024-03-21"),
        ("Thu, March 14, 2024", "2024-03-14"),
        ("Thursday 21st of March 2024", "2024-03-21"),
        ("ven. 1er mars 2024", "2024-03-01"),
        ("Samstag, den 2. März 2024", "2024-03-02"),
        ("mar 14 mai 2024", "2024-05-14"),
        ("Mar 14 2024", "2024-03-14"),
        ("Thu 14/03/2024 19:30", "2024-03-14"),
        ("Sun", "None"),
        ("14. Mrz 2024", "2024-03-14"),
        ("soon", "None"),
        ("31.2.2025", "None"),
    ],
)
def test_reads_dates_with_times_weekdays_and_two_digit_years(
    text: str, expected: str
) -> None:
    (value,) = read_days([text], today=TODAY, proposed="dmy").values
    assert str(value) == expected


@pytest.mark.parametrize(
    ("epoch", "offset"), [(WINDOWS_EPOCH, 0), (MAC_EPOCH, 1462)], ids=["1900", "1904"]
)
@pytest.mark.parametrize(
    "rows",
    [
        [("date", "player", "score"), (45730.81, "Ann", 20000.5), (45737, "Bo", 20001)],
        [
            ("date", "Ann", "Bo"),
            (45730.81, 20000.5, None),
            (45737, None, 20001),
        ],
        [
            ("player", "score", "date"),
            ("Ann", 20000.5, 45730.81),
            ("Bo", 20001, date(2025, 3, 21)),
        ],
    ],
    ids=["list", "nights down", "among date cells"],
)
def test_numbers_in_a_workbook_date_column_are_dates(
    rows: list[tuple[object, ...]], epoch: datetime, offset: int
) -> None:
    shifted_rows = [
        [
            value - offset
            if isinstance(value, int | float) and value > 40_000
            else value
            for value in row
        ]
        for row in rows
    ]
    past = read_workbook(*shifted_rows, epoch=epoch)
    assert [(str(row.day), row.player, row.score) for row in rows_in(past)] == [
        ("2025-03-14", "Ann", Fraction("20000.5")),
        ("2025-03-21", "Bo", Fraction(20001)),
    ]


@pytest.mark.parametrize(
    ("texts", "is_read"),
    [
        (["45730", "45737"], True),
        (["45730.81", "45737,5", ""], True),
        (["45730", "2025-03-21"], True),
        (["45730", "some day"], True),
        (["45730", "21.3.2025"], False),
        (["45730", "March 21 2025"], False),
    ],
)
def test_text_number_is_a_date_unless_other_dates_are_written_out(
    texts: list[str], *, is_read: bool
) -> None:
    reading = read_days(texts, today=TODAY, proposed="dmy")
    assert str(reading.values[0]) == ("2025-03-14" if is_read else "None")


BLOCKS = {
    "beside their first line": (
        "date;event;table;player;score|14.3.2025;Spring;1;Ann;9|;;;Bo;5|;;2;Cy;9|;;;Di;1"
        "|21.3.2025;;1;Ann;3|;;;Bo;4"
    ),
    "in lines of their own": (
        "date;event;table;player;score|14.3.2025;Spring;;;|;;1;Ann;9|;;;Bo;5|;;2;Cy;9"
        "|;;;Di;1|21.3.2025;;;;|;;1;Ann;3|;;;Bo;4"
    ),
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_date_and_event_of_a_block_apply_to_its_lines(kind: str) -> None:
    past = read_table(split_cells(BLOCKS[kind]))
    assert past.faults == []
    first, second = past.events
    assert [(row.player, row.table) for row in first.rows] == [
        ("Ann", 1),
        ("Bo", 1),
        ("Cy", 2),
        ("Di", 2),
    ]
    assert {str(row.day) for row in first.rows} == {"2025-03-14"}
    assert {str(row.day) for row in second.rows} == {"2025-03-21"}
    assert (first.name, len(second.rows)) == ("Spring", 2)


CROSSTABLES = {
    "players down": (
        "Season 2025|Name;14.3.2025;21.3.2025;Total|Ann;12,5;;12,5|Bo;9;10½;19,5"
    ),
    "ranks and sums": (
        "Platz;Name;1. Abend 14.3.25;2. Abend 21.3.25;Summe|1.;Ann;12,5;x;12,5"
        "|2.;Bo;9;10½;19,5|;Summe;21,5;10,5;32"
    ),
    "other head": "#;14.3.2025;21.3.2025|Ann;12,5||Bo;9;10½",
    "serial days": (
        "Season;2025|Name;45730;45737;Total|Ann;12,5;;12,5|Bo;9;10½;19,5"
        "|Total;21,5;10,5;32"
    ),
    "nights down": "Abend;Ann;Bo;Gesamt|14.3.2025;12,5;9;21,5|21.3.2025;-;10½",
}


@pytest.mark.parametrize("kind", CROSSTABLES)
def test_crosstable_is_read_as_list(kind: str) -> None:
    past = read_table(split_cells(CROSSTABLES[kind]))
    assert {
        (row.day.isoformat(), row.player, str(row.score)) for row in rows_in(past)
    } == {
        ("2025-03-14", "Ann", "25/2"),
        ("2025-03-14", "Bo", "9"),
        ("2025-03-21", "Bo", "21/2"),
    }


@pytest.mark.parametrize(
    "cells",
    [
        [["date", "player", "score"], ["14.3.2025", "Ann", "1"]],
        # Numbers that could also be spreadsheet dates.
        [["rank", "name", "points", "wins"], ["1", "Ann", "41000", "40000"]],
        # A title with a day.
        [["Cup", "14.3.2025"], ["name", "points"], ["Ann", "3"]],
        [["name", "points", "14.3.2025"], ["Ann", "3"]],
        # A player with that name.
        [["player", "score", "date"], ["Name", "3", "14.3.2025"]],
        # Membership numbers that look like spreadsheet dates.
        [["No", "Ann", "Bo"], ["45730", "1", "2"], ["45737", "3", "4"]],
    ],
)
def test_list_is_not_read_as_crosstable(cells: list[list[str]]) -> None:
    assert unpivot(cells, has_list_headings=has_list_headings, today=TODAY) == cells


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Cal Ripken, Jr.", "Cal Ripken, Jr."),
        ("Größe, Jürgen", "Jürgen Größe"),
        ("Griffey, Ken Jr.", "Ken Griffey Jr."),
        ("Müller, Anna (Gast)", "Anna Müller (Gast)"),
        ("Klaus, Zoe (round 3)", "Klaus, Zoe (round 3)"),
    ],
)
def test_family_name_before_comma_is_moved_but_suffix_is_not(
    name: str, expected: str
) -> None:
    (event,) = read_lines(f"2025-03-14;{name};1").events
    assert event.players == [expected]


@given(
    st.lists(
        st.one_of(
            st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-9),
            st.integers(-(10**6), 10**6),
            st.sampled_from([10.125, 1.001, 999.999, -2.125, 10 / 3, 1e-07]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_spreadsheet_number_cells_keep_their_value(values: list[float]) -> None:
    rows = [("2025-03-14", f"P{number}", value) for number, value in enumerate(values)]
    content = spreadsheet(("date", "player", "score"), *rows)
    cells = first_rows_in_file("list.xlsx", content, max_rows=100)
    past = read_past_results(cells, game="tricky", today=TODAY)
    assert past.is_unambiguous
    assert scores(past) == [
        str(Fraction(repr(float(f"{value:.16g}")))) for value in values
    ]


def test_number_cells_do_not_affect_parsing_of_text_cells() -> None:
    content = spreadsheet(
        ("date", "player", "score"),
        ("2025-03-14", "Ann", 10.5),
        ("2025-03-14", "Bo", "12,375"),
        ("2025-03-14", "Cy", 1.001),
    )
    cells = first_rows_in_file("list.xlsx", content, max_rows=100)
    assert not read_past_results(cells, game="tricky", today=TODAY).is_unambiguous
    past = read_past_results(cells, game="tricky", today=TODAY, decimal=",")
    assert scores(past) == ["21/2", "99/8", "1001/1000"]
    reread_past = read_past_results(past.settled, game="tricky", today=TODAY)
    assert reread_past.is_unambiguous
    assert scores(reread_past) == scores(past)


@given(
    st.lists(st.fractions(-(10**6), 10**6, max_denominator=1000), min_size=1),
    st.sampled_from([".", ","]),
)
def test_written_numbers_mean_the_same_in_any_column(
    numbers: list[Fraction], proposed: str
) -> None:
    texts = [format_unambiguous_number(number) for number in numbers]
    reading = read_points(texts, proposed=proposed)  # type: ignore[arg-type]
    assert reading.is_settled
    assert list(reading.values) == numbers


@given(
    st.lists(st.integers(0, 20_000), min_size=1),
    st.sampled_from(["%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d", "%d-%m-%Y"]),
)
def test_settled_dates_match_the_written_dates(
    ages: list[int], date_format: str
) -> None:
    dates = [TODAY - timedelta(days=age) for age in ages]
    order = "mdy" if date_format.startswith("%m") else "dmy"
    reading = read_days(
        [day.strftime(date_format) for day in dates],
        today=TODAY,
        answer=order,  # type: ignore[arg-type]
        proposed="dmy",
    )
    assert list(reading.values) == dates


@pytest.mark.parametrize("text", ["1,2,3", "1/0", "twelve"])
def test_non_numeric_text_has_no_value(text: str) -> None:
    assert parse_number(text, ".") is None


GERMAN, CZECH, FRENCH = "Müller;Größe;Jürgen;Öztürk", "Łukasz;Dvořák", "François;Hélène"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        (GERMAN, "cp850"),
        (GERMAN, "mac_roman"),
        (CZECH, "cp1250"),
        (FRENCH, "mac_roman"),
        ("Łukasz;Wójcik;Gąsior;Śliwa", "iso8859_2"),
        ("Łukasz;Wójcik;Żaneta;Gąsior;Śliwa", "cp852"),
        ("Győző;Szűcs;Ágnes;Tóth", "cp852"),
        ("Dvořák;Łukasz Śmiały", "cp852"),
    ],
)
def test_older_encodings_are_recognised(text: str, encoding: str) -> None:
    content = text.encode(encoding)
    (recognised,) = plausible_encodings(content)
    assert content.decode(recognised) == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (FRENCH, "cp1252"),
        (FRENCH, "cp850"),
        ("Jiří Novák", "cp1250"),
        ("Bjørn", "cp1252"),
        ("Wójcik°;Śliwa°;Łoś°", "iso8859_2"),
    ],
)
def test_asks_about_plausible_encodings(text: str, encoding: str) -> None:
    content = text.encode(encoding)
    encodings = ambiguous_encodings("list.csv", content)
    assert len(encodings) > 1
    assert text in [content.decode(each) for each in encodings]
    assert ambiguous_encodings("list.csv", text.encode()) == []


def test_merged_cells_apply_to_each_of_their_lines() -> None:
    merged = ["A2:A3", "B2:B3", "B4:B5"]
    content = spreadsheet(
        ("player", "table", "date", "score"),
        ("Ann", 1, "2025-03-14", 9),
        (None, None, "2025-03-14", 5),
        ("Cy", 2, "2025-03-14", 7),
        ("Di", None, "2025-03-14", 1),
        change=lambda sheet: [*map(sheet.merge_cells, merged)],
    )
    cells = cells_in_file("list.xlsx", content, today=TODAY)
    assert [row[:2] for row in cells[1:]] == [
        ["Ann", "1"],
        ["Ann", "1"],
        ["Cy", "2"],
        ["Di", "2"],
    ]


def workbook_of_two_seasons() -> bytes:
    heads = ["date", "player", "score"]
    return build_workbook(
        {
            "Sheet": [["How to use this file"]],
            "2024": [heads, ["2024-03-14", "Ann", 10.125]],
            "2025": [heads, ["2025-03-14", "Ann", 1.001]],
        }
    )


@pytest.mark.django_db
def test_list_without_dates_is_imported_for_one_day(
    club: Club, send: Callable[..., str]
) -> None:
    page = send(text="rank;name;points\n1;Ann;2.875\n2;Bo;12\n", day="2026-03-14")
    send(**{**hidden_fields(page), "decimal": "."})
    (tournament,) = club.tournaments.all()
    assert tournament.held_on == date(2026, 3, 14)
    points = dict(tournament.entries.values_list("name", "final_points"))
    assert points == {"Ann": "23/8", "Bo": "12"}


@pytest.mark.django_db
def test_import_asks_questions_shows_preview_and_remembers_answers(
    club: Club, send: Callable[..., str]
) -> None:
    text = "date;player;score\n4/11/2025;H\xe9l\xe8ne;12.375\n4/11/2025;Bo;7\n"
    file = SimpleUploadedFile("list.csv", text.encode("cp1252"))
    page = send(file=file)
    for question in (
        "Which of these looks right?",
        "Which date is “4/11/2025”?",
        "How many points does “12.375” mean?",
    ):
        assert question in page
    assert "12375" in page
    proposed = re.findall(r'value="([^"]+)"\s+required\s+checked', page)
    assert proposed == ["mdy"], "a wrong decimal sign is a thousand times the points"
    answers = {"confirm": "1", "text": text, "read_as": "cp1252"}
    error_page = send(**answers)
    assert "Choose how Tricky should read the list" in error_page
    assert not club.imports.exists()
    answers |= {"encoding": "cp1252", "decimal": ".", "day_order": "mdy"}
    send(**answers)
    (tournament,) = club.tournaments.all()
    assert tournament.held_on == date(2025, 4, 11)
    points = dict(tournament.entries.values_list("name", "final_points"))
    assert points == {"H\xe9l\xe8ne": "99/8", "Bo": "7"}


def test_hidden_sheet_is_not_read_before_a_visible_one() -> None:
    heads = ["date", "player", "score"]
    content = build_workbook(
        {"2024": [[*heads, "table"]], "2025": [heads]},
        change=lambda book: setattr(book["2024"], "sheet_state", "hidden"),
    )
    sheets = list_sheets_and_best_fit("list.xlsx", content, today=TODAY)
    assert (sheets.fitting, sheets.other_indexes) == (1, [0])


def hidden_fields(page: str, field: str = "confirm") -> dict[str, str]:
    """Return the hidden fields of the form that has this field."""
    form_html = next(
        part for part in page.split("<form")[1:] if f'name="{field}"' in part
    )
    fields = re.findall(
        r'<input type="hidden" name="(\w+)" value="([^"]*)"',
        form_html.split("</form")[0],
    )
    text = re.search(r'<textarea name="text" hidden>([^<]*)<', form_html)
    return {
        **{name: html.unescape(value) for name, value in fields},
        "text": html.unescape(text[1] if text else ""),
    }


@pytest.mark.django_db
def test_unread_sheets_are_named_and_imported_one_by_one(
    club: Club, send: Callable[..., str]
) -> None:
    file = SimpleUploadedFile("list.xlsx", workbook_of_two_seasons())
    page = send(file=file)
    assert "Skipped sheets" in page
    assert "<b>2025</b> · looks like results" in page
    assert "<b>Sheet</b></li>" in page
    workbook_input = re.search('name="workbook" value="([^"]+)"', page)
    assert workbook_input
    workbook = {"workbook": workbook_input[1]}
    for broken in ({"workbook": "e", "sheet": "2"}, {"workbook": "\xe9", "sheet": "2"}):
        assert "Choose the file again." in send(**broken)
    assert "refusal" in send(**workbook, sheet="9")
    answers = {**hidden_fields(page), "decimal": "."}
    first_preview = send(**answers)
    assert "Skipped sheets: Sheet, 2025." in first_preview
    assert "<b>2025</b> · looks like results" in first_preview
    sheet_choice = {**hidden_fields(first_preview, "sheet"), "sheet": "2"}
    page = send(**sheet_choice)
    assert "<b>2024</b>" in page
    # As after “Back”: the second sheet is sent with the key of the first.
    repeated_form = {**hidden_fields(page), "decimal": ".", "key": answers["key"]}
    send(**repeated_form)
    send(**repeated_form)
    assert [
        str(tournament.held_on) for tournament in club.tournaments.order_by("starts_at")
    ] == [
        "2024-03-14",
        "2025-03-14",
    ]


@pytest.mark.django_db
def test_sheets_are_still_offered_after_a_correction(
    send: Callable[..., str],
) -> None:
    heads = ["date", "player", "place"]
    content = build_workbook(
        {
            "Sheet": [],
            "2024": [heads, ["2024-03-14", "Ann", "first"]],
            "2025": [heads, ["2025-03-14", "Ann", "1"]],
        }
    )
    page = send(file=SimpleUploadedFile("list.xlsx", content))
    corrected_form = {**hidden_fields(page, "cell-2-2"), "cell-2-2": "1"}
    page = send(**corrected_form)
    assert "Check your list" in page
    assert "<b>2025</b> · looks like results" in page


AMBIGUOUS: dict[str, tuple[str, str]] = {
    "sums below": (
        "Datum;Name;Punkte|14.3.2025;Ann;12|14.3.2025;Bo;9|;Summe;21",
        "Line 4, player: “Summe” looks like a line of totals. Leave it out, or mark it as a player.",
    ),
    "sums of a night": (
        "Datum;Name;Punkte|14.3.2025;Ann;12|14.3.2025;Durchschnitt:;12",
        "Line 3, player: “Durchschnitt:” looks like a line of totals. Leave it out, or mark it as a player.",
    ),
    "a player whose figures are no sums": (
        "Name;14.3.2025;21.3.2025|Ann;12;9|Sum;3;|Total;15;9",
        "Line 3 (14.3.2025), player: “Sum” looks like a line of totals. Leave it out, or mark it as a player.",
    ),
    "two players with the same points": (
        "Name;14.3.2025|Ann;12|Total;12",
        "Line 3 (14.3.2025), player: “Total” looks like a line of totals. Leave it out, or mark it as a player.",
    ),
    "numbers as headings that are not all days": (
        "Name;10000;20000;30000|Ann;1;2;3",
        "No column contains a date. Choose the date column, or enter one date for all lines.",
    ),
    "months as headings": (
        "Name;Januar 2025;Februar 2025|Ann;12;9",
        "The columns “Januar 2025”, “Februar 2025” don’t contain full dates. Put day, month and year in one column, like 2025-03-14.",
    ),
    "headings without a year": (
        "Name;1.2.;8.2.|Ann;12;9",
        "The columns “1.2.”, “8.2.” don’t contain full dates. Put day, month and year in one column, like 2025-03-14.",
    ),
    "a percentage next to points": (
        "date;player;score|2025-03-14;Ann;50 %|2025-03-14;Bo;12",
        "Line 2, score: “50 %” isn’t a valid number of points.",
    ),
    "a year of two digits that is to come": (
        "date;player;score|14.3.27;Ann;50",
        "Line 2, date: 14 Mar 1927 is before 1950. Enter the year with four digits.",
    ),
    "no number, players down": (
        "Season 2025|Name;14.3.2025;21.3.2025|Ann;12;9||Bo;9;many",
        "Line 5 (21.3.2025), score: “many” isn’t a valid number of points.",
    ),
    "no number, nights down": (
        "Abend;Ann;Bo|14.3.2025;12;9|21.3.2025;9;many",
        "Line 3 (Bo), score: “many” isn’t a valid number of points.",
    ),
    "points twice": (
        "Datum;Name;Punkte;Total|14.3.2025;Ann;12;30|14.3.2025;Bo;9;31",
        "Several columns could contain the points: “Punkte”, “Total”. Choose the right one.",
    ),
}


@pytest.mark.parametrize("kind", AMBIGUOUS)
def test_asks_about_ambiguous_columns(kind: str) -> None:
    text, fault = AMBIGUOUS[kind]
    assert read_table(split_cells(text)).faults == [fault]


CLUB_LISTS: dict[str, str] = {
    "sums and notes of a crosstable": (
        "Spieler;14.3.2025;Schnitt;Notiz|Ann;12,5;6|Bo;9;5;spät"
        "|Durchschnitt;10,75|Teilnehmer;2|Gesamtsumme:;21,5"
    ),
    "notes beside nights": (
        "Abend;Ann;Bo;Bemerkung|14.3.2025;12,5;9;schön|14.3.2025;x;-;7"
    ),
    "day and time": (
        "Datum/Uhrzeit;Spielername;Punktzahl|14.03.2025 19:30;Ann;12,5"
        "|14.03.2025 19:30;Bo;9"
    ),
    "names in two columns": (
        "Date;Last;First;Score|3/14/2025;;Ann;12.5|3/14/2025;;Bo;9"
    ),
    "the same points twice": (
        "Date;Name;Points;Total|3/14/2025;Ann;12.5;12.5|3/14/2025;Bo;9;9"
    ),
    "lines that are numbered": (
        "#;Name;Date;Points|1;Ann;3/14/2025;12.5|2;Bo;3/14/2025;9"
    ),
    "a day in a line of its own": (
        "Datum;Turnier;Name;Punkte|14.3.2025;Frühling|;;Ann;12,5|;;Bo;9"
    ),
    "one tournament in several cases": (
        "date;event;player;score|2025-03-14;Spring;Ann;12.5|2025-03-14;spring;Bo;9"
    ),
    "answers to a form": (
        "Timestamp;Who;Points|3/14/2025 19:02:33;Ann;12.5|3/14/2025 19:02:40;Bo;9"
    ),
    "headings that are not all known": (
        "Season 2025||Datum;Wer;Pkt|14.3.2025;Ann;12,5|14.3.2025;Bo;9"
    ),
    "numbers of players": (
        "rank;player;name;points;date|1;17;Ann;12.5;3/14/2025|2;4;Bo;9;3/14/2025"
    ),
    "points and places": ("Date;Name;Pos;Pts|3/14/2025;Ann;1;12.5|3/14/2025;Bo;2;9"),
}


@pytest.mark.parametrize("kind", CLUB_LISTS)
def test_real_club_lists_are_read_correctly(kind: str) -> None:
    past = read_table(split_cells(CLUB_LISTS[kind]))
    assert len(past.events) == 1
    assert [
        (row.player, row.place or n, row.score)
        for n, row in enumerate(rows_in(past), 1)
    ] == [
        ("Ann", 1, Fraction("12.5")),
        ("Bo", 2, Fraction(9)),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("hidden", "is_mentioned"), [("row", True), ("column", True), ("margin", False)]
)
def test_preview_mentions_hidden_cells(
    hidden: str, send: Callable[..., str], *, is_mentioned: bool
) -> None:
    def hide(sheet: Worksheet) -> None:
        if hidden == "row":
            sheet.row_dimensions[3].hidden = True
        else:
            letter = "C" if hidden == "column" else "H"
            sheet.column_dimensions[letter].hidden = True

    content = spreadsheet(
        ("date", "player", "score"),
        ("2025-03-14", "Ann", 9),
        ("2025-03-14", "Bo", 5),
        change=hide,
    )
    page = send(file=SimpleUploadedFile("list.xlsx", content))
    assert "Check your list" in page
    assert ("hidden rows and columns" in page) == is_mentioned


def test_workbook_percentages_are_read_as_displayed() -> None:
    def format_as_percent(sheet: Worksheet) -> None:
        for cell in ("C2", "C3"):
            sheet[cell].number_format = "0.0%"

    heads = ("date", "player", "score")
    rows = [("2025-03-14", "Ann", 0.5), ("2025-03-14", "Bo", 0.333)]
    past = read_workbook(heads, *rows, change=format_as_percent)
    assert scores(past) == ["50", "333/10"]
    mixed = read_workbook(
        heads, *rows, ("2025-03-14", "Cy", 7), change=format_as_percent
    )
    assert [fault.line for fault in mixed.faults] == [2, 3]

    def append_percent_sign(sheet: Worksheet) -> None:
        sheet["C2"].number_format = '0"%"'

    whole = [("2025-03-14", "Ann", 50), ("2025-03-14", "Bo", 12)]
    past = read_workbook(heads, *whole, change=append_percent_sign)
    assert scores(past) == ["50", "12"]


@pytest.mark.django_db
def test_title_above_headings_is_not_offered_as_a_column(
    send: Callable[..., str],
) -> None:
    text = "Our season;;\n\nAbend;Leute;Ergebnis\n14.3.2025;Ann;12\n14.3.2025;Bo;9\n"
    page = send(text=text)
    assert "<b>Leute</b>" in page
    assert "<b>Our season</b>" not in page
    columns = {"column-0": "date", "column-1": "player", "column-2": "score"}
    assert "2 new players" in send(text=text, has_heads="1", **columns)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["list.xlsx", "list.csv"])
def test_blank_file_is_reported_as_empty(name: str, send: Callable[..., str]) -> None:
    content = spreadsheet((None, None)) if name == "list.xlsx" else b"\r\n;;\r\n"
    page = send(file=SimpleUploadedFile(name, content))
    assert "This file or sheet is empty. Choose another one." in page
    assert "Paste a list" not in page


@pytest.mark.django_db
def test_player_named_like_a_total_row_is_imported_after_confirmation(
    club: Club, send: Callable[..., str]
) -> None:
    text = "date;player;score\n2025-03-14;Ann;5\n2025-03-14;Total;3\n2025-03-14;Sum;8\n"
    page = send(text=text)
    assert 'name="player-3-1"' in page
    page = send(text=text, **{"player-3-1": "1", "cell-3-1": "Total", "leave-4": "1"})
    assert "2 new players" in page
    send(**hidden_fields(page))
    (import_,) = club.imports.all()
    undo_import(import_id=import_.pk, now=timezone.now())
    redo_import(import_id=import_.pk, now=timezone.now())
    (tournament,) = club.tournaments.all()
    points = dict(tournament.entries.values_list("name", "final_points"))
    assert points == {"Ann": "5", "Total": "3"}
