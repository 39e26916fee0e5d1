"""A database that can be read and takes nothing more, by its own means."""

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
    """Let every connection only read, those of other threads as well."""
    with _run_on_all_connections(READ_ONLY[connection.vendor]):
        yield


@contextmanager
def full_database() -> Iterator[None]:
    """Let SQLite's file grow by nothing, as on a disk without room."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    # The least that is taken is the size that it has.
    with _run_on_all_connections("PRAGMA max_page_count = 1"):
        yield


@contextmanager
def _run_on_all_connections(words: str) -> Iterator[None]:
    def run_statement(connection: Any, **_told: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(words)

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
