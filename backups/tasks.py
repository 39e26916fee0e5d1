"""The nightly backup."""

import logging
from datetime import datetime, timedelta
from pathlib import Path

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from backups.archive import BackupError, last_backup_at, remove_old_backups
from backups.backup import make_backup

logger = logging.getLogger(__name__)

NIGHT_BEGINS = timedelta(hours=3, minutes=30)
TIME_LIMIT = 60 * 60
OTHERS_WAIT = 10 * 60
"""Seconds in which only one of several beat processes makes a backup."""


def is_due(now: datetime) -> bool:
    """Return whether a folder for backups is set and has no backup since 3:30."""
    if not settings.BACKUP_FOLDER:
        return False
    last = last_backup_at(Path(settings.BACKUP_FOLDER))
    night_start = timezone.localtime(now) - NIGHT_BEGINS
    return (
        last is None
        or (timezone.localtime(last) - NIGHT_BEGINS).date() < night_start.date()
    )


@shared_task(time_limit=TIME_LIMIT)
def back_up_when_due(**_later: object) -> bool:
    """Make a backup if one is due, and return whether it was made. Called each hour.

    The hourly call also covers sites that were off at night, and retries after a full disk.
    Failures are logged, and shown at desks after two days.
    """
    if not is_due(timezone.now()) or not cache.add("backup", 1, OTHERS_WAIT):
        return False
    folder = Path(settings.BACKUP_FOLDER)
    try:
        path = make_backup(folder, timezone.now())
    except BackupError as refused:
        logger.error("No backup was made: %s", refused)
        return False
    remove_old_backups(folder, settings.BACKUP_KEEP)
    logger.info("Backed up to %s.", path)
    return True
