"""Many phones at once, on a real PostgreSQL and on SQLite."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from scoring.matchlog.commands import Status
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import LogEntry
from tests.factories import author, new_match
from tests.factories.commands import enter_hand
from tests.scoring.matchlog.test_append import HAND

pytestmark = pytest.mark.django_db(transaction=True)

PHONES = 8


def at_once(act: Callable[[int], Any]) -> list[Any]:
    """Return what `act` returned for each phone, all begun together."""
    barrier = Barrier(PHONES)

    def one(phone: int) -> Any:
        barrier.wait()
        try:
            return act(phone)
        finally:
            connection.close()

    with ThreadPoolExecutor(PHONES) as pool:
        return list(pool.map(one, range(PHONES)))


def test_one_entry_sent_by_eight_connections_is_stored_once() -> None:
    match, key = new_match(), uuid4()
    answers = at_once(
        lambda phone: enter_hand(
            match_id=match.pk, key=key, number=1, raw=HAND, author=author()
        )
    )
    assert len({answer.entry.pk for answer in answers}) == 1
    statuses = Counter(answer.status for answer in answers)
    assert statuses == {Status.STORED: 1, Status.REPEATED: PHONES - 1}
    assert LogEntry.objects.count() == 1
    assert rebuild_match(match_id=match.pk, check=True) == []


def test_of_eight_phones_that_enter_one_hand_one_wins_and_nothing_is_lost() -> None:
    match = new_match()
    answers = at_once(
        lambda phone: enter_hand(
            match_id=match.pk, key=uuid4(), number=1, raw=HAND, author=author()
        )
    )
    statuses = Counter(answer.status for answer in answers)
    assert statuses == {Status.STORED: 1, Status.SUPERSEDED: PHONES - 1}
    kinds = Counter(LogEntry.objects.values_list("kind", flat=True))
    assert kinds == {"enter": 1, "superseded": PHONES - 1}
    assert rebuild_match(match_id=match.pk, check=True) == []
