"""Whether everything that a site stands on is there: asked from outside, answered within a second.

Each part is asked in a thread of its own, so that one that hangs keeps nobody waiting; until it
answers it is not asked again. Nothing said here tells a stranger where a part is or what it runs.
"""

import shutil
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLateError
from enum import StrEnum
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple

from django.conf import settings
from django.db import connection, transaction
from kombu import Connection
from redis import Redis

from scoring.queue import SWEPT_WITHIN, swept_at
from scoring.unwritten import why_unwritten

WITHIN = 1.0
"""Seconds in which a site answers; a part that is slower is as it was a moment ago."""
MOMENT = 5.0
"""Seconds after which a part that was fine and does not answer is away: a busy machine is no outage."""
HOLDS_FOR = 1.0
"""Seconds for which an answer holds, however many ask."""
MEGABYTE = 1024 * 1024
STARTED = time.monotonic()


class State(StrEnum):
    """How a part is."""

    OK = "ok"
    NONE = "none"
    """There is none, and none is wanted."""
    AWAY = "away"
    """It does not answer, or refuses."""
    READ_ONLY = "read-only"
    FULL = "full"
    LATE = "late"
    """It was heard of, too long ago."""


class Part(NamedTuple):
    """What was found out about one part."""

    state: State
    figures: Mapping[str, int] = MappingProxyType({})

    @property
    def is_fine(self) -> bool:
        """Tell whether the site can rely on it."""
        return self.state in (State.OK, State.NONE)

    def as_told(self) -> dict[str, str | int]:
        """Return it for JSON."""
        return {"state": self.state.value, **self.figures}


def database() -> Part:
    """Return whether the database reads and would write."""
    try:
        # On SQLite this takes the right to write already.
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            if connection.vendor == "postgresql":
                cursor.execute("SHOW transaction_read_only")
                if cursor.fetchone() == ("on",):
                    return Part(State.READ_ONLY)
    except Exception as error:
        why = why_unwritten(error)
        return Part(State(why.value) if why else State.AWAY)
    finally:
        connection.close()
    return Part(State.OK)


def broker() -> Part:
    """Return whether the broker answers; a site can be without one."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return Part(State.NONE)
    url: str = settings.CELERY_BROKER_URL
    try:
        if url.startswith(("redis://", "rediss://")):
            with Redis.from_url(
                url, socket_connect_timeout=MOMENT, socket_timeout=MOMENT
            ) as redis:
                redis.ping()
        else:
            with Connection(url, connect_timeout=MOMENT) as queue:
                queue.connect()
    except Exception:
        return Part(State.AWAY)
    return Part(State.OK)


class LastSweep:
    """How long ago the sweep ran, which stops where the worker or its beat did."""

    def __init__(self) -> None:
        """Have heard of none."""
        self._moment: float | None = None

    def __call__(self) -> Part:
        """Return that; a Redis that was restarted knows of none, and this process does."""
        try:
            self._moment = swept_at() or self._moment
        except Exception:
            return Part(State.AWAY)
        finally:
            connection.close()
        up_for = time.monotonic() - STARTED
        return judged_sweep(self._moment, now=time.time(), up_for=up_for)


def judged_sweep(moment: float | None, *, now: float, up_for: float) -> Part:
    """Return what is to be said of a last sweep; a site that has just started waits for its first.

    One in the future was before the clock was put back, which the next one sets right.
    """
    if moment is None:
        return Part(State.LATE if up_for > SWEPT_WITHIN else State.OK)
    age = int(now - moment)
    state = State.OK if abs(age) <= SWEPT_WITHIN else State.LATE
    return Part(state, {"seconds_ago": max(0, age)})


def disk() -> Part:
    """Return how much is free where the embedded database, its secrets and uploads are."""
    try:
        free = shutil.disk_usage(settings.VAR_DIR).free // MEGABYTE
    except OSError:
        return Part(State.AWAY)
    state = State.OK if free >= settings.LEAST_FREE_MB else State.FULL
    return Part(state, {"free_mb": free})


class Probe:
    """Asks for one part, one question at a time."""

    def __init__(self, ask: Callable[[], Part]) -> None:
        """Know how to ask."""
        self._ask = ask
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ready")
        self._lock = Lock()
        self._asked: Future[Part] | None = None
        self._asked_at = 0.0
        self._fine: Part | None = None
        self._fine_at = 0.0

    def begin(self) -> None:
        """Ask, unless the last question still stands or was answered just now."""
        with self._lock:
            now = time.monotonic()
            is_answered = self._asked is None or self._asked.done()
            if is_answered and now - self._asked_at >= HOLDS_FOR:
                self._asked, self._asked_at = self._thread.submit(self._find_out), now

    def _find_out(self) -> Part:
        part = self._ask()
        if part.is_fine:
            self._fine, self._fine_at = part, time.monotonic()
        return part

    def answer(self, deadline: float) -> Part:
        """Return what it said by a moment of the monotonic clock; away if it has said nothing for long."""
        asked = self._asked
        if asked is None:
            return Part(State.AWAY)
        try:
            return asked.result(max(0.0, deadline - time.monotonic()))
        except TooLateError:
            is_recent = time.monotonic() - self._fine_at < MOMENT
            return self._fine if self._fine and is_recent else Part(State.AWAY)


PARTS: Mapping[str, Callable[[], Part]] = {
    "database": database,
    "broker": broker,
    "sweep": LastSweep(),
    "disk": disk,
}


class Probes:
    """Asks for all parts at once."""

    def __init__(self, parts: Mapping[str, Callable[[], Part]] = PARTS) -> None:
        """Know how to ask for each, and ask for nothing yet."""
        self._probes = {name: Probe(ask) for name, ask in parts.items()}

    def parts(self) -> dict[str, Part]:
        """Return how each part is, within little more than a second."""
        deadline = time.monotonic() + WITHIN
        for probe in self._probes.values():
            probe.begin()
        return {name: probe.answer(deadline) for name, probe in self._probes.items()}


probes = Probes()
