"""Whether what the site depends on works, answered within about a second.

Each part is checked in a thread of its own, so that one that hangs delays nobody. It is not asked again
until it answers. Nothing in the answers tells a stranger where a part is or which software it runs.
"""

import shutil
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from enum import StrEnum
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction
from kombu import Connection
from redis import Redis

from scoring.queue import SWEPT_WITHIN, swept_at
from scoring.unwritten import why_unwritten

ANSWER_WITHIN = 1.0
"""Seconds; a part that takes longer is reported as it was."""
AWAY_AFTER = 5.0
"""Seconds without an answer after which a part is away: a busy machine is no outage."""
CHECK_EVERY = 1.0
"""Seconds between two checks of a part, however many visitors ask."""
MEGABYTE = 1024 * 1024
STARTED_AT = time.monotonic()


class PartState(StrEnum):
    """The state of a part."""

    OK = "ok"
    NONE = "none"
    """There is none, and none is wanted."""
    AWAY = "away"
    READ_ONLY = "read-only"
    FULL = "full"
    LATE = "late"


class Part(NamedTuple):
    """The result of a check."""

    state: PartState
    figures: Mapping[str, int] = MappingProxyType({})

    @property
    def is_fine(self) -> bool:
        """Tell whether the site can rely on it."""
        return self.state in (PartState.OK, PartState.NONE)

    def to_json(self) -> dict[str, str | int]:
        """Return it for JSON."""
        return {"state": self.state.value, **self.figures}


def check_database() -> Part:
    """Check that the database can be read and written."""
    # On SQLite a transaction begins with the right to write.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        if connection.vendor == "postgresql":
            cursor.execute("SHOW transaction_read_only")
            if cursor.fetchone() == ("on",):
                return Part(PartState.READ_ONLY)
    return Part(PartState.OK)


def check_broker() -> Part:
    """Count the tasks that wait at the broker for a worker; a site can do without a broker."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return Part(PartState.NONE)
    url, queue = settings.CELERY_BROKER_URL, settings.CELERY_TASK_DEFAULT_QUEUE
    if url.startswith(("redis://", "rediss://")):
        with Redis.from_url(
            url, socket_connect_timeout=AWAY_AFTER, socket_timeout=AWAY_AFTER
        ) as redis:
            return Part(PartState.OK, {"tasks": redis.llen(queue)})
    with Connection(url, connect_timeout=AWAY_AFTER) as broker:
        channel: Any = broker.channel()
        try:
            tasks = channel.queue_declare(queue, passive=True).message_count
        except broker.channel_errors:  # No worker has made the queue yet.
            tasks = 0
    return Part(PartState.OK, {"tasks": tasks})


class SweepCheck:
    """Check when the sweep ran last: it stops if the worker or its beat does."""

    _moment: float | None = None

    def __call__(self) -> Part:
        """Return its age; this process remembers it if a restarted Redis does not."""
        self._moment = swept_at() or self._moment
        up_for = time.monotonic() - STARTED_AT
        return judge_sweep(self._moment, now=time.time(), up_for=up_for)


def judge_sweep(moment: float | None, *, now: float, up_for: float) -> Part:
    """Return the state of the last sweep. A site that has just started waits for its first.

    A sweep in the future ran before the clock was set back; the next one corrects that.
    """
    if moment is None:
        is_late = up_for > SWEPT_WITHIN
        return Part(PartState.LATE if is_late else PartState.OK)
    age = int(now - moment)
    state = PartState.OK if abs(age) <= SWEPT_WITHIN else PartState.LATE
    return Part(state, {"seconds_ago": max(0, age)})


def check_disk() -> Part:
    """Check the room for the embedded database, its secrets and uploads."""
    free = shutil.disk_usage(settings.VAR_DIR).free // MEGABYTE
    state = PartState.OK if free >= settings.LEAST_FREE_MB else PartState.FULL
    return Part(state, {"free_mb": free})


CHECKS: Mapping[str, Callable[[], Part]] = {
    "database": check_database,
    "broker": check_broker,
    "sweep": SweepCheck(),
    "disk": check_disk,
}


class Probe:
    """Run the check of one part, once at a time."""

    def __init__(self, check: Callable[[], Part]) -> None:
        """Take the check."""
        self._check = check
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ready")
        self._lock = Lock()
        self._running: Future[Part] | None = None
        self._begun_at = 0.0
        self._fine: Part | None = None
        self._fine_at = 0.0

    def begin(self) -> Future[Part]:
        """Return the check that runs or was done just now, else begin one."""
        with self._lock:
            now = time.monotonic()
            is_due = now - self._begun_at >= CHECK_EVERY
            if self._running is None or (self._running.done() and is_due):
                self._running = self._thread.submit(self._run)
                self._begun_at = now
            return self._running

    def _run(self) -> Part:
        try:
            part = self._check()
        except Exception as error:
            reason = why_unwritten(error)
            return Part(PartState(reason.value) if reason else PartState.AWAY)
        finally:
            connection.close()
        if part.is_fine:
            self._fine, self._fine_at = part, time.monotonic()
        return part

    def wait(self, running: Future[Part], deadline: float) -> Part:
        """Return the result, or the last fine one if it is recent and the check takes longer."""
        try:
            return running.result(max(0.0, deadline - time.monotonic()))
        except FutureTimeoutError:
            is_recent = time.monotonic() - self._fine_at < AWAY_AFTER
            return self._fine if self._fine and is_recent else Part(PartState.AWAY)


class Probes:
    """Check several parts at the same time."""

    def __init__(self, checks: Mapping[str, Callable[[], Part]] = CHECKS) -> None:
        """Take the checks by the names of their parts."""
        self._probes = {name: Probe(check) for name, check in checks.items()}

    def parts(self) -> dict[str, Part]:
        """Return all parts, within little more than a second."""
        deadline = time.monotonic() + ANSWER_WITHIN
        running = [(name, probe, probe.begin()) for name, probe in self._probes.items()]
        return {name: probe.wait(check, deadline) for name, probe, check in running}


probes = Probes()
