"""Columns of numbers and days mean one thing, whatever one cell could mean."""

import html
import re
from datetime import date, timedelta
from fractions import Fraction
from io import BytesIO
from uuid import uuid4

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from tests.factories.tournaments import ClubFactory, signed_in
from tournaments.event.setup.spreadsheets import (
    encodings_of,
    plausible_encodings,
    rows_in_file,
)
from tournaments.files.writing import FORMATS, Column, Table
from tournaments.history.imports.columns import (
    day_in,
    number_in,
    read_days,
    read_points,
    written_number,
)
from tournaments.history.imports.crosstables import unpivot
from tournaments.history.imports.files import cells_in_file, fitting_sheets
from tournaments.history.imports.past_results import Past, is_list, read_past
from tournaments.models import Role

TODAY = date(2026, 4, 1)


def past_of(*lines: str, **answers: object) -> Past:
    cells = [line.split(";") for line in ("date;player;score", *lines)]
    return read_past(cells, game="tricky", today=TODAY, **answers)  # type: ignore[arg-type]


def scores(past: Past) -> list[str]:
    assert past.faults == []
    rows = sorted(
        (row for event in past.events for row in event.rows), key=lambda row: row.line
    )
    return [str(row.score) for row in rows]


def days(past: Past) -> list[str]:
    assert past.faults == []
    rows = sorted(
        (row for event in past.events for row in event.rows), key=lambda row: row.line
    )
    return [row.day.isoformat() for row in rows]


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
    ],
)
def test_column_decides_decimal_sign(
    language: str, texts: list[str], expected: list[str]
) -> None:
    with translation.override(language):
        past = past_of(*(f"2025-03-14;P{n};{text}" for n, text in enumerate(texts)))
    assert past.is_settled
    assert scores(past) == expected


@pytest.mark.parametrize(
    ("answer", "expected"), [(".", ["99/8", "7"]), (",", ["12375", "7"])]
)
def test_asks_for_decimal_sign_that_nothing_settles(
    answer: str, expected: list[str]
) -> None:
    lines = ("2025-03-14;Ann;12.375", "2025-03-14;Bo;7")
    asked = past_of(*lines)
    assert not asked.is_settled
    assert asked.points is not None
    assert asked.points.example == "12.375"
    answered = past_of(*lines, decimal=answer)
    assert answered.is_settled
    assert scores(answered) == expected
    # What is stored cannot be read in another way.
    again = read_past(answered.settled, game="tricky", today=TODAY)
    assert again.is_settled
    assert scores(again) == expected


@pytest.mark.parametrize("language", ["en", "de"])
def test_one_impossible_reading_settles_days(language: str) -> None:
    with translation.override(language):
        american = past_of("3/14/2025;A;1", "4/11/2025;A;1", "5/9/2025;A;1")
        european = past_of("4/11/2025;A;1", "14/3/2025;A;1")
    assert days(american) == ["2025-03-14", "2025-04-11", "2025-05-09"]
    assert days(european) == ["2025-11-04", "2025-03-14"]


@pytest.mark.parametrize(
    ("order", "expected"), [("dmy", "2025-11-04"), ("mdy", "2025-04-11")]
)
def test_asks_for_order_of_days_that_nothing_settles(order: str, expected: str) -> None:
    assert not past_of("4/11/2025;Ann;1").is_settled
    answered = past_of("4/11/2025;Ann;1", day_order=order)
    assert answered.is_settled
    assert days(answered) == [expected]


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
    ],
)
def test_reads_days_with_times_and_years_of_the_past(text: str, expected: str) -> None:
    (value,) = read_days([text], today=TODAY, proposed="dmy").values
    assert str(value) == expected


def test_day_and_event_of_a_block_stand_for_its_lines() -> None:
    cells = [
        ["date", "event", "table", "player", "score"],
        ["14.3.2025", "Spring", "1", "Ann", "9"],
        ["", "", "", "Bo", "5"],
        ["", "", "2", "Cy", "9"],
        ["", "", "", "Di", "1"],
        ["21.3.2025", "", "1", "Ann", "3"],
        ["", "", "", "Bo", "4"],
    ]
    past = read_past(cells, game="tricky", today=TODAY)
    assert past.faults == []
    first, second = past.events
    assert [(row.player, row.table) for row in first.rows] == [
        ("Ann", 1),
        ("Bo", 1),
        ("Cy", 2),
        ("Di", 2),
    ]
    assert (first.name, len(second.rows)) == ("Spring", 2)


@pytest.mark.parametrize(
    "cells",
    [
        [
            ["Season 2025"],
            ["Name", "14.3.2025", "21.3.2025", "Total"],
            ["Ann", "12,5", "", "12,5"],
            ["Bo", "9", "10½", "19,5"],
        ],
        [
            ["Platz", "Name", "1. Abend 14.3.25", "2. Abend 21.3.25", "Summe"],
            ["1.", "Ann", "12,5", "x", "12,5"],
            ["2.", "Bo", "9", "10½", "19,5"],
            ["", "Summe", "21,5", "10,5", "32"],
        ],
        [
            ["#", "14.3.2025", "21.3.2025"],
            ["Ann", "12,5"],
            [],
            ["Bo", "9", "10½"],
        ],
        [
            ["Abend", "Ann", "Bo", "Gesamt"],
            ["14.3.2025", "12,5", "9", "21,5"],
            ["21.3.2025", "-", "10½"],
        ],
    ],
    ids=["players down", "ranks and sums", "other head", "nights down"],
)
def test_crosstable_is_read_as_list(cells: list[list[str]]) -> None:
    listed = unpivot(cells, is_list=is_list, today=TODAY)
    past = read_past(listed, game="tricky", today=TODAY)
    assert past.faults == []
    assert {
        (row.day.isoformat(), row.player, str(row.score))
        for event in past.events
        for row in event.rows
    } == {
        ("2025-03-14", "Ann", "25/2"),
        ("2025-03-14", "Bo", "9"),
        ("2025-03-21", "Bo", "21/2"),
    }


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        (
            [
                ["Season 2025"],
                ["Name", "14.3.2025", "21.3.2025"],
                ["Ann", "12", "9"],
                [],
                ["Bo", "9", "many"],
            ],
            "5 (21.3.2025)",
        ),
        (
            [
                ["Abend", "Ann", "Bo"],
                ["14.3.2025", "12", "9"],
                ["21.3.2025", "9", "many"],
            ],
            "3 (Bo)",
        ),
    ],
    ids=["players down", "nights down"],
)
def test_fault_in_crosstable_names_line_and_column_of_file(
    cells: list[list[str]], place: str
) -> None:
    listed = unpivot(cells, is_list=is_list, today=TODAY)
    (fault,) = read_past(listed, game="tricky", today=TODAY).faults
    assert fault == f"Line {place}, score: “many” is no number of points."


@pytest.mark.parametrize(
    "cells",
    [
        [["date", "player", "score"], ["14.3.2025", "Ann", "1"]],
        # Numbers that are days in a spreadsheet, too.
        [["rank", "name", "points", "wins"], ["1", "Ann", "41000", "40000"]],
    ],
)
def test_list_is_no_crosstable(cells: list[list[str]]) -> None:
    assert unpivot(cells, is_list=is_list, today=TODAY) == cells


def test_column_of_names_is_preferred_to_numbers_of_players() -> None:
    cells = [
        ["rank", "player", "name", "points", "date"],
        ["1", "17", "Ann", "3", "2025-03-14"],
    ]
    (event,) = read_past(cells, game="tricky", today=TODAY).events
    assert event.players == ["Ann"]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Cal Ripken, Jr.", "Cal Ripken, Jr."),
        ("Größe, Jürgen", "Jürgen Größe"),
        ("Klaus, Zoe (round 3)", "Klaus, Zoe (round 3)"),
    ],
)
def test_family_name_before_comma_is_turned_and_suffix_is_not(
    written: str, expected: str
) -> None:
    (event,) = past_of(f"2025-03-14;{written};1").events
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
def test_number_cells_of_spreadsheet_are_those_numbers(values: list[float]) -> None:
    book, file = Workbook(), BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.append(["date", "player", "score"])
    for number, value in enumerate(values):
        sheet.append(["2025-03-14", f"P{number}", value])
    book.save(file)
    cells = rows_in_file("list.xlsx", file.getvalue(), most=100)
    past = read_past(cells, game="tricky", today=TODAY)
    assert past.is_settled
    assert scores(past) == [
        str(Fraction(repr(float(f"{value:.16g}")))) for value in values
    ]


def test_number_cells_do_not_decide_how_texts_beside_them_are_read() -> None:
    book, file = Workbook(), BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (
        ["date", "player", "score"],
        ["2025-03-14", "Ann", 10.5],
        ["2025-03-14", "Bo", "12,375"],
        ["2025-03-14", "Cy", 1.001],
    ):
        sheet.append(row)
    book.save(file)
    cells = rows_in_file("list.xlsx", file.getvalue(), most=100)
    assert not read_past(cells, game="tricky", today=TODAY).is_settled
    past = read_past(cells, game="tricky", today=TODAY, decimal=",")
    assert scores(past) == ["21/2", "99/8", "1001/1000"]
    again = read_past(past.settled, game="tricky", today=TODAY)
    assert again.is_settled
    assert scores(again) == scores(past)


@given(
    st.lists(st.fractions(-(10**6), 10**6, max_denominator=1000), min_size=1),
    st.sampled_from([".", ","]),
)
def test_written_numbers_mean_the_same_in_any_column(
    numbers: list[Fraction], proposed: str
) -> None:
    texts = [written_number(number) for number in numbers]
    reading = read_points(texts, proposed=proposed)  # type: ignore[arg-type]
    assert reading.is_settled
    assert list(reading.values) == numbers


@given(
    st.lists(st.integers(0, 20_000), min_size=1),
    st.sampled_from(["%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y-%m-%d", "%d-%m-%Y"]),
)
def test_settled_days_are_those_that_were_written(ages: list[int], form: str) -> None:
    written = [TODAY - timedelta(days=age) for age in ages]
    order = "mdy" if form.startswith("%m") else "dmy"
    reading = read_days(
        [day.strftime(form) for day in written],
        today=TODAY,
        answer=order,  # type: ignore[arg-type]
        proposed="dmy",
    )
    assert list(reading.values) == written


def test_texts_that_mean_nothing_have_no_value() -> None:
    assert number_in("1,2,3", ".") is None
    assert number_in("1/0", ".") is None
    assert number_in("twelve", ".") is None
    assert day_in("31.2.2025", "dmy", today=TODAY) is None
    assert day_in("soon", "dmy", today=TODAY) is None


GERMAN, CZECH, FRENCH = "Müller;Größe;Jürgen;Öztürk", "Łukasz;Dvořák", "François;Hélène"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        (GERMAN, "cp850"),
        (GERMAN, "mac_roman"),
        (CZECH, "cp1250"),
        (FRENCH, "mac_roman"),
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
    ],
)
def test_encodings_that_make_sensible_words_are_asked_about(
    text: str, encoding: str
) -> None:
    content = text.encode(encoding)
    asked = encodings_of("list.csv", content)
    assert len(asked) > 1
    assert text in [content.decode(each) for each in asked]
    assert encodings_of("list.csv", text.encode()) == []


def workbook_of_two_seasons() -> bytes:
    book, file = Workbook(), BytesIO()
    first = book.active
    assert first is not None
    first.append(["How to use this file"])
    for title, score in (("2024", 10.125), ("2025", 1.001)):
        sheet = book.create_sheet(title)
        sheet.append(["date", "player", "score"])
        sheet.append([f"{title}-03-14", "Ann", score])
    book.save(file)
    return file.getvalue()


def test_sheet_with_the_list_is_read() -> None:
    content = workbook_of_two_seasons()
    assert fitting_sheets("list.xlsx", content, today=TODAY).names[1:] == [
        "2024",
        "2025",
    ]
    cells = cells_in_file("list.xlsx", content, today=TODAY)
    assert scores(read_past(cells, game="tricky", today=TODAY)) == ["81/8"]
    cells = cells_in_file("list.xlsx", content, today=TODAY, sheet=2)
    assert scores(read_past(cells, game="tricky", today=TODAY)) == ["1001/1000"]


@pytest.mark.django_db
def test_preview_offers_every_sheet() -> None:
    club = ClubFactory.create()
    client = signed_in(club, Role.DIRECTOR)
    path = f"/clubs/{club.slug}/imports/"
    file = BytesIO(workbook_of_two_seasons())
    file.name = "list.xlsx"
    posted = {"game": "tricky", "key": str(uuid4())}
    page = client.post(path, {**posted, "file": file}).content.decode()
    assert '<option value="1" selected>2024</option>' in page
    found = re.search('name="workbook" value="([^"]+)"', page)
    assert found
    other = {**posted, "workbook": found[1], "sheet": "2"}
    page = client.post(path, other).content.decode()
    assert '<option value="2" selected>2025</option>' in page
    assert "1.001" in page
    for broken in ({"workbook": "e"}, {"sheet": "9"}):
        assert "refusal" in client.post(path, other | broken).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("written", ["csv", "json"])
def test_standings_of_tricky_are_imported_for_one_day(written: str) -> None:
    club = ClubFactory.create()
    client = signed_in(club, Role.DIRECTOR)
    standings = Table(
        name="standings",
        of="Club",
        zone=club.zone,
        columns=[Column(key=key, head=key) for key in ("rank", "name", "points")],
        rows=[(1, "Ann", Fraction(23, 8)), (2, "Bo", Fraction(12))],
    )
    content = b"".join(FORMATS[written].write(standings))
    file = BytesIO(content)
    file.name = f"standings.{written}"
    posted = {"game": "tricky", "key": str(uuid4()), "file": file, "day": "2026-03-14"}
    path = f"/clubs/{club.slug}/imports/"
    page = client.post(path, posted).content.decode()
    found = re.search('<textarea name="text" hidden>([^<]+)<', page)
    assert found
    text = html.unescape(found[1])
    answers = {"game": "tricky", "key": posted["key"], "text": text, "confirm": "1"}
    client.post(path, answers | {"decimal": "."})
    (past,) = club.tournaments.all()
    assert past.held_on == date(2026, 3, 14)
    points = dict(past.entries.values_list("name", "final_points"))
    assert points == {"Ann": "23/8", "Bo": "12"}


@pytest.mark.django_db
def test_import_asks_shows_what_it_read_and_keeps_answers() -> None:
    club = ClubFactory.create()
    client = signed_in(club, Role.DIRECTOR)
    path = f"/clubs/{club.slug}/imports/"
    text = "date;player;score\n4/11/2025;H\xe9l\xe8ne;12.375\n4/11/2025;Bo;7\n"
    file = BytesIO(text.encode("cp1252"))
    file.name = "list.csv"
    posted = {"game": "tricky", "key": str(uuid4()), "file": file}
    page = client.post(path, posted).content.decode()
    for words in (
        "Which of these looks right?",
        "Which day is “4/11/2025”?",
        "How many points is “12.375”?",
    ):
        assert words in page
    assert "12375" in page
    proposed = re.findall(r'value="([^"]+)"\s+required\s+checked', page)
    assert proposed == ["mdy", "."]
    answers = {
        "game": "tricky",
        "key": posted["key"],
        "confirm": "1",
        "text": text,
        "read_as": "cp1252",
    }
    unanswered = client.post(path, answers).content.decode()
    assert "Choose how the list is read" in unanswered
    assert not club.imports.exists()
    answers |= {"encoding": "cp1252", "decimal": ".", "day_order": "mdy"}
    assert client.post(path, answers).status_code == 302
    (past,) = club.tournaments.all()
    assert past.held_on == date(2025, 4, 11)
    points = dict(past.entries.values_list("name", "final_points"))
    assert points == {"H\xe9l\xe8ne": "99/8", "Bo": "7"}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Do, 14.03.2024", date(2024, 3, 14)),
        ("Donnerstag, 21. März 2024", date(2024, 3, 21)),
        ("Thu, March 14, 2024", date(2024, 3, 14)),
        ("Thursday 21st of March 2024", date(2024, 3, 21)),
        ("ven. 1er mars 2024", date(2024, 3, 1)),
        ("mar 14 mai 2024", date(2024, 5, 14)),
        ("Mar 14 2024", date(2024, 3, 14)),
        ("Thu 14/03/2024 19:30", date(2024, 3, 14)),
        ("Sun", None),
    ],
)
def test_day_of_week_before_day_is_left_out(text: str, day: date | None) -> None:
    assert day_in(text, "dmy", today=TODAY) == day
