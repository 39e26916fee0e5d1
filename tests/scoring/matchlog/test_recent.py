"""Cached matches equal those that the process would read."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.matchlog import append, recent
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.recent import RecentMatchCache
from scoring.models import LogEntry, Match
from tests.factories import author, new_match
from tests.factories.commands import Kind, give, reseat
from tests.factories.matches import NOW

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = [{"points": [points, 4, 3, 2, 1]} for points in (10, 20, 30)]
SwitchProcess = Callable[[RecentMatchCache], None]


@pytest.fixture(autouse=True)
def switch_process(monkeypatch: pytest.MonkeyPatch) -> SwitchProcess:
    """Return a function that continues as the process with this cache; begin with an empty one."""

    def switch(process: RecentMatchCache) -> None:
        monkeypatch.setattr(append, "RECENT", process)

    switch(RecentMatchCache())
    return switch


def enter(match: Match, number: int, hand: int = 0) -> None:
    give(Kind.ENTER, match_id=match.pk, number=number, body=HANDS[hand])


def is_log_read(match: Match, number: int) -> bool:
    with CaptureQueriesContext(connection) as queries:
        enter(match, number)
    statements = [query["sql"] for query in queries.captured_queries]
    return any('FROM "scoring_logentry"' in statement for statement in statements)


def test_entering_consecutive_hands_reads_the_log_once() -> None:
    match = new_match("tricky_bid", 5)
    assert [is_log_read(match, number) for number in (1, 2, 3)] == [True, False, False]


def test_entries_of_another_process_are_read(switch_process: SwitchProcess) -> None:
    match, first_process, second_process = (
        new_match("tricky_bid", 5),
        RecentMatchCache(),
        RecentMatchCache(),
    )
    for number, process in enumerate(
        (first_process, second_process, first_process, second_process), start=1
    ):
        switch_process(process)
        assert is_log_read(match, number)


def test_rolled_back_entries_are_not_cached() -> None:
    match = new_match("tricky_bid", 5)
    enter(match, 1)
    with transaction.atomic():
        enter(match, 2)
        transaction.set_rollback(True)
    enter(match, 2, hand=1)
    assert rebuild_match(match_id=match.pk) == []
    assert [hand.raw for hand in append.replay_match(match).hands] == HANDS[:2]


def test_log_is_read_again_if_the_standby_lost_the_last_hand(
    switch_process: SwitchProcess,
) -> None:
    match, process = new_match("tricky_bid", 5), RecentMatchCache()
    switch_process(process)
    enter(match, 1)
    with transaction.atomic():
        enter(match, 2, hand=1)
        rolled_back = append.read_match(Match.objects.get(pk=match.pk))
        transaction.set_rollback(True)
    process.add_after_commit(rolled_back)
    switch_process(RecentMatchCache())
    enter(match, 2, hand=2)
    switch_process(process)
    assert is_log_read(match, 3)
    assert rebuild_match(match_id=match.pk) == []


def test_log_with_names_is_not_cached() -> None:
    match = new_match("tricky_bid", 5)
    reseat(match_id=match.pk, index=1, name="Zoe")
    enter(match, 1)
    assert is_log_read(match, 2)


def test_cache_drops_the_oldest_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent, "MOST", 2)
    first, *others = (new_match("tricky_bid", 5) for _match in range(3))
    for match in (first, *others):
        enter(match, 1)
    assert [is_log_read(match, 2) for match in (*others, first)] == [False, False, True]


STEPS = st.tuples(
    st.integers(0, 1),
    st.sampled_from([Kind.ENTER, Kind.REPLACE, Kind.VOID, Kind.RESTORE, Kind.KEEP]),
    st.integers(1, 4),
    st.integers(0, 2),
    st.integers(0, 6),
)
"""Process, kind, hand number, index of the body, and how many versions behind the author is."""


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, max_size=12))
def test_cached_answers_equal_uncached_ones_across_processes(
    switch_process: SwitchProcess, steps: list[tuple[int, LogEntry.Kind, int, int, int]]
) -> None:
    processes = (RecentMatchCache(), RecentMatchCache())
    cached_match, uncached_match = (new_match("tricky_bid", 5) for _match in range(2))
    for process, kind, number, hand, age in steps:
        outcomes = []
        for match, cache in (
            (cached_match, processes[process]),
            (uncached_match, RecentMatchCache()),
        ):
            switch_process(cache)
            match.refresh_from_db()
            body = HANDS[hand] if kind in (Kind.ENTER, Kind.REPLACE) else None
            base_version = max(0, match.version - age)
            outcome = give(
                kind,
                match_id=match.pk,
                key=uuid4(),
                number=number,
                body=body,
                by=author(base_version=base_version, now=NOW),
            )
            outcomes.append((outcome.status, outcome.faults, outcome.logged.version))
        assert outcomes[0] == outcomes[1]
        assert (
            append.replay_match(cached_match).state
            == append.replay_match(uncached_match).state
        )
        assert rebuild_match(match_id=cached_match.pk) == []
