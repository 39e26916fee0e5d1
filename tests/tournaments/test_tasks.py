"""Standings are computed after changes, once for several in quick succession."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import replay_match
from scoring.matchlog.confirmations import checksum_words_line
from scoring.models import Hand, Match, Seat
from scoring.queue import wait_for_background
from tests.factories import author
from tests.factories.commands import Kind, correct_hand, enter_hand, stored
from tests.factories.history import finished_tournament
from tests.factories.tournaments import (
    enter_points,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tournaments.event.results import standings_differences
from tournaments.models import (
    Result,
    Standings,
    Table,
    Tournament,
    last_entered_at_by_match,
)
from tournaments.tasks import (
    PAUSE,
    recompute_standings_and_follow_up,
    resend_lost_tasks_and_delete_outdated_rows,
)
from tricky_site.celery import app

pytestmark = pytest.mark.django_db(transaction=True)


def test_hand_updates_the_standings_once() -> None:
    tournament = tournament_with(4)
    round_ = running_round(tournament)
    current = tournament.standings.unfrozen_latest_first()
    version_before = current.get().version
    play_round(round_)
    standings = current.get()
    tournament.refresh_from_db()
    assert standings.version == tournament.version > version_before
    assert [row.points for row in standings.rows.all()] == ["4", "3", "2", "1"]
    assert last_entered_at_by_match(round_).keys() == {round_.tables.get().match_id}
    version = recompute_standings_and_follow_up(
        tournament.pk, asked_by="a later release"
    )
    assert version == standings.version
    assert current.get() == standings
    assert recompute_standings_and_follow_up(0) == 0
    # The sweep makes up for a lost message.
    Standings.objects.all().delete()
    assert resend_lost_tasks_and_delete_outdated_rows() == 1
    assert current.exists()
    assert resend_lost_tasks_and_delete_outdated_rows() == 0


def test_sweep_restores_a_missing_outlook() -> None:
    tournament = tournament_with(8, rounds_planned=1)
    play_table(running_round(tournament).tables.get(number=1), [20, 12, 5, 1])
    current = tournament.standings.unfrozen_latest_first()
    outlook = current.get().outlook
    assert outlook is not None
    current.update(outlook=None)
    resend_lost_tasks_and_delete_outdated_rows()
    wait_for_background()
    assert current.get().outlook == outlook


@pytest.mark.parametrize("is_requested", [True, False])
def test_late_correction_counts_despite_a_lost_message(
    monkeypatch: pytest.MonkeyPatch, *, is_requested: bool
) -> None:
    tournament = finished_tournament("2026-05-12")
    with monkeypatch.context() as patch:
        patch.setattr(
            recompute_standings_and_follow_up, "apply_async", lambda **_message: None
        )
        correct_hand(
            match_id=Match.objects.get().pk,
            number=1,
            raw={"points": [0, 90, 5, 1]},
            author=author(may_change_closed=True),
        )
        wait_for_background()
    long_ago = timezone.now() - timedelta(minutes=5)
    Tournament.objects.update(asked_at=long_ago if is_requested else None)
    assert resend_lost_tasks_and_delete_outdated_rows() == is_requested
    assert resend_lost_tasks_and_delete_outdated_rows(whole=True) == (not is_requested)
    [first] = Result.objects.current().filter(tournament=tournament, rank=1)
    assert first.player == Match.objects.get().seats.get(index=1).player
    assert resend_lost_tasks_and_delete_outdated_rows(whole=True) == 0


@pytest.mark.services
def test_burst_of_hands_is_debounced(
    celery_worker_name: str,
) -> None:
    tournament = tournament_with(28, game="tricky_bid", options={"multiple": 4})
    round_ = running_round(tournament)
    wait_for_quiet(celery_worker_name, tournament)
    count_before = count_computations(celery_worker_name)
    started_at = time.monotonic()
    matches = [table.match for table in round_.tables.select_related("match")]
    for hand in range(112):
        match = matches[hand % len(matches)]
        assert match is not None
        enter_points(match, [hand % 7, 3, 2, 1])
    pauses = (time.monotonic() - started_at) / PAUSE
    wait_for_quiet(celery_worker_name, tournament)
    # A machine under load may need longer than a burst lasts to write it down.
    assert (
        1 <= count_computations(celery_worker_name) - count_before <= max(3, pauses + 2)
    )
    assert standings_differences(tournament) == []


def count_computations(worker: str) -> int:
    """Return how often the worker has computed standings."""
    stats = app.control.inspect([worker]).stats() or {}
    name = "tournaments.tasks.recompute_standings"
    count: int = stats[worker]["total"].get(name, 0)
    return count


def wait_for_quiet(worker: str, tournament: Tournament) -> None:
    """Wait until the standings have caught up and the worker does nothing more."""
    deadline = time.monotonic() + 30
    while True:
        tournament.refresh_from_db()
        current = tournament.standings.unfrozen_latest_first().first()
        caught_up = current is not None and current.version == tournament.version
        inspect = app.control.inspect([worker])
        tasks = [
            *(inspect.active() or {}).values(),
            *(inspect.scheduled() or {}).values(),
        ]
        if caught_up and tournament.asked_at is None and not any(tasks):
            return
        assert time.monotonic() < deadline, "the standings do not catch up"
        time.sleep(0.1)


TABLES = 60
THREADS = 8
"""As many as a server has, so that each table is handled within the second."""


def at_once(calls: list[Callable[[], Any]]) -> None:
    """Make all calls from threads that start together; raise the first exception."""
    start = Barrier(THREADS)

    def work(batch: list[Callable[[], Any]]) -> None:
        start.wait(timeout=10)
        try:
            for call in batch:
                call()
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as threads:
        batches = [calls[number::THREADS] for number in range(THREADS)]
        for future in [threads.submit(work, batch) for batch in batches]:
            future.result()


@pytest.mark.services
def test_sixty_simultaneous_table_ends_lose_nothing(celery_worker_name: str) -> None:
    tournament = tournament_with(
        4 * TABLES, rounds_planned=1, game="db2t", options={"contests": 1}, quorum="one"
    )
    round_ = running_round(tournament)
    tables = list(round_.tables.select_related("match").prefetch_related("places"))
    assert len(tables) == TABLES
    at_once([table_end(table) for table in tables])
    wait_for_quiet(celery_worker_name, tournament)
    assert Hand.objects.count() == TABLES
    assert Seat.objects.exclude(confirmed_at=None).count() == TABLES
    standings = tournament.standings.unfrozen_latest_first().get()
    tournament.refresh_from_db()
    assert standings.version == tournament.version
    assert standings.rows.filter(tables=1).count() == 4 * TABLES
    assert standings_differences(tournament) == []


def table_end(table: Table) -> Callable[[], None]:
    """Return a function that enters the only contest of a table and confirms it."""
    match = table.match
    assert match is not None
    contest = generate_hand(replay_match(match).state, Random(table.pk))

    def end() -> None:
        outcome = enter_hand(
            match_id=match.pk, key=uuid4(), number=1, raw=contest, author=author()
        )
        body = {"seat": 0, "words": checksum_words_line(outcome.logged.replayed)}
        stored(Kind.CONFIRM, match_id=match.pk, body=body)

    return end
