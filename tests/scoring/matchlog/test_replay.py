"""Replay a match from its log, without a database."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from scoring.matchlog.replay import (
    COUNTS,
    DIRECTOR,
    FINDINGS,
    ReplayedHand,
    ReplayedMatch,
    replay,
)
from scoring.rules import ParsedHand, Refusal, parse_unfinished_hand
from tests.factories import HAND, OTHER, WON

NO_TARGET: dict[str, Any] = {}
TO_1000 = {"target": 1000}
CONTRACT = {"contract": HAND["contract"]}


@dataclass
class StoredEntry:
    """One entry of a log."""

    kind: str
    hand_number: int | None = 1
    body: Any = None
    base_version: int | None = None
    version: int = field(default=0)
    reason: str = ""
    phone: str = ""


def replay_entries(*log: StoredEntry, options: Any = None) -> ReplayedMatch:
    """Return a match of three with this log, numbered as it comes."""
    for version, entry in enumerate(log, start=1):
        entry.version = version
    return replay("tricky", 3, options or NO_TARGET, log)


def hand_entry(body: Any = HAND, number: int = 1) -> StoredEntry:
    return StoredEntry("enter", number, body)


def conflict(body: Any = OTHER) -> StoredEntry:
    return StoredEntry("conflict", 1, body)


def only_hand(*log: StoredEntry, options: Any = None) -> ReplayedHand:
    """Return the only hand of a match with this log."""
    [hand] = replay_entries(*log, options=options).hands
    return hand


def proposed_bodies(*log: StoredEntry) -> list[Any]:
    return [proposal.body for proposal in only_hand(*log).proposals]


def test_log_without_hands_is_a_match_before_its_first() -> None:
    match = replay_entries(
        StoredEntry("pen", None), StoredEntry("seats", None, {"seat": 1})
    )
    assert (match.hands, match.states, match.next_number) == ((), (), 1)
    assert match.state.number == 0
    assert match.pending_hand is None
    assert match.hand(1) is None
    assert not match.is_over


def test_hand_has_its_current_entry_and_history() -> None:
    first, second, pen = (
        hand_entry(),
        StoredEntry("replace", 1, OTHER),
        StoredEntry("pen", None),
    )
    hand = only_hand(first, second, pen)
    assert (hand.number, hand.state, hand.raw) == (1, "played", OTHER)
    assert hand.entry is second
    assert hand.history == (first, second)
    assert hand.game.id == "tricky"
    assert hand.scored is not None
    assert hand.hand is hand.scored.hand


def test_hands_are_sorted_by_number() -> None:
    log = (hand_entry(OTHER, 2), hand_entry(HAND, 1))
    match = replay_entries(*log)
    assert [hand.number for hand in match.hands] == [1, 2]
    assert (
        [hand.raw for hand in match.scored_hands]
        == match.scored_raws()
        == [HAND, OTHER]
    )
    assert [state.number for state in match.states] == [0, 1]
    assert match.state.number == 2
    assert match.state.totals == (500, 792, 202)
    assert match.next_number == 3
    assert match.hand(2) is match.hands[1]
    assert match.hand(3) is None


def test_void_hand_is_skipped_until_it_is_restored() -> None:
    voided = replay_entries(hand_entry(), StoredEntry("void"), hand_entry(OTHER, 2))
    assert [hand.state for hand in voided.hands] == ["void", "played"]
    assert voided.hands[0].scored is None
    assert voided.hands[0].hand == only_hand(hand_entry()).hand
    assert voided.scored_raws() == [OTHER]
    assert [state.number for state in voided.states] == [0, 0]
    assert voided.state.number == 1
    assert (
        only_hand(hand_entry(), StoredEntry("void"), StoredEntry("restore")).state
        == "played"
    )


def test_hands_after_the_end_are_readable_but_do_not_count() -> None:
    log = (hand_entry(WON), hand_entry(OTHER, 2), StoredEntry("enter", 3, "nothing"))
    match = replay_entries(*log, options=TO_1000)
    assert [hand.state for hand in match.hands] == ["played", "after_end", "after_end"]
    assert match.hands[1].scored is None
    game = match.state.game
    assert match.hands[1].hand == game.parse_loosely(match.state, OTHER)
    assert match.hands[2].hand == ParsedHand()
    assert match.state.number == 1
    assert match.is_over


@pytest.mark.parametrize(
    ("kind", "changed_body"),
    [
        ("enter", OTHER),
        ("replace", OTHER),
        ("contract", CONTRACT),
        ("conflict", None),
        ("keep", None),
        ("superseded", None),
    ],
)
def test_only_a_new_version_changes_a_hand(kind: str, changed_body: Any) -> None:
    entry = StoredEntry(kind, 1, changed_body or OTHER)
    assert only_hand(hand_entry(), entry).raw == (changed_body or HAND)
    after_void = only_hand(hand_entry(), StoredEntry("void"), entry)
    assert (after_void.state == "void") == (changed_body is None)


def test_contract_is_pending_until_its_hand() -> None:
    waiting = replay_entries(hand_entry(), StoredEntry("contract", 2, CONTRACT))
    assert waiting.pending_hand is waiting.hands[1]
    assert waiting.hands[1].state == "contract"
    assert waiting.hands[1].scored is None
    assert waiting.hands[1].hand == parse_unfinished_hand(waiting.state, CONTRACT)
    assert (waiting.next_number, waiting.state.number) == (2, 1)
    played = replay_entries(StoredEntry("contract", 1, CONTRACT), hand_entry())
    assert (played.pending_hand, played.next_number) == (None, 2)
    log = (StoredEntry("contract", 1, CONTRACT), StoredEntry("contract", 2, CONTRACT))
    pending = replay_entries(*log).pending_hand
    assert pending is not None
    assert pending.number == 2


@pytest.mark.parametrize(
    ("bodies", "expected"),
    [
        ([OTHER], [OTHER]),
        ([HAND], []),
        ([OTHER, OTHER], [OTHER]),
        ([OTHER, WON], [OTHER, WON]),
        ([OTHER, HAND, {COUNTS: False}], [OTHER, {COUNTS: False}]),
    ],
)
def test_each_proposal_is_listed_once(bodies: list[Any], expected: list[Any]) -> None:
    assert proposed_bodies(hand_entry(), *map(conflict, bodies)) == expected
    # Next to a void hand, also the version that was voided.
    voided = proposed_bodies(hand_entry(), StoredEntry("void"), *map(conflict, bodies))
    assert voided == [b for n, b in enumerate(bodies) if b not in bodies[:n]]


def test_choice_drops_only_proposals_its_author_has_seen() -> None:
    log = (hand_entry(), conflict(OTHER), conflict(WON))
    assert proposed_bodies(*log, StoredEntry("keep", base_version=1)) == [OTHER, WON]
    assert proposed_bodies(*log, StoredEntry("keep", base_version=2)) == [WON]
    assert proposed_bodies(*log, StoredEntry("keep", base_version=3)) == []
    assert proposed_bodies(*log, StoredEntry("keep")) == []


def test_change_of_a_hand_drops_its_proposals() -> None:
    for change in (
        StoredEntry("replace", 1, WON),
        StoredEntry("void"),
        StoredEntry("restore"),
    ):
        assert proposed_bodies(hand_entry(), conflict(), change) == []
    assert proposed_bodies(hand_entry(), conflict(), StoredEntry("superseded")) == [
        OTHER
    ]


def test_match_is_over_once_no_choice_is_open() -> None:
    open_choice = replay_entries(hand_entry(WON), conflict(), options=TO_1000)
    assert open_choice.state.finished
    assert open_choice.conflicting_hands == list(open_choice.hands)
    assert not open_choice.is_over
    chosen = replay_entries(
        hand_entry(WON), conflict(), StoredEntry("keep"), options=TO_1000
    )
    assert chosen.conflicting_hands == []
    assert chosen.is_over
    assert not replay_entries(hand_entry(HAND), options=TO_1000).is_over


def test_decision_about_findings_comes_from_the_last_entry() -> None:
    decision = StoredEntry("keep", 1, {FINDINGS: DIRECTOR})
    assert only_hand(hand_entry()).findings_decision is None
    assert only_hand(hand_entry(), StoredEntry("void")).findings_decision is None
    assert only_hand(hand_entry(), decision).findings_decision is decision
    assert (
        only_hand(
            hand_entry(), decision, StoredEntry("replace", 1, OTHER)
        ).findings_decision
        is None
    )


def test_first_hand_determines_the_first_bidder_of_later_hands() -> None:
    first = {"first_bidder": 2, **HAND}
    match = replay_entries(hand_entry(first), StoredEntry("void"), hand_entry(OTHER, 2))
    assert match.hands[1].raw == {"first_bidder": 2, **OTHER}
    assert match.state_before(1).turn == match.state_before(2).turn == 2
    own_bidder = {"first_bidder": 1, **OTHER}
    overridden = replay_entries(
        hand_entry(first), StoredEntry("void"), hand_entry(own_bidder, 2)
    )
    assert overridden.hands[1].raw == own_bidder
    assert overridden.state_before(1).turn == 2
    assert replay_entries(hand_entry(first), hand_entry(OTHER, 2)).hands[1].raw == OTHER


def test_state_before_is_defined_for_every_hand_number() -> None:
    match = replay_entries(hand_entry(), hand_entry(OTHER, 3))
    numbers = [match.state_before(number).number for number in (1, 2, 3, 4)]
    assert numbers == [0, 1, 1, 2]
    assert match.state_before(1).turn == match.states[0].turn
    first = replay_entries(
        hand_entry({"first_bidder": 2, **HAND}), hand_entry(OTHER, 2)
    )
    assert first.state_before(2) == first.states[1]


def test_impossible_hand_is_refused_with_its_number_in_the_match() -> None:
    wrong = {**HAND, "points": [1, 1, 1]}
    with pytest.raises(Refusal) as refusal:
        replay_entries(
            hand_entry(), StoredEntry("void"), hand_entry(HAND, 2), hand_entry(wrong, 4)
        )
    assert {fault.hand for fault in refusal.value.faults} == {4}
    with pytest.raises(Refusal) as refusal:
        replay_entries(hand_entry("nothing", 5))
    assert {fault.hand for fault in refusal.value.faults} == {5}
    with pytest.raises(Refusal) as refusal:
        replay_entries(hand_entry(), StoredEntry("contract", 3, {"contract": {}}))
    assert {fault.hand for fault in refusal.value.faults} == {3}


LOGS = {
    "a new hand": [hand_entry(), hand_entry(OTHER, 2)],
    "a first hand": [hand_entry()],
    "a correction of the first": [
        hand_entry(), hand_entry(OTHER, 2), hand_entry(HAND, 3), StoredEntry("replace", 1, OTHER),
    ],
    "a correction in the middle": [
        hand_entry(), hand_entry(OTHER, 2), hand_entry(HAND, 3), StoredEntry("replace", 2, HAND),
    ],
    "another version": [hand_entry(), hand_entry(OTHER, 2), StoredEntry("conflict", 2, WON)],
    "a choice": [hand_entry(), conflict(), hand_entry(OTHER, 2), StoredEntry("keep", 1)],
    "void, with who began": [
        hand_entry({"first_bidder": 2, **HAND}), hand_entry(OTHER, 2), StoredEntry("void", 1),
    ],
    "a hand after a void first one": [
        hand_entry({"first_bidder": 2, **HAND}), StoredEntry("void", 1), hand_entry(OTHER, 2),
    ],
    "two hands after a void first one": [
        hand_entry({"first_bidder": 2, **HAND}), StoredEntry("void", 1), StoredEntry("contract", 2, CONTRACT),
        hand_entry(OTHER, 2),
    ],
    "no contract": [hand_entry(), StoredEntry("contract", 2, CONTRACT)],
    "what is of no hand": [hand_entry(), StoredEntry("pen", None)],
}  # fmt: skip


@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
def test_adding_an_entry_equals_replaying_the_whole_log(log: list[StoredEntry]) -> None:
    whole = replay_entries(*log)
    extended = replay_entries(*log[:-1]).with_entry(log[-1])
    assert extended == whole


def test_adding_an_entry_does_not_replay_earlier_hands() -> None:
    match = replay_entries(hand_entry(), hand_entry(OTHER, 2))
    extended = match.with_entry(StoredEntry("replace", 2, HAND))
    assert extended.hands[0] is match.hands[0]
    assert extended.hands[1].scored != match.hands[1].scored
