"""The beat of the job queue within the process of the site, where there is no broker."""

from threading import Thread
from typing import Any

from celery.beat import Scheduler, Service
from django.conf import settings
from django.db import close_old_connections

from tricky_site.celery import app

LOOKS_EVERY = 1
"""Seconds that the beat sleeps at most."""


class _Scheduler(Scheduler):
    """Runs what is due in its own thread, with a connection that still holds."""

    def tick(self, *args: Any, **options: Any) -> float:
        """Return in how many seconds to look again."""
        close_old_connections()
        seconds: float = super().tick(*args, **options)
        return seconds


def start_beat() -> Service | None:
    """Return the beat that runs in a thread of this process; None where a broker's worker has it."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        return None
    beat = Service(app, max_interval=LOOKS_EVERY, scheduler_cls=_Scheduler)
    Thread(target=beat.start, name="beat", daemon=True).start()
    return beat
