"""A worker that is killed in the middle of its work, on PostgreSQL and Redis."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, connections
from django.db.models import QuerySet
from django.utils import timezone

from scoring.queue import send_task_or_run_now
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
from tournaments.tasks import (
    resend_lost_tasks_and_delete_outdated_rows,
    run_autopilot_nights_and_notify_desks,
)
from tricky_site.celery import app

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE %s
"""
STANDINGS, PLACES = "tournaments_standings", "tournaments_place"


def wait_until(condition: Callable[[], object], message: str) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, message
        time.sleep(0.05)


@contextmanager
def locked(table: str) -> Iterator[None]:
    """Block writes to a table; reads go on."""
    other_connection = connections.create_connection("default")
    try:
        other_connection.set_autocommit(False)
        with other_connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE")
        yield
    finally:
        other_connection.close()


def is_write_waiting(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING, [f'INSERT INTO "{table}"%'])
        (count,) = cursor.fetchone()
        return bool(count)


def is_up_to_date(tournament: Tournament) -> bool:
    """Return whether the stored standings count everything that was entered."""
    return tournament.standings.all().up_to_date().exists()


@pytest.fixture
def start_next_worker(request: pytest.FixtureRequest) -> Callable[[], object]:
    """Return a function that starts the shared worker once another was killed."""
    return lambda: request.getfixturevalue("celery_worker_name")


def test_standings_recover_after_a_worker_dies_while_writing_them(
    start_next_worker: Callable[[], object],
) -> None:
    app.control.purge()
    tournament = tournament_with(8)
    first_table = running_round(tournament).tables.all()[0]
    worker = start_worker(f"killed-{os.getpid()}@localhost")
    wait_until(lambda: is_up_to_date(tournament), "nothing was computed at all")
    with locked(STANDINGS):
        play_table(first_table, [9, 5, 3, 1])
        wait_until(
            lambda: is_write_waiting(STANDINGS), "the worker never came to write"
        )
        worker.kill()
        worker.wait()
    app.control.purge()
    assert not is_up_to_date(tournament)
    start_next_worker()
    resend_lost_tasks_and_delete_outdated_rows()
    wait_until(lambda: is_up_to_date(tournament), "the next worker did not compute")
    assert standings_differences(tournament) == []


def run_and_check(steps: QuerySet[AutoStep]) -> bool:
    """Queue a run of the autopilot, as the beat does; return whether such a step exists."""
    send_task_or_run_now(run_autopilot_nights_and_notify_desks)
    return steps.exists()


def run_step(night: Tournament, kind: AutoStep.Kind) -> None:
    """Let a worker announce a step, and do it as soon as it is due."""
    done_steps = night.auto_steps.filter(kind=kind, state="done")
    announced_steps = night.auto_steps.filter(
        kind=kind, state__in=["announced", "done"]
    )
    wait_until(lambda: run_and_check(announced_steps), f"nobody announced {kind}")
    announced_steps.update(due_at=timezone.now())
    wait_until(lambda: run_and_check(done_steps), f"nobody did {kind}")


@pytest.mark.long(8)
def test_night_continues_after_its_worker_dies_while_seating(
    start_next_worker: Callable[[], object],
) -> None:
    app.control.purge()
    night = tournament_with(
        4, autopilot="run", rounds_planned=1, quorum="none", starts_at=timezone.now()
    )
    autopilot.run_autopilot(tournament_id=night.pk, now=timezone.now())
    night.auto_steps.update(due_at=timezone.now())
    worker = start_worker(f"killed-{os.getpid()}@localhost")
    with locked(PLACES):
        send_task_or_run_now(run_autopilot_nights_and_notify_desks)
        wait_until(lambda: is_write_waiting(PLACES), "the worker never came to seat")
        worker.kill()
        worker.wait()
    app.control.purge()
    wait_until(lambda: not night.rounds.exists(), "half a round is there")
    start_next_worker()
    kinds = [AutoStep.Kind.SEAT, AutoStep.Kind.START]
    kinds += [AutoStep.Kind.CLOSE, AutoStep.Kind.FINISH]
    for kind in kinds:
        if kind == AutoStep.Kind.CLOSE:
            play_round(night.rounds.get())
        run_step(night, kind)
    done_steps = night.auto_steps.filter(state="done").order_by("done_at", "pk")
    assert [step.kind for step in done_steps] == kinds
    night.refresh_from_db()
    assert night.phase == Tournament.Phase.FINISHED
    assert standings_differences(night) == []
