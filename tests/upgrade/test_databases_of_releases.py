"""Databases of earlier releases can be migrated, and still match their logs."""

import gzip
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from tests.processes import manage
from tests.site import temporary_database

MAKE_LEAGUE = """
UPDATE tournaments_tournament SET format = 'league' WHERE phase = 'running'
"""
# Someone with the link tries to write in each match of running tournaments.
DELIVER_AS_STRANGER = """
from django.test import Client
from scoring.models import Match
from tests.tournaments.web.night.test_scoring_rights import deliver, phone_write_token
for match in Match.objects.filter(closed=False, table__isnull=False).order_by("pk"):
    token = phone_write_token(Client(), match)
    before = match.version
    number = match.hands_played + 1
    status = deliver(Client(), match, token, number=number)
    match.refresh_from_db()
    print(status, match.version - before)
"""

HERE = Path(__file__).parent
RELEASES = ["0.1.0"]


def migrates_cleanly(**environment: str) -> bool:
    """Migrate a database; return whether it matches its log."""
    manage("migrate", "--verbosity", "0", **environment)
    return "\n0 differences, standings" in manage("rebuild", "--check", **environment)


def stranger_responses(site: Path) -> list[str]:
    """Return the status of an entry for each tournament match, and the number of stored ones."""
    command = ("shell", "-v", "0", "-c", DELIVER_AS_STRANGER)
    responses = manage(
        *command, TRICKY_VAR=str(site), ALLOWED_HOSTS="testserver"
    ).splitlines()
    assert len(responses) == 8
    return responses


def test_released_sqlite_database_works_and_its_links_can_still_write(
    released_database: Path, tmp_path: Path
) -> None:
    shutil.copy(released_database, tmp_path / "tricky.sqlite3")
    assert migrates_cleanly(TRICKY_VAR=str(tmp_path))
    assert "401 0" not in stranger_responses(tmp_path)


def test_stranger_cannot_write_in_a_released_league_match(
    tmp_path: Path,
) -> None:
    database = gzip.decompress((HERE / "0.1.0.sqlite3.gz").read_bytes())
    (tmp_path / "tricky.sqlite3").write_bytes(database)
    with sqlite3.connect(tmp_path / "tricky.sqlite3") as connection:
        connection.execute(MAKE_LEAGUE)
    manage("migrate", "--verbosity", "0", TRICKY_VAR=str(tmp_path))
    assert set(stranger_responses(tmp_path)) == {"401 0"}


@pytest.fixture
def database() -> Iterator[str]:
    server = os.environ.get("DATABASE_URL", "").rpartition("/")[0]
    with temporary_database(f"tricky_upgrade_{uuid4().hex[:12]}", server) as url:
        yield url


@pytest.mark.services
@pytest.mark.parametrize("release", RELEASES)
def test_released_postgresql_database_works(
    release: str, database: str, tmp_path: Path
) -> None:
    dump = gzip.decompress((HERE / f"{release}.postgresql.sql.gz").read_bytes())
    with psycopg.connect(database) as connection:
        connection.execute(dump)
    assert migrates_cleanly(DATABASE_URL=database, TRICKY_VAR=str(tmp_path))
