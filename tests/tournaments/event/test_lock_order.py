"""Who wants a match, its places and its tournament takes them in this order."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction

from scoring.matchlog.commands import Author
from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    enter_points,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.event import rounds
from tournaments.event.results import confirm_for_table
from tournaments.event.seats import correct_seats
from tournaments.models import Place, Round, Tournament

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "connection.vendor != 'postgresql'", reason="rows are locked by PostgreSQL"
    ),
]
PATIENCE = 20
"""Seconds."""
WAITING = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def wait_until_another_waits() -> None:
    """Return once another connection waits for a row that this one holds."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            if cursor.fetchone() == (1,):
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits")


def turn_round(one: Round) -> None:
    table = one.tables.get()
    people = table.places.order_by("index").values_list("entry", flat=True)
    correct_seats(
        table_id=table.pk,
        key=uuid4(),
        entry_ids=list(people)[::-1],
        from_hand=1,
        author=Author(may_change_closed=True),
        reason="",
        now=NOW,
    )


def close(one: Round) -> None:
    rounds.close(round_id=one.pk, now=NOW, override="late")


def finish(one: Round) -> None:
    Round.objects.filter(pk=one.pk).update(state=Round.State.CLOSED)
    rounds.finish(tournament_id=one.tournament_id, now=NOW)


def write(one: Round) -> None:
    """Confirm the result of a table, or enter a hand where there is none yet."""
    table = one.tables.get()
    assert table.match is not None
    if table.match.finished:
        confirm_for_table(table_id=table.pk, author=Author(), now=NOW)
    else:
        enter_points(table.match, [3, 2, 1, 0])


@pytest.mark.parametrize("desk", [turn_round, close, finish])
def test_the_desk_waits_for_who_writes_at_a_table_and_not_the_other_way_round(
    desk: Callable[[Round], Any],
) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    one = running_round(tournament)
    if desk is not close:
        play_round(one)

    def at_the_desk() -> None:
        try:
            desk(one)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            Match.objects.select_for_update().get(table__round=one)
            done = threads.submit(at_the_desk)
            wait_until_another_waits()
            # What a phone's entry wants besides, which nobody holds.
            Tournament.objects.select_for_update(nowait=True).get(pk=tournament.pk)
            list(Place.objects.select_for_update(nowait=True).filter(round=one))
            write(one)
        done.result(PATIENCE)
