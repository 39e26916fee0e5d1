"""Renews the marks of topics once something about them is committed."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

from scoring.models import Match
from scoring.signals import match_written, notices_changed
from scoring.stamps import ANYTHING, of_match, renew, written_about
from scoring.stamps.memories import NoMemory, memory

WRITES = ("INSERT ", "UPDATE ", "DELETE ")
TABLES = ('"scoring_', '"tournaments_')
"""How the names of tables begin that pages tell of."""
SIGNED_OUT = 'DELETE FROM "django_session"'
FIRST_WORDS = 40


class _Batch:
    """What is written until the next commit: it renews each topic once, however much it was."""

    def __init__(self) -> None:
        self.told: set[str] = set()

    def tell(self, *topics: str) -> None:
        new = [topic for topic in topics if topic not in self.told]
        self.told.update(new)
        renew(*new)


class _Own(threading.local):
    batch = _Batch()


_own = _Own()


@receiver([match_written, notices_changed])
def renew_match(sender: type[Match], address: str, **_later: object) -> None:
    """Renew the stamp of a match, where what was written did not say that it is about it."""
    _own.batch.tell(*of_match(address))


@receiver(connection_created)
def watch(connection: BaseDatabaseWrapper, **_said: object) -> None:
    """Let nothing be written by a connection without renewing what stands for anything."""
    wrappers = connection.execute_wrappers
    if note_write not in wrappers and not isinstance(memory(), NoMemory):
        # In front: Django takes away the last one when a block ends that added it.
        wrappers.insert(0, note_write)


def note_write(
    execute: Callable[..., Any], sql: Any, params: Any, many: Any, context: Any
) -> Any:
    """Run what a database is asked; where it writes, renew what it is about once it is committed."""
    result = execute(sql, params, many, context)
    if isinstance(sql, str) and sql.startswith(WRITES) and _is_of_pages(sql):
        _renew_on_commit(context["connection"])
    return result


def _is_of_pages(sql: str) -> bool:
    written = sql[:FIRST_WORDS]
    return written.startswith(SIGNED_OUT) or any(table in written for table in TABLES)


def _renew_on_commit(connection: BaseDatabaseWrapper) -> None:
    if _own.batch.told:
        _own.batch = _Batch()
    # For each write anew: what a savepoint rolls back takes its own along.
    # Whoever commits by hand tells nobody when: that is noticed once the stamp is too old.
    if connection.in_atomic_block or connection.get_autocommit():
        tell = partial(_own.batch.tell, ANYTHING, *written_about())
        connection.on_commit(tell, robust=True)
