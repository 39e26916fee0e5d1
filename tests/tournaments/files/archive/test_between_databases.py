"""An archive is the same whichever database a club comes from and goes to."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copytree
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

pytestmark = [pytest.mark.rare, pytest.mark.services, pytest.mark.long(30)]


@pytest.fixture
def database() -> Iterator[str]:
    """Create an empty database on the server of this run."""
    server = os.environ.get("DATABASE_URL", "").rpartition("/")[0]
    name = f"tricky_archive_{uuid4().hex[:12]}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        make = sql.SQL("CREATE DATABASE {}")
        connection.execute(make.format(sql.Identifier(name)))
        try:
            yield f"{server}/{name}"
        finally:
            drop = sql.SQL("DROP DATABASE {} WITH (FORCE)")
            connection.execute(drop.format(sql.Identifier(name)))


def start_process(
    *commands: Sequence[str], **environment: str
) -> subprocess.Popen[str]:
    """Return a process that runs commands in order, with its own database."""
    base_environment = {
        name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ
    }
    calls = [f"call_command(*{command!r})" for command in commands]
    lines = ["from django.core.management import call_command", *calls]
    return subprocess.Popen(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", "\n".join(lines)],
        cwd=settings.BASE_DIR,
        env={**base_environment, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def assert_succeed(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        output, _nothing = process.communicate(timeout=120)
        assert process.returncode == 0, output


def test_club_moves_from_sqlite_to_postgresql_and_back(
    database: str, tmp_path: Path
) -> None:
    first = {"TRICKY_VAR": str(tmp_path / "first")}
    second = {"TRICKY_VAR": str(tmp_path / "second"), "DATABASE_URL": database}
    third = {"TRICKY_VAR": str(tmp_path / "third")}
    migrate = ("migrate", "--verbosity", "0")
    assert_succeed(start_process(migrate, **first), start_process(migrate, **second))
    # A copy is as fresh as another migrated database, and faster.
    copytree(tmp_path / "first", tmp_path / "third")
    archives = [tmp_path / f"{number}.zip" for number in range(3)]
    exports = [("export_club", "demo-club", str(archive)) for archive in archives]
    imports = [("import_club", str(archive)) for archive in archives]
    assert_succeed(start_process(("demo",), exports[0], **first))
    assert_succeed(start_process(imports[0], exports[1], **second))
    assert_succeed(start_process(imports[1], exports[2], **third))
    content, *others = [archive.read_bytes() for archive in archives]
    assert len(content) > 10_000
    assert [other == content for other in others] == [True, True]
