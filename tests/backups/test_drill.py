"""The drill: a site is backed up, restored elsewhere, and the two are compared."""

import gzip
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

ROOT = Path(settings.BASE_DIR)
RELEASE = ROOT / "tests/upgrade"
COUNTS = """
from scoring.models import LogEntry, Match
from tournaments.models import Club, Placing, Tournament, User
print([model.objects.count() for model in (LogEntry, Match, Club, Placing, Tournament, User)])
"""

pytestmark = pytest.mark.long(40)


def asked(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return how a command ended in a process of its own."""
    own = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**own, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


AUTHORITY = "https/authority.pem"


def manage(*command: str, **environment: str) -> str:
    """Return what a command prints; fails where it does."""
    done = asked(*command, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def counts(**environment: str) -> str:
    return manage("shell", "-v", "0", "-c", COUNTS, **environment)


def restored_alike(folder: Path, here: dict[str, str], there: dict[str, str]) -> str:
    """Return what restoring said, after a look that both sites hold the same."""
    manage("migrate", "--verbosity", "0", **here)
    kept = Path(here["TRICKY_VAR"], AUTHORITY)
    kept.parent.mkdir(mode=0o700)
    kept.write_text("the authority of this machine\n")
    manage("backup", "--folder", str(folder), **here)
    assert "whole. Of " in manage("backup", "--check", "--folder", str(folder), **here)
    (backup,) = folder.iterdir()
    said = manage("restore", str(backup), **there)
    assert counts(**there) == counts(**here)
    assert "\n0 differences, standings" in manage("rebuild", "--check", **there)
    return said


def keys_of(var: Path) -> list[str]:
    return [
        (var / name).read_text().strip()
        for name in ("secret-key", "vapid-key", AUTHORITY)
    ]


def test_a_sqlite_site_goes_on_elsewhere(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(mode=0o700)
    kept = gzip.decompress((RELEASE / "0.1.0.sqlite3.gz").read_bytes())
    (here / "tricky.sqlite3").write_bytes(kept)
    said = restored_alike(
        tmp_path / "kept", {"TRICKY_VAR": str(here)}, {"TRICKY_VAR": str(there)}
    )
    assert "\n0 migrations ran\n" in said
    assert keys_of(there) == keys_of(here)
    files = [path for path in there.rglob("*") if path.is_file()]
    made = {path.name: path.stat().st_mode & 0o777 for path in files}
    assert set(made.values()) == {0o600}, made


@pytest.mark.rare
def test_what_an_earlier_release_backed_up_is_migrated_and_replaces_what_is_here(
    tmp_path: Path,
) -> None:
    here, passphrase = tmp_path / "here", tmp_path / "passphrase"
    here.mkdir(mode=0o700)
    passphrase.write_text("correct horse battery\n")
    kept = gzip.decompress((RELEASE / "0.1.0.sqlite3.gz").read_bytes())
    (here / "tricky.sqlite3").write_bytes(kept)
    site = {"TRICKY_VAR": str(here), "BACKUP_FOLDER": str(tmp_path / "kept")}
    sealed = ("--passphrase-file", str(passphrase))
    assert "left out, keep" in manage("backup", "--without-keys", *sealed, **site)
    (backup,) = (tmp_path / "kept").iterdir()
    said = manage("restore", str(backup), "--replace", *sealed, **site)
    before = said.partition("\n")[0].removeprefix("what was here: ")
    assert before.endswith(".tar.age")
    assert Path(before).exists()
    assert " migrations ran\n" in said
    assert "\n0 migrations ran\n" not in said
    assert "secret-key: not in the backup" in said
    assert "\n0 differences, standings" in manage("rebuild", "--check", **site)


@pytest.fixture
def databases() -> Iterator[tuple[str, str]]:
    """Have two empty databases on the server of this run."""
    server = os.environ.get("DATABASE_URL", "").rpartition("/")[0]
    names = [f"tricky_drill_{uuid4().hex[:12]}" for _ in range(2)]
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        for name in names:
            make = sql.SQL("CREATE DATABASE {}")
            connection.execute(make.format(sql.Identifier(name)))
        yield f"{server}/{names[0]}", f"{server}/{names[1]}"
        for name in names:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))


@contextmanager
def written_to(database: str) -> Iterator[None]:
    """Have a thread write all the time, a row in each transaction."""
    ends = Event()

    def write() -> None:
        with psycopg.connect(database, autocommit=True) as connection:
            for number in count():
                if ends.is_set():
                    return
                insert = "INSERT INTO auth_group (name) VALUES (%s)"
                connection.execute(insert, [f"group {number}"])

    writer = Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        ends.set()
        writer.join()


@pytest.mark.services
@pytest.mark.rare
def test_a_postgresql_site_goes_on_elsewhere(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    dump = gzip.decompress((RELEASE / "0.1.0.postgresql.sql.gz").read_bytes())
    with psycopg.connect(databases[0]) as connection:
        connection.execute(dump)
    here = {"DATABASE_URL": databases[0], "TRICKY_VAR": str(tmp_path / "here")}
    there = {"DATABASE_URL": databases[1], "TRICKY_VAR": str(tmp_path / "there")}
    # A place that was migrated and never used is empty, too.
    manage("migrate", "--verbosity", "0", **there)
    restored_alike(tmp_path / "kept", here, there)
    (backup,) = (tmp_path / "kept").iterdir()
    said = manage("restore", str(backup), "--replace", **there)
    assert said.startswith("what was here: ")
    assert counts(**there) == counts(**here)
    with written_to(databases[0]):
        manage("backup", "--folder", str(tmp_path / "busy"), **here)
    (busy,) = (tmp_path / "busy").iterdir()
    # It is refused where the manifest counts another moment than the dump holds.
    manage("restore", str(busy), "--replace", **there)
    # Somebody still uses a table: nothing of the restored is there, and nothing is gone.
    with psycopg.connect(databases[1]) as connection:
        connection.execute("LOCK scoring_logentry IN ACCESS SHARE MODE")
        refused = asked("restore", str(backup), "--replace", **there)
    assert "lock timeout Is the site stopped?" in refused.stderr
    assert counts(**there) == counts(**here)


@pytest.mark.services
def test_without_the_programs_of_postgresql_it_is_said_what_to_install(
    databases: tuple[str, str], tmp_path: Path
) -> None:
    site = {
        "DATABASE_URL": databases[0],
        "TRICKY_VAR": str(tmp_path / "var"),
        "PATH": str(tmp_path),
    }
    done = asked("backup", "--folder", str(tmp_path / "kept"), **site)
    assert done.returncode == 1
    assert "pg_dump is not installed" in done.stderr
    assert list((tmp_path / "kept").iterdir()) == []
