"""Runs the commands of manage.py, with clear errors for a database without tables."""

import sys
from collections.abc import Sequence

from django.core.management import execute_from_command_line
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from tricky_site.startup import exit_on_wrong_setting

MISSING_TABLES = "The database has no tables yet: `manage.py migrate` makes them."
OLDER = "The database is older than this code: run `manage.py migrate` first."


def run_command(arguments: Sequence[str]) -> None:
    """Run a command; exit with 1 and one sentence if a setting is wrong or tables are missing.

    With `--traceback` database errors are raised.
    """
    try:
        with exit_on_wrong_setting():
            execute_from_command_line(list(arguments))
    except DatabaseError:
        message = "" if "--traceback" in arguments else _describe_missing_migrations()
        if not message:
            raise
        sys.exit(message)


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
