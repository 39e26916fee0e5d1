"""What people may be told of a tournament on their devices."""

from enum import StrEnum
from functools import partial

from django.db import transaction

from tournaments.models import Tournament
from tournaments.signals import notice_due


class NoticeKind(StrEnum):
    """What people may be told, each with what its subject is."""

    SEATED = "seated"
    """A round was published."""
    STARTED = "started"
    """A round began: its players are called to their tables."""
    PLACE = "place"
    """An entry got a place from the waiting list."""
    SAID = "said"
    """An announcement was made."""
    OVER = "over"
    """A match is over, and its table has not agreed."""
    CALLED = "called"
    """A table calls the director."""
    DISPUTED = "disputed"
    """A table does not agree on its result."""
    BLOCKED = "blocked"
    """A tournament that runs itself waits for a person."""


def notify(kind: NoticeKind, subject: int) -> None:
    """Tell those who asked for it, once what happened is committed."""
    about = {"kind": kind.value, "subject": subject}
    transaction.on_commit(partial(notice_due.send_robust, Tournament, **about))
