"""Matches are changed by operations, and nothing that was entered is lost."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.matchlog.append import preview, read_match, replay_match
from scoring.matchlog.commands import Author, Command, Status
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.settling import count_as_they_stand, set_closed
from scoring.matchlog.starting import start_match
from scoring.models import AppendOnlyError, HandScore, LogEntry, Match, Play
from scoring.rules import Refusal
from tests.factories import (
    PlayerFactory,
    author,
    entered_match,
    new_match,
    settled_match,
)
from tests.factories.commands import (
    Kind,
    correct_hand,
    enter_hand,
    give,
    restore_hand,
    save_contract,
    void_hand,
)
from tests.factories.matches import NOW
from tests.scoring.rules.test_worked_records import RECORDS

pytestmark = pytest.mark.django_db

HAND = {"contract": {"bidder": 1, "bid": 96, "trump": 7}, "points": [140, 120, 101]}
OTHER = {"contract": {"bidder": 0, "bid": 120, "trump": 2}, "points": [140, 120, 101]}

WON = {**HAND, "contract": {"bidder": 1, "bid": 96, "trump": 20}}


def enter(match: Match, raw: dict[str, Any], number: int = 1, **options: Any) -> Any:
    return enter_hand(
        match_id=match.pk,
        number=number,
        raw=raw,
        **{"key": uuid4(), "author": author(), **options},
    )


def previewed(match: Match, kind: LogEntry.Kind, number: int, raw: Any) -> Any:
    command = Command(key=uuid4(), kind=kind, author=Author(), number=number, body=raw)
    return preview(read_match(match), command)


def totals(match: Match) -> list[int]:
    return list(match.seats.order_by("index").values_list("total", flat=True))


def test_a_known_player_is_that_person() -> None:
    ann = PlayerFactory.create(name="Ann")
    match = start_match(
        key=uuid4(), game="tricky", names=["Ann", "Bo"], now=NOW, players={"Ann": ann}
    )
    assert match.seats.get(index=0).player == ann


@pytest.mark.parametrize(
    "names", [["Ann"], ["Ann", "Ann"], ["Ann", "ann"], ["Ann", ""], ["A" * 41, "B"]]
)
def test_a_match_that_cannot_be_is_refused(names: list[str]) -> None:
    with pytest.raises(Refusal):
        start_match(key=uuid4(), game="tricky", names=names, now=NOW)
    assert not Match.objects.exists()


def test_an_entered_hand_is_scored_and_stored() -> None:
    match = entered_match([HAND])
    assert (match.version, match.hands_played) == (1, 1)
    assert totals(match) == [140, 672, 101]
    (hand,) = replay_match(match).hands
    assert hand.scored is not None
    assert hand.scored.scores == (140, 672, 101)


def test_hands_have_rows_for_histories_as_soon_as_their_match_counts() -> None:
    match = entered_match([HAND])
    assert not match.hands.exists()
    count_as_they_stand(Match.objects.filter(pk=match.pk))
    assert HandScore.objects.get(seat__index=1).points == 672
    count_as_they_stand(Match.objects.filter(pk=match.pk))
    enter(match, OTHER, number=2)
    assert match.hands.count() == 2
    assert rebuild_match(match_id=match.pk, check=True) == []


def test_a_match_that_goes_on_after_a_correction_has_rows_when_it_ends() -> None:
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


def test_rows_that_a_match_which_goes_on_should_not_have_are_found_and_mended() -> None:
    match = settled_match([HAND])
    Match.objects.update(as_it_stands=False)
    assert len(rebuild_match(match_id=match.pk)) == 4
    assert not match.hands.exists()


def test_a_closed_match_takes_something_from_those_who_may_change_it_alone() -> None:
    match = entered_match([HAND])
    set_closed(Match.objects.all(), closed=True)
    outcome = give(Kind.ENTER, match_id=match.pk, number=2, body=OTHER)
    assert (outcome.status, outcome.is_stored) == (Status.CLOSED, False)
    assert match.log.count() == 1
    directing = author(may_change_closed=True)
    assert enter(match, OTHER, number=2, author=directing).status is Status.STORED


def test_a_contract_is_noted_and_completed() -> None:
    match = new_match()
    save_contract(
        match_id=match.pk,
        key=uuid4(),
        number=1,
        raw={"contract": HAND["contract"]},
        author=author(),
    )
    pending = replay_match(match).pending
    assert pending is not None
    assert pending.state == "contract"
    enter(match, HAND)
    assert [hand.state for hand in replay_match(match).hands] == ["played"]
    assert totals(match) == [140, 672, 101]


def test_a_correction_keeps_the_old_entry_and_later_hands() -> None:
    match = entered_match([HAND, OTHER])
    made = correct_hand(
        match_id=match.pk,
        key=uuid4(),
        number=1,
        raw=OTHER,
        author=author("Bo", reason="mistyped"),
    )
    assert made.entry is not None
    assert made.entry.supersedes == match.log.get(version=1)
    assert match.log.get(version=1).body == HAND
    assert len(replay_match(match).hands) == 2
    assert totals(match) == [720, 240, 202]


def test_a_void_hand_counts_no_more_until_it_is_restored() -> None:
    match = entered_match([{"first_bidder": 2, **HAND}, OTHER])
    void_hand(match_id=match.pk, key=uuid4(), number=1, author=author())
    assert totals(match) == [360, 120, 101]
    assert replay_match(match).hand(2).raw["first_bidder"] == 2  # type: ignore[union-attr]
    restore_hand(match_id=match.pk, key=uuid4(), number=1, author=author())
    assert totals(match) == [500, 792, 202]


def test_hands_after_an_earlier_end_stay_and_do_not_count() -> None:
    match = entered_match([HAND, OTHER], target=1000)
    seen = previewed(match, Kind.REPLACE, 1, WON)
    assert seen.after is not None
    assert (seen.before.state.finished, seen.after.state.finished) == (False, True)
    correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=WON, author=author())
    assert match.hands.get(number=2).state == "after_end"
    assert match.seats.get(won=True).index == 1


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


def test_entering_a_hand_takes_as_many_queries_after_thirty_hands_as_after_three(
    django_assert_max_num_queries: Any,
) -> None:
    for played in (3, 30):
        match = entered_match([{"passed_out": True}] * played)
        with django_assert_max_num_queries(22):
            enter(match, HAND, number=played + 1)


def test_a_correction_that_makes_a_later_hand_impossible_names_that_hand() -> None:
    after_bo = {"bids": [[1, 96], [2, "pass"], [0, "pass"]], **HAND}
    match = entered_match([HAND, after_bo])
    with pytest.raises(Refusal) as refusal:
        correct_hand(
            match_id=match.pk, key=uuid4(), number=1, raw=OTHER, author=author()
        )
    assert {fault.hand for fault in refusal.value.faults} == {2}
    assert match.log.count() == 2


def test_one_person_cannot_sit_twice() -> None:
    ann = PlayerFactory.create(name="Ann")
    with pytest.raises(Refusal, match="same person"):
        start_match(
            key=uuid4(),
            game="tricky",
            names=["Ann", "Annie"],
            now=NOW,
            players={"Ann": ann, "Annie": ann},
        )


def test_a_name_that_no_column_keeps_is_refused() -> None:
    with pytest.raises(Refusal, match="can't be stored"):
        start_match(key=uuid4(), game="tricky", names=["A\x00", "Bo"], now=NOW)


def test_rebuilding_finds_and_mends_what_does_not_follow() -> None:
    match = settled_match([HAND, OTHER])
    assert rebuild_match(match_id=match.pk, check=True) == []
    HandScore.objects.filter(hand__number=2, seat__index=0).update(points=1)
    match.seats.filter(index=2).update(total=7)
    match.hands.filter(number=1).update(state="void")
    assert len(rebuild_match(match_id=match.pk, check=True)) == 3
    assert len(rebuild_match(match_id=match.pk)) == 3
    assert rebuild_match(match_id=match.pk, check=True) == []


@pytest.mark.parametrize(("record", "answer"), RECORDS)
def test_recorded_tricks_and_bids_are_stored(
    record: dict[str, Any], answer: dict[str, Any]
) -> None:
    match = settled_match(
        record["hands"], record["game"], len(record["players"]), **record["options"]
    )
    assert totals(match) == answer["hands"][-1]["totals"]
    tricks = sum(len(hand.get("tricks", ())) for hand in record["hands"])
    plays = Play.objects.filter(trick__hand__match=match).count()
    assert plays == tricks * len(record["players"])
