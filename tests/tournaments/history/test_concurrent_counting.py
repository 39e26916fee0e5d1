"""The history during concurrent changes: PostgreSQL, Redis and a real worker."""

import time
from collections.abc import Callable

import pytest
from django.utils import timezone

from tests.conftest import is_busy
from tests.factories.history import POINTS, finished_tournament
from tests.factories.tournaments import ClubFactory
from tests.tournaments.history.test_derivation import correct, first_match
from tests.tournaments.test_tasks import THREADS, at_once
from tournaments.event import rounds
from tournaments.history.derivation import history_differences
from tournaments.models import Club, Result, Tournament

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
PATIENCE = 60
"""Seconds."""


def wait_until_counted(club: Club, worker: str) -> None:
    """Wait until the worker has nothing left to count, standings included.

    A computation in progress is no longer requested, but not counted yet.
    """
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        time.sleep(0.5)
        busy = is_busy(worker)
        is_outdated = club.tournaments.with_outdated_history().exists()
        is_pending = club.tournaments.exclude(asked_at=None).exists()
        if not (busy or is_outdated or is_pending):
            return
    raise AssertionError("the worker does not come to an end")


def test_evenings_that_end_while_others_are_corrected_are_all_counted(
    celery_worker_name: str,
) -> None:
    club: Club = ClubFactory.create()
    days = [f"2026-05-{day:02}" for day in range(10, 10 + THREADS)]
    evenings = [finished_tournament(day, 8, club=club) for day in days]
    for tournament in evenings[::2]:
        rounds.reopen(tournament_id=tournament.pk)
    wait_until_counted(club, celery_worker_name)
    at_once(
        [make_change(tournament, number) for number, tournament in enumerate(evenings)]
    )
    wait_until_counted(club, celery_worker_name)
    results = Result.objects.current().filter(club=club)
    assert results.values("tournament").distinct().count() == THREADS
    assert history_differences(club) == []


def make_change(tournament: Tournament, number: int) -> Callable[[], object]:
    """Return a function that finishes a tournament again, or corrects a hand of it."""
    if number % 2 == 0:
        return lambda: rounds.finish(tournament_id=tournament.pk, now=timezone.now())
    match = first_match(tournament)
    points = POINTS[: match.seats.count()][::-1]
    return lambda: correct(match, points)
