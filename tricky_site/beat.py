"""The beat of the job queue. It handles changes of the clock, and runs in the site if there is no broker."""

import dbm
import logging
from datetime import timedelta
from pathlib import Path
from threading import Thread
from typing import Any

from celery.beat import PersistentScheduler, Scheduler, Service
from celery.schedules import schedule
from django.conf import settings
from django.db import close_old_connections

from tricky_site.celery import app, retry_every_second
from tricky_site.private_files import create_private_folder

logger = logging.getLogger(__name__)

MAX_SLEEP_SECONDS = 1
MAX_AHEAD = timedelta(seconds=2)
"""Tolerance for last runs in the future; a later one means that the clock was set back."""


class ClockTolerantScheduler(Scheduler):
    """Runs due tasks even if the clock was set back; Celery's own would wait until it has caught up."""

    def tick(self, *args: Any, **options: Any) -> float:
        for entry in self.schedule.values():
            now, rhythm = entry.default_now(), entry.schedule
            if entry.last_run_at is not None and entry.last_run_at > now + MAX_AHEAD:
                # Tasks with an interval are due now; those with a time of day wait for it.
                is_interval = type(rhythm) is schedule
                entry.last_run_at = now - rhythm.run_every if is_interval else now  # type: ignore[union-attr]
                self._heap = None
        seconds: float = super().tick(*args, **options)
        return min(seconds, MAX_SLEEP_SECONDS)

    def _ensure_connected(self) -> Any:
        with retry_every_second(self.connection):
            return super()._ensure_connected()  # type: ignore[misc]


class PersistentClockTolerantScheduler(ClockTolerantScheduler, PersistentScheduler):
    """The scheduler of a worker, which stores the last run of each task in a file."""

    def setup_schedule(self) -> None:
        """Read the file, in a folder that only its owner can read."""
        create_private_folder(Path(self.schedule_filename).parent)  # type: ignore[attr-defined]
        super().setup_schedule()

    def sync(self) -> None:
        """Store the last run of each task, if possible: a full disk must not stop the beat."""
        try:
            super().sync()
        except dbm.error as error:
            logger.warning("The last runs of the beat were not stored: %s.", error)


class ThreadScheduler(ClockTolerantScheduler):
    """Runs due tasks in its own thread, with a usable database connection."""

    def tick(self, *args: Any, **options: Any) -> float:
        close_old_connections()
        return super().tick(*args, **options)


def start_beat_without_broker() -> Service | None:
    """Start the beat in a thread of this process and return it; None if there is a broker."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        return None
    beat = Service(app, max_interval=MAX_SLEEP_SECONDS, scheduler_cls=ThreadScheduler)
    Thread(target=beat.start, name="beat", daemon=True).start()
    return beat
