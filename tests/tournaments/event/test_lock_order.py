"""Locks are taken in one order: the match, its places, its tournament."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from scoring.matchlog.commands import CommandAuthor
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
from tournaments.event.results import (
    confirm_disputed_result_or_end_call,
    confirm_table_as_director,
    dispute,
    set_void,
)
from tournaments.event.seats import seat_and_exchange_entries
from tournaments.event.tables import (
    choose_game_and_start_match,
    set_game_and_redraw_if_needed,
)
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
    """Return once so many other connections wait for a row that this one locks."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            # Without this, newer connections are invisible to the transaction.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(WAITING)
            if cursor.fetchone() == (count,):
                return
        time.sleep(0.02)
    raise AssertionError(f"not {count} wait")


def reverse_seats(round_: Round) -> None:
    table = round_.tables.get()
    entry_ids = table.places.order_by("index").values_list("entry", flat=True)
    seat_and_exchange_entries(
        table_id=table.pk,
        key=uuid4(),
        entry_ids=list(entry_ids)[::-1],
        from_hand=1,
        author=CommandAuthor(may_change_closed=True),
        reason="",
        now=NOW,
    )


def close(round_: Round) -> None:
    rounds.close(round_id=round_.pk, now=NOW, override="late")


def finish(round_: Round) -> None:
    Round.objects.filter(pk=round_.pk).update(state=Round.State.CLOSED)
    rounds.finish(tournament_id=round_.tournament_id, now=NOW)


def write_at_table(round_: Round) -> None:
    """Confirm the result of a table, or enter a hand where there is none yet."""
    table = round_.tables.get()
    assert table.match is not None
    if table.match.finished:
        confirm_table_as_director(table_id=table.pk, author=CommandAuthor(), now=NOW)
    else:
        enter_points(table.match, [3, 2, 1, 0])


ROUND_FIELDS = {Round: "pk", Table: "round", Place: "round"}


@contextmanager
def lock_while_waiting(rows: QuerySet[Any], act: Callable[[], Any]) -> Iterator[None]:
    """Lock rows until another thread waits for them in `act`, which then finishes."""

    def run_act() -> None:
        try:
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            list(rows.select_for_update())
            future = threads.submit(run_act)
            wait_until_others_wait()
            yield
        future.result(PATIENCE)


@pytest.mark.parametrize("desk_action", [reverse_seats, close, finish])
def test_desk_waits_for_table_writes_and_never_the_reverse(
    desk_action: Callable[[Round], Any],
) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    round_ = running_round(tournament)
    if desk_action is not close:
        play_round(round_)

    with lock_while_waiting(
        Match.objects.filter(table__round=round_), lambda: desk_action(round_)
    ):
        # A phone's entry also needs these locks, so they must be free.
        Tournament.objects.select_for_update(nowait=True).get(pk=tournament.pk)
        assert list(Place.objects.select_for_update(nowait=True).filter(round=round_))
        write_at_table(round_)


def first_entry_id(round_: Round) -> int:
    pk: int = round_.places.values_list("entry", flat=True)[0]
    return pk


def table_id(round_: Round) -> int:
    return round_.tables.get().pk


ACTIONS_THAT_LOCK_THE_TOURNAMENT: dict[str, Callable[[Round], Any]] = {
    "somebody checks in": lambda round_: entries.apply_own_report(
        entry_id=first_entry_id(round_), verb="leave", now=NOW
    ),
    "the desk drops somebody": lambda round_: entries.set_state(
        entry_id=first_entry_id(round_), state=Entry.State.DROPPED
    ),
    "somebody plays on for somebody": lambda round_: entries.substitute_entry_player(
        entry_id=first_entry_id(round_), name="Zoe", now=NOW
    ),
    "a table disputes": lambda round_: dispute(table_id=table_id(round_), now=NOW),
    "a dispute is settled": lambda round_: confirm_disputed_result_or_end_call(
        table_id=table_id(round_), author=CommandAuthor(name="Di"), now=NOW
    ),
    "a table is made void": lambda round_: set_void(
        table_id=table_id(round_), void=True
    ),
    "the round starts": lambda round_: rounds.start(round_id=round_.pk, now=NOW),
    "its seats are shown": lambda round_: rounds.publish_and_open_pads(
        round_id=round_.pk, now=NOW
    ),
    "its game is another": lambda round_: set_game_and_redraw_if_needed(
        round_id=round_.pk, game="tricky"
    ),
    "its draw is taken back": lambda round_: rounds.withdraw_rounds(round_id=round_.pk),
}


@pytest.mark.parametrize(
    "act",
    ACTIONS_THAT_LOCK_THE_TOURNAMENT.values(),
    ids=ACTIONS_THAT_LOCK_THE_TOURNAMENT,
)
def test_waiting_for_the_tournament_lock_holds_no_other_lock(
    act: Callable[[Round], Any],
) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    draw(tournament_id=tournament.pk)
    round_ = tournament.rounds.get()
    rounds.publish(round_id=round_.pk)
    with lock_while_waiting(
        Tournament.objects.filter(pk=tournament.pk), lambda: act(round_)
    ):
        # A draw and the standings use these while they hold the tournament.
        for model in (Round, Table, Place):
            rows = model._default_manager.filter(**{ROUND_FIELDS[model]: round_.pk})
            assert list(rows.select_for_update(nowait=True))
        assert list(tournament.entries.select_for_update(nowait=True))


def test_table_that_chooses_its_game_waits_for_the_tournament() -> None:
    tournament = tournament_with(4, rounds_planned=1, game_choice="table")
    round_ = running_round(tournament)

    def choose() -> None:
        choose_game_and_start_match(
            table_id=table_id(round_), game="tricky_bid", now=NOW
        )

    with lock_while_waiting(Tournament.objects.filter(pk=tournament.pk), choose):
        assert list(round_.tables.select_for_update(nowait=True))
    assert round_.tables.matches().count() == 1


def test_table_that_chooses_its_game_waits_for_its_writer() -> None:
    tournament = tournament_with(4, rounds_planned=1, game_choice="table")
    round_ = running_round(tournament)
    table = choose_game_and_start_match(
        table_id=table_id(round_), game="tricky_bid", now=NOW
    )
    matches = Match.objects.filter(table=table)

    def choose() -> None:
        choose_game_and_start_match(table_id=table.pk, game="db2t", now=NOW)

    with lock_while_waiting(matches, choose):
        assert list(round_.tables.select_for_update(nowait=True))
