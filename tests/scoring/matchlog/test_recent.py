"""What a process left of a match is what it would read."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.matchlog import append, recent
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.recent import RecentMatches
from scoring.models import LogEntry, Match
from tests.factories import author, new_match
from tests.factories.commands import Kind, give, reseat
from tests.factories.matches import NOW

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = [{"points": [points, 4, 3, 2, 1]} for points in (10, 20, 30)]
Move = Callable[[RecentMatches], None]


@pytest.fixture(autouse=True)
def runs_as(monkeypatch: pytest.MonkeyPatch) -> Move:
    """Let a process that keeps this go on from here; at first one that keeps nothing."""

    def run_as(process: RecentMatches) -> None:
        monkeypatch.setattr(append, "RECENT", process)

    run_as(RecentMatches())
    return run_as


def enter(match: Match, number: int, hand: int = 0) -> None:
    give(Kind.ENTER, match_id=match.pk, number=number, body=HANDS[hand])


def is_log_read(match: Match, number: int) -> bool:
    with CaptureQueriesContext(connection) as asked:
        enter(match, number)
    texts = [query["sql"] for query in asked.captured_queries]
    return any('FROM "scoring_logentry"' in text for text in texts)


def test_entering_consecutive_hands_reads_the_log_once() -> None:
    match = new_match("tricky_bid", 5)
    assert [is_log_read(match, number) for number in (1, 2, 3)] == [True, False, False]


def test_entries_of_another_process_are_read(runs_as: Move) -> None:
    match, here, there = new_match("tricky_bid", 5), RecentMatches(), RecentMatches()
    for number, process in enumerate((here, there, here, there), start=1):
        runs_as(process)
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


def test_log_is_read_again_if_the_standby_lost_the_last_hand(runs_as: Move) -> None:
    match, here = new_match("tricky_bid", 5), RecentMatches()
    runs_as(here)
    enter(match, 1)
    with transaction.atomic():
        enter(match, 2, hand=1)
        lost = append.read_match(Match.objects.get(pk=match.pk))
        transaction.set_rollback(True)
    here.add(lost)
    runs_as(RecentMatches())
    enter(match, 2, hand=2)
    runs_as(here)
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
"""By which process, what, of which hand, as what, and how old it is what its author saw."""


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(STEPS, max_size=12))
def test_cached_answers_equal_uncached_ones_across_processes(
    runs_as: Move, steps: list[tuple[int, LogEntry.Kind, int, int, int]]
) -> None:
    processes = (RecentMatches(), RecentMatches())
    kept, read = (new_match("tricky_bid", 5) for _match in range(2))
    for process, kind, number, hand, age in steps:
        answers = []
        for match, by in ((kept, processes[process]), (read, RecentMatches())):
            runs_as(by)
            match.refresh_from_db()
            body = HANDS[hand] if kind in (Kind.ENTER, Kind.REPLACE) else None
            seen = max(0, match.version - age)
            outcome = give(
                kind,
                match_id=match.pk,
                key=uuid4(),
                number=number,
                body=body,
                by=author(base_version=seen, now=NOW),
            )
            answers.append((outcome.status, outcome.faults, outcome.logged.version))
        assert answers[0] == answers[1]
        assert append.replay_match(kept).state == append.replay_match(read).state
        assert rebuild_match(match_id=kept.pk) == []
