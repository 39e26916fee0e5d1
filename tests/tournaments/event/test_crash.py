"""A worker that is killed in the middle of its work, on PostgreSQL and Redis."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, connections

from tests.conftest import start_worker
from tests.factories.tournaments import play_table, running_round, tournament_with
from tournaments.event.results import standings_differences
from tournaments.models import Tournament
from tournaments.tasks import sweep
from tricky_site.celery import app

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE 'INSERT INTO "tournaments_standings"%'
"""


def until(holds: Callable[[], object], what: str) -> None:
    """Wait until something holds; say what did not."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@contextmanager
def standings_locked() -> Iterator[None]:
    """Let whoever writes standings wait, with everything else done."""
    other = connections.create_connection("default")
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute("LOCK TABLE tournaments_standings IN EXCLUSIVE MODE")
        yield
    finally:
        other.close()


def writes_standings() -> bool:
    """Tell whether somebody waits to write standings."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        (waiting,) = cursor.fetchone()
        return bool(waiting)


def is_up_to_date(tournament: Tournament) -> bool:
    """Tell whether the stored standings count everything that was entered."""
    return tournament.standings.all().up_to_date().exists()


def test_standings_come_right_after_a_worker_was_killed_while_it_wrote_them() -> None:
    app.control.purge()
    tournament = tournament_with(8)
    first = running_round(tournament).tables.all()[0]
    assert first.match is not None
    worker = start_worker(f"killed-{os.getpid()}@localhost")
    until(lambda: is_up_to_date(tournament), "nothing was computed at all")
    with standings_locked():
        play_table(first, [9, 5, 3, 1])
        until(writes_standings, "the worker never came to write")
        worker.kill()
        worker.wait()
    app.control.purge()
    assert not is_up_to_date(tournament)
    another = start_worker(f"next-{os.getpid()}@localhost")
    sweep()
    until(lambda: is_up_to_date(tournament), "the next worker did not compute")
    assert standings_differences(tournament) == []
    another.terminate()
    another.wait(timeout=30)
