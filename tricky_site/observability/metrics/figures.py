"""What the database and the queue say when they are asked: the same in whatever process.

Nobody who delivers a hand counts anything for it: the log has every entry, refusals are answers.
"""

from threading import Lock
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count, Max, Min
from django.utils import timezone

from scoring.models import LogEntry
from tournaments.models import Delivery
from tricky_site.celery import app
from tricky_site.observability.readiness import WITHIN, Part, State

MOST_OPEN = 10_000
"""How many of the newest entries are counted anew each time: some may be written out of turn."""


class CountedLog:
    """How many entries of each kind the log has; what was counted once is not read again."""

    def __init__(self) -> None:
        """Have counted nothing."""
        self._counted: dict[str, int] = dict.fromkeys(LogEntry.Kind.values, 0)
        self._until = 0
        self._lock = Lock()

    def counts(self) -> dict[str, int]:
        """Return how many there are of each kind."""
        with self._lock:
            newest = LogEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
            settled = newest - MOST_OPEN
            if settled > self._until:
                more = self._between(self._until, settled)
                self._counted = _added(self._counted, more)
                self._until = settled
            return _added(self._counted, self._between(self._until, newest))

    def _between(self, after: int, last: int) -> dict[str, int]:
        entries = LogEntry.objects.filter(pk__gt=after, pk__lte=last)
        by_kind = entries.order_by().values_list("kind").annotate(Count("pk"))
        return dict(by_kind)


def _added(some: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    return {kind: count + more.get(kind, 0) for kind, count in some.items()}


counted_log = CountedLog()


def log() -> Part:
    """Return how many entries the log has of each kind, conflicts among them."""
    try:
        return Part(State.OK, counted_log.counts())
    except Exception:
        return Part(State.AWAY)
    finally:
        connection.close()


def outbox() -> Part:
    """Return how much webhooks have still to be told, how much is late, and since when."""
    now = timezone.now()
    try:
        waiting = Delivery.objects.filter(
            state=Delivery.State.WAITING, webhook__off_at=None
        )
        due = Delivery.objects.due(now).order_by()
        figures = due.aggregate(due=Count("pk"), oldest=Min("due_at"))
        oldest = figures["oldest"]
        return Part(
            State.OK,
            {
                "waiting": waiting.count(),
                "due": figures["due"],
                "late_seconds": int((now - oldest).total_seconds()) if oldest else 0,
                "given_up": Delivery.objects.filter(
                    state=Delivery.State.FAILED
                ).count(),
            },
        )
    except Exception:
        return Part(State.AWAY)
    finally:
        connection.close()


def queue() -> Part:
    """Return how many tasks wait at the broker for a worker; a site can be without one."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return Part(State.NONE)
    name = app.conf.task_default_queue
    try:
        with app.connection_for_read(connect_timeout=WITHIN) as broker:
            channel: Any = broker.channel()
            declared = channel.queue_declare(name, passive=True)
            return Part(State.OK, {"waiting": declared.message_count})
    except Exception:
        return Part(State.AWAY)
