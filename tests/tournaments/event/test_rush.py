"""Sixty tables at once: PostgreSQL, Redis and a real worker."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import replay_match
from scoring.matchlog.confirmations import result_words
from scoring.models import Hand, Seat
from tests.factories import author
from tests.factories.commands import Kind, enter_hand, stored
from tests.factories.tournaments import running_round, tournament_with
from tests.tournaments.test_tasks import wait_for_quiet
from tournaments.event.results import standings_differences
from tournaments.models import Table

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

TABLES = 60
THREADS = 8
"""As many as a server has; each table's turn comes within the second."""


def at_once(calls: list[Callable[[], Any]]) -> None:
    """Make all calls from threads that begin together; raise what any raised."""
    start = Barrier(THREADS)

    def work(part: list[Callable[[], Any]]) -> None:
        start.wait(timeout=10)
        try:
            for call in part:
                call()
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as threads:
        parts = [calls[number::THREADS] for number in range(THREADS)]
        for done in [threads.submit(work, part) for part in parts]:
            done.result()


def test_sixty_simultaneous_table_ends_lose_nothing(celery_worker_name: str) -> None:
    tournament = tournament_with(
        4 * TABLES, rounds_planned=1, game="db2t", options={"contests": 1}, quorum="one"
    )
    one = running_round(tournament)
    tables = list(one.tables.select_related("match").prefetch_related("places"))
    assert len(tables) == TABLES
    at_once([ending(table) for table in tables])
    wait_for_quiet(celery_worker_name, tournament)
    assert Hand.objects.count() == TABLES
    assert Seat.objects.exclude(confirmed_at=None).count() == TABLES
    made = tournament.standings.unfrozen_latest_first().get()
    tournament.refresh_from_db()
    assert made.version == tournament.version
    assert made.rows.filter(tables=1).count() == 4 * TABLES
    assert standings_differences(tournament) == []


def ending(table: Table) -> Callable[[], None]:
    """Return what ends a table: its only contest, and a player who confirms it."""
    match = table.match
    assert match is not None
    contest = generate_hand(replay_match(match).state, Random(table.pk))

    def end() -> None:
        made = enter_hand(
            match_id=match.pk, key=uuid4(), number=1, raw=contest, author=author()
        )
        seen = {"seat": 0, "words": result_words(made.logged.replayed)}
        stored(Kind.CONFIRM, match_id=match.pk, body=seen)

    return end
