"""Simultaneous commands: the database decides which is first, and none fails."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from scoring.matchlog.append import replay_match
from scoring.matchlog.commands import CommandStatus
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.starting import start_match
from scoring.models import LogEntry, Match, Player
from tests.factories import HAND, OTHER, new_match
from tests.factories.commands import enter_hand
from tests.factories.matches import NOW

pytestmark = pytest.mark.django_db(transaction=True)


def run_at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make all calls at the same moment; return what each returned or raised."""
    start = Barrier(len(calls))

    def call(function: Callable[[], Any]) -> Any:
        start.wait(timeout=10)
        try:
            return function()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(call, calls))


def enter_call(match: Match, raw: dict[str, Any], key: Any = None) -> Callable[[], Any]:
    entry_key = key or uuid4()
    return lambda: enter_hand(match_id=match.pk, key=entry_key, number=1, raw=raw)


def test_one_hand_sent_eight_times_is_stored_once() -> None:
    match, key = new_match(), uuid4()
    outcomes = run_at_once(*[enter_call(match, HAND, key)] * 8)
    assert {outcome.entry.version for outcome in outcomes} == {1}
    assert sum(outcome.status is CommandStatus.STORED for outcome in outcomes) == 1
    assert {outcome.first_status for outcome in outcomes} == {CommandStatus.STORED}
    assert LogEntry.objects.count() == 1
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_one_of_eight_phones_entering_the_same_hand_wins() -> None:
    match = new_match()
    outcomes = run_at_once(*[enter_call(match, HAND) for _ in range(8)])
    statuses = Counter(outcome.status for outcome in outcomes)
    assert statuses == {CommandStatus.STORED: 1, CommandStatus.SUPERSEDED: 7}
    kinds = Counter(LogEntry.objects.values_list("kind", flat=True))
    assert kinds == {"enter": 1, "superseded": 7}
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_simultaneous_versions_of_a_hand_are_both_stored() -> None:
    match = new_match()
    outcomes = run_at_once(enter_call(match, HAND), enter_call(match, OTHER))
    statuses = Counter(outcome.status for outcome in outcomes)
    assert statuses == {CommandStatus.STORED: 1, CommandStatus.CONFLICT: 1}
    (hand,) = replay_match(match).hands
    bodies = [hand.raw, *(proposal.body for proposal in hand.proposals)]
    assert len(bodies) == 2
    assert all(raw in bodies for raw in (HAND, OTHER))


def test_a_match_started_eight_times_with_one_key_is_one_match() -> None:
    key = uuid4()
    matches = run_at_once(
        *[lambda: start_match(key=key, game="tricky", names=["Ann", "Bo"], now=NOW)] * 8
    )
    assert len(set(matches)) == 1
    assert (Match.objects.count(), Player.objects.count()) == (1, 2)
