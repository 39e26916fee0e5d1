"""The kinds of notifications that devices can get about a tournament."""

from enum import StrEnum
from functools import partial

from django.db import transaction

from tournaments.models import Tournament
from tournaments.signals import notice_due


class NoticeKind(StrEnum):
    """The kinds of notifications, each with the event that causes it."""

    SEATED = "seated"
    """A round was published."""
    STARTED = "started"
    """A round began: its players are called to their tables."""
    PLACE = "place"
    """An entry got a place from the waiting list."""
    ANNOUNCEMENT = "said"
    """An announcement was made."""
    MATCH_OVER = "over"
    """A match is over, and its table has not confirmed."""
    CALLED = "called"
    """A table calls the director."""
    DISPUTED = "disputed"
    """A table disputes its result."""
    BLOCKED = "blocked"
    """A tournament on autopilot waits for someone to act."""


def notify(kind: NoticeKind, subject: int) -> None:
    """Notify subscribed devices once the transaction is committed; `subject` is a primary key."""
    arguments = {"kind": kind.value, "subject": subject}
    transaction.on_commit(partial(notice_due.send_robust, Tournament, **arguments))
