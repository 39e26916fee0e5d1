"""Commands change a match, and its log loses nothing."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.utils.translation import override

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import append, replay_match
from scoring.matchlog.commands import Command, CommandAuthor
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.settling import mark_unfinished_matches_as_counting
from scoring.matchlog.starting import start_match
from scoring.models import AppendOnlyError, Bid, HandScore, LogEntry, Match, Play
from scoring.rules import Refusal
from tests.factories import (
    HAND,
    OTHER,
    WON,
    PlayerFactory,
    entered_match,
    new_match,
    settled_match,
)
from tests.factories.commands import Kind, correct_hand, enter_hand
from tests.factories.matches import NOW

pytestmark = pytest.mark.django_db


def enter(match: Match, raw: dict[str, Any], number: int = 1, **options: Any) -> Any:
    return enter_hand(
        match_id=match.pk,
        number=number,
        raw=raw,
        **options,
    )


def test_hands_get_history_rows_once_their_match_counts() -> None:
    match = entered_match([HAND])
    assert not match.hands.exists()
    mark_unfinished_matches_as_counting(Match.objects.filter(pk=match.pk))
    assert HandScore.objects.get(seat__index=1).points == 672
    mark_unfinished_matches_as_counting(Match.objects.filter(pk=match.pk))
    enter(match, OTHER, number=2)
    assert match.hands.count() == 2
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_match_reopened_by_a_correction_gets_rows_when_it_ends() -> None:
    match = entered_match([OTHER, WON], target=1000)
    assert match.hands.count() == 2
    for number, raw in ((2, OTHER), (1, HAND)):
        correct_hand(match_id=match.pk, number=number, raw=raw)
        assert not match.hands.exists()
        assert rebuild_match(match_id=match.pk, check_only=True) == []
    enter(match, WON, number=3)
    assert match.hands.count() == 3
    assert rebuild_match(match_id=match.pk, check_only=True) == []


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
    for hand_count in (3, 30):
        match = entered_match([{"passed_out": True}] * hand_count)
        with django_assert_max_num_queries(22):
            enter(match, HAND, number=hand_count + 1)


def test_correction_names_the_later_hand_it_invalidates() -> None:
    hand_opened_by_bo = {"bids": [[1, 96], [2, "pass"], [0, "pass"]], **HAND}
    match = entered_match([HAND, hand_opened_by_bo])
    with pytest.raises(Refusal) as refusal:
        correct_hand(match_id=match.pk, number=1, raw=OTHER)
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


POINTS = {"points": [9, 5, 3]}


def send(match: Match, kind: Kind, author: CommandAuthor, **options: Any) -> None:
    """Append a command to a match."""
    command = Command(key=uuid4(), kind=kind, author=author, **options)
    assert append(command, address=match.address, now=NOW).is_stored


def recorded_match() -> Match:
    """Return a settled match whose hand has its tricks."""
    state, rng = replay_match(new_match("tricky_dice", 4)).state, Random(3)
    while "tricks" not in (raw := generate_hand(state, rng, tricks=True)):
        pass
    return settled_match([raw], "tricky_dice", 4)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("x" * 200, "x" * 200),
        ("word " * 41, ("word " * 40).rstrip()[:199].rpartition(" ")[0] + "…"),
        ("y" * 300, "y" * 199 + "…"),
    ],
)
def test_cuts_a_long_reason_between_words(reason: str, expected: str) -> None:
    match = entered_match([POINTS], "tricky_bid")
    send(match, LogEntry.Kind.VOID, CommandAuthor(), number=1, reason=reason)
    entry = match.log.get(kind="void")
    assert entry.reason == expected
    assert len(entry.reason) <= 200


@pytest.mark.parametrize(
    ("name", "is_self_named", "made_by"),
    [
        ("Ann", True, "Ann"),
        ("", True, "someone at the table"),
        ("Zoe", True, "someone at the table"),
        ("Zoe", False, "Zoe"),
        ("", False, ""),
    ],
)
def test_only_seated_players_can_sign_an_entry_with_their_name(
    name: str,
    is_self_named: bool,  # noqa: FBT001 - a column of the table above
    made_by: str,
) -> None:
    match = new_match("tricky_bid")
    author = CommandAuthor(name=name, is_self_named=is_self_named)
    with override("de"):
        send(match, LogEntry.Kind.ENTER, author, number=1, body={"points": [1, 2, 3]})
    assert match.log.get().made_by == made_by


def test_unnamed_author_is_described_in_the_readers_language() -> None:
    match = new_match("tricky_bid")
    author = CommandAuthor(is_self_named=True)
    send(match, LogEntry.Kind.ENTER, author, number=1, body={"points": [1, 2, 3]})
    entry = match.log.get()
    assert entry.author_name == "someone at the table"
    with override("de"):
        assert entry.author_name == "jemand am Tisch"


def test_rows_that_differ_from_the_log_are_reported_and_fixed() -> None:
    match = settled_match([HAND, OTHER])
    assert rebuild_match(match_id=match.pk, check_only=True) == []
    HandScore.objects.filter(hand__number=2, seat__index=0).update(points=1)
    match.seats.filter(index=2).update(total=7)
    match.hands.filter(number=1).update(state="void")
    assert len(rebuild_match(match_id=match.pk, check_only=True)) == 3
    assert len(rebuild_match(match_id=match.pk)) == 3
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_rows_of_tricks_and_calls_are_compared_with_the_log() -> None:
    match = recorded_match()
    assert rebuild_match(match_id=match.pk, check_only=True) == []
    play = Play.objects.filter(trick__hand__match=match).first()
    assert play is not None
    hand, number = play.trick.hand, play.trick.hand.number
    play.delete()
    [difference] = rebuild_match(match_id=match.pk, check_only=True)
    assert "play" in difference
    assert str(number) in difference
    Bid.objects.create(hand=hand, seat=match.seats.all()[0], order=99, value=10)
    differences = rebuild_match(match_id=match.pk)
    assert any("call" in each for each in differences)
    assert rebuild_match(match_id=match.pk, check_only=True) == []
