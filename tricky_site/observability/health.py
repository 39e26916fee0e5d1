"""Health checks of the parts that the site depends on, answered within about a second.

Each part is checked in its own thread, so that a hanging one delays no other; it is not checked again
until it answers. Responses do not reveal where a part runs or which software it is.
"""

import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu import Connection

from backups.archive import last_backup_at
from scoring.queue import SWEPT_WITHIN, last_sweep_unix_time
from scoring.storage_failures import classify_storage_failure
from tournaments.event.desk.attention import BACKED_UP_WITHIN
from tournaments.models import Delivery, Tournament

ANSWER_WITHIN = 1.0
"""Seconds to wait; for a part that takes longer, the last result is reported."""
AWAY_AFTER = 5.0
"""Seconds without an answer until a part counts as away, as a busy machine is not an outage."""
CHECK_EVERY = 1.0
"""Minimum seconds between two checks of a part, regardless of the number of requests."""
MEGABYTE = 1024 * 1024
STARTED_AT = time.monotonic()


class PartHealth(NamedTuple):
    """The result of a check."""

    state: str
    """`ok`, `none` (not configured), `away`, `read-only`, `full` or `late`."""
    figures: Mapping[str, int] = MappingProxyType({})

    @property
    def is_fine(self) -> bool:
        """Return whether the site can rely on it."""
        return self.state in ("ok", "none")


def check_database() -> PartHealth:
    # On SQLite a transaction begins with the write lock.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        if connection.vendor == "postgresql":
            cursor.execute("SHOW transaction_read_only")
            if cursor.fetchone() == ("on",):
                return PartHealth("read-only")
    return PartHealth("ok")


def check_broker() -> PartHealth:
    """Count the tasks that wait at the broker for a worker. A site can have no broker."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return PartHealth("none")
    names = ("socket_timeout", "socket_connect_timeout")
    with Connection(
        settings.CELERY_BROKER_URL,
        connect_timeout=AWAY_AFTER,
        transport_options=dict.fromkeys(names, AWAY_AFTER),
    ) as broker:
        channel: Any = broker.channel()
        try:
            queue = settings.CELERY_TASK_DEFAULT_QUEUE
            tasks = channel.queue_declare(queue, passive=True).message_count
        except broker.channel_errors:  # It is empty, or no worker has created it yet.
            tasks = 0
    return PartHealth("ok", {"tasks": tasks})


_last_sweep: float | None = None
"""Also stored here, because a restarted Redis loses it."""


def check_sweep() -> PartHealth:
    """Check the time of the last sweep, which stops if the worker or its beat does."""
    global _last_sweep
    _last_sweep = last_sweep_unix_time() or _last_sweep
    uptime = time.monotonic() - STARTED_AT
    return judge_sweep(_last_sweep, now=time.time(), uptime=uptime)


def judge_sweep(moment: float | None, *, now: float, uptime: float) -> PartHealth:
    """Return the state for the time of the last sweep. A site that has just started may have none.

    A time in the future means that the clock was set back; the next sweep corrects it.
    """
    if moment is None:
        return PartHealth("late" if uptime > SWEPT_WITHIN else "ok")
    age = int(now - moment)
    state = "ok" if abs(age) <= SWEPT_WITHIN else "late"
    return PartHealth(state, {"seconds_ago": max(0, age)})


def check_disk() -> PartHealth:
    """Check the disk space for the embedded database, secrets and uploads."""
    free = shutil.disk_usage(settings.VAR_DIR).free // MEGABYTE
    return PartHealth(
        "ok" if free >= settings.LEAST_FREE_MB else "full", {"free_mb": free}
    )


def webhook_delivery_figures() -> PartHealth:
    """Count the webhook deliveries that are waiting, due, and given up."""
    now = timezone.now()
    states = Delivery.State
    waiting = Delivery.objects.filter(state=states.WAITING, webhook__off_at=None)
    due = Delivery.objects.due(now).order_by()
    figures = due.aggregate(due=Count("pk"), oldest=Min("due_at"))
    return PartHealth(
        "ok",
        {
            "waiting": waiting.count(),
            "due": figures["due"],
            "late_seconds": _age_seconds(figures["oldest"], now),
            "given_up": Delivery.objects.filter(state=states.FAILED).count(),
        },
    )


def waiting_standings_figures() -> PartHealth:
    """Count the tournaments with standings that are not computed yet."""
    waiting = Tournament.objects.exclude(waiting_since=None).order_by()
    figures = waiting.aggregate(waiting=Count("pk"), oldest=Min("waiting_since"))
    late = _age_seconds(figures["oldest"], timezone.now())
    return PartHealth("ok", {"waiting": figures["waiting"], "late_seconds": late})


def check_backup() -> PartHealth:
    """Check the age of the last backup, if a folder for backups is set."""
    if not settings.BACKUP_FOLDER:
        return PartHealth("none")
    last = last_backup_at(Path(settings.BACKUP_FOLDER))
    if last is None:
        return PartHealth("late")
    age = _age_seconds(last, timezone.now())
    is_late = age > BACKED_UP_WITHIN.total_seconds()
    return PartHealth("late" if is_late else "ok", {"age_seconds": age})


def _age_seconds(moment: datetime | None, now: datetime) -> int:
    return int((now - moment).total_seconds()) if moment else 0


class HealthProbe:
    """Runs the check of one part in its own thread, one run at a time."""

    def __init__(self, check: Callable[[], PartHealth]) -> None:
        self._check = check
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="health")
        self._lock = Lock()
        self._running: Future[PartHealth] | None = None
        self._started_at = self._checked_at = float("-inf")
        self._part = PartHealth("away")

    def get_or_start(self) -> Future[PartHealth]:
        """Return the check that is running or has just finished, else start one."""
        with self._lock:
            now = time.monotonic()
            is_due = now - self._started_at >= CHECK_EVERY
            if self._running is None or (self._running.done() and is_due):
                self._running = self._thread.submit(self._run)
                self._started_at = now
            return self._running

    def _run(self) -> PartHealth:
        try:
            self._part = self._check()
        except Exception as error:
            self._part = PartHealth(classify_storage_failure(error) or "away")
        finally:
            connection.close()
        self._checked_at = time.monotonic()
        return self._part

    def wait_or_reuse_last(
        self, running: Future[PartHealth], deadline: float
    ) -> PartHealth:
        """Return the result, or the last one if it is recent and the check takes longer."""
        try:
            return running.result(max(0.0, deadline - time.monotonic()))
        except FutureTimeoutError:
            is_recent = time.monotonic() - self._checked_at < AWAY_AFTER
            return self._part if is_recent else PartHealth("away")


READINESS = {
    "database": check_database,
    "broker": check_broker,
    "sweep": check_sweep,
    "disk": check_disk,
}
CHECKS = {
    **READINESS,
    "outbox": webhook_delivery_figures,
    "standings": waiting_standings_figures,
    "backup": check_backup,
}
probes = {name: HealthProbe(check) for name, check in CHECKS.items()}


def check_parts(names: Iterable[str]) -> dict[str, PartHealth]:
    """Check several parts in parallel, within little more than a second."""
    deadline = time.monotonic() + ANSWER_WITHIN
    running = [(name, probes[name].get_or_start()) for name in names]
    return {
        name: probes[name].wait_or_reuse_last(check, deadline)
        for name, check in running
    }


@require_safe
def liveness(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


@require_safe
@never_cache
def readiness(request: HttpRequest) -> HttpResponse:
    """Return the state of all parts that the site depends on; 503 if one fails."""
    parts = check_parts(READINESS)
    is_ready = all(part.is_fine for part in parts.values())
    states = {
        name: {"state": part.state, **part.figures} for name, part in parts.items()
    }
    status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
    return JsonResponse({"ready": is_ready, "parts": states}, status=status)
