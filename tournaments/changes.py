"""Shared by all operations on a tournament: refusals, and signals that something changed."""

from django.db import transaction
from django.db.models import F

from tournaments.models import Club, Tournament
from tournaments.signals import (
    history_changed,
    history_outdated,
    tournament_changed,
)


class RefusedError(Exception):
    """An operation that is not possible, with the field and the way out."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def mark_changed(tournament_id: int) -> None:
    """Count a change that the standings depend on, and send its signal on commit."""
    Tournament.objects.filter(pk=tournament_id).update(version=F("version") + 1)
    transaction.on_commit(
        lambda: tournament_changed.send_robust(Tournament, tournament_id=tournament_id)
    )


def mark_history_changed(club_id: int) -> None:
    """Count a new version of a club's history, and send its signal on commit."""
    Club.objects.filter(pk=club_id).update(history_version=F("history_version") + 1)
    transaction.on_commit(lambda: history_changed.send_robust(Club, club_id=club_id))


def signal_history_outdated(club_id: int) -> None:
    """Send a signal, on commit, that a club's history is behind."""
    transaction.on_commit(
        lambda: history_outdated.send_robust(Tournament, club_id=club_id)
    )
