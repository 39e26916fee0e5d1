"""Store the demo season as databases of a release, for upgrade tests of later ones.

python -m tests.upgrade.keep_databases 0.2.0, once before a release, with PostgreSQL on
127.0.0.1 and its pg_dump.
"""

import gzip
import os
import re
import sqlite3
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.processes import manage, read_output
from tests.site import temporary_database

HERE = Path(__file__).parent
SEED = "7"
NO_STATEMENT = re.compile(
    r"^(--.*|SET .*|SELECT pg_catalog\.set_config.*|\\.*|)\n", re.M
)
"""Comments, settings and psql commands of a dump, which other clients don't understand."""


def make_demo(**environment: str) -> None:
    for command in (["migrate", "--verbosity", "0"], ["demo", "--seed", SEED]):
        manage(*command, **environment)


def store_sqlite(release: str, folder: str) -> None:
    """Store a SQLite file without free pages."""
    make_demo(TRICKY_VAR=folder)
    path = Path(folder) / "tricky.sqlite3"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("VACUUM")
    connection.close()
    archive = gzip.compress(path.read_bytes(), mtime=0)
    (HERE / f"{release}.sqlite3.gz").write_bytes(archive)


def store_postgresql(release: str, folder: str) -> None:
    with temporary_database(f"tricky_release_{os.getpid()}") as url:
        make_demo(DATABASE_URL=url, TRICKY_VAR=folder)
        dump = read_output("pg_dump", "--no-owner", "--rows-per-insert=500", url)
    archive = gzip.compress(NO_STATEMENT.sub("", dump).encode(), mtime=0)
    (HERE / f"{release}.postgresql.sql.gz").write_bytes(archive)


if __name__ == "__main__":
    with TemporaryDirectory() as sqlite_folder:
        store_sqlite(sys.argv[1], sqlite_folder)
    with TemporaryDirectory() as postgresql_folder:
        store_postgresql(sys.argv[1], postgresql_folder)
