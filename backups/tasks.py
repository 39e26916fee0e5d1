"""The nightly backup."""

import logging
from datetime import datetime, time, timedelta
from pathlib import Path
from threading import Thread

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from django.utils import timezone

from backups.folder import last_backup_at
from backups.making import make_backup
from backups.refusals import BackupError

logger = logging.getLogger(__name__)

AT_NIGHT = time(3, 30)
LONG = 60 * 60
"""Seconds that a backup may take."""
ASKED_ONCE_IN = 10 * 60
"""Seconds in which of several processes that have a beat one backs up."""


def due_since(now: datetime) -> datetime:
    """Return the latest half past three, in the zone of the site, that has passed."""
    tonight = timezone.make_aware(
        datetime.combine(timezone.localdate(now), AT_NIGHT),
        timezone.get_current_timezone(),
    )
    return tonight if tonight <= now else tonight - timedelta(days=1)


def is_due(now: datetime) -> bool:
    """Tell whether there is a folder for backups, and none in it since last night."""
    if not settings.BACKUP_FOLDER:
        return False
    last = last_backup_at(Path(settings.BACKUP_FOLDER))
    return last is None or last < due_since(now)


@shared_task(time_limit=LONG)
def back_up_when_due(**_later: object) -> bool:
    """Return whether a backup was begun; each hour one is, until there is one of last night.

    So a site that is off at night is backed up within an hour of its start, and one whose
    disk was full once there is room. Without a worker it is made in a thread of its own: no
    night that runs itself waits for it.
    """
    if not is_due(timezone.now()) or not cache.add("backup", 1, ASKED_ONCE_IN):
        return False
    if settings.CELERY_TASK_ALWAYS_EAGER:
        Thread(target=_back_up_apart, name="backup", daemon=True).start()
    else:
        back_up()
    return True


def back_up() -> bool:
    """Return whether a backup was made; why not is logged, and said at desks after two days."""
    try:
        made = make_backup(
            folder=Path(settings.BACKUP_FOLDER),
            now=timezone.now(),
            passphrase=settings.BACKUP_PASSPHRASE,
            keep=settings.BACKUP_KEEP,
        )
    except BackupError as refused:
        logger.error("No backup was made: %s", refused)
        return False
    logger.info("Backed up to %s: %s.", made.path, made.manifest.extent)
    return True


def _back_up_apart() -> None:
    try:
        back_up()
    except Exception:
        logger.exception("The backup failed.")
    finally:
        connections.close_all()
