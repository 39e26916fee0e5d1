"""A club is exported to an archive, and imported unchanged."""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models import ForeignKey, Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.starting import start_match
from scoring.models import LogEntry, Match, Player, Seat
from scoring.models.matches import is_address
from tests.factories.archives import build_archive, change_unique_values
from tests.factories.circuits import new_circuit
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    UserFactory,
    enter_points,
    member,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.history.test_every_figure import random_club
from tournaments.files.archive.contents import FILES, KINDS, LEFT_OUT, ArchiveTable
from tournaments.files.archive.reading import (
    RENEWED,
    ArchiveError,
    import_club,
)
from tournaments.history.derivation import derive_history, history_differences
from tournaments.models import (
    Announcement,
    AutoStep,
    CircuitClub,
    Club,
    Entry,
    FinalRow,
    Membership,
    Result,
    Role,
    Tournament,
    User,
)
from tournaments.people.profiles import set_page_visibility

pytestmark = [pytest.mark.django_db, pytest.mark.long(3)]


def small_club() -> Club:
    """Return a club with one running night."""
    tournament = tournament_with(4, quorum="none", writing="card")
    round_ = running_round(tournament)
    table = round_.tables.get()
    assert table.match is not None
    enter_points(table.match, [20, 12, 5, 1])
    first, second = tournament.entries.by_number()[:2]
    first.apart.add(second)
    return tournament.club


def club_with_every_row() -> Club:
    """Return a club with at least one row of each kind that an archive has."""
    club, _leaderboard = random_club(Random(5))
    result = Result.objects.filter(club=club)[0]
    tournament = club.tournaments.all()[0]
    set_page_visibility(club=club, player_id=result.player_id, public=False)
    Announcement.objects.create(tournament=tournament, text="Soup.", made_at=NOW)
    AutoStep.objects.create(
        tournament=tournament, kind="seat", number=1, announced_at=NOW, due_at=NOW
    )
    FinalRow.objects.create(
        season=club.seasons.all()[0],
        place=1,
        rank=1,
        player=result.player,
        points="1",
        attended=1,
    )
    return club


@cache
def foreign_archive(make_club: Callable[[], Club]) -> bytes:
    """Return the archive of a club that this server does not have."""
    with transaction.atomic():
        content = build_archive(make_club())
        transaction.set_rollback(True)
    return content


@pytest.fixture
def content() -> bytes:
    return foreign_archive(small_club)


@pytest.fixture
def files(content: bytes) -> dict[str, str]:
    return read_archive(content)


def test_reimported_archive_is_equal_and_consistent_with_the_logs() -> None:
    club, _leaderboard = random_club(Random(5))
    before = build_archive(club)
    assert build_archive(club) == before
    change_unique_values(club)
    imported_club = import_club(BytesIO(before), now=NOW).club
    assert imported_club.pk != club.pk
    results = Result.objects.filter(club=imported_club).count()
    assert results > 0
    derive_history(club_id=imported_club.pk, now=timezone.now())
    assert Result.objects.filter(club=imported_club).count() == results
    assert build_archive(imported_club) == before
    assert history_differences(imported_club) == []
    matches = Match.objects.filter(table__round__tournament__club=imported_club)
    assert matches.exists()
    for match in matches:
        assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_running_events_continue_with_separated_pairs_and_new_secrets() -> None:
    club = small_club()
    secrets = set(Match.objects.values_list("secret", flat=True))
    content = build_archive(club)
    for secret in secrets:
        assert secret
        assert secret not in "".join(read_archive(content).values())
    change_unique_values(club)
    director = UserFactory.create()
    imported_club = import_club(BytesIO(content), now=NOW, director=director).club
    assert imported_club.get_role(director) == Role.DIRECTOR
    tournament = imported_club.tournaments.get()
    assert len(tournament.entries.all().separated_pairs()) == 1
    match = Match.objects.get(table__round__tournament=tournament)
    assert match.hands_played == 1
    assert match.secret
    assert match.secret not in secrets
    enter_points(match, [1, 5, 12, 20])
    assert build_archive(imported_club) != content


def test_options_of_any_game_stay_after_import() -> None:
    options = {"title": "Hearts", "lowest_wins": True, "bids": True, "hands": 3}
    club = tournament_with(4, game="any_game", options=options).club
    content = build_archive(club)
    change_unique_values(club)
    imported = import_club(BytesIO(content), now=NOW).club
    assert imported.tournaments.get().options == options


def test_draw_names_the_same_players_after_import() -> None:
    club = small_club()
    first, second, third = club.tournaments.get().entries.by_number()[:3]
    original_round = club.tournaments.get().rounds.all()[0]
    original_round.quality |= {"again": [[first.pk, third.pk, 2]], "together": []}
    original_round.present = [second.pk, third.pk]
    original_round.save()
    content = build_archive(club)
    change_unique_values(club)
    small_club()
    imported = import_club(BytesIO(content), now=NOW).club
    one, two, three = imported.tournaments.get().entries.by_number()[:3]
    round_ = imported.tournaments.get().rounds.all()[0]
    assert round_.quality == original_round.quality | {"again": [[one.pk, three.pk, 2]]}
    assert round_.present == [two.pk, three.pk]


def test_old_archive_imports_no_server_specific_data(
    files: dict[str, str],
) -> None:
    change_first_line("rounds.jsonl", quality={"repeats": 1, "again": [[7001, 7002]]})(
        files
    )
    key = uuid4()
    change_first_line("matches.jsonl", key=str(key))(files)
    existing_match = start_match(
        key=key, game="tricky", names=["Eve", "Mallory"], now=NOW
    )
    imported = import_club(BytesIO(pack_archive(files)), now=NOW).club
    assert imported.tournaments.get().rounds.all()[0].quality["again"] == []
    imported_match = Match.objects.get(table__round__tournament__club=imported)
    assert imported_match.key != key == existing_match.key


def test_column_that_an_earlier_release_did_not_export_has_its_default(
    files: dict[str, str],
) -> None:
    full_line = json.loads(files["tournaments.jsonl"])

    def archive_without(column: str) -> bytes:
        line = {name: value for name, value in full_line.items() if name != column}
        return pack_archive({**files, "tournaments.jsonl": json.dumps(line) + "\n"})

    error = import_error(archive_without("starts_at"))
    assert "missing or unknown: starts_at" in error
    imported_club = import_club(BytesIO(archive_without("pending_names")), now=NOW).club
    assert imported_club.tournaments.get().pending_names == {}


def test_archive_import_joins_no_circuit() -> None:
    circuits_club, invited = small_club(), small_club()
    circuit = new_circuit(circuits_club, invited)
    files = read_archive(build_archive(invited))
    change_unique_values(invited)
    # As an archive of 0.1.0 claims it.
    files["circuits.jsonl"] = json.dumps({"slug": circuit.slug, "name": "Taken"}) + "\n"
    files["circuit_clubs.jsonl"] = (
        json.dumps({"circuit": 1, "joined_at": "2026-01-01T12:00:00Z"}) + "\n"
    )
    director = UserFactory.create()
    memberships_before = CircuitClub.objects.count()
    imported_club = import_club(
        BytesIO(pack_archive(files)), now=NOW, director=director
    ).club
    assert not imported_club.circuit_parts.exists()
    assert CircuitClub.objects.count() == memberships_before
    circuit.refresh_from_db()
    assert circuit.name != "Taken"


def all_rows() -> dict[type[Model], dict[Any, dict[str, Any]]]:
    """Return all rows of the site, by model and primary key."""
    models = [
        model
        for app in ("scoring", "tournaments")
        for model in apps.get_app_config(app).get_models()
    ]
    return {
        model: {
            row["pk"]: row
            for row in model._default_manager.values("pk", *column_names(model))
        }
        for model in models
    }


def column_names(model: type[Model]) -> list[str]:
    return [column.attname for column in model._meta.concrete_fields]


def test_imported_rows_reference_only_each_other() -> None:
    content = foreign_archive(club_with_every_row)
    small_club()
    before = all_rows()
    import_club(BytesIO(content), now=NOW)
    after = all_rows()
    new_keys: dict[Any, set[Any]] = {
        model: rows.keys() - before[model].keys() for model, rows in after.items()
    }
    new_keys[User] = set()
    assert all(new_keys[kind.model] for kind in KINDS)
    for model, rows in after.items():
        assert {pk: rows[pk] for pk in before[model]} == before[model]
        for column in model._meta.concrete_fields:
            if isinstance(column, ForeignKey):
                referenced_keys = {
                    rows[pk][column.attname] for pk in new_keys[model]
                } - {None}
                assert referenced_keys <= new_keys[column.related_model], column


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_archived_row_cannot_reference_a_row_of_this_server(kind: ArchiveTable) -> None:
    """Try a foreign row in each foreign key, and each column that is never archived."""
    files = read_archive(foreign_archive(club_with_every_row))
    lines = files[kind.file_name].splitlines()
    assert lines
    foreign_keys = [
        column.name for column in kind.fields() if isinstance(column, ForeignKey)
    ]
    if kind.model is Match:
        foreign_keys = ["rematch_of"]
    for column in foreign_keys:
        false_row = json.loads(lines[0]) | {column: 1_000_000}
        changed = "\n".join([json.dumps(false_row), *lines[1:], ""])
        error = import_error(pack_archive(files | {kind.file_name: changed}))
        assert error.startswith(f"{kind.file_name}, line 1: ")
        assert "1000000" in error
    if kind.model is Match:
        return
    for column in {"user", "club", "id", "secret"} - {
        one.name for one in kind.fields()
    }:
        false_row = json.loads(lines[0]) | {column: 1}
        changed = "\n".join([json.dumps(false_row), *lines[1:], ""])
        error = import_error(pack_archive(files | {kind.file_name: changed}))
        assert "missing or unknown" in error


def picture(side: int, image_format: str = "PNG") -> bytes:
    file = BytesIO()
    Image.new("1", (side, side)).save(file, image_format)
    return file.getvalue()


@pytest.mark.parametrize(
    ("logo", "message"),
    [
        (picture(13_000), "4096 × 4096"),
        (picture(8), "64"),
        (picture(100, "GIF"), "PNG, JPEG or WebP"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9000 9000\n", "PNG, JPEG"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "PNG, JPEG"),
    ],
    ids=["huge", "tiny", "gif", "eps", "svg"],
)
def test_archived_logo_is_validated_like_an_upload(
    files: dict[str, str], logo: bytes, message: str
) -> None:
    change_first_line("club.jsonl", logo=b64encode(logo).decode())(files)
    error = import_error(pack_archive(files))
    assert error.startswith("club.jsonl, line 1: logo: ")
    assert message in error


def test_archived_logo_is_redrawn(files: dict[str, str]) -> None:
    logo = b64encode(picture(600, "JPEG")).decode()
    change_first_line("club.jsonl", logo=logo)(files)
    imported_club = import_club(BytesIO(pack_archive(files)), now=NOW).club
    stored = bytes(imported_club.logo.image)
    with Image.open(BytesIO(stored)) as opened:
        assert (opened.format, max(opened.size)) == ("PNG", 512)
    assert imported_club.logo_version
    assert (
        json.loads(read_archive(build_archive(imported_club))["club.jsonl"])["logo"]
        == b64encode(stored).decode()
    )


def read_archive(content: bytes) -> dict[str, str]:
    with ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def pack_archive(files: dict[str, str]) -> bytes:
    """Return an archive of these files, with a matching manifest."""
    manifest = json.loads(files["manifest.json"])
    for name in {*FILES, *files} - {"manifest.json"}:
        content = files.get(name, "")
        manifest["files"][name] = {
            "lines": content.count("\n"),
            "sha256": sha256(content.encode()).hexdigest(),
        }
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for name, content in files.items():
            if name != "manifest.json":
                archive.writestr(name, content)
        archive.writestr("manifest.json", json.dumps(manifest))
    return file.getvalue()


def change_first_line(name: str, /, **values: Any) -> Callable[[dict[str, str]], None]:
    """Return a function that changes values in the first line of a file."""

    def change(files: dict[str, str]) -> None:
        first, rest = files[name].split("\n", 1)
        files[name] = json.dumps({**json.loads(first), **values}) + "\n" + rest

    return change


def merge_line(merged: int, *, into: int) -> str:
    line = {"kept": into, "merged": merged, "undone_at": None}
    return json.dumps({**line, "made_at": "2026-01-01T12:00:00Z"}) + "\n"


REFUSED: dict[str, tuple[Callable[[dict[str, str]], object], str]] = {
    "a name is too long": (
        change_first_line("players.jsonl", name="A" * 200),
        "players.jsonl, line 1: name: ",
    ),
    "a column is unknown": (
        change_first_line("players.jsonl", is_superuser=True),
        "players.jsonl, line 1: missing or unknown: is_superuser",
    ),
    "a player who is not there": (
        change_first_line("entries.jsonl", player=99),
        "entries.jsonl, line 1: player: there’s no row 99",
    ),
    "a place before the first": (
        change_first_line("entries.jsonl", player=0),
        "there’s no row 0",
    ),
    "a moment without a zone": (
        change_first_line("tournaments.jsonl", starts_at="2026-05-01T20:00:00"),
        "tournaments.jsonl, line 1: starts_at: not a time with a time zone",
    ),
    "a name of hidden characters": (
        change_first_line("players.jsonl", name="\u202e\0"),
        "players.jsonl, line 1: name: This name has no visible characters",
    ),
    "not JSON": (
        lambda files: files.update({"byes.jsonl": "{\n"}),
        "byes.jsonl, line 1: not JSON",
    ),
    "a list for a line": (
        lambda files: files.update({"byes.jsonl": "[]\n"}),
        "byes.jsonl, line 1: not an object",
    ),
    "a log with a hole": (
        change_first_line("matches.jsonl", log=[{"version": 2}]),
        "matches.jsonl, line 1: the log can’t be read",
    ),
    "a game that there is not": (
        change_first_line("matches.jsonl", game="chess"),
        "unknown game chess",
    ),
    "a name twice in a tournament": (
        change_first_line("entries.jsonl", name="Bea", player=2),
        "don’t match each other",
    ),
    "a place without a seat": (
        change_first_line("places.jsonl", index=7),
        "don’t match each other: places.jsonl",
    ),
    "no club": (
        lambda files: files.update({"club.jsonl": ""}),
        "An archive must contain exactly one club.",
    ),
    "a file less": (lambda files: files.pop("byes.jsonl"), "byes.jsonl"),
    "a colour that ends a rule": (
        change_first_line("club.jsonl", colour="red;}"),
        "club.jsonl, line 1: colour: Enter a colour like #1f4e8c. Correct it on the old server",
    ),
    "names that wait, without names": (
        change_first_line("tournaments.jsonl", pending_names={"\u3164": True}),
        "tournaments.jsonl, line 1: pending_names: This name has no visible",
    ),
    "options of another game": (
        change_first_line("tournaments.jsonl", game="tricky", options={"contests": 5}),
        "tournaments.jsonl, line 1: options: options.contests: ",
    ),
    "a code of capitals": (
        change_first_line("tournaments.jsonl", code="ABCD2345"),
        "tournaments.jsonl, line 1: code: Enter a code of 8 characters, using only letters (a to z) and digits.",
    ),
    "people merged in a circle": (
        lambda files: files.update(
            {"merges.jsonl": merge_line(1, into=2) + merge_line(2, into=1)}
        ),
        "don’t match each other: merges.jsonl",
    ),
    "somebody here whom nobody entered": (
        change_first_line("rounds.jsonl", present=["1"]),
        "rounds.jsonl, line 1: present: Wrong type. This must be int",
    ),
    "another version": (
        lambda files: files.update(
            {
                "manifest.json": files["manifest.json"].replace(
                    '"version": 1', '"version": 2'
                )
            }
        ),
        "This server reads tricky-club, version 1",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_rejects_altered_archive_with_a_reason(
    files: dict[str, str], case: str
) -> None:
    change, message = REFUSED[case]
    change(files)
    assert message in import_error(pack_archive(files))


def player_names(files: dict[str, str]) -> list[str]:
    return [json.loads(line)["name"] for line in files["players.jsonl"].splitlines()]


def test_hidden_characters_of_an_old_archive_are_removed(files: dict[str, str]) -> None:
    player, *_others = player_names(files)
    hidden = f'"{player}\\u202e\\u0007"'
    for name, lines in files.items():
        files[name] = lines.replace(f'"{player}"', hidden)
    files["matches.jsonl"] = re.sub(
        '"reason": ?""', r'"reason":"wrong\\u2066ly"', files["matches.jsonl"]
    )
    imported = import_club(BytesIO(pack_archive(files)), now=NOW)
    assert {*imported.removed} == {f"{player}\u202e\x07", "wrong\u2066ly"}
    for model in (Player, Seat, Entry):
        assert model.objects.filter(name=player).count() == 1
    assert "wrongly" in LogEntry.objects.values_list("reason", flat=True)


@pytest.mark.parametrize("twin", ["\\u202e{0}\\u0007", "{0}\\ufffe", "{0}\\u202e"])
def test_old_archive_names_that_differ_by_hidden_characters_stay_separate(
    files: dict[str, str], twin: str
) -> None:
    first, second, third, _fourth = player_names(files)
    for name, lines in files.items():
        lines = lines.replace(f'"{second}"', f'"{twin.format(first.upper())}"')
        files[name] = lines.replace(f'"{third}"', f'"{first} 2"')
    imported = import_club(BytesIO(pack_archive(files)), now=NOW)
    new_name = f"{first.upper()} 3"
    entries = imported.club.tournaments.get().entries.by_number()
    assert [entry.name for entry in entries][:3] == [first, new_name, f"{first} 2"]
    seats = Seat.objects.filter(match__table__round__tournament__club=imported.club)
    assert seats.filter(name=new_name, player__name=new_name).count() == 1
    assert f"“{new_name}”" in imported.differences_from_archive


def count_rows() -> list[int]:
    """Return the number of rows of each model that belongs to a club."""
    models: list[Any] = [*(kind.model for kind in KINDS), Club, LogEntry]
    return [model.objects.count() for model in models]


def import_error(content: bytes) -> str:
    """Return why an archive is rejected; check that nothing was written."""
    before = count_rows()
    with pytest.raises(ArchiveError) as error:
        import_club(BytesIO(content), now=NOW)
    assert count_rows() == before
    return str(error.value)


def test_rejects_truncated_or_modified_archive(content: bytes) -> None:
    for length in (0, 10, len(content) // 2, len(content) - 10):
        assert "incomplete or damaged" in import_error(content[:length])
    # Without its beginning, the rest moves forward.
    for start in (1, len(content) // 2):
        assert "incomplete or damaged" in import_error(content[start:])
    files = read_archive(content)
    with ZipFile(BytesIO(content)) as archive:
        manifest = archive.read("manifest.json").decode()
    changed = BytesIO()
    with ZipFile(changed, "w") as archive:
        for name in FILES:
            altered = files[name].replace("Ada", "Eve")
            archive.writestr(name, altered)
        archive.writestr("manifest.json", manifest)
    assert "players.jsonl was changed after the export" in import_error(
        changed.getvalue()
    )
    # A byte of the compressed data, after the file's local header.
    with ZipFile(BytesIO(content)) as archive:
        header_offset = archive.getinfo("matches.jsonl").header_offset
    name_length, extra_length = content[header_offset + 26], content[header_offset + 28]
    middle = header_offset + 30 + name_length + extra_length + 40
    corrupted = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    assert import_error(corrupted)


def test_rejects_archive_bomb_without_reading_it() -> None:
    bomb = BytesIO()
    with ZipFile(bomb, "w", ZIP_DEFLATED) as archive:
        archive.writestr("matches.jsonl", bytes(5_000_000))
    assert len(bomb.getvalue()) < 6_000
    assert "far too large for a club" in import_error(bomb.getvalue())


def test_existing_club_is_imported_only_under_another_address() -> None:
    club = club_with_every_row()
    content = build_archive(club)
    assert "is taken on this server" in import_error(content)
    before = build_archive(club)
    copy = import_club(BytesIO(content), now=NOW, slug="another")
    count = club.tournaments.count()
    assert (copy.moved, copy.club.tournaments.count()) == (count, count)
    assert build_archive(club) == before
    addresses = {one.address for one in copy.club.tournaments.all()}
    appointments = copy.club.appointments.exclude(tournament=None)
    assert {one.address for one in appointments} <= addresses


def test_archive_takes_no_existing_tournament_or_match_address(
    content: bytes, files: dict[str, str]
) -> None:
    address = json.loads(files["tournaments.jsonl"])["address"]
    existing_tournament = tournament_with(4)
    Tournament.objects.filter(pk=existing_tournament.pk).update(address=address)
    match_address = json.loads(files["matches.jsonl"])["address"]
    existing_match = start_match(
        game="tricky", names=["Eve", "Mallory"], now=NOW, address=match_address
    )
    imported = import_club(BytesIO(content), now=NOW)
    assert imported.club.tournaments.get().address != address
    assert imported.differences_from_archive.startswith(
        "1 tournament has a new address"
    )
    assert Tournament.objects.get(address=address) == existing_tournament
    imported_match = Match.objects.get(table__round__tournament__club=imported.club)
    assert imported_match.address != existing_match.address
    assert imported_match.log.count() == imported_match.version == 1
    assert Match.objects.get(address=existing_match.address) == existing_match


def test_columns_unique_to_a_server_are_regenerated() -> None:
    unique_columns = {
        column.name
        for kind in KINDS
        for column in kind.fields()
        if column.unique and not isinstance(column, ForeignKey)
    }
    assert unique_columns == RENEWED.keys()


@pytest.mark.parametrize("address", ["demo-tricky", "../../x", "", "a" * 22])
def test_match_with_a_chosen_address_gets_a_new_one(
    files: dict[str, str], address: str
) -> None:
    change_first_line("matches.jsonl", address=address)(files)
    imported_club = import_club(BytesIO(pack_archive(files)), now=NOW).club
    match = Match.objects.get(table__round__tournament__club=imported_club)
    assert is_address(match.address)
    assert "Ada" not in Client().get("/").content.decode()


def test_every_table_of_a_club_is_archived_or_excluded_with_a_reason() -> None:
    archived = {kind.model for kind in KINDS}
    club_models = {*archived, Club}
    for model in apps.get_app_config("tournaments").get_models():
        references_club = any(
            isinstance(column, ForeignKey) and column.related_model in club_models
            for column in model._meta.concrete_fields
        )
        if references_club:
            assert model in archived or model.__name__ in LEFT_OUT, model


def test_the_commands_write_and_read_an_archive(tmp_path: Path, capsys: Any) -> None:
    club = small_club()
    path = tmp_path / "club.zip"
    call_command("export_club", club.slug, str(path))
    assert "1 matches.jsonl" in capsys.readouterr().out
    with pytest.raises(CommandError, match="already exists"):
        call_command("export_club", club.slug, str(path))
    with pytest.raises(CommandError, match="No club at"):
        call_command("export_club", "nowhere", str(path))
    change_unique_values(club)
    director = UserFactory.create()
    call_command("import_club", str(path), slug="new", director=director.email)
    assert "/clubs/new/" in capsys.readouterr().out
    assert Membership.objects.filter(club__slug="new", user=director).exists()
    for options in ({"director": "nobody@example.org"}, {"slug": "new"}):
        with pytest.raises(CommandError):
            call_command("import_club", str(path), **options)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_club", str(tmp_path / "none.zip"))


def test_director_downloads_the_archive_from_the_club_page() -> None:
    club = small_club()
    url = reverse("tournaments:club_archive", args=[club.slug])
    director = signed_in(club)
    assert signed_in(club, Role.SCORER).get(url).status_code == 403
    page = director.get(reverse("tournaments:club_edit", args=[club.slug]))
    assert url in page.content.decode()
    response = director.get(url)
    assert response["Content-Disposition"] == f'attachment; filename="{club.slug}.zip"'
    assert response.getvalue() == build_archive(club)


def test_archive_contains_no_accounts() -> None:
    club = small_club()
    account = member(club, Role.DIRECTOR)
    assert account.email not in "".join(read_archive(build_archive(club)).values())
    assert Entry.objects.exists()
