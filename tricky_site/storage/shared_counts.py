"""Counts that all processes share: kept where anything can be kept."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError, connection

from scoring.unwritten import where_possible, why_unwritten

LOCK = ":lock"
"""How keys end that are held for a moment, of sign-ins."""

TRIES = "allauth:rl:"
"""How keys begin under which the moments stand at which somebody tried to sign in and the like."""
AHEAD = 60
"""Seconds by which the clocks of two machines differ at most."""


def of_now(key: Any, kept: Any) -> Any:
    """Return what is kept under a key; of tries those alone that were not made in the future.

    Whoever tried before the clock was put back would wait until it has caught up.
    """
    if not isinstance(kept, list) or not str(key).startswith(TRIES):
        return kept
    latest = time.time() + AHEAD
    return [moment for moment in kept if moment <= latest]


class ReadableCache(DatabaseCache):
    """Counts in the database, which refuse nobody while they cannot be written."""

    def get(self, key: Any, default: Any = None, version: Any = None) -> Any:
        """Return what is there."""
        return of_now(key, super().get(key, default, version))

    def _base_set(self, mode: str, key: str, value: Any, timeout: Any = None) -> bool:
        failures: list[DatabaseError] = []
        write = partial(super()._base_set, mode, key, value, timeout)  # type: ignore[misc]
        with connection.execute_wrapper(partial(_note_failure, failures)):
            is_kept = bool(where_possible(write))
        # Django says of what failed that it was not kept. Who waits for a lock would wait, and be
        # told that they asked too often.
        if not is_kept and failures and key.endswith(LOCK):
            raise failures[0]
        return is_kept

    def _base_delete_many(self, keys: list[str]) -> bool:
        return bool(where_possible(partial(super()._base_delete_many, keys)))  # type: ignore[misc]


def _note_failure(
    failures: list[DatabaseError], execute: Callable[..., Any], *arguments: Any
) -> Any:
    """Run what a database is asked, and note why it could not be written."""
    try:
        return execute(*arguments)
    except DatabaseError as error:
        if why_unwritten(error):
            failures.append(error)
        raise
