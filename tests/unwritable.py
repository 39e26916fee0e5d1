"""Make the database read-only or full by its own settings."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.signals import connection_created

READ_ONLY = {
    "sqlite": "PRAGMA query_only = ON",
    "postgresql": "SET default_transaction_read_only = on",
}


@contextmanager
def read_only() -> Iterator[None]:
    """Make every connection read-only, also those of other threads."""
    with _run_on_all_connections(READ_ONLY[connection.vendor]):
        yield


@contextmanager
def full_database() -> Iterator[None]:
    """Keep SQLite's file from growing, as on a full disk."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    # SQLite raises this to the current size.
    with _run_on_all_connections("PRAGMA max_page_count = 1"):
        yield


@contextmanager
def _run_on_all_connections(statement: str) -> Iterator[None]:
    def run_statement(connection: Any, **_kwargs: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    _close_all()
    connection_created.connect(run_statement)
    try:
        yield
    finally:
        connection_created.disconnect(run_statement)
        _close_all()


def _close_all() -> None:
    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]
