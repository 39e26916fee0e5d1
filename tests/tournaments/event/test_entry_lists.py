"""Lists of players from files."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from tests.factories.tournaments import member, tournament_with
from tournaments.event.setup.entry_lists import names_in_file, read_names
from tournaments.event.setup.spreadsheets import UnreadableListError
from tournaments.models import Role, Tournament


def spreadsheet(rows: list[list[object]]) -> bytes:
    book = Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    written = BytesIO()
    book.save(written)
    return written.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        "Ada\nBo Lee\n\n",
        "Name,Club\nAda,West\nBo  Lee,East\n",
        "No;Player\r\n1;Ada\r\n2;Bo Lee\r\n",
        "\ufeffnr\tname\n1\tAda\n2\tBo Lee\n3\t\n",
    ],
)
def test_names_are_found_in_files_as_spreadsheets_write_them(content: str) -> None:
    assert names_in_file("list.csv", content.encode()) == ["Ada", "Bo Lee"]


@pytest.mark.parametrize(
    "pasted",
    [
        "Nr;Name;Verein\n1;Ada;West\n2;Bo Lee;Ost\n",
        'Name,Club\n"Ada","West"\n"Bo  Lee","East, by night"\n',
        "Thursday club\nNr\tName\n1\tAda\n2\tBo Lee",
        "Vorname;Nachname\nAda;\nBo;Lee",
        "Name\nAda\nBo Lee",
        "1. Ada\n2) Bo  Lee",
        "Ada; Bo Lee",
    ],
)
def test_names_are_found_in_what_was_copied_out_of_a_spreadsheet(pasted: str) -> None:
    assert read_names(pasted) == ["Ada", "Bo Lee"]


def test_names_are_found_in_a_spreadsheet() -> None:
    content = spreadsheet([["Nr", "Name"], [1, "Ada"], [None, None], [2, "Bo Lee"]])
    assert names_in_file("list.XLSX", content) == ["Ada", "Bo Lee"]


@pytest.mark.parametrize(
    ("filename", "content"), [("x.xlsx", b"PK"), ("x.csv", b"\xff\xfe\x00")]
)
def test_what_is_no_list_is_refused(filename: str, content: bytes) -> None:
    with pytest.raises(UnreadableListError):
        names_in_file(filename, content)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("filename", "content", "entered"),
    [
        ("list.csv", b"Ada\nBo\n", 2),
        ("list.csv", b"", 0),
        ("list.xlsx", b"no spreadsheet", 0),
        ("list.csv", b"A" * 1_100_000, 0),
    ],
)
def test_a_file_is_entered_or_refused_beside_its_field(
    client: Client, filename: str, content: bytes, entered: int
) -> None:
    tournament: Tournament = tournament_with([])
    client.force_login(member(tournament.club, Role.SCORER))
    url = reverse("tournaments:entries", args=[tournament.address])
    answer = client.post(url, {"file": SimpleUploadedFile(filename, content)})
    assert answer.status_code == (302 if entered else 200)
    assert tournament.entries.count() == entered
