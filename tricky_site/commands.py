"""Running the commands of manage.py, on a place without tables too."""

import sys
from collections.abc import Sequence

from django.core.management import execute_from_command_line
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from tricky_site.startup import exit_on_wrong_setting

NO_TABLES = "The database has no tables yet: `manage.py migrate` makes them."
OLDER = "The database is older than this code: run `manage.py migrate` first."


def run(arguments: Sequence[str]) -> None:
    """Run a command; end with status 1 and a sentence if a setting is wrong or tables are missing.

    With `--traceback` a database error ends as Python does.
    """
    try:
        with exit_on_wrong_setting():
            execute_from_command_line(list(arguments))
    except DatabaseError:
        words = "" if "--traceback" in arguments else _missing_migrations()
        if not words:
            raise
        sys.exit(words)


def _missing_migrations() -> str:
    """Return what to say if migrations are missing; empty if none are, or it is not known."""
    try:
        if "django_migrations" not in connection.introspection.table_names():
            return NO_TABLES
        executor = MigrationExecutor(connection)
        is_behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return ""
    return OLDER if is_behind else ""
