"""A worker that is killed in the middle of its work, on PostgreSQL and Redis."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, connections
from django.db.models import QuerySet
from django.utils import timezone

from scoring.queue import queue_task
from tests.conftest import start_worker
from tests.factories.tournaments import (
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tournaments.event import autopilot
from tournaments.event.results import standings_differences
from tournaments.models import AutoStep, Tournament
from tournaments.tasks import run_nights, sweep
from tricky_site.celery import app

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE %s
"""
STANDINGS, PLACES = "tournaments_standings", "tournaments_place"


def until(holds: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@contextmanager
def locked(table: str) -> Iterator[None]:
    """Block writes to a table, with all earlier steps done."""
    other = connections.create_connection("default")
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        yield
    finally:
        other.close()


def writes(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [f'INSERT INTO "{table}"%'])
        (waiting,) = cursor.fetchone()
        return bool(waiting)


def is_up_to_date(tournament: Tournament) -> bool:
    """Tell whether the stored standings count everything that was entered."""
    return tournament.standings.all().up_to_date().exists()


@pytest.fixture
def next_worker(request: pytest.FixtureRequest) -> Callable[[], object]:
    """Return what starts the worker that all tests here share, once another was killed."""
    return lambda: request.getfixturevalue("celery_worker_name")


def test_standings_recover_after_a_worker_dies_while_writing_them(
    next_worker: Callable[[], object],
) -> None:
    app.control.purge()
    tournament = tournament_with(8)
    first = running_round(tournament).tables.all()[0]
    worker = start_worker(f"killed-{os.getpid()}@localhost")
    until(lambda: is_up_to_date(tournament), "nothing was computed at all")
    with locked(STANDINGS):
        play_table(first, [9, 5, 3, 1])
        until(lambda: writes(STANDINGS), "the worker never came to write")
        worker.kill()
        worker.wait()
    app.control.purge()
    assert not is_up_to_date(tournament)
    next_worker()
    sweep()
    until(lambda: is_up_to_date(tournament), "the next worker did not compute")
    assert standings_differences(tournament) == []


def after_a_look(rows: QuerySet[AutoStep]) -> bool:
    """Let a worker look, as its beat does every few seconds; tell whether there is such a step."""
    queue_task(run_nights)
    return rows.exists()


def do_next(night: Tournament, kind: AutoStep.Kind) -> None:
    """Let a worker announce a step, and do it as soon as it is due."""
    done = night.auto_steps.filter(kind=kind, state="done")
    ahead = night.auto_steps.filter(kind=kind, state__in=["announced", "done"])
    until(lambda: after_a_look(ahead), f"nobody announced {kind}")
    ahead.update(due_at=timezone.now())
    until(lambda: after_a_look(done), f"nobody did {kind}")


@pytest.mark.long(8)
def test_night_continues_after_its_worker_dies_while_seating(
    next_worker: Callable[[], object],
) -> None:
    app.control.purge()
    night = tournament_with(
        4, autopilot="run", rounds_planned=1, quorum="none", starts_at=timezone.now()
    )
    autopilot.run(tournament_id=night.pk, now=timezone.now())
    night.auto_steps.update(due_at=timezone.now())
    worker = start_worker(f"killed-{os.getpid()}@localhost")
    with locked(PLACES):
        queue_task(run_nights)
        until(lambda: writes(PLACES), "the worker never came to seat")
        worker.kill()
        worker.wait()
    app.control.purge()
    until(lambda: not night.rounds.exists(), "half a round is there")
    next_worker()
    kinds = [AutoStep.Kind.SEAT, AutoStep.Kind.START]
    kinds += [AutoStep.Kind.CLOSE, AutoStep.Kind.FINISH]
    for kind in kinds:
        if kind == AutoStep.Kind.CLOSE:
            play_round(night.rounds.get())
        do_next(night, kind)
    done = night.auto_steps.filter(state="done").order_by("done_at", "pk")
    assert [step.kind for step in done] == kinds
    night.refresh_from_db()
    assert night.phase == Tournament.Phase.FINISHED
    assert standings_differences(night) == []
