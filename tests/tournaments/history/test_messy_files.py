"""Typical files of clubs are read; malformed or hostile ones give an error, never a 500."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from io import BytesIO
from uuid import UUID, uuid4
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.models import Player
from tests.factories.tournaments import signed_in, tournament_with
from tests.factories.workbooks import build_workbook, spreadsheet
from tests.tournaments.history.test_columns import hidden_fields
from tournaments.event.setup.entry_lists import names_in_file
from tournaments.event.setup.spreadsheets import (
    UnreadableListError,
    first_rows_in_file,
    parse_first_rows,
)
from tournaments.history.imports.files import (
    cells_in_file,
    cells_in_text,
    csv_from_cells,
)
from tournaments.history.imports.past_results import (
    MOST_LINES,
    MOST_READ,
    PastResultsReading,
    move_family_names_last,
    read_past_results,
)
from tournaments.history.imports.uploads import store_or_replace_upload
from tournaments.history.personal_data import anonymise_person
from tournaments.models import Club, Import, Role, Upload
from tournaments.signals import uploaded
from tournaments.tasks import (
    resend_lost_tasks_and_delete_outdated_rows,
    send_task_for_signal,
)
from tournaments.web.imports.forms import LARGE_FILE, LARGE_UNPACKED

TODAY = date(2026, 6, 20)
EXPECTED_ROWS = [
    ("Anna Müller", date(2024, 3, 14), 1),
    ("Jörg Weiß", date(2024, 3, 14), 2),
    ("Zoë", date(2024, 3, 14), 2),
]


def encode_lines(*rows: str, end: str = "\n", encoding: str = "utf-8") -> bytes:
    return (end.join(rows) + end).encode(encoding)


HEADS = ("date", "player", "place")
PEOPLE = (("Anna Müller", "1"), ("Jörg Weiß", "2"), ("Zoë", "2"))


def build_list(separator: str, day: str = "2024-03-14", **options: str) -> bytes:
    rows = [
        separator.join(HEADS),
        *(separator.join((day, name, place)) for name, place in PEOPLE),
    ]
    return encode_lines(*rows, **options)


MESSY: dict[str, bytes] = {
    "UTF-8 with commas": build_list(","),
    "UTF-8 with its mark": build_list(";", encoding="utf-8-sig"),
    "UTF-16 as Excel writes text": build_list("\t", encoding="utf-16"),
    "UTF-16 without its mark": build_list(";", encoding="utf-16-le"),
    "Windows-1252 with semicolons": build_list(";", encoding="cp1252"),
    "line ends of old Macs": build_list(";", end="\r"),
    "line ends of Windows": build_list(",", end="\r\n"),
    "days as spreadsheets count them": build_list(",", "45365"),
    "in Spanish": encode_lines(
        "Fecha;Nombre;Apellidos;Puesto",
        "14.3.2024;Anna;Müller;1",
        "14.3.2024;Jörg;Weiß;2",
        "14.3.2024;Zoë;;2",
    ),
    "in French, names in one column": encode_lines(
        "Date;Nom;Rang",
        "14.3.2024;Anna Müller;1",
        "14.3.2024;Jörg Weiß;2",
        "14.3.2024;Zoë;2",
    ),
    "a spreadsheet with titles and real dates": spreadsheet(
        ["Our evenings"],
        [],
        ["Date", "Player", "Place"],
        [date(2024, 3, 14), "Anna Müller", 1],
        [date(2024, 3, 14), "Jörg Weiß", 2.0],
        [date(2024, 3, 14), "Zoë ", "2"],
    ),
    "double and odd blanks": encode_lines(
        "date;player;place",
        "14.3.2024 ; Anna  Müller;1",
        "14.3.2024; Jörg\u00a0Weiß;2",
        "14.3.2024;Zoë; 2 ",
    ),
}


def store_file(
    club: Club, name: str, content: bytes, key: UUID | None = None
) -> Upload:
    return store_or_replace_upload(
        club=club,
        key=key or uuid4(),
        name=name,
        content=content,
        game="tricky_bid",
        family_first=False,
        now=timezone.now(),
    )


def read_file(content: bytes, name: str = "list.csv") -> PastResultsReading:
    return read_past_results(
        first_rows_in_file(name, content, max_rows=1000), game="tricky", today=TODAY
    )


@pytest.mark.parametrize("kind", MESSY)
def test_reads_typical_club_files(kind: str) -> None:
    past = read_file(MESSY[kind])
    assert past.faults == []
    [event] = past.events
    assert [(row.player, row.day, row.place) for row in event.rows] == EXPECTED_ROWS


def test_family_first_names_are_reordered_on_request() -> None:
    cells = [["date", "name", "place"], ["14.3.2024", "Müller Anna", "1"]]
    assert move_family_names_last(cells)[1][1] == "Anna Müller"


def replace_parts(content: bytes, parts: dict[str, bytes]) -> bytes:
    """Return a spreadsheet with parts replaced, or removed if the new part is empty."""
    written = BytesIO()
    with (
        ZipFile(BytesIO(content)) as source,
        ZipFile(written, "w", ZIP_DEFLATED) as copy,
    ):
        old_parts = {name: source.read(name) for name in source.namelist()}
        for name, part in {**old_parts, **parts}.items():
            if part:
                copy.writestr(name, part)
    return written.getvalue()


def workbook_with(parts: dict[str, bytes]) -> bytes:
    return replace_parts(spreadsheet(["date", "player", "place"], ["x", "y", 1]), parts)


def read_part(content: bytes, name: str) -> bytes:
    return ZipFile(BytesIO(content)).read(name)


SHEET = "xl/worksheets/sheet1.xml"
NAMESPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
<worksheet><sheetData><row><c t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>"""


def sheet_xml(xml: str) -> bytes:
    return f"<worksheet {NAMESPACE}><sheetData><row r='1'>{xml}</row></sheetData></worksheet>".encode()


HOSTILE: dict[str, bytes] = {
    "a cell without an end": b'date,player,place\n2024-03-14,"' + b"A" * 140_000,
    "a line of ten thousand columns": b"a," * 10_000,
    "bytes of nothing": bytes(range(256)) * 20,
    "zeros": b"date,player\x00,place\n",
    "half of UTF-16": b"\xff\xfed\x00a",
    "an old spreadsheet": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "an archive of something else": workbook_with({"xl/workbook.xml": b""}),
    "the beginning of an archive": workbook_with({})[:400],
    "a broken archive": workbook_with({})[:-60],
    "sheet XML that breaks off": workbook_with({SHEET: b"<worksheet><sheetData><row>"}),
    "sheet XML of another kind": workbook_with({SHEET: b"<html></html>"}),
    "no sheet": workbook_with({SHEET: b""}),
    "text in a number cell": workbook_with(
        {SHEET: sheet_xml("<c r='A1'><v>seven</v></c>")}
    ),
    "a shared string that is not there": workbook_with(
        {SHEET: sheet_xml("<c r='A1' t='s'><v>99</v></c>")}
    ),
    "a shared string that is no number": workbook_with(
        {SHEET: sheet_xml("<c r='A1' t='s'><v>x</v></c>")}
    ),
    "column ZZZZZ": workbook_with({SHEET: sheet_xml("<c r='ZZZZZ1'><v>1</v></c>")}),
    "a cell of no place": workbook_with({SHEET: sheet_xml("<c r='?'><v>1</v></c>")}),
    "a date of no calendar": workbook_with(
        {SHEET: sheet_xml("<c r='A1' t='d'><v>9999-99-99</v></c>")}
    ),
    "entities in entities": workbook_with({SHEET: LAUGHS}),
    "broken styles": workbook_with(
        {"xl/styles.xml": b"<styleSheet><cellXfs count='x'/>"}
    ),
    "a workbook of nothing": workbook_with({"xl/workbook.xml": b"<workbook/>"}),
    "a spreadsheet of fifty megabytes": workbook_with(
        {"xl/media/a.xml": bytes(50_000_000)}
    ),
    "a thousand parts": workbook_with({f"xl/p{n}.xml": b"<a/>" for n in range(1000)}),
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", HOSTILE)
def test_malformed_or_hostile_file_gives_an_error_message(
    kind: str, club: Club, send: Callable[..., str]
) -> None:
    for name in ("list.csv", "list.xlsx"):
        page = send(file=SimpleUploadedFile(name, HOSTILE[kind]))
        error_markers = ('class="refusal"', 'class="alert-list"', "errorlist")
        assert any(marker in page for marker in error_markers), page[-3000:]
        assert not Import.objects.exists()


DISGUISES: dict[str, tuple[str, str]] = {
    "behind a long remark": (f"<!--{' ' * 9_000}-->", "utf-8"),
    "in UTF-16": ("", "utf-16"),
    "in letters of another time": ("", "cp037"),
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_rejects_xml_entities_in_every_part(disguise: str) -> None:
    before, encoding = DISGUISES[disguise]
    head, _end, rest = LAUGHS.decode().partition("?>")
    head = f'{head} encoding="{encoding}"?>'
    sheet = head.encode("utf-16" if encoding == "utf-16" else "ascii")
    sheet += f"{before}{rest}".encode(encoding.replace("utf-16", "utf-16-le"))
    for name in (SHEET, "xl/sharedStrings.bin"):
        with pytest.raises(
            UnreadableListError, match="declarations that aren’t allowed"
        ):
            first_rows_in_file("list.xlsx", workbook_with({name: sheet}), max_rows=1000)


def test_reading_a_spreadsheet_times_out() -> None:
    content = spreadsheet(*[["date", "player", "place"]] * 3)
    assert len(first_rows_in_file("list.xlsx", content, max_rows=1000)) == 3
    with pytest.raises(UnreadableListError, match="too large"):
        first_rows_in_file("list.xlsx", content, max_rows=1000, seconds=0)


def test_distant_cell_costs_nothing() -> None:
    sheet = sheet_xml("<c r='A1' t='inlineStr'><is><t>Ann</t></is></c>").replace(
        b"</row>", b"</row><row r='1048576'><c r='XFD1048576'><v>1</v></c></row>"
    )
    rows = first_rows_in_file("x.xlsx", workbook_with({SHEET: sheet}), max_rows=1000)
    assert rows[0] == ["Ann"]
    assert len(rows) <= 1000


def test_separator_and_decimal_commas_are_distinguished_or_rejected() -> None:
    heads = "date,player,points"
    for rows, fault in (
        (["14.3.2024,Ann,3,5", "14.3.2024,Bo,2"], "Commas separate the columns"),
        (['14.3.2024,Ann,"3,5"', "14.3.2024,Bo,2"], ""),
        (["14.3.2024,Ann,3,late", "14.3.2024,Bo,2"], ""),
    ):
        try:
            cells = cells_in_file("a.csv", encode_lines(heads, *rows), today=TODAY)
        except UnreadableListError as unreadable:
            assert fault
            assert fault in str(unreadable)
        else:
            assert not fault
            assert cells_in_text(csv_from_cells(cells))[1][:2] == ["14.3.2024", "Ann"]


def test_numbers_next_to_a_workbook_list_are_not_split_numbers() -> None:
    content = spreadsheet(["date", "player", "points"], ["14.3.2024", "Ann", 3, 5])
    cells = cells_in_file("a.xlsx", content, today=TODAY)
    assert cells_in_text(csv_from_cells(cells))[1] == ["14.3.2024", "Ann", "3", "5"]


@pytest.mark.django_db
def test_json_is_read_as_list(send: Callable[..., str]) -> None:
    text = '[\n{"date": "2024-03-14", "player": "Ann", "place": 1}]'
    assert "Check your list" in send(text=text)
    for name in ("past.json", "past.csv"):
        file = SimpleUploadedFile(name, text.encode("utf-16"))
        assert "Check your list" in send(file=file)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "[1]",
        '[{"player": ["Ann"]}]',
        '[{"player": "\\u0000"}]',
        '{"rows": 3}',
        "[" * 9000,
    ],
)
def test_json_without_table_is_refused(text: str, send: Callable[..., str]) -> None:
    assert "This JSON has no table." in send(text=text)


@pytest.mark.django_db
def test_messages_name_lines_of_file_without_headings(send: Callable[..., str]) -> None:
    text = "14.3.2024;Ann;first\n\n14.3.2024;Bo;second\n14.3.2024;Cy;3\n"
    columns = {"column-0": "date", "column-1": "player", "column-2": "place"}
    page = send(text=text, **columns)
    assert "Line 1, place: “first” isn’t a valid place" in page
    assert "Line 3, place: “second” isn’t a valid place" in page
    assert "place, line 3" in page
    resent_text = hidden_fields(page, "cell-2-2")["text"]
    page = send(text=resent_text, **{"cell-2-2": "1", "cell-4-2": "x"})
    assert "Line 3, place: “x” isn’t a valid place" in page
    assert "Line 1," not in page
    page = send(text=resent_text, **{"cell-2-2": "1", "cell-4-2": "2"})
    assert "3 new players" in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("heads", "is_ticked"), [("Abend;Spieler;Platz\n", True), ("", False)]
)
def test_first_line_with_any_column_name_is_a_heading(
    send: Callable[..., str], heads: str, *, is_ticked: bool
) -> None:
    page = " ".join(send(text=f"{heads}14.3.2024;Ann;1\n14.3.2024;Bo;2\n").split())
    assert ('name="has_heads" value="1" checked' in page) == is_ticked


@pytest.mark.django_db
def test_skipped_line_does_not_renumber_the_lines_below(
    send: Callable[..., str],
) -> None:
    text = "date;player;place\n14.3.2024;Ann;1\nsometime;Bo;2\n14.3.2024;Cy;x\n"
    page = send(text=text)
    assert "1 of 3 lines are ready." in page
    page = send(text=text, **{"leave-3": "1"})
    assert "Line 4, place: “x”" in page
    page = send(text=text, **{"leave-3": "1", "cell-4-2": "2"})
    assert "2 new players" in page


@pytest.mark.django_db
def test_lines_below_a_skipped_block_heading_keep_its_date(
    send: Callable[..., str],
) -> None:
    text = (
        "date;player;place;tournament\n14.3.24;Ann;1;Spring\n;Bo;2;\n"
        "11.4.24;Cy;x;Easter\n;Di;1;\n;Ed;y;\nTotal;;9;\n"
    )
    answers = {"leave-4": "1", "leave-7": "1"}
    assert "3 of 4 lines are ready." in send(text=text, **answers)
    page = send(text=text, **answers, **{"cell-6-2": "2"})
    assert "4 new players" in page
    assert "Easter" in page
    assert page.count("11 Apr 2024") == page.count("14 Mar 2024")


def test_no_line_below_titles_is_dropped_silently() -> None:
    titles, heads = ["Our list"] * 10, "date;player;place"
    rows = [f"14.3.2024;P{n};1" for n in range(MOST_LINES + 1)]
    text = "\n".join([*titles, heads, *rows])
    past = read_past_results(
        parse_first_rows(text, max_rows=MOST_READ), game="tricky", today=TODAY
    )
    assert any("more than 20000 lines" in fault for fault in past.faults)


def test_formula_without_result_is_reported_if_its_cell_is_read() -> None:
    rows = [(*HEADS, "note"), ("2024-03-14", "Ann", 1, "=A2")]
    past = read_file(spreadsheet(*rows), "past.xlsx")
    assert past.faults == []
    assert names_in_file("names.xlsx", spreadsheet(*rows)) == ["Ann"]
    content = spreadsheet(("Name", "City"), ("Ann", "=A1"), ("=A2", "Bonn"))
    with pytest.raises(UnreadableListError, match="Cell A3 of the sheet “Sheet”"):
        names_in_file("names.xlsx", content)
    content = spreadsheet(("=A9", "player", "place"), ("2024-03-14", "Ann", 1))
    assert any("Cell A1" in fault for fault in read_file(content, "past.xlsx").faults)


@pytest.mark.django_db
def test_cell_without_result_is_shown_on_the_page(send: Callable[..., str]) -> None:
    content = spreadsheet(HEADS, ("2024-03-14", "Ann", "=1+0"), ("", "Bo", 2))
    page = send(file=SimpleUploadedFile("past.xlsx", content))
    assert "Cell C2 of the sheet “Sheet” has a formula" in page
    assert "\u2060=" not in page.partition("<h2>")[2].replace(
        page[page.index("<textarea") : page.index("</textarea>")], ""
    )
    resent_text = hidden_fields(page, "cell-2-2")["text"]
    assert "2 new players" in send(text=resent_text, **{"cell-2-2": "1"})


@pytest.mark.django_db
def test_other_sheets_of_large_workbook_are_offered_if_one_is_unreadable(
    club: Club,
) -> None:
    client = signed_in(club, Role.DIRECTOR)
    upload = store_file(club, "past.xlsx", spreadsheet(HEADS))
    Upload.objects.filter(pk=upload.pk).update(
        sheets=["2024", "2025"], sheet=1, cells=None, fault="It is broken."
    )
    path = reverse("tournaments:upload", args=[club.slug, upload.key])
    page = client.get(path).content.decode()
    assert "It is broken." in page
    assert '<option value="0">2024</option>' in page
    client.post(path, {"sheet": "0"})
    assert Upload.objects.get(pk=upload.pk).sheet == 0


def test_formula_with_empty_result_is_accepted() -> None:
    content = spreadsheet(HEADS, ("2024-03-14", "Ann", "=1+0", '=""'))
    sheet = read_part(content, SHEET)
    for empty, computed in (
        (b"<f>1+0</f><v />", b"<f>1+0</f><v>1</v>"),
        (b'<c r="D2">', b'<c r="D2" t="str">'),
    ):
        assert empty in sheet
        sheet = sheet.replace(empty, computed)
    rows = first_rows_in_file(
        "past.xlsx", replace_parts(content, {SHEET: sheet}), max_rows=100
    )
    assert rows[1] == ["2024-03-14", "Ann", "1"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("heads", ["date,player,place", "date,Vorname,Nachname,place"])
def test_ambiguous_names_are_resolved_before_import(
    heads: str, club: Club, send: Callable[..., str]
) -> None:
    tournament_with(["Émilie Roux", "Bo Berg"], club=club)
    separator = "," if heads.count(",") == 3 else " "
    names = [separator.join(name) for name in (("Emilie", "Roux"), ("Bo", "Berg"))]
    text = "\n".join(
        [heads, *(f"2024-03-14,{name},{place}" for place, name in enumerate(names, 1))]
    )
    preview = send(text=text)
    assert "Who is “Emilie Roux”?" in preview
    assert "“Bo Berg”" not in preview
    error_page = send(text=text, confirm="1")
    assert "Choose who you mean." in error_page
    assert not Import.objects.exists()
    send(text=text, **{"confirm": "1", "who-0": "is:Émilie Roux"})
    tournament = club.tournaments.get(format="past")
    assert tournament.entries.names() == {"Émilie Roux", "Bo Berg"}
    assert Player.objects.filter(name__contains="milie").count() == 1


def upload_file(club: Club, content: bytes) -> tuple[Client, str, str]:
    """Upload a file; return the client, the path it was redirected to, and the page."""
    client = signed_in(club, Role.DIRECTOR)
    form = {
        "game": "tricky_bid",
        "text": "",
        "key": str(uuid4()),
        "file": SimpleUploadedFile("past.csv", content),
    }
    url = reverse("tournaments:imports", args=[club.slug])
    response = client.post(url, form, follow=True)
    return client, response.request["PATH_INFO"], response.content.decode()


def large_list() -> bytes:
    """Return a list that is large because of its remarks."""
    people = [
        f"2024-03-{day:02},Player {n},{n},{'played at home ' * 60}"
        for day in range(1, 29)
        for n in range(1, 13)
    ]
    return encode_lines("date,player,place,remark", *people)


@pytest.mark.django_db(transaction=True)
def test_large_file_is_read_by_the_worker_and_imported(club: Club) -> None:
    content = large_list()
    assert len(content) > LARGE_FILE
    client, path, preview = upload_file(club, content)
    assert "/imports/files/" in path
    assert "28 tournaments" in preview
    form = dict(re.findall(r'name="(key|game|name)" value="([^"]*)"', preview))
    url = reverse("tournaments:imports", args=[club.slug])
    client.post(url, {**form, "text": hidden_fields(preview)["text"], "confirm": "1"})
    assert club.tournaments.count() == 28
    assert Import.objects.get().name == "past.csv"


def workbook_of_seasons() -> bytes:
    """Return a workbook with a sheet of text and two seasons, large when unpacked."""
    places = range(1, 5)
    content = build_workbook(
        {
            "Read me": [["How to use this file"]],
            "2024": [HEADS, *(("2024-03-14", f"Player {n}", n) for n in places)],
            "2025": [HEADS, *(("2025-03-14", f"Player {n}", n) for n in places)],
        }
    )
    return replace_parts(content, {"docProps/long.xml": b" " * LARGE_UNPACKED})


@pytest.mark.django_db(transaction=True)
def test_another_sheet_of_a_large_workbook_is_read(club: Club) -> None:
    client, path, preview = upload_file(club, workbook_of_seasons())
    assert "/imports/files/" in path
    assert '<option value="1" selected>2024</option>' in preview
    assert "Tournament on 2024-03-14" in preview
    other_preview = client.post(path, {"sheet": "2"}, follow=True).content.decode()
    assert '<option value="2" selected>2025</option>' in other_preview
    assert "Tournament on 2025-03-14" in other_preview
    for unknown_sheet in ("9", "-1", "²", ""):
        same_preview = client.post(
            path, {"sheet": unknown_sheet}, follow=True
        ).content.decode()
        assert "Tournament on 2025-03-14" in same_preview


@pytest.mark.django_db(transaction=True)
def test_large_upload_reports_progress_timeout_and_expires(club: Club) -> None:
    disconnected = [uploaded.disconnect(send_task_for_signal)]
    try:
        client, path, waiting_page = upload_file(club, large_list())
    finally:
        uploaded.connect(send_task_for_signal)
    assert disconnected == [True]
    assert "Reading a large file" in waiting_page
    assert resend_lost_tasks_and_delete_outdated_rows() == 0
    assert "28 tournaments" in client.get(path).content.decode()
    Upload.objects.update(cells=None, made_at=timezone.now() - timedelta(minutes=2))
    assert "took longer than a minute" in client.get(path).content.decode()
    Upload.objects.update(made_at=timezone.now() - timedelta(days=2))
    resend_lost_tasks_and_delete_outdated_rows()
    assert not Upload.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_large_file_without_a_list_gives_an_error_message(club: Club) -> None:
    _client, _path, page = upload_file(club, b"a" * (LARGE_FILE + 1))
    assert "A quotation mark in this list is never closed" in page


@pytest.mark.django_db(transaction=True)
def test_other_file_under_the_same_key_is_read_again(club: Club) -> None:
    key = uuid4()
    for content in (b"a" * (LARGE_FILE + 1), large_list(), large_list()):
        store_file(club, "past.csv", content, key)
    upload = Upload.objects.get()
    assert upload.cells is not None
    assert (upload.fault, len(upload.cells)) == ("", 1 + 28 * 12)


@pytest.mark.django_db(transaction=True)
def test_a_name_in_two_columns_is_forgotten_with_its_player(
    club: Club, send: Callable[..., str]
) -> None:
    text = "date,Vorname,Nachname,place\n2024-03-14,Zoë,Roux,1\n2024-03-14,Bo,Berg,2"
    send(text=text, confirm="1")
    zoe = Player.objects.get(name="Zoë Roux")
    new_name = anonymise_person(club=club, player_id=zoe.pk, typed_name="Zoë Roux")
    cells = str(Import.objects.get().cells)
    assert new_name in cells
    assert "Zoë" not in cells
    assert "Roux" not in cells
    assert "Berg" in cells
