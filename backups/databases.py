"""The site's database as one file: SQLite by its backup API, PostgreSQL by `pg_dump`.

Each class has `dump` (a consistent snapshot of a database in use, to a folder),
`check_and_convert_dump` (to the format that `restore` reads; raises BackupError if it is damaged)
and `restore` (in one transaction).
"""

import gzip
import shutil
import sqlite3
import subprocess
from contextlib import closing
from os import environ
from pathlib import Path

from django.db import connection

from backups.archive import BackupError

AS_RESTORER = ("--no-owner", "--no-privileges")
IN_ONE_TRANSACTION = (
    "--single-transaction",
    "--set=ON_ERROR_STOP=1",
    "--set=VERBOSITY=terse",
    "--no-psqlrc",
    "--quiet",
)
UNKNOWN_BEFORE_17 = b"SET transaction_timeout"
"""A statement by newer clients that older servers refuse."""
CLEAR = """
SET LOCAL lock_timeout = '10s';
DO $$ DECLARE statement text; BEGIN
  FOR statement IN
    SELECT format('DROP TABLE IF EXISTS %s CASCADE', oid::regclass) FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
    UNION ALL
    SELECT format('DROP FUNCTION %s CASCADE', oid::regprocedure) FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f' AND NOT EXISTS (
      SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
  LOOP EXECUTE statement; END LOOP;
END $$;
"""
"""Drops all tables and functions, except functions of extensions; the schema keeps its grants."""


class SQLite:
    """The embedded database."""

    engine, member = "sqlite", "database.sqlite3"

    def dump(self, room: Path) -> None:
        connection.ensure_connection()
        with closing(sqlite3.connect(room / self.member)) as copy:
            connection.connection.backup(copy)
            # Everything in one file, without a write-ahead log.
            copy.execute("PRAGMA journal_mode = DELETE")

    def check_and_convert_dump(self, room: Path) -> None:
        packed = room / f"{self.member}.gz"
        if packed.exists():  # Backups made before 0.2.0.
            with gzip.open(packed) as source, (room / self.member).open("wb") as file:
                shutil.copyfileobj(source, file)
        with closing(sqlite3.connect(room / self.member)) as copy:
            (answer,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            raise BackupError(f"The database in the backup is damaged: {answer}.")

    def restore(self, room: Path) -> None:
        # All pages in one transaction, visible to other processes afterwards.
        connection.ensure_connection()
        with closing(sqlite3.connect(room / self.member)) as copy:
            copy.backup(connection.connection)


class PostgreSQL:
    """The database of DATABASE_URL."""

    engine, member = "postgresql", "database.pgdump"

    def dump(self, room: Path) -> None:
        file = f"--file={room / self.member}"
        _run("pg_dump", "--format=custom", *AS_RESTORER, file, is_connected=True)

    def check_and_convert_dump(self, room: Path) -> None:
        script = room / "restore.sql"
        _run("pg_restore", *AS_RESTORER, f"--file={script}", str(room / self.member))
        with script.open("r+b") as file:
            place = file.read(2048).find(UNKNOWN_BEFORE_17)
            if place >= 0:
                file.seek(place)
                file.write(b"--")

    def restore(self, room: Path) -> None:
        connection.close()
        options = (f"--command={CLEAR}", f"--file={room / 'restore.sql'}")
        _run("psql", *IN_ONE_TRANSACTION, *options, is_connected=True)


def _run(program: str, *options: str, is_connected: bool = False) -> None:
    """Run a program of PostgreSQL, with passwords in its environment, not in its arguments."""
    command, env = [program, *options], dict(environ)
    if is_connected:
        (_psql, *server), secrets = connection.client.settings_to_cmd_args_env(
            connection.settings_dict, ["--no-password"]
        )
        command += server
        env.update(secrets or {})
    try:
        result = subprocess.run(  # noqa: S603 - our own arguments
            command, env=env, capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise BackupError(
            f"{program} is not installed. Install the PostgreSQL client (Debian: "
            "postgresql-client) in the server's version or later."
        ) from error
    if result.returncode:
        error_line = result.stderr.strip().rpartition("\n")[2]
        raise BackupError(f"{program} failed, and nothing was changed: {error_line}")


def site_database() -> SQLite | PostgreSQL:
    return PostgreSQL() if connection.vendor == "postgresql" else SQLite()
