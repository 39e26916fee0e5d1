"""The drill: a site is backed up, restored elsewhere, and the two are compared."""

import gzip
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings

from tests.processes import manage, run_manage
from tests.site import temporary_database

ROOT = Path(settings.BASE_DIR)
RELEASE = ROOT / "tests/upgrade"
AUTHORITY = "https/authority.pem"
PASSPHRASE = "correct horse battery"
COUNTS = """
from scoring.models import LogEntry, Match
from tournaments.models import Club, Placing, Tournament, User
print([model.objects.count() for model in (LogEntry, Match, Club, Placing, Tournament, User)])
"""
PAIRS = """
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
print(Group.objects.count(), Session.objects.count())
"""
FIRST = "INSERT INTO auth_group (name) VALUES ('group {0}')"
SECOND = "INSERT INTO django_session VALUES ('session {0}', '', '2026-11-26')"

pytestmark = pytest.mark.long(40)


def shell(code: str, **environment: str) -> str:
    return manage("shell", "-v", "0", "-c", code, **environment)


def back_up(folder: Path, **site: str) -> Path:
    manage("backup", "--folder", str(folder), **site)
    (backup,) = folder.iterdir()
    return backup


def restore_elsewhere(
    folder: Path, here: dict[str, str], there: dict[str, str]
) -> Path:
    """Return a backup of a site after it was restored to another and both were compared."""
    authority = Path(here["TRICKY_VAR"], AUTHORITY)
    authority.parent.mkdir(mode=0o700)
    authority.write_text("the authority of this machine\n")
    backup = back_up(folder, **here)
    assert ": complete. " in manage(
        "backup", "--check", "--folder", str(folder), **here
    )
    manage("restore", str(backup), **there)
    assert shell(COUNTS, **there) == shell(COUNTS, **here)
    assert "\n0 differences, standings" in manage("rebuild", "--check", **there)
    return backup


def read_keys(var: Path) -> list[str]:
    names = ("secret-key", "vapid-key", AUTHORITY)
    return [(var / name).read_text().strip() for name in names]


@contextmanager
def concurrent_writes(write: Callable[[str, str], None]) -> Iterator[None]:
    """Have a thread write pairs of rows all the time, each pair in one transaction."""
    ends, has_begun = Event(), Event()

    def write_pairs() -> None:
        for number in count():
            if ends.is_set():
                return
            write(FIRST.format(number), SECOND.format(number))
            has_begun.set()

    writer = Thread(target=write_pairs)
    writer.start()
    try:
        assert has_begun.wait(10)
        yield
    finally:
        ends.set()
        writer.join()


def assert_consistent(backup: Path, site: dict[str, str]) -> None:
    manage("restore", str(backup), "--replace", **site)
    groups, sessions = map(int, shell(PAIRS, **site).split())
    assert groups == sessions > 0


@pytest.fixture
def sqlite_site(tmp_path: Path, released_database: Path) -> dict[str, str]:
    here = tmp_path / "here"
    here.mkdir(mode=0o700)
    shutil.copy(released_database, here / "tricky.sqlite3")
    (here / "tricky.sqlite3").chmod(0o600)
    return {"TRICKY_VAR": str(here)}


def test_sqlite_site_is_restored_elsewhere(
    sqlite_site: dict[str, str], tmp_path: Path
) -> None:
    there = tmp_path / "there"
    restore_elsewhere(tmp_path / "kept", sqlite_site, {"TRICKY_VAR": str(there)})
    assert read_keys(there) == read_keys(Path(sqlite_site["TRICKY_VAR"]))
    files = [path for path in there.rglob("*") if path.is_file()]
    modes = {path.name: path.stat().st_mode & 0o777 for path in files}
    assert set(modes.values()) == {0o600}, modes


def test_sqlite_backup_is_consistent_while_hands_come_in(
    sqlite_site: dict[str, str], tmp_path: Path
) -> None:
    path = Path(sqlite_site["TRICKY_VAR"], "tricky.sqlite3")

    def write(*statements: str) -> None:
        with closing(sqlite3.connect(path, timeout=60)) as site, site:
            for statement in statements:
                site.execute(statement)

    with concurrent_writes(write):
        backup = back_up(tmp_path / "kept", **sqlite_site)
    assert_consistent(backup, sqlite_site)


@pytest.mark.rare
def test_backup_of_an_earlier_release_is_migrated_and_replaces_a_site(
    sqlite_site: dict[str, str], tmp_path: Path
) -> None:
    database = gzip.decompress((RELEASE / "0.1.0.sqlite3.gz").read_bytes())
    Path(sqlite_site["TRICKY_VAR"], "tricky.sqlite3").write_bytes(database)
    site = {**sqlite_site, "BACKUP_PASSPHRASE": PASSPHRASE}
    backup = back_up(tmp_path / "kept", **site)
    said = manage("restore", str(backup), "--replace", **site)
    before = said.partition("\n")[0].removeprefix("what was here: ")
    assert before.endswith(".tar.gz.age")
    assert Path(before).exists()
    assert "Applying scoring." in said
    assert "\n0 differences, standings" in manage("rebuild", "--check", **site)


@pytest.fixture
def databases() -> Iterator[tuple[str, str]]:
    server = os.environ.get("DATABASE_URL", "").rpartition("/")[0]
    one, two = (f"tricky_drill_{uuid4().hex[:12]}" for _ in range(2))
    with (
        temporary_database(one, server) as first,
        temporary_database(two, server) as second,
    ):
        yield first, second


@pytest.mark.services
@pytest.mark.rare
def test_postgresql_site_is_restored_elsewhere(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    dump = gzip.decompress((RELEASE / "0.1.0.postgresql.sql.gz").read_bytes())
    with psycopg.connect(databases[0]) as connection:
        connection.execute(dump)
    here = {"DATABASE_URL": databases[0], "TRICKY_VAR": str(tmp_path / "here")}
    manage("migrate", "--verbosity", "0", **here)
    there = {"DATABASE_URL": databases[1], "TRICKY_VAR": str(tmp_path / "there")}
    backup = restore_elsewhere(tmp_path / "kept", here, there)

    def write(*statements: str) -> None:
        with psycopg.connect(databases[0]) as site:
            for statement in statements:
                site.execute(statement.encode())

    with concurrent_writes(write):
        busy = back_up(tmp_path / "busy", **here)
    # A table of newer code goes, too.
    with psycopg.connect(databases[1]) as connection:
        connection.execute(
            "CREATE TABLE later (match bigint REFERENCES scoring_match (id))"
        )
    assert_consistent(busy, there)
    # Somebody still uses a table: nothing of the restored is there, and nothing is gone.
    before = shell(PAIRS, **there)
    with psycopg.connect(databases[1]) as connection:
        connection.execute("LOCK scoring_logentry IN ACCESS SHARE MODE")
        refused = run_manage("restore", str(backup), "--replace", **there)
    assert "psql failed, and nothing was changed: " in refused.stderr
    assert "lock timeout" in refused.stderr
    assert shell(PAIRS, **there) == before


@pytest.mark.services
def test_missing_programs_of_postgresql_are_named(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    site = {
        "DATABASE_URL": databases[0],
        "TRICKY_VAR": str(tmp_path / "var"),
        "PATH": str(tmp_path),
    }
    done = run_manage("backup", "--folder", str(tmp_path / "kept"), **site)
    assert done.returncode == 1
    assert "pg_dump is not installed" in done.stderr
    assert list((tmp_path / "kept").iterdir()) == []
