"""Who wants a match, its places and its tournament takes them in this order."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from scoring.matchlog.commands import Author
from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    enter_points,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.event import entries, rounds
from tournaments.event.draw import draw
from tournaments.event.results import confirm_for_table, dispute, set_void, settle
from tournaments.event.seats import reseat_entries
from tournaments.event.tables import choose_game, set_round_game
from tournaments.models import Entry, Place, Round, Table, Tournament

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


def wait_until_others_wait(count: int = 1) -> None:
    """Return once so many other connections wait for a row that this one holds."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            # Who connected since a transaction looked first is not seen otherwise.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(WAITING)
            if cursor.fetchone() == (count,):
                return
        time.sleep(0.02)
    raise AssertionError(f"not {count} wait")


def turn_round(one: Round) -> None:
    table = one.tables.get()
    people = table.places.order_by("index").values_list("entry", flat=True)
    reseat_entries(
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


ROUND = {Round: "pk", Table: "round", Place: "round"}


@contextmanager
def holding(rows: QuerySet[Any], act: Callable[[], Any]) -> Iterator[None]:
    """Hold rows while somebody waits for them, and let them do what they want afterwards."""

    def in_a_thread() -> None:
        try:
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            list(rows.select_for_update())
            done = threads.submit(in_a_thread)
            wait_until_others_wait()
            yield
        done.result(PATIENCE)


@pytest.mark.parametrize("desk", [turn_round, close, finish])
def test_desk_waits_for_table_writes_and_never_the_reverse(
    desk: Callable[[Round], Any],
) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    one = running_round(tournament)
    if desk is not close:
        play_round(one)

    with holding(Match.objects.filter(table__round=one), lambda: desk(one)):
        # What a phone's entry wants besides, which nobody holds.
        Tournament.objects.select_for_update(nowait=True).get(pk=tournament.pk)
        assert list(Place.objects.select_for_update(nowait=True).filter(round=one))
        write(one)


def entry_of(one: Round) -> int:
    pk: int = one.places.values_list("entry", flat=True)[0]
    return pk


def table_of(one: Round) -> int:
    return one.tables.get().pk


WANT_THE_TOURNAMENT: dict[str, Callable[[Round], Any]] = {
    "somebody checks in": lambda one: entries.report_own_state(
        entry_id=entry_of(one), verb="leave", now=NOW
    ),
    "the desk drops somebody": lambda one: entries.set_state(
        entry_id=entry_of(one), state=Entry.State.DROPPED
    ),
    "somebody plays on for somebody": lambda one: entries.substitute(
        entry_id=entry_of(one), name="Zoe", now=NOW
    ),
    "a table disputes": lambda one: dispute(table_id=table_of(one), now=NOW),
    "a dispute is settled": lambda one: settle(
        table_id=table_of(one), author=Author(name="Di"), now=NOW
    ),
    "a table is made void": lambda one: set_void(table_id=table_of(one), void=True),
    "the round starts": lambda one: rounds.start(round_id=one.pk, now=NOW),
    "its seats are shown": lambda one: rounds.publish_with_pads(
        round_id=one.pk, now=NOW
    ),
    "its game is another": lambda one: set_round_game(round_id=one.pk, game="tricky"),
    "its draw is taken back": lambda one: rounds.withdraw_rounds(round_id=one.pk),
}


@pytest.mark.parametrize("act", WANT_THE_TOURNAMENT.values(), ids=WANT_THE_TOURNAMENT)
def test_waiting_for_the_tournament_lock_holds_no_other_lock(
    act: Callable[[Round], Any],
) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    draw(tournament_id=tournament.pk)
    one = tournament.rounds.get()
    rounds.publish(round_id=one.pk)
    with holding(Tournament.objects.filter(pk=tournament.pk), lambda: act(one)):
        # What a draw and the standings refer to while they hold it.
        for model in (Round, Table, Place):
            of_it = model._default_manager.filter(**{ROUND[model]: one.pk})
            assert list(of_it.select_for_update(nowait=True))
        assert list(tournament.entries.select_for_update(nowait=True))


def test_table_that_chooses_its_game_waits_for_the_tournament() -> None:
    tournament = tournament_with(4, rounds_planned=1, game_choice="table")
    one = running_round(tournament)

    def choose() -> None:
        choose_game(table_id=table_of(one), game="tricky_bid", now=NOW)

    with holding(Tournament.objects.filter(pk=tournament.pk), choose):
        assert list(one.tables.select_for_update(nowait=True))
    assert one.tables.matches().count() == 1


def test_table_that_chooses_its_game_waits_for_its_writer() -> None:
    tournament = tournament_with(4, rounds_planned=1, game_choice="table")
    one = running_round(tournament)
    table = choose_game(table_id=table_of(one), game="tricky_bid", now=NOW)
    matches = Match.objects.filter(table=table)

    def choose() -> None:
        choose_game(table_id=table.pk, game="db2t", now=NOW)

    with holding(matches, choose):
        assert list(one.tables.select_for_update(nowait=True))
