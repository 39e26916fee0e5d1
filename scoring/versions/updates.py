"""Renews versions after each commit, by watching all database writes."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver

from scoring.models import Match
from scoring.signals import match_written, notices_changed
from scoring.versions import SITE, has_shared_version_cache, match_topic, renew_versions

WRITES = ("INSERT ", "UPDATE ", "DELETE ")
SHOWN_TABLES = ('"scoring_', '"tournaments_')
"""Prefixes of the tables whose content is shown on pages."""
SIGNED_OUT = 'DELETE FROM "django_session"'
FIRST_CHARACTERS = 40


class _CommitRenewals:
    """The writes until the next commit: each topic is renewed once for all of them."""

    def __init__(self) -> None:
        self.renewed: set[str] = set()

    def renew_once(self, *topics: str) -> None:
        new = [topic for topic in topics if topic not in self.renewed]
        self.renewed.update(new)
        if new:
            renew_versions(*new)


class _ThreadState(threading.local):
    topics: tuple[str, ...] = (SITE,)
    commit = _CommitRenewals()


_thread = _ThreadState()


@contextmanager
def renew_only(*topics: str) -> Iterator[None]:
    """Let writes in this block renew these topics instead of `SITE`."""
    previous_topics, _thread.topics = _thread.topics, topics
    try:
        yield
    finally:
        _thread.topics = previous_topics


@receiver([match_written, notices_changed])
def renew_match_version(sender: type[Match], address: str, **_later: object) -> None:
    """Renew the version of a match after a commit that changes its sheet."""
    _thread.commit.renew_once(match_topic(address))


@receiver(connection_created)
def watch_writes(connection: BaseDatabaseWrapper, **_options: object) -> None:
    """Renew versions after every write of a connection."""
    wrappers = connection.execute_wrappers
    if renew_after_write not in wrappers and has_shared_version_cache():
        # At the front: `execute_wrapper` blocks remove the last wrapper when they end.
        wrappers.insert(0, renew_after_write)


def renew_after_write(
    execute: Callable[..., Any], sql: Any, params: Any, many: Any, context: Any
) -> Any:
    """Execute a statement; if it writes to a shown table, renew the current topics after the commit."""
    result = execute(sql, params, many, context)
    if not (isinstance(sql, str) and sql.startswith(WRITES)):
        return result
    start = sql[:FIRST_CHARACTERS]
    if not (
        start.startswith(SIGNED_OUT) or any(table in start for table in SHOWN_TABLES)
    ):
        return result
    if _thread.commit.renewed:
        _thread.commit = _CommitRenewals()
    connection: BaseDatabaseWrapper = context["connection"]
    # Once for each write: a savepoint that is rolled back discards its callbacks. With manual
    # commits there are no callbacks; pages are then stale until cached responses expire.
    if connection.in_atomic_block or connection.get_autocommit():
        renew = partial(_thread.commit.renew_once, *_thread.topics)
        connection.on_commit(renew, robust=True)
    return result
