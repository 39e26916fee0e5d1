"""The beat of the job queue. It survives changes of the clock, and runs in the site if there is no broker."""

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
AHEAD = timedelta(seconds=2)
"""A last run further in the future is from before the clock was set back."""


class SteadyScheduler(Scheduler):
    """Runs what is due although the clock was set back; Celery's own waits until it has caught up."""

    def tick(self, *args: Any, **options: Any) -> float:
        for entry in self.schedule.values():
            now, rhythm = entry.default_now(), entry.schedule
            if entry.last_run_at is not None and entry.last_run_at > now + AHEAD:
                # What comes every so often is due now; the rest waits for its time.
                is_interval = type(rhythm) is schedule
                entry.last_run_at = now - rhythm.run_every if is_interval else now  # type: ignore[union-attr]
                self._heap = None
        seconds: float = super().tick(*args, **options)
        return min(seconds, MAX_SLEEP_SECONDS)

    def _ensure_connected(self) -> Any:
        with retry_every_second(self.connection):
            return super()._ensure_connected()  # type: ignore[misc]


class SteadyPersistentScheduler(SteadyScheduler, PersistentScheduler):
    """The scheduler of a worker, which stores in a file when each task ran last."""

    def setup_schedule(self) -> None:
        """Read the file, in a folder that its owner alone may look into."""
        create_private_folder(Path(self.schedule_filename).parent)  # type: ignore[attr-defined]
        super().setup_schedule()

    def sync(self) -> None:
        """Store when each task ran last, if possible: a full disk stops no beat."""
        try:
            super().sync()
        except dbm.error as error:
            logger.warning("The last runs of the beat were not stored: %s.", error)


class SiteScheduler(SteadyScheduler):
    """Runs what is due in its own thread, with a connection that still holds."""

    def tick(self, *args: Any, **options: Any) -> float:
        close_old_connections()
        return super().tick(*args, **options)


def start_beat() -> Service | None:
    """Return the beat that runs in a thread of this process; None if a broker's worker has it."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        return None
    beat = Service(app, max_interval=MAX_SLEEP_SECONDS, scheduler_cls=SiteScheduler)
    Thread(target=beat.start, name="beat", daemon=True).start()
    return beat
