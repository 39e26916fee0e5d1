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


class _ThreadState(threading.local):
    def __init__(self) -> None:
        self.topics: tuple[str, ...] = (SITE,)
        self.renewed_topics: set[str] = set()
        """The topics renewed for the current commit: each is renewed once for all its writes."""


_thread = _ThreadState()


def _renew_remaining_topics(renewed_topics: set[str], *topics: str) -> None:
    """Renew the topics that are not in `renewed_topics`, and add them there."""
    remaining = [topic for topic in topics if topic not in renewed_topics]
    renewed_topics.update(remaining)
    if remaining:
        renew_versions(*remaining)


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
    _renew_remaining_topics(_thread.renewed_topics, match_topic(address))


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
    if _thread.renewed_topics:
        _thread.renewed_topics = set()
    connection: BaseDatabaseWrapper = context["connection"]
    # Once for each write: a savepoint that is rolled back discards its callbacks. With manual
    # commits there are no callbacks; pages are then stale until cached responses expire.
    if connection.in_atomic_block or connection.get_autocommit():
        renew = partial(
            _renew_remaining_topics, _thread.renewed_topics, *_thread.topics
        )
        connection.on_commit(renew, robust=True)
    return result
