"""Values that no form accepts are rejected in an archive, or harm no page.

TURNS is the number of archives with accepted values whose pages are all read: `TURNS=100 script/test FILE` tries all.
"""

import json
import os
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import NoReverseMatch, reverse

from scoring.models import Match
from tests.browser.every_page import NO_PAGES, patterns
from tests.factories.matches import NOW
from tests.factories.tournaments import UserFactory
from tests.tournaments.files.archive.test_archive import (
    change_first_line,
    club_with_every_row,
    foreign_archive,
    pack_archive,
    read_archive,
    small_club,
)
from tournaments.event.results import store_current_standings
from tournaments.files.archive.contents import (
    CLUB,
    KINDS,
    MATCHES,
    REFERRED,
    ArchiveTable,
)
from tournaments.files.archive.reading import ArchiveError, fill_row, import_club
from tournaments.history.derivation import derive_history
from tournaments.models import Club, Tournament, User

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.one_database,
    pytest.mark.long(60),
]

TURNS = int(os.environ.get("TURNS", "2"))
HOSTILE: Sequence[Any] = [
    *(None, True, -1, 0, 1, 2, 32_767, 2_147_483_647, 2**63, 1.5, 1e308),
    *("", "x", "a/b", "%(x)s %", "½", "1/0", "x" * 60, "xx", "nan", "-inf"),
    *("#1f4e8g", "demo-tricks_and_treats", "0001-01-01", "9999-12-31", "1000-01-01"),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1000-01-01T00:00Z"),
    *([], ["x"], [[]], [1], {}, {"x": 1}, {"places": {"4": ["x"]}}),
    *({"template": "%(x)s", "values": {}}, {"again": [[1]], "repeats": 0}),
    {"template": "%(x)99999999s", "values": {"x": ""}},
]
POSTED = NO_PAGES["only posted to"].split()
Row = dict[str, Any]
ROWS = [kind for kind in (CLUB, *KINDS) if kind is not MATCHES]
"""Kinds whose rows are stored exactly as in their lines."""


def parse_rows(files: Mapping[str, str]) -> dict[str, list[Row]]:
    names = [kind.file_name for kind in ROWS]
    return {name: list(map(json.loads, files[name].splitlines())) for name in names}


def archive_with(files: Mapping[str, str], rows: Mapping[str, list[Row]]) -> bytes:
    lines = {
        name: "".join(json.dumps(row) + "\n" for row in file_rows)
        for name, file_rows in rows.items()
    }
    return pack_archive({**files, **lines})


def accepted_values(kind: ArchiveTable, row: Row, counts: Mapping[Any, int]) -> Row:
    """Return the hostile values that each column accepts; check that the others are rejected."""
    keys = {model: array("q", range(1, 1 + counts[model])) for model in REFERRED}
    values = {name: value for name, value in row.items() if name != "logo"}
    fill_row(kind, 1, values, keys, kind.model())
    accepted: Row = {name: [] for name in values}
    for name, accepted_of_column in accepted.items():
        for value in HOSTILE:
            try:
                fill_row(kind, 1, {**values, name: value}, keys, kind.model())
            except ArchiveError as refusal:
                assert str(refusal).startswith(f"{kind.file_name}, line 1: {name}: ")
                assert "export the club again" in str(refusal)
            else:
                accepted_of_column.append(value)
    return accepted


def page_addresses(club: Club, tournament: Tournament) -> Iterator[str]:
    """Yield the pages and files of a club and of one of its tournaments."""
    match = Match.objects.filter(table__round__tournament=tournament).first()
    known_arguments = {
        "slug": club.slug,
        "season": "all",
        "ending": "csv",
        "chart_name": "rating",
        "number": 1,
        "table": 1,
        "address": tournament.address,
        "pk": tournament.entries.by_number()[0].player_id,
    }
    for pattern in patterns():
        if pattern.space == "scoring" and match is not None:
            known_arguments["address"] = match.address
        elif pattern.space != "tournaments":
            continue
        is_reachable = pattern.arguments and pattern.arguments <= known_arguments.keys()
        if is_reachable and pattern.name not in POSTED:
            arguments = {name: known_arguments[name] for name in pattern.arguments}
            with suppress(NoReverseMatch):
                yield reverse(pattern.name, kwargs=arguments)


def assert_pages_work(club: Club, client: Client, *, index: int = 0) -> None:
    """Compute all results of a club, and open its pages and those of one tournament."""
    derive_history(club_id=club.pk, now=NOW)
    tournaments = list(club.tournaments.order_by("pk"))
    for tournament in tournaments:
        store_current_standings(tournament_id=tournament.pk, now=NOW)
    for address in page_addresses(club, tournaments[index]):
        response = client.get(address)
        assert response.status_code < 500, address
        b"".join(response)


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_hostile_row_values_are_rejected_or_harmless() -> None:
    files = read_archive(foreign_archive(club_with_every_row))
    rows, director = parse_rows(files), UserFactory.create()
    counts = {kind.model: files[kind.file_name].count("\n") for kind in KINDS}
    accepted = {
        kind: accepted_values(kind, rows[kind.file_name][0], counts) for kind in ROWS
    }
    for kind, columns in accepted.items():
        # References to other rows have their own tests.
        for column in kind.fields():
            if column.is_relation:
                del columns[column.name]
    turns = max(len(values) for row in accepted.values() for values in row.values())
    client = sign_in(director)
    for turn in range(0, turns, -(-turns // TURNS)):
        changed = dict(rows)
        # The first row of a kind belongs to an imported list, the last to a night.
        index = turn % 2 - 1
        for kind, columns in accepted.items():
            change = {
                name: values[turn]
                for name, values in columns.items()
                if turn < len(values)
            }
            if not change:
                continue
            trial = {**changed, kind.file_name: [*rows[kind.file_name]]}
            trial[kind.file_name][index] = rows[kind.file_name][index] | change
            with suppress(ArchiveError), transaction.atomic():
                import_club(BytesIO(archive_with(files, trial)), now=NOW)
                changed = trial
                transaction.set_rollback(True)
        with transaction.atomic():
            content = BytesIO(archive_with(files, changed))
            imported_club = import_club(content, now=NOW, director=director).club
            assert_pages_work(imported_club, client, index=index)
            transaction.set_rollback(True)


STORED = ("game", "options", "started_at", "meta", "as_it_stands", "closed", "version")


@pytest.mark.parametrize(
    "name", [*STORED[:-1], "address", "rematch_of", "seats", "log"]
)
def test_hostile_match_values_are_rejected_or_harmless(name: str) -> None:
    files = read_archive(foreign_archive(small_club))
    director = UserFactory.create()
    client, seen = sign_in(director), list[Row]()
    for value in HOSTILE:
        changed = dict(files)
        change_first_line(MATCHES.file_name, **{name: value})(changed)
        with transaction.atomic():
            try:
                content = BytesIO(pack_archive(changed))
                imported_club = import_club(content, now=NOW, director=director).club
            except ArchiveError as refusal:
                assert "export the club again" in str(refusal)
            else:
                matches = Match.objects.filter(
                    table__round__tournament__club=imported_club
                )
                match_values = matches.values(*STORED)[0]
                if match_values not in seen:
                    seen.append(match_values)
                    if len(seen) <= TURNS:
                        assert_pages_work(imported_club, client)
            transaction.set_rollback(True)
