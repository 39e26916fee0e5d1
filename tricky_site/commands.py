"""Running the commands of manage.py, on a place without tables too."""

import sys
from collections.abc import Sequence

from django.core.management import execute_from_command_line
from django.db import DatabaseError, connection

from tricky_site.startup import exit_on_wrong_setting

NO_TABLES = "The database has no tables yet: `manage.py migrate` makes them."


def run(arguments: Sequence[str]) -> None:
    """Run a command; end with status 1 and a sentence if a setting is wrong or tables are missing.

    With `--traceback` a database error ends as Python does.
    """
    try:
        with exit_on_wrong_setting():
            execute_from_command_line(list(arguments))
    except DatabaseError:
        if "--traceback" in arguments or not _has_no_tables():
            raise
        sys.exit(NO_TABLES)


def _has_no_tables() -> bool:
    """Tell whether nothing was ever migrated; of a database that does not answer, that is not known."""
    try:
        return "django_migrations" not in connection.introspection.table_names()
    except DatabaseError:
        return False
