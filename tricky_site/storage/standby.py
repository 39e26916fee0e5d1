"""Pages for everybody, read from a standby of PostgreSQL where there is one and it is up to date.

Whoever has a session, has just written something or shows a token is read for at the primary, as is
everything that is not named here. A standby that is away or behind is not asked.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connections, models
from django.http import Http404, HttpRequest, HttpResponse

logger = logging.getLogger(__name__)

STANDBY = "standby"
PAGES = frozenset(
    f"tournaments:{name}"
    for name in (
        *("club", "club_preview", "hall_of_fame", "hands", "leaderboard"),
        *("leaderboard_preview", "matrix", "player", "player_picture", "players"),
        *("ranks_picture", "race_picture", "records", "seasons", "tournament"),
        *("tournament_live", "tournament_preview", "frame_leaderboard", "frame_live"),
        *("frame_live_now", "frame_next"),
    )
)
"""What strangers read of clubs, leaderboards and standings."""
BEHIND = 3
"""Seconds by which what a standby shows may be old."""
LOOKS_EVERY = 1
"""Seconds between two looks of a process at how far it is."""
AVOIDED = 5
"""Seconds for which one that failed is not asked."""
WROTE = "__Host-wrote" if settings.SESSION_COOKIE_SECURE else "wrote"
"""The cookie of whoever has just written something."""
WROTE_FOR = 10
"""Seconds, more than a standby may be behind."""
READS = ("GET", "HEAD")

_reading: ContextVar[bool] = ContextVar("reading", default=False)


class Router:
    """Reads from the standby where a page was begun so; writes to the primary."""

    def db_for_read(self, model: type[models.Model], **_hints: object) -> str:
        """Return which database is asked."""
        return STANDBY if _reading.get() else "default"

    def db_for_write(self, model: type[models.Model], **_hints: object) -> str:
        """Return the primary."""
        return "default"

    def allow_relation(self, *_objects: object, **_hints: object) -> bool:
        """Tell that both hold the same."""
        return True

    def allow_migrate(self, db: str, *_names: object, **_hints: object) -> bool:
        """Tell that the standby changes by the primary alone."""
        return db == "default"


@contextmanager
def from_standby() -> Iterator[None]:
    """Read from the standby within the block."""
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


class Progress:
    """How far the standby is, looked at now and then by whoever asks first."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._lock = Lock()
        self._written: deque[tuple[float, int]] = deque()
        """How far the primary was, by moments of the monotonic clock."""
        self._looked_at = self._holds_until = self._avoided_until = float("-inf")

    def is_near(self) -> bool:
        """Tell whether what the standby shows is at most some seconds old."""
        now = time.monotonic()
        is_due = now >= self._avoided_until and now - self._looked_at >= LOOKS_EVERY
        # Whoever comes while somebody looks goes by the last look.
        if is_due and self._lock.acquire(blocking=False):
            try:
                self._look(now)
            finally:
                self._lock.release()
        return time.monotonic() < min(self._holds_until, self._looked_at + BEHIND)

    def avoid(self) -> None:
        """Ask it no more for a while."""
        self._holds_until = float("-inf")
        self._avoided_until = time.monotonic() + AVOIDED

    def _look(self, now: float) -> None:
        try:
            self._written.append((now, _written()))
            replayed = _replayed()
        except Error as error:
            logger.warning("The standby is not asked for now: %s", error)
            self.avoid()
            return
        finally:
            self._looked_at = now
        while self._written and self._written[0][0] < now - BEHIND:
            self._written.popleft()
        # What it shows is all that was written up to this moment.
        shown = [moment for moment, place in self._written if place <= replayed]
        self._holds_until = max(shown, default=float("-inf")) + BEHIND


def _written() -> int:
    return _number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')", "default")


def _replayed() -> int:
    """Return how far the standby is; below everything once it is a primary itself."""
    return _number(
        "SELECT CASE WHEN pg_is_in_recovery()"
        " THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') ELSE -1 END",
        STANDBY,
    )


def _number(asked: str, database: str) -> int:
    with connections[database].cursor() as cursor:
        cursor.execute(asked)
        return int(cursor.fetchone()[0])


def is_for_everybody(request: HttpRequest) -> bool:
    """Tell whether a stranger asks for a page that all strangers see alike, and has written nothing."""
    of_person = (settings.SESSION_COOKIE_NAME, WROTE)
    return (
        request.method in READS
        and not any(name in request.COOKIES for name in of_person)
        and "Authorization" not in request.headers
        and request.resolver_match is not None
        and request.resolver_match.view_name in PAGES
    )


progress = Progress()


class PagesForEverybody:
    """Answers what strangers read from the standby, and whatever fails there from the primary."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        """Know who answers everything else."""
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the answer; whoever wrote something shows so for some seconds."""
        response = self._answer(request)
        if request.method not in (*READS, "OPTIONS"):
            response.set_cookie(
                WROTE,
                "1",
                max_age=WROTE_FOR,
                httponly=True,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
            )
        return response

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> HttpResponse | None:
        """Return a page from the standby; None where the primary is to be asked."""
        if not is_for_everybody(request) or not progress.is_near():
            return None
        try:
            with from_standby():
                return view(request, *args, **kwargs)
        except Http404:  # What has just been made is there already.
            return None
        except (OperationalError, InterfaceError) as error:
            logger.warning("The standby failed: %s", error)
            progress.avoid()
            return None
