"""Handling of errors that prevent all writes: a full disk, a read-only or locked database."""

import errno
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from http import HTTPStatus
from typing import TypeVar

from django.db import DatabaseError, connection

logger = logging.getLogger(__name__)
Result = TypeVar("Result")

STATUS = HTTPStatus.INSUFFICIENT_STORAGE
"""The status of the response: the site is up, and pages can be read."""
RETRY_AFTER = 60
"""Seconds until a retry makes sense: someone must free disk space first."""


class StorageFailure(StrEnum):
    """The reason why nothing can be written."""

    FULL = "full"
    READ_ONLY = "read-only"


OS_FAILURES = {
    errno.ENOSPC: StorageFailure.FULL,
    errno.EDQUOT: StorageFailure.FULL,
    errno.EROFS: StorageFailure.READ_ONLY,
}
SQLITE_FAILURES = {
    13: StorageFailure.FULL,
    8: StorageFailure.READ_ONLY,
    778: StorageFailure.FULL,
    4874: StorageFailure.FULL,
}
"""By primary or extended result code: SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR_WRITE,
SQLITE_IOERR_SHMSIZE. The last one occurs if a full disk has no room for the other files of the database."""
POSTGRESQL_FAILURES = {
    "53100": StorageFailure.FULL,
    "25006": StorageFailure.READ_ONLY,
}
"""By SQLSTATE: disk_full, read_only_sql_transaction."""
PRIMARY = 0xFF
"""The bits of the primary code in an extended result code of SQLite."""
BUSY = 5
"""SQLITE_BUSY: another connection writes."""


def classify_storage_failure(error: BaseException | None) -> StorageFailure | None:
    """Return why nothing could be written; None for any other error."""
    if error is None:
        return None
    # Django wraps the error of the database driver.
    cause = error.__cause__ if isinstance(error, DatabaseError) else error
    if isinstance(cause, OSError):
        return OS_FAILURES.get(cause.errno or 0)
    if (code := getattr(cause, "sqlite_errorcode", None)) is not None:
        return SQLITE_FAILURES.get(code) or SQLITE_FAILURES.get(code & PRIMARY)
    return POSTGRESQL_FAILURES.get(getattr(cause, "sqlstate", None) or "")


def is_sqlite_lock_error(error: DatabaseError) -> bool:
    """Return whether nothing could be written because another process holds SQLite's lock."""
    code = getattr(error.__cause__, "sqlite_errorcode", 0)
    return bool(code & PRIMARY == BUSY)


@contextmanager
def sqlite_lock_timeout(seconds: float) -> Iterator[None]:
    """Let writes in the block fail if another process holds SQLite's lock for longer than this."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    database = connection.connection
    (usual_timeout,) = database.execute("PRAGMA busy_timeout").fetchone()
    database.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
    try:
        yield
    finally:
        database.execute(f"PRAGMA busy_timeout = {usual_timeout}")


def write_if_possible(write: Callable[[], Result]) -> Result | None:
    """Return the result of an optional write; None if nothing can be written now.

    Do not use it within a transaction, which a failed write would break.
    """
    try:
        return write()
    except (DatabaseError, OSError) as error:
        if (failure := classify_storage_failure(error)) is None:
            raise
        logger.warning("Something was not stored: %s.", failure)
        return None


def write_if_unlocked(write: Callable[[], Result]) -> Result | None:
    """Return the result of an optional write; None if it would fail or have to wait for a lock.

    Do not use it within a transaction; see `write_if_possible`.
    """
    try:
        with sqlite_lock_timeout(0):
            return write_if_possible(write)
    except DatabaseError as error:
        if not is_sqlite_lock_error(error):
            raise
        logger.warning("Something was not stored: the database is locked.")
        return None
