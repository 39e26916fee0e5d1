"""Matches are changed by operations, and nothing that was entered is lost."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.settling import score_unfinished
from scoring.matchlog.starting import start_match
from scoring.models import AppendOnlyError, HandScore, LogEntry, Match
from scoring.rules import Refusal
from tests.factories import (
    HAND,
    OTHER,
    WON,
    PlayerFactory,
    author,
    entered_match,
    settled_match,
)
from tests.factories.commands import (
    correct_hand,
    enter_hand,
)
from tests.factories.matches import NOW

pytestmark = pytest.mark.django_db


def enter(match: Match, raw: dict[str, Any], number: int = 1, **options: Any) -> Any:
    return enter_hand(
        match_id=match.pk,
        number=number,
        raw=raw,
        **{"key": uuid4(), "author": author(), **options},
    )


def test_hands_get_history_rows_once_their_match_counts() -> None:
    match = entered_match([HAND])
    assert not match.hands.exists()
    score_unfinished(Match.objects.filter(pk=match.pk))
    assert HandScore.objects.get(seat__index=1).points == 672
    score_unfinished(Match.objects.filter(pk=match.pk))
    enter(match, OTHER, number=2)
    assert match.hands.count() == 2
    assert rebuild_match(match_id=match.pk, check=True) == []


def test_match_reopened_by_a_correction_gets_rows_when_it_ends() -> None:
    match = entered_match([OTHER, WON], target=1000)
    assert match.hands.count() == 2
    for number, raw in ((2, OTHER), (1, HAND)):
        correct_hand(
            match_id=match.pk, key=uuid4(), number=number, raw=raw, author=author()
        )
        assert not match.hands.exists()
        assert rebuild_match(match_id=match.pk, check=True) == []
    enter(match, WON, number=3)
    assert match.hands.count() == 3
    assert rebuild_match(match_id=match.pk, check=True) == []


def test_the_log_is_never_changed() -> None:
    entry = entered_match([HAND]).log.get()
    with pytest.raises(AppendOnlyError):
        entry.save()
    with pytest.raises(AppendOnlyError):
        entry.delete()
    with pytest.raises(AppendOnlyError):
        LogEntry.objects.all().delete()
    with pytest.raises(AppendOnlyError):
        LogEntry.objects.update(reason="")


def test_entering_a_hand_takes_few_queries(django_assert_max_num_queries: Any) -> None:
    for played in (3, 30):
        match = entered_match([{"passed_out": True}] * played)
        with django_assert_max_num_queries(22):
            enter(match, HAND, number=played + 1)


def test_correction_names_the_later_hand_it_invalidates() -> None:
    after_bo = {"bids": [[1, 96], [2, "pass"], [0, "pass"]], **HAND}
    match = entered_match([HAND, after_bo])
    with pytest.raises(Refusal) as refusal:
        correct_hand(
            match_id=match.pk, key=uuid4(), number=1, raw=OTHER, author=author()
        )
    assert {fault.hand for fault in refusal.value.faults} == {2}
    assert match.log.count() == 2


def test_match_refuses_a_player_at_two_seats() -> None:
    ann = PlayerFactory.create(name="Ann")
    with pytest.raises(Refusal, match="same person"):
        start_match(
            key=uuid4(),
            game="tricky",
            names=["Ann", "Annie"],
            now=NOW,
            players={"Ann": ann, "Annie": ann},
        )


def test_rebuild_finds_and_fixes_inconsistent_rows() -> None:
    match = settled_match([HAND, OTHER])
    assert rebuild_match(match_id=match.pk, check=True) == []
    HandScore.objects.filter(hand__number=2, seat__index=0).update(points=1)
    match.seats.filter(index=2).update(total=7)
    match.hands.filter(number=1).update(state="void")
    assert len(rebuild_match(match_id=match.pk, check=True)) == 3
    assert len(rebuild_match(match_id=match.pk)) == 3
    assert rebuild_match(match_id=match.pk, check=True) == []
