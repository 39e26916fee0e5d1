"""`migrate` with a lock: containers that start together migrate one after the other."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

LOCK = 0x747269636B79
"""An arbitrary number that no other code uses as a lock in this database."""


class Command(migrate.Command):
    """Django's command, which without a lock can apply a migration twice if two start together."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Wait for other migrations to end, then apply only the missing ones."""
        with migration_lock(connections[options["database"]]):
            super().handle(*args, **options)


@contextmanager
def migration_lock(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Hold the lock for migrations of a PostgreSQL database in a block; wait if it is taken.

    SQLite needs no lock: the database belongs to one process.
    """
    if connection.vendor != "postgresql":
        yield
        return
    # The lock belongs to a separate transaction, so that it works with PgBouncer, which has no
    # persistent sessions, and ends with this process.
    lock_connection = connection.copy()
    try:
        lock_connection.set_autocommit(autocommit=False)
        with lock_connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        yield
        lock_connection.rollback()
    finally:
        lock_connection.close()
