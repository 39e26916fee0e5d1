"""Disaster recovery: a site is backed up and restored elsewhere, and both are compared."""

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
COUNT_ROWS = """
from scoring.models import LogEntry, Match
from tournaments.models import Club, Placing, Tournament, User
print([model.objects.count() for model in (LogEntry, Match, Club, Placing, Tournament, User)])
"""
COUNT_PAIRS = """
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
print(Group.objects.count(), Session.objects.count())
"""
INSERT_GROUP = "INSERT INTO auth_group (name) VALUES ('group {0}')"
INSERT_SESSION = "INSERT INTO django_session VALUES ('session {0}', '', '2026-11-26')"

pytestmark = pytest.mark.long(40)


def shell(code: str, **environment: str) -> str:
    return manage("shell", "-v", "0", "-c", code, **environment)


def back_up(folder: Path, **site: str) -> Path:
    manage("backup", "--folder", str(folder), **site)
    (backup,) = folder.iterdir()
    return backup


def restore_elsewhere(
    folder: Path, source: dict[str, str], target: dict[str, str]
) -> Path:
    """Back up a site, restore it to another one, compare both, and return the backup."""
    authority = Path(source["TRICKY_VAR"], AUTHORITY)
    authority.parent.mkdir(mode=0o700)
    authority.write_text("the authority of this machine\n")
    backup = back_up(folder, **source)
    assert ": complete. " in manage(
        "backup", "--check", "--folder", str(folder), **source
    )
    manage("restore", str(backup), **target)
    assert shell(COUNT_ROWS, **target) == shell(COUNT_ROWS, **source)
    assert "\n0 differences, standings" in manage("rebuild", "--check", **target)
    return backup


def read_keys(var: Path) -> list[str]:
    names = ("secret-key", "vapid-key", AUTHORITY)
    return [(var / name).read_text().strip() for name in names]


@contextmanager
def concurrent_writes(write: Callable[[str, str], None]) -> Iterator[None]:
    """Write pairs of rows in a thread during the block, each pair in one transaction."""
    is_over, has_begun = Event(), Event()

    def write_pairs() -> None:
        for number in count():
            if is_over.is_set():
                return
            write(INSERT_GROUP.format(number), INSERT_SESSION.format(number))
            has_begun.set()

    writer = Thread(target=write_pairs)
    writer.start()
    try:
        assert has_begun.wait(10)
        yield
    finally:
        is_over.set()
        writer.join()


def assert_consistent(backup: Path, site: dict[str, str]) -> None:
    manage("restore", str(backup), "--replace", **site)
    groups, sessions = map(int, shell(COUNT_PAIRS, **site).split())
    assert groups == sessions > 0


@pytest.fixture
def sqlite_site(tmp_path: Path, released_database: Path) -> dict[str, str]:
    folder = tmp_path / "here"
    folder.mkdir(mode=0o700)
    shutil.copy(released_database, folder / "tricky.sqlite3")
    (folder / "tricky.sqlite3").chmod(0o600)
    return {"TRICKY_VAR": str(folder)}


def test_sqlite_site_is_restored_elsewhere(
    sqlite_site: dict[str, str], tmp_path: Path
) -> None:
    target = tmp_path / "there"
    restore_elsewhere(tmp_path / "kept", sqlite_site, {"TRICKY_VAR": str(target)})
    assert read_keys(target) == read_keys(Path(sqlite_site["TRICKY_VAR"]))
    files = [path for path in target.rglob("*") if path.is_file()]
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
    output = manage("restore", str(backup), "--replace", **site)
    previous_backup = output.partition("\n")[0].removeprefix("what was here: ")
    assert previous_backup.endswith(".tar.gz.age")
    assert Path(previous_backup).exists()
    assert "Applying scoring." in output
    assert "\n0 differences, standings" in manage("rebuild", "--check", **site)


@pytest.fixture
def databases() -> Iterator[tuple[str, str]]:
    server = os.environ.get("DATABASE_URL", "").rpartition("/")[0]
    first_name, second_name = (f"tricky_drill_{uuid4().hex[:12]}" for _ in range(2))
    with (
        temporary_database(first_name, server) as first,
        temporary_database(second_name, server) as second,
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
    source = {"DATABASE_URL": databases[0], "TRICKY_VAR": str(tmp_path / "here")}
    manage("migrate", "--verbosity", "0", **source)
    target = {"DATABASE_URL": databases[1], "TRICKY_VAR": str(tmp_path / "there")}
    backup = restore_elsewhere(tmp_path / "kept", source, target)

    def write(*statements: str) -> None:
        with psycopg.connect(databases[0]) as site:
            for statement in statements:
                site.execute(statement.encode())

    with concurrent_writes(write):
        backup_during_writes = back_up(tmp_path / "busy", **source)
    # A table of newer code is also removed.
    with psycopg.connect(databases[1]) as connection:
        connection.execute(
            "CREATE TABLE later (match bigint REFERENCES scoring_match (id))"
        )
    assert_consistent(backup_during_writes, target)
    # While another connection uses a table, the restore changes nothing.
    before = shell(COUNT_PAIRS, **target)
    with psycopg.connect(databases[1]) as connection:
        connection.execute("LOCK scoring_logentry IN ACCESS SHARE MODE")
        completed = run_manage("restore", str(backup), "--replace", **target)
    assert "psql failed, and nothing was changed: " in completed.stderr
    assert "lock timeout" in completed.stderr
    assert shell(COUNT_PAIRS, **target) == before


@pytest.mark.services
def test_missing_programs_of_postgresql_are_named(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    site = {
        "DATABASE_URL": databases[0],
        "TRICKY_VAR": str(tmp_path / "var"),
        "PATH": str(tmp_path),
    }
    completed = run_manage("backup", "--folder", str(tmp_path / "kept"), **site)
    assert completed.returncode == 1
    assert "pg_dump is not installed" in completed.stderr
    assert list((tmp_path / "kept").iterdir()) == []
