"""Matches are changed by operations, and nothing that was entered is lost."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.matchlog.append import preview, read_match, replay_match
from scoring.matchlog.commands import Author, Command, Status
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.settling import count_as_they_stand, set_closed
from scoring.matchlog.starting import start_match
from scoring.models import AppendOnlyError, HandScore, LogEntry, Match, Play, Player
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


def test_starting_twice_with_one_key_starts_once() -> None:
    key = uuid4()
    first = start_match(key=key, game="tricky", names=["Ann", "Bo"], now=NOW)
    again = start_match(key=key, game="tricky", names=["Ann", "Bo"], now=NOW)
    assert first == again
    assert Player.objects.count() == 2


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


def test_the_same_key_again_gives_the_first_answer() -> None:
    match, key = new_match(), uuid4()
    first = enter(match, HAND, key=key)
    again = enter(match, HAND, key=key)
    assert (first.status, again.status) == (Status.STORED, Status.REPEATED)
    assert (again.first, again.entry) == (Status.STORED, first.entry)
    assert LogEntry.objects.count() == 1


def test_the_same_key_for_something_else_is_refused() -> None:
    match, key = new_match(), uuid4()
    enter(match, HAND, key=key)
    for kind, number, raw in (
        (Kind.ENTER, 1, OTHER),
        (Kind.ENTER, 2, HAND),
        (Kind.REPLACE, 1, HAND),
    ):
        outcome = give(kind, match_id=match.pk, key=key, number=number, body=raw)
        assert (outcome.status, outcome.entry) == (Status.REFUSED, None)
        assert [fault.field for fault in outcome.faults] == ["key"]
    assert LogEntry.objects.count() == 1


def test_a_hand_that_another_phone_entered_is_not_overwritten() -> None:
    match, key = entered_match([HAND]), uuid4()
    outcome = enter(match, OTHER, key=key)
    assert (outcome.status, outcome.entry.kind) == (Status.CONFLICT, "conflict")
    (hand,) = replay_match(match).hands
    assert (hand.raw, [one.body for one in hand.proposals]) == (HAND, [OTHER])
    assert totals(match) == [140, 672, 101]
    again = enter(match, OTHER, key=key)
    assert (again.status, again.first) == (Status.REPEATED, Status.CONFLICT)


def test_a_hand_that_another_phone_entered_alike_changes_nothing() -> None:
    match = entered_match([HAND])
    outcome = enter(match, HAND)
    assert (outcome.status, outcome.entry.kind) == (Status.SUPERSEDED, "superseded")
    assert replay_match(match).hands[0].proposals == ()
    assert totals(match) == [140, 672, 101]


def test_a_hand_beyond_the_next_one_is_refused() -> None:
    match = entered_match([HAND])
    outcome = give(Kind.ENTER, match_id=match.pk, number=3, body=HAND)
    assert outcome.status is Status.REFUSED
    assert [str(fault.message) for fault in outcome.faults] == ["Hand 2 comes first."]
    assert match.log.count() == 1


def test_a_change_made_before_somebody_elses_waits_for_a_choice() -> None:
    third = {**HAND, "points": [121, 120, 120]}
    for kind, raw in ((Kind.REPLACE, third), (Kind.VOID, None)):
        match = entered_match([HAND])
        correct_hand(match_id=match.pk, number=1, raw=OTHER, author=author("Bo"))
        outcome = give(
            kind, match_id=match.pk, number=1, body=raw, by=author(base_version=1)
        )
        assert (outcome.status, len(outcome.faults)) == (Status.CONFLICT, 0)
        (hand,) = replay_match(match).hands
        assert (hand.raw, hand.state, len(hand.proposals)) == (OTHER, "played", 1)


def test_a_closed_match_takes_something_from_those_who_may_change_it_alone() -> None:
    match = entered_match([HAND])
    set_closed(Match.objects.all(), closed=True)
    outcome = give(Kind.ENTER, match_id=match.pk, number=2, body=OTHER)
    assert (outcome.status, outcome.is_stored) == (Status.CLOSED, False)
    assert match.log.count() == 1
    directing = author(may_change_closed=True)
    assert enter(match, OTHER, number=2, author=directing).status is Status.STORED


def test_a_refused_hand_leaves_everything_as_it_was() -> None:
    match = entered_match([HAND])
    with pytest.raises(Refusal) as refusal:
        enter(match, {**HAND, "points": [1, 1, 1]}, number=2)
    assert refusal.value.faults[0].hand == 2
    match.refresh_from_db()
    assert (match.version, match.hands_played, match.log.count()) == (1, 1, 1)


def test_a_number_that_no_pad_knows_is_refused_in_words() -> None:
    bid = {"bidder": 1, "bid": 10**30, "trump": 7}
    with pytest.raises(Refusal, match="go up to"):
        enter(new_match(), {**HAND, "contract": bid})


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


def test_what_is_not_there_cannot_be_corrected_voided_or_restored() -> None:
    match = entered_match([HAND])
    for kind, number, raw in (
        (Kind.REPLACE, 2, HAND),
        (Kind.VOID, 7, None),
        (Kind.RESTORE, 2, None),
        (Kind.KEEP, 2, None),
    ):
        outcome = give(kind, match_id=match.pk, number=number, body=raw)
        assert (outcome.status, len(outcome.faults)) == (Status.REFUSED, 1)
    assert match.log.count() == 1


def test_what_is_void_already_or_counts_already_stays_so() -> None:
    match = entered_match([HAND])
    for made in (
        restore_hand(match_id=match.pk, number=1, author=author()),
        void_hand(match_id=match.pk, number=1, author=author()),
        void_hand(match_id=match.pk, number=1, author=author("Bo")),
    ):
        assert made.entry is not None
    kinds = [entry.kind for entry in match.log.in_order()]
    assert kinds == ["enter", "superseded", "void", "superseded"]
    assert totals(match) == [0, 0, 0]


def test_hands_after_an_earlier_end_stay_and_do_not_count() -> None:
    match = entered_match([HAND, OTHER], target=1000)
    seen = previewed(match, Kind.REPLACE, 1, WON)
    assert seen.after is not None
    assert (seen.before.state.finished, seen.after.state.finished) == (False, True)
    correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=WON, author=author())
    assert match.hands.get(number=2).state == "after_end"
    assert match.seats.get(won=True).index == 1


def test_a_preview_writes_nothing_and_tells_every_fault() -> None:
    match = entered_match([HAND])
    seen = previewed(match, Kind.ENTER, 2, {})
    assert seen.after is None
    assert seen.faults
    assert match.log.count() == 1


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


def test_a_hand_after_the_end_is_refused() -> None:
    match = entered_match([WON], target=1000)
    assert match.finished
    with pytest.raises(Refusal, match="over") as refusal:
        enter(match, OTHER, number=2)
    assert refusal.value.faults[0].clause == "record.finished"
    assert previewed(match, Kind.ENTER, 2, OTHER).after is None
    assert match.log.count() == 1


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
