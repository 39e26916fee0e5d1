"""Jobs of the scorepad."""

import logging

from celery import shared_task
from django.dispatch import receiver

from scoring.models import Match
from scoring.operations import rebuild_match
from scoring.signals import match_changed

logger = logging.getLogger(__name__)


@shared_task(acks_late=True)
def verify_match(match_id: int, **_later: object) -> int:
    """Return how many stored values did not follow from the match's log.

    Runs after every change and is safe to run at any time; whatever differs is
    derived anew. Arguments that later releases add are ignored.
    """
    if not Match.objects.filter(pk=match_id).exists():
        return 0
    found = rebuild_match(match_id=match_id)
    for difference in found:
        logger.error("match %s: %s", match_id, difference)
    return len(found)


@receiver(match_changed)
def verify_later(sender: type[Match], match_id: int, **_told: object) -> None:
    """Have a changed match verified, by a worker where there is one."""
    verify_match.delay(match_id)
