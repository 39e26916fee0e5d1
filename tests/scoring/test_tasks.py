"""Changed matches are verified after the commit, and wrong rows are fixed."""

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match
from scoring.queue import wait_for_background
from scoring.signals import match_changed
from scoring.tasks import repair_match
from tests.factories import HAND, OTHER, entered_match, settled_match
from tests.factories.commands import correct_hand

pytestmark = pytest.mark.django_db


def test_verification_fixes_inconsistent_rows_and_is_idempotent() -> None:
    match = entered_match([HAND])
    match.seats.filter(index=0).update(total=1)
    assert [repair_match(match.pk), repair_match(match.pk)] == [1, 0]
    assert match.seats.get(index=0).total == 140


def test_result_changes_are_signalled_after_the_commit(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    match, signals = settled_match([HAND]), []

    def record_signal(
        sender: type[Match], match_id: int, version: int, **_more: object
    ) -> None:
        signals.append((match_id, version))

    match_changed.connect(record_signal)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            correct_hand(match_id=match.pk, number=1, raw=OTHER)
            assert signals == []
    finally:
        match_changed.disconnect(record_signal)
    assert signals == [(match.pk, 2)]
    assert rebuild_match(match_id=match.pk, check_only=True) == []


@pytest.mark.parametrize(("hands", "expected"), [(1, []), (2, [2])])
def test_match_is_verified_once_it_is_over(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    monkeypatch: pytest.MonkeyPatch,
    hands: int,
    expected: list[int],
) -> None:
    scheduled: list[int] = []
    monkeypatch.setattr(
        repair_match, "apply_async", lambda args, **_head: scheduled.append(args[1])
    )
    with django_capture_on_commit_callbacks(execute=True):
        entered_match([{"points": [9, 5]}] * hands, "tricky_bid", 2)
    wait_for_background()
    assert scheduled == expected


def test_changed_match_is_verified_by_the_later_task() -> None:
    match = entered_match([HAND, HAND])
    match.seats.filter(index=0).update(total=1)
    assert repair_match(match.pk, version=1) == 0
    assert repair_match(match.pk, version=2) == 1
