"""Lists of players from files."""

import html
import re
from base64 import b64encode
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories.tournaments import signed_in, tournament_with
from tests.factories.workbooks import build_workbook
from tests.tournaments.web.pages import at
from tournaments.event.setup.entry_lists import (
    AmbiguousListError,
    names_in_file,
    read_names,
)
from tournaments.event.setup.spreadsheets import (
    UnreadableListError,
    ambiguous_encodings,
)
from tournaments.files.tables import entries_table
from tournaments.files.writing import as_json
from tournaments.models import Role, Tournament
from tournaments.web.desk.forms import AddPlayersForm


def empty_tournament() -> tuple[Tournament, Client, str]:
    """Return a tournament without players, a scorer's client, and the players' URL."""
    tournament = tournament_with([])
    client = signed_in(tournament.club, Role.SCORER)
    return tournament, client, at("entries", tournament)


def spreadsheet(*sheets: list[list[object]]) -> bytes:
    return build_workbook({f"Page {n}": rows for n, rows in enumerate(sheets, 1)})


@pytest.mark.parametrize(
    "content",
    [
        "Ada\nBo Lee\n\n",
        "sep=;\r\nAda\r\nBo Lee\r\n",
        "No;Player\r\n1;Ada\r\n2;Bo Lee\r\n",
        "\ufeffnr\tname\n1\tAda\n2\tBo Lee\n3\t\n",
        "Nr;Name;Verein\n1;Ada;West\n2;Bo Lee;Ost\n",
        'Name,Club\n"Ada","West"\n"Bo  Lee","East, by night"\n',
        "Thursday club\nNr\tName\n1\tAda\n2\tBo Lee",
        "Vorname;Nachname\nAda;\nBo;Lee",
    ],
)
def test_finds_names_exported_by_spreadsheets(content: str) -> None:
    assert names_in_file("list.csv", content.encode()) == ["Ada", "Bo Lee"]
    if not content.startswith("sep="):
        assert read_names(content) == ["Ada", "Bo Lee"]


@pytest.mark.parametrize("pasted", ["1. Ada\n2) Bo  Lee", "Ada; Bo Lee"])
def test_finds_names_in_pasted_text(pasted: str) -> None:
    assert read_names(pasted) == ["Ada", "Bo Lee"]


@pytest.mark.parametrize(
    ("pasted", "names"),
    [
        ('"Karl, der Große"\nBo Lee', ["Karl, der Große", "Bo Lee"]),
        ('1. "Karl; der Große" ; Bo Lee', ["Karl; der Große", "Bo Lee"]),
        ('"Ada ""Countess"" King"', ['Ada "Countess" King']),
        ('Bo "Bobby" Lee\n"Bobby" Lee', ['Bo "Bobby" Lee', '"Bobby" Lee']),
        ('"Bo Lee', ['"Bo Lee']),
        ('"";Bo Lee', ["Bo Lee"]),
        ('Karl ""', ['Karl ""']),
    ],
)
def test_removes_quotation_marks_around_a_pasted_name(
    pasted: str, names: list[str]
) -> None:
    assert read_names(pasted) == names


@pytest.mark.parametrize("name", ["Qui", "Who", "Wer", "Sum", "May"])
def test_player_in_the_first_line_is_not_a_heading(name: str) -> None:
    assert read_names(f"{name}\nAda\nBo Lee") == [name, "Ada", "Bo Lee"]


HEADINGS = [
    *("Name", "Players", "Player name", "Participants", "First and last name"),
    *("Spieler/in", "Spielerin", "SpielerIn", "Spieler*innen", "Teilnehmer"),
    *("Teilnehmer:innen", "Teilnehmende", "Vor- und Nachname", "Liste der Teilnehmer"),
    *("Joueur", "Joueur/Joueuse", "Joueur·euse", "Participant(e)s", "Nom et prénom"),
    *("Nombre", "Jugador/a", "Participante", "Nombre y apellidos", "Inscritos:"),
]


@pytest.mark.parametrize("heading", HEADINGS)
def test_name_heading_in_any_language_is_not_a_player(heading: str) -> None:
    for text in (
        f"{heading}\nAda\nBo Lee",
        f"{heading};Tel\nAda;0171 123\nBo Lee;0172 456",
        f"Nr\t{heading}\n1\tAda\n2\tBo Lee",
    ):
        assert read_names(text) == ["Ada", "Bo Lee"]
        assert names_in_file("list.csv", text.encode()) == ["Ada", "Bo Lee"]


@pytest.mark.parametrize(
    "rows",
    [
        [[1, "Ada"], [2, "Bo Lee"]],
        [["1.", "Ada"], ["2.", "Bo Lee"]],
        [["", "Ada"], [2, "Bo Lee"]],
        [["Ada", "+49 171 1234"], ["Bo Lee", "0172 1234"]],
        [["ada@example.org", "Ada"], ["bo@example.org", "Bo Lee"]],
        [[1, "Ada", "West"], [2, "Bo Lee", "West"], [3, "Cy", "West"]],
        [["Player", "Name"], [1, "Ada"], [2, "Bo Lee"]],
        [["Wer", "Tel."], ["Ada", 171], ["Bo Lee", 172]],
        [["Our list"], ["Nr", "Wer", "Verein"], [1, "Ada", "A"], [2, "Bo Lee", "B"]],
    ],
)
def test_takes_names_from_the_name_column(
    rows: list[list[object]],
) -> None:
    expected = ["Ada", "Bo Lee", "Cy"][: 3 if rows[-1][2:] == ["West"] else 2]
    assert names_in_file("list.xlsx", spreadsheet(rows)) == expected
    for separator in (";", "\t", ","):
        text = "\n".join(separator.join(map(str, row)) for row in rows)
        assert names_in_file("list.csv", text.encode()) == expected
        assert read_names(text) == expected


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        (
            "Wer kommt;Anruf\nAda;0171\nBo Lee;0172",
            [["Ada", "Bo Lee"], ["Wer kommt", "Ada", "Bo Lee"]],
        ),
        ("Heute dabei:\nAda", [["Ada"], ["Heute dabei:", "Ada"]]),
        (
            "Abend am 14.3.\nAda\nBo",
            [["Ada", "Bo"], ["Abend am 14.3.", "Ada", "Bo"]],
        ),
        (
            "Ada\tKing\nBo\tLee",
            [["Ada", "Bo"], ["King", "Lee"], ["Ada King", "Bo Lee"]],
        ),
        ("Ada;Cy\nBo;Di", [["Ada", "Bo"], ["Cy", "Di"], ["Ada Cy", "Bo Di"]]),
        ("Ada;Spieler\nBo;Gast\nCy;Spieler", [["Ada", "Bo", "Cy"]]),
    ],
)
def test_asks_about_an_ambiguous_list(text: str, readings: list[list[str]]) -> None:
    for read in (
        read_names,
        lambda text, answer="": names_in_file(
            "x.csv", text.encode(), chosen_reading=answer
        ),
    ):
        with pytest.raises(AmbiguousListError) as ambiguity:
            read(text)
        offered_readings = ambiguity.value.readings
        assert all(names in offered_readings.values() for names in readings)
        for key, names in offered_readings.items():
            assert read(text, key) == names


def test_offers_to_split_several_names_on_one_line() -> None:
    with pytest.raises(AmbiguousListError) as ambiguity:
        read_names("Ada;Cy\nBo;Di")
    assert ["Ada", "Cy", "Bo", "Di"] in ambiguity.value.readings.values()
    assert read_names("Ada;Cy\nBo") == ["Ada", "Cy", "Bo"]


def answer_question(
    client: Client, url: str, fields: dict[str, Any], label: str
) -> Any:
    """Add the answer with this label, and the hidden fields of the page, to `fields`."""
    page = client.post(url, fields).text
    assert f">\n{html.escape(fields['names'])}</textarea>" in page
    form = page[page.index('enctype="multipart/form-data"') :]
    hidden = re.findall(r'<input type="hidden" name="(\w+)"(?: value="([^"]*)")?', form)
    fields |= {
        name: value for name, value in hidden if name in AddPlayersForm.base_fields
    }
    fields.pop("file", None)
    answers = re.findall(
        r'type="radio"\s+name="(\w+)"\s+value="([^"]*)"\s+required\s*>\s*([^<]*)', form
    )
    labels = {
        " ".join(html.unescape(text).split()): number
        for number, (*_, text) in enumerate(answers)
    }
    assert label in labels
    field, value, _text = answers[labels[label]]
    fields[field] = value
    return field


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("encoding", "lines"),
    [
        ("mac_roman", ["Müller, Jörg", "Ruß, Zoë", "Roux, Émilie"]),
        ("cp1250", ["Novák, Jiří", "Dvořák, Žofie", "Łoś, Anna"]),
        ("cp1252", ["Müller, Jörg", "Ruß, Zoë", "Roux, Émilie"]),
    ],
)
def test_asks_about_pasted_names_and_then_about_the_file(
    encoding: str, lines: list[str]
) -> None:
    tournament, client, url = empty_tournament()
    content = "\n".join(lines).encode(encoding)
    fields: dict[str, Any] = {
        "names": "Wer kommt;Anruf\nAda;0171\nBo;0172",
        "file": SimpleUploadedFile("list.csv", content),
        "here": "on",
    }
    names = [" ".join(reversed(line.split(", "))) for line in lines]
    questions = []
    if len(ambiguous_encodings("list.csv", content)) > 1:
        questions.append(answer_question(client, url, fields, " · ".join(lines)))
    questions.append(answer_question(client, url, fields, " · ".join(names)))
    questions.append(answer_question(client, url, fields, "Ada · Bo"))
    assert questions[-2:] == ["file_as", "names_as"]
    assert not tournament.entries.exists()
    assert client.post(url, fields).status_code == 302
    assert tournament.entries.names() == {*names, "Ada", "Bo"}


NUMBERED = [["Nr", "Name"], [1, "Ada"], [None, None], [2, "Bo Lee"]]


@pytest.mark.parametrize(
    "sheets", [[NUMBERED], [[], [["Ada"], ["Bo Lee"]]], [NUMBERED, [], []]]
)
def test_finds_names_in_a_spreadsheet(sheets: list[list[list[object]]]) -> None:
    assert names_in_file("list.XLSX", spreadsheet(*sheets)) == ["Ada", "Bo Lee"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("players", "proposed"),
    [
        ([["Nr", "Player"], [1, "Ada"], [2, "Bo Lee"]], "1"),
        ([["Ada"], ["Bo Lee"]], "0"),
    ],
    ids=["with a heading", "without a heading"],
)
def test_asks_which_sheet_of_a_workbook_has_the_names(
    players: list[list[object]], proposed: str
) -> None:
    tournament, client, url = empty_tournament()
    content = spreadsheet([["How to use this file"], ["Add one line"]], players)
    fields: dict[str, Any] = {"file": SimpleUploadedFile("list.xlsx", content)}
    form = client.post(url, fields).context["form"]
    assert not tournament.entries.exists()
    assert form.question.proposed == proposed
    assert [label.partition(":")[0] for _value, label in form.question.choices] == [
        "Page 1",
        "Page 2",
    ]
    answers = {"packed_file": form["packed_file"].value(), "sheet": "1"}
    assert client.post(url, {**answers, "sheet": "9"}).status_code == 200
    assert client.post(url, answers).status_code == 302
    assert tournament.entries.names() == {"Ada", "Bo Lee"}
    # The question comes again for a new workbook.
    fields["file"] = SimpleUploadedFile("list.xlsx", content)
    assert "Which sheet has the names?" in client.post(url, answers | fields).text


@pytest.mark.parametrize(
    "content",
    [
        '["Ada", "Bo  Lee"]',
        '\ufeff\n[{"name": "Ada", "club": "West"}, {"name": "Bo Lee"}, {"name": ""}]',
        """
        {"format": "table", "version": 1, "table": "players", "of": "West", "rows": [
        {"number": 1, "name": "Ada"},
        {"number": 2, "name": "Bo Lee"}
        ]}
        """,
    ],
)
def test_finds_names_in_json(content: str) -> None:
    assert read_names(content) == ["Ada", "Bo Lee"]
    for encoding in ("utf-8", "utf-16"):
        encoded = content.encode(encoding)
        assert names_in_file("list.json", encoded) == ["Ada", "Bo Lee"]


@pytest.mark.django_db
def test_exported_entry_table_is_imported_into_another_tournament() -> None:
    names = ["Ada", "=1+1", "'=2", "Łucja “Lu” O’Neil"]
    document = b"".join(as_json(entries_table(tournament_with(names))))
    tournament, client, url = empty_tournament()
    client.post(url, {"file": SimpleUploadedFile("entries.json", document)})
    assert [entry.name for entry in tournament.entries.by_number()] == names


NO_LISTS = [
    '{"format": "table", "version": 2, "table": "players", "rows": [{"name": "Ada"}]}',
    '{"format": "table", "version": 1, "table": "seating", "rows": [{"name": "Ada"}]}',
    '{"format": "table", "version": 1, "table": ["players"], "rows": [{"name": "A"}]}',
    '{"format": "table", "version": 1, "table": "players", "rows": {"name": "Ada"}}',
    '{"name": "Ada"}',
    '["Ada", 3]',
    '["Ada", {"player": "Bo"}]',
    '["Ada", {"name": null}]',
    '["Ada", "B\\u0000"]',
    '["Ada", "B\\ud800"]',
    '["Ada", "Bo"',
    "[" * 100_000,
    "[" + "9" * 9_000 + "]",
    '["' + "A" * 3_000 + '"]',
    "{Ada}\nBo",
]


@pytest.mark.parametrize("text", NO_LISTS, ids=range(len(NO_LISTS)))
def test_rejects_json_without_a_list_of_names(text: str) -> None:
    for read in (read_names, lambda text: names_in_file("x.csv", text.encode())):
        with pytest.raises(UnreadableListError, match="Use a players table"):
            read(text)


def file_field(filename: str, content: bytes) -> dict[str, Any]:
    return {"file": SimpleUploadedFile(filename, content)}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "count"),
    [
        (file_field("list.csv", b"Ada\nBo\n"), 2),
        (file_field("list.csv", b""), 0),
        (file_field("list.csv", b"1;2\n3;4\n"), 0),
        (file_field("list.xlsx", b"no spreadsheet"), 0),
        (file_field("list.csv", b"A" * 1_100_000), 0),
        (file_field("list.json", b'["Ada", "Bo"]'), 2),
        (file_field("list.json", b"[" + b'"Ada",' * 500 + b'"Bo"]'), 0),
        ({"names": NO_LISTS[1]}, 0),
        *(
            ({"packed_file": packed, "encoding": "cp1252"}, 0)
            for packed in ("A", "PK", b64encode(b"PK\x03\x04").decode())
        ),
    ],
    ids=range(11),
)
def test_form_enters_all_names_or_none(fields: dict[str, Any], count: int) -> None:
    tournament, client, url = empty_tournament()
    assert client.post(url, fields).status_code == (302 if count else 200)
    assert tournament.entries.count() == count


@pytest.mark.parametrize(
    ("filename", "content"), [("x.xlsx", b"PK"), ("x.csv", b"\xff\xfe\x00")]
)
def test_rejects_files_that_are_not_lists(filename: str, content: bytes) -> None:
    with pytest.raises(UnreadableListError):
        names_in_file(filename, content)
