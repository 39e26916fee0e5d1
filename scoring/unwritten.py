"""What is known of a failure by which nothing could be written: the disk is full, or all may only be read."""

import errno
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from http import HTTPStatus
from typing import TypeVar

from django.db import DatabaseError, connection

logger = logging.getLogger(__name__)
Written = TypeVar("Written")

STATUS = HTTPStatus.INSUFFICIENT_STORAGE
"""Under which either is answered: the site is there, and can be read."""
LATER = 60
"""Seconds after which it is worth to send something again: somebody has to make room first."""


class Unwritten(StrEnum):
    """Why nothing is written."""

    FULL = "full"
    READ_ONLY = "read-only"


OF_THE_SYSTEM = {
    errno.ENOSPC: Unwritten.FULL,
    errno.EDQUOT: Unwritten.FULL,
    errno.EROFS: Unwritten.READ_ONLY,
}
OF_SQLITE = {
    13: Unwritten.FULL,
    8: Unwritten.READ_ONLY,
    778: Unwritten.FULL,
    4874: Unwritten.FULL,
}
"""By the result code, the primary or an extended one: SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR_WRITE,
SQLITE_IOERR_SHMSIZE. The last is where a full disk has no room for what stands beside the database."""
OF_POSTGRESQL = {"53100": Unwritten.FULL, "25006": Unwritten.READ_ONLY}
"""By the state: disk_full, read_only_sql_transaction."""
PRIMARY = 0xFF
"""The bits of an extended result code of SQLite that say what it is at all."""
BUSY = 5
"""SQLITE_BUSY: another connection writes."""


def why_unwritten(error: BaseException | None) -> Unwritten | None:
    """Return why nothing could be written, as an error says it; None for any other error."""
    if error is None:
        return None
    # Django raises an error of its own from the one of the database.
    cause = error.__cause__ if isinstance(error, DatabaseError) else error
    if isinstance(cause, OSError):
        return OF_THE_SYSTEM.get(cause.errno or 0)
    if (code := getattr(cause, "sqlite_errorcode", None)) is not None:
        return OF_SQLITE.get(code) or OF_SQLITE.get(code & PRIMARY)
    return OF_POSTGRESQL.get(getattr(cause, "sqlstate", None) or "")


def is_locked(error: DatabaseError) -> bool:
    """Tell whether nothing could be written because another process holds SQLite's lock."""
    code = getattr(error.__cause__, "sqlite_errorcode", 0)
    return bool(code & PRIMARY == BUSY)


@contextmanager
def waiting_at_most(seconds: float) -> Iterator[None]:
    """Let what is written within the block fail if another process holds SQLite's lock for longer."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    database = connection.connection
    (patience,) = database.execute("PRAGMA busy_timeout").fetchone()
    database.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        yield
    finally:
        database.execute(f"PRAGMA busy_timeout = {patience}")


def where_possible(write: Callable[[], Written]) -> Written | None:
    """Return what comes of writing what a page can do without; None where nothing can be written now.

    Not within a transaction, which is lost with what fails in it.
    """
    try:
        return write()
    except (DatabaseError, OSError) as error:
        if (why := why_unwritten(error)) is None:
            raise
        logger.warning("Something was not noted: %s.", why)
        return None


def unless_locked(write: Callable[[], Written]) -> Written | None:
    """Return what comes of writing what a page does not wait for; None where nothing can be written at once.

    Not within a transaction, as `where_possible`.
    """
    try:
        with waiting_at_most(0):
            return where_possible(write)
    except DatabaseError as error:
        if not is_locked(error):
            raise
        logger.warning("Something was not noted: the database is locked.")
        return None
