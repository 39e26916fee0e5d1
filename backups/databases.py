"""The site's database as one file, and back: SQLite by its online backup, PostgreSQL by `pg_dump`.

Both take one moment of a database that goes on being written, and put one back as a whole
or not at all.
"""

import gzip
import os
import shutil
import sqlite3
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from backups.file.container import BLOCK
from backups.refusals import BackupError

MADE_BY_MIGRATIONS = {"auth_permission", "django_content_type", "django_migrations"}
OF_LATER_SERVERS = b"SET transaction_timeout = 0;\n"
"""What a client says first that servers before 17 do not know."""
PREAMBLE = 2048
OF_NO_WEIGHT = {"django_session", "tricky_cache"}
"""What no host misses: a place that holds nothing else is empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One moment of a database, in a file."""

    engine_version: str
    migrations: Sequence[str]
    rows: Mapping[str, int]


def counted_tables() -> list[str]:
    """Return the tables of all models."""
    models = apps.get_models(include_auto_created=True)
    tables = {model._meta.db_table for model in models if model._meta.managed}
    return sorted(tables - OF_NO_WEIGHT)


def known_migrations() -> set[str]:
    """Return the migrations that this release knows, and those that they took the place of."""
    migrations = MigrationLoader(None).disk_migrations
    replaced = {
        name for migration in migrations.values() for name in migration.replaces
    }
    return {f"{app}.{name}" for app, name in {*migrations, *replaced}}


class Database(ABC):
    """What is backed up and restored."""

    engine: str
    member: str
    """The name of its file in a backup."""

    @abstractmethod
    def take(self, folder: Path) -> Snapshot:
        """Return what the database holds at one moment; it stands in a file of the folder then."""

    @abstractmethod
    def check(self, folder: Path, rows: Mapping[str, int]) -> None:
        """Raise BackupError unless the file in the folder can be restored and holds the rows."""

    @abstractmethod
    def put_back(self, folder: Path) -> None:
        """Have the database hold what the file in the folder does, and nothing else."""

    def what_is_there(self) -> list[str]:
        """Return the tables that hold something which somebody entered."""
        with connection.cursor() as cursor:
            tables = set(connection.introspection.table_names(cursor))
            entered = sorted(tables - MADE_BY_MIGRATIONS - OF_NO_WEIGHT)
            return [table for table in entered if _holds_a_row(cursor, table)]

    def compare(self, rows: Mapping[str, int]) -> None:
        """Raise BackupError unless the tables hold so many rows."""
        with connection.cursor() as cursor:
            there = set(connection.introspection.table_names(cursor))
            _compare(rows, _count(cursor, there.intersection(rows)))

    def migrations(self) -> set[str]:
        """Return the migrations that have run."""
        with connection.cursor() as cursor:
            return set(_migrations(cursor))


def _quoted(table: str) -> str:
    return connection.ops.quote_name(table)


def _holds_a_row(cursor: Any, table: str) -> bool:
    cursor.execute(f"SELECT 1 FROM {_quoted(table)} LIMIT 1")  # noqa: S608 - our own
    return cursor.fetchone() is not None


def _count(cursor: Any, tables: Iterable[str]) -> dict[str, int]:
    rows = {}
    for table in sorted(tables):
        cursor.execute(f"SELECT count(*) FROM {_quoted(table)}")  # noqa: S608 - our own
        rows[table] = cursor.fetchone()[0]
    return rows


def _migrations(cursor: Any) -> list[str]:
    cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
    return [f"{app}.{name}" for app, name in cursor.fetchall()]


class SQLite(Database):
    """The embedded database."""

    engine, member = "sqlite", "database.sqlite3.gz"

    def _own(self) -> sqlite3.Connection:
        """Return a connection of its own to the site's database."""
        name = str(connection.settings_dict["NAME"])
        is_address = name.startswith("file:")
        return sqlite3.connect(name, uri=is_address, timeout=60, isolation_level=None)

    def take(self, folder: Path) -> Snapshot:
        """Return what the database holds while it goes on being written."""
        raw = folder / "taken.sqlite3"
        with closing(self._own()) as site, closing(sqlite3.connect(raw)) as taken:
            site.backup(taken)
            # A single file: nothing of it stands in a write-ahead log.
            taken.execute("PRAGMA journal_mode = DELETE")
            cursor = taken.cursor()
            try:
                migrations = _migrations(cursor)
            except sqlite3.OperationalError as error:
                raise BackupError(
                    "There is nothing to back up: the database has no tables."
                ) from error
            tables = {
                name
                for (name,) in taken.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table'"
                )
            }
            snapshot = Snapshot(
                engine_version=sqlite3.sqlite_version,
                migrations=migrations,
                rows=_count(cursor, tables.intersection(counted_tables())),
            )
        with (
            raw.open("rb") as plain,
            (folder / self.member).open("wb") as file,
            gzip.GzipFile("", "wb", 6, file, 0) as packed,
        ):
            shutil.copyfileobj(plain, packed, BLOCK)
        raw.unlink()
        return snapshot

    def _unpacked(self, folder: Path) -> Path:
        raw = folder / "unpacked.sqlite3"
        if not raw.exists():
            with gzip.open(folder / self.member) as packed, raw.open("xb") as plain:
                shutil.copyfileobj(packed, plain, BLOCK)
        return raw

    def check(self, folder: Path, rows: Mapping[str, int]) -> None:
        """Ask SQLite whether the file is sound, and count."""
        try:
            with closing(sqlite3.connect(self._unpacked(folder))) as unpacked:
                (answer,) = unpacked.execute("PRAGMA quick_check(1)").fetchone()
                if answer != "ok":
                    raise BackupError(
                        f"The database in the backup is damaged: {answer}"
                    )
                _compare(rows, _count(unpacked.cursor(), rows))
        except (sqlite3.DatabaseError, EOFError, gzip.BadGzipFile) as error:
            raise BackupError(
                f"The database in the backup cannot be read: {error}"
            ) from error

    def put_back(self, folder: Path) -> None:
        """Write all pages in one transaction: whoever else has the file open sees it afterwards."""
        connection.close()
        try:
            with (
                closing(sqlite3.connect(self._unpacked(folder))) as unpacked,
                closing(self._own()) as site,
            ):
                unpacked.backup(site)
        except sqlite3.OperationalError as error:
            raise BackupError(
                f"The database cannot be written: {error}. Is the site stopped, and room on the disk?"
            ) from error


def _compare(wanted: Mapping[str, int], there: Mapping[str, int]) -> None:
    """Raise BackupError where a table holds another number of rows."""
    for table, count in wanted.items():
        if there.get(table, 0) != count:
            raise BackupError(
                f"{table} holds {there.get(table, 0):,} rows, and {count:,} by the manifest."
            )


class PostgreSQL(Database):
    """The database that DATABASE_URL names."""

    engine, member = "postgresql", "database.pgdump"

    def _program(self, name: str) -> str:
        path = shutil.which(name)
        if path is None:
            raise BackupError(
                f"{name} is not installed, and PostgreSQL is backed up and restored by it: "
                "install the client of PostgreSQL (Debian: postgresql-client), of the "
                "server's version or a later one."
            )
        return path

    def _environment(self) -> dict[str, str]:
        """Return how programs of PostgreSQL reach the database; no password in their arguments."""
        at = connection.settings_dict
        _args, env = connection.client.settings_to_cmd_args_env(at, [])
        named = {
            "PGDATABASE": at["NAME"],
            "PGHOST": at["HOST"],
            "PGPORT": at["PORT"],
            "PGUSER": at["USER"],
        }
        own = {name: str(value) for name, value in named.items() if value}
        return {**os.environ, **(env or {}), **own}

    def take(self, folder: Path) -> Snapshot:
        """Return what the database holds at one moment, seen alike by `pg_dump` and who counts."""
        pg_dump = self._program("pg_dump")
        # A connection of its own: a backup may take longer than a pool lends one.
        site = connection.copy()
        try:
            site.set_autocommit(False)
            with site.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                cursor.execute("SELECT pg_export_snapshot()")
                moment: str = cursor.fetchone()[0]
                there = set(site.introspection.table_names(cursor))
                if "django_migrations" not in there:
                    raise BackupError(
                        "There is nothing to back up: the database has no tables."
                    )
                snapshot = Snapshot(
                    engine_version=_version(site),
                    migrations=_migrations(cursor),
                    rows=_count(cursor, there.intersection(counted_tables())),
                )
                options = "--format=custom --no-owner --no-privileges --no-password"
                self._run(
                    pg_dump,
                    *options.split(),
                    f"--snapshot={moment}",
                    f"--file={folder / self.member}",
                )
            site.rollback()
        finally:
            site.close()
        return snapshot

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(  # noqa: S603 - our own arguments
            [program, *arguments],
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise BackupError(f"{Path(program).name}: {_last_line(done.stderr)}")

    def check(self, folder: Path, rows: Mapping[str, int]) -> None:
        """Have `pg_restore` read the whole file; it counts nothing."""
        pg_restore = self._program("pg_restore")
        self._run(pg_restore, f"--file={os.devnull}", str(folder / self.member))

    def put_back(self, folder: Path) -> None:
        """Clear and load in one transaction, which is committed once `pg_restore` was read to its end."""
        pg_restore, psql = self._program("pg_restore"), self._program("psql")
        clear = _statements_that_clear()
        connection.close()
        quiet = "--no-psqlrc --quiet --no-password --set=ON_ERROR_STOP=1 --file=-"
        options = ("--no-owner", "--no-privileges", "--file=-")
        with (
            (folder / "said").open("w+") as said,
            subprocess.Popen(  # noqa: S603 - our own arguments
                [psql, *quiet.split()],
                env=self._environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=said,
            ) as loading,
            subprocess.Popen(  # noqa: S603 - our own arguments
                [pg_restore, *options, str(folder / self.member)],
                stdout=subprocess.PIPE,
                stderr=said,
            ) as reading,
        ):
            to, source = loading.stdin, reading.stdout
            if to is None or source is None:
                raise BackupError("psql cannot be started.")
            try:
                to.write(b"BEGIN;\n" + clear.encode())
                to.write(source.read(PREAMBLE).replace(OF_LATER_SERVERS, b""))
                shutil.copyfileobj(source, to, BLOCK)
                # Without this line everything before it is undone.
                if reading.wait() == 0:
                    to.write(b"\nCOMMIT;\n")
                to.close()
            except BrokenPipeError:
                pass
            is_done = loading.wait() == 0 and reading.wait() == 0
            said.seek(0)
            if not is_done:
                raise BackupError(
                    "PostgreSQL did not take it, and nothing was written: "
                    f"{_last_line(said.read())} Is the site stopped?"
                )


def _version(site: BaseDatabaseWrapper) -> str:
    with site.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return str(cursor.fetchone()[0])


def _last_line(said: str) -> str:
    """Return the last line that says something.

    >>> _last_line("pg_dump: error: no\\n\\n")
    'pg_dump: error: no'
    """
    return next((line for line in reversed(said.splitlines()) if line.strip()), "?")


WAITS = 10
"""Seconds for whoever still uses a table."""
OWN_FUNCTIONS = """
SELECT oid::regprocedure::text FROM pg_proc
WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f' AND NOT EXISTS (
  SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""


def _statements_that_clear() -> str:
    """Return what drops the tables and functions that are there; others stay who may use the schema."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        cursor.execute(OWN_FUNCTIONS)
        functions = [name for (name,) in cursor.fetchall()]
    lines = [f"SET LOCAL lock_timeout = '{WAITS}s';\n"]
    lines += [f"DROP TABLE {_quoted(table)} CASCADE;\n" for table in tables]
    lines += [f"DROP FUNCTION {name} CASCADE;\n" for name in functions]
    return "".join(lines)


def site_database() -> Database:
    """Return the database of this site."""
    return PostgreSQL() if connection.vendor == "postgresql" else SQLite()
