"""Tasks of the scorepad."""

import logging

from celery import shared_task
from django.dispatch import receiver

from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match
from scoring.queue import send_task_or_run_now
from scoring.signals import match_changed

logger = logging.getLogger(__name__)


PAUSE = 5
"""Seconds in which a match may change again before it is verified."""


@shared_task(name="scoring.tasks.verify_match")
def repair_match(match_id: int, version: int | None = None, **_later: object) -> int:
    """Correct the stored values of a match from its log, and return how many differed.

    Runs when a match is over and after every change of one that counts. A match that has changed
    since `version` is left to the task of the later change. Arguments of later releases are ignored.
    """
    versions = Match.objects.filter(pk=match_id).values_list("version", flat=True)
    current_version = versions.first()
    if current_version is None or (version is not None and current_version > version):
        return 0
    differences = rebuild_match(match_id=match_id)
    for difference in differences:
        logger.error("match %s: %s", match_id, difference)
    return len(differences)


@receiver(match_changed)
def queue_match_repair(match_id: int, version: int, **_signal: object) -> None:
    send_task_or_run_now(repair_match, match_id, version, delay_seconds=PAUSE)
