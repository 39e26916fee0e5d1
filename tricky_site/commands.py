"""Runs the commands of manage.py, with one sentence if the database can't be used."""

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
from django.core.management import execute_from_command_line
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from tricky_site.startup import exit_on_wrong_setting

MISSING_TABLES = "The database has no tables yet: `manage.py migrate` makes them."
OLDER = "The database is older than this code: run `manage.py migrate` first."
ANSWER_WITHIN = 3
"""Seconds to wait for a database server."""


def run_command(arguments: Sequence[str]) -> None:
    """Run a command; exit with 1 and one sentence if a setting is wrong or the database can't be used.

    With `--traceback` database errors are raised.
    """
    with exit_on_wrong_setting():
        if "--traceback" in arguments:
            execute_from_command_line(list(arguments))
        else:
            with exit_on_unusable_database():
                execute_from_command_line(list(arguments))


@contextmanager
def exit_on_unusable_database() -> Iterator[None]:
    """End the process with status 1 and one line if the database can't be opened or lacks migrations.

    Raises other database errors.
    """
    # Its warnings would repeat the reason before the sentence.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    try:
        yield
    except DatabaseError:
        message = _describe_connection_failure() or _describe_missing_migrations()
        if not message:
            raise
        sys.exit(message)


def _describe_connection_failure() -> str:
    """Return a sentence if the database can't be opened; empty if it can."""
    connection.close()
    try:
        if connection.vendor == "postgresql":
            # Not through the pool, which waits and does not say what is wrong.
            parameters = connection.get_connection_params()
            psycopg.connect(**parameters, connect_timeout=ANSWER_WITHIN).close()
        else:
            connection.ensure_connection()
    except (DatabaseError, psycopg.Error) as failure:
        reason = (
            str(failure).strip().splitlines()[0].removeprefix("connection failed: ")
        )
        return f"The database can't be opened: {reason}. Check that it runs, and DATABASE_URL."
    return ""


def _describe_missing_migrations() -> str:
    """Return a sentence if migrations are missing; empty if none are, or if that is unknown."""
    try:
        if "django_migrations" not in connection.introspection.table_names():
            return MISSING_TABLES
        executor = MigrationExecutor(connection)
        is_outdated = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return ""
    return OLDER if is_outdated else ""
