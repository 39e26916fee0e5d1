"""What a phone remembers, and counts that all processes share: kept where anything can be kept."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from scoring.unwritten import where_possible, why_unwritten

logger = logging.getLogger(__name__)

READS = frozenset({"GET", "HEAD", "OPTIONS"})
LOCK = ":lock"
"""How keys end that are held for a moment, of sign-ins."""


class ReadableSessions(SessionMiddleware):
    """Sessions without which pages can be read while nothing can be written."""

    def process_response(
        self, request: HttpRequest, response: HttpResponse
    ) -> HttpResponse:
        """Return the answer; where a page was asked for, also if its phone could not be remembered."""
        try:
            return super().process_response(request, response)
        except (DatabaseError, SessionInterrupted) as error:
            # Django takes whatever befalls a session that is there for its end.
            failure = _failure_behind(error)
            if failure is None or not (why := why_unwritten(failure)):
                raise
            if request.method not in READS:
                raise failure from failure.__cause__
            logger.warning("A session was not kept: %s.", why)
            patch_vary_headers(response, ("Cookie",))
            return response


def _failure_behind(error: BaseException | None) -> DatabaseError | None:
    """Return what a database refused, of which an error came; None where it refused nothing."""
    while error is not None and not isinstance(error, DatabaseError):
        error = error.__context__
    return error


class ReadableCache(DatabaseCache):
    """Counts in the database, which refuse nobody while they cannot be written."""

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
