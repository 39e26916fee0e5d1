"""`migrate`, by one at a time: containers that start together migrate one after the other."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

LOCK = 0x747269636B79
"""Whichever number: nobody else may take it in this database."""


class Command(migrate.Command):
    """Django's own, which would apply a migration twice where two begin together."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate once nobody else does: what they applied is not applied again."""
        with migration_lock(connections[options["database"]]):
            super().handle(*args, **options)


@contextmanager
def migration_lock(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Wait until nobody else migrates a database, and keep others waiting until the end of the block.

    An embedded database belongs to one process, which waits for nobody.
    """
    if connection.vendor != "postgresql":
        yield
        return
    # A transaction beside those of the migrations holds the lock: through PgBouncer too, which
    # lends no session, and for no longer than this process lives.
    beside = connection.copy()
    try:
        beside.set_autocommit(autocommit=False)
        with beside.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
        yield
        beside.rollback()
    finally:
        beside.close()
