"""Outcomes of commands about hands, and the faults of refused ones."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import append, read_match
from scoring.matchlog.commands import (
    Command,
    CommandAuthor,
    CommandOutcome,
    CommandStatus,
)
from scoring.matchlog.hands import GREATEST, check_number_sizes
from scoring.matchlog.replay import DIRECTOR, FINDINGS, STAND
from scoring.models import LogEntry, Match
from scoring.rules import PLAYED_KEY, Refusal, start
from tests.factories import HAND, OTHER, WON, entered_match, new_match
from tests.factories.commands import NOW, Authorship, Kind, give

THIRD = {**HAND, "points": [121, 120, 120]}

pytestmark = pytest.mark.django_db


def send(
    match: Match, kind: Kind, number: int | None = 1, **options: Any
) -> CommandOutcome:
    """Give a command; return its outcome. `by` is its authorship."""
    body, authorship = options.get("body"), options.get("by", Authorship())
    return give(kind, match_id=match.pk, number=number, body=body, by=authorship)


def only_fault(outcome: CommandOutcome) -> tuple[str, str, str, int | None]:
    """Return field, clause, message and hand of the only fault."""
    [fault] = outcome.faults
    return fault.field, fault.clause, str(fault.message), fault.hand


def last_entry(match: Match) -> LogEntry:
    return match.log.in_order().reverse()[0]


def test_hand_number_is_required() -> None:
    outcome = send(new_match(), Kind.ENTER, None, body=HAND)
    expected = ("number", "record.format", "The hand number is missing.", None)
    assert only_fault(outcome) == expected


def test_wrong_hand_number_is_refused_with_a_message() -> None:
    match = entered_match([HAND])
    too_far = send(match, Kind.CONTRACT, 3, body={"contract": HAND["contract"]})
    assert only_fault(too_far) == ("", "record.format", "Enter hand 2 first.", None)
    for kind in (Kind.REPLACE, Kind.VOID, Kind.RESTORE, Kind.KEEP):
        assert only_fault(send(match, kind, 2, body=HAND)) == (
            "",
            "record.format",
            "This hand has changed. Check it and try again.",
            None,
        )


def test_hand_after_the_end_is_refused_or_needs_a_choice_first() -> None:
    match = entered_match([WON], target=1000)
    assert only_fault(send(match, Kind.ENTER, 2, body=HAND)) == (
        "",
        "record.finished",
        "The match is already over. This hand can’t be added.",
        2,
    )
    send(match, Kind.ENTER, 1, body=OTHER)
    assert only_fault(send(match, Kind.ENTER, 2, body=HAND)) == (
        "",
        "record.finished",
        "Hand 1 was entered twice. Choose which version counts.",
        2,
    )


def test_hand_after_the_end_can_be_corrected_to_a_valid_one() -> None:
    match = entered_match([HAND, OTHER], target=1000)
    send(match, Kind.REPLACE, 1, body=WON)
    outcome = send(match, Kind.REPLACE, 2, body=THIRD)
    [_first, hand] = outcome.logged.replayed.hands
    assert (outcome.status, hand.state) == (CommandStatus.STORED, "after_end")
    assert hand.raw == THIRD
    refusal = send(match, Kind.REPLACE, 2, body={**THIRD, "points": [1, 1, 1]})
    assert refusal.status is CommandStatus.REFUSED


def test_entry_stores_its_change_and_base_version() -> None:
    match = entered_match([HAND])
    key = uuid4()
    give(
        Kind.REPLACE,
        match_id=match.pk,
        key=key,
        number=1,
        body=OTHER,
        by=Authorship(base_version=1),
    )
    entry = last_entry(match)
    assert (entry.kind, entry.hand_number, entry.body) == ("replace", 1, OTHER)
    assert (entry.key, entry.base_version) == (key, 1)
    assert entry.supersedes == match.log.get(version=1)
    assert match.log.get(version=1).supersedes is None
    send(match, Kind.ENTER, body=THIRD)
    assert last_entry(match).supersedes == entry


@pytest.mark.parametrize(
    ("phone", "base", "status"),
    [
        ("mine", 1, CommandStatus.STORED),
        ("yours", 1, CommandStatus.CONFLICT),
        ("", 1, CommandStatus.CONFLICT),
        ("yours", 2, CommandStatus.STORED),
        ("yours", None, CommandStatus.STORED),
    ],
)
def test_a_late_correction_is_a_proposal(
    phone: str, base: int | None, status: CommandStatus
) -> None:
    match = entered_match([HAND])
    send(match, Kind.REPLACE, body=OTHER, by=Authorship(base_version=1, phone="mine"))
    authorship = Authorship(base_version=base, phone=phone)
    assert send(match, Kind.REPLACE, body=THIRD, by=authorship).status is status


def test_unrelated_entries_do_not_make_a_correction_late() -> None:
    match = entered_match([HAND, OTHER])
    send(match, Kind.ENTER, 1, body=HAND)
    send(match, Kind.REPLACE, 2, body=HAND)
    authorship = Authorship(base_version=2)
    assert (
        send(match, Kind.REPLACE, body=THIRD, by=authorship).status
        is CommandStatus.STORED
    )


@pytest.mark.parametrize(
    ("sent_body", "stored_body"),
    [
        ({FINDINGS: STAND}, {FINDINGS: STAND}),
        ({FINDINGS: DIRECTOR}, {FINDINGS: DIRECTOR}),
        ({FINDINGS: "x"}, None),
        (HAND, None),
        (None, None),
    ],
)
def test_a_choice_stores_a_decision_or_nothing(
    sent_body: Any, stored_body: Any
) -> None:
    match = entered_match([HAND])
    assert send(match, Kind.KEEP, body=sent_body).status is CommandStatus.STORED
    assert (last_entry(match).kind, last_entry(match).body) == ("keep", stored_body)


def test_correction_keeps_fields_missing_from_the_form() -> None:
    match = entered_match([{"first_bidder": 2, **HAND}])
    send(match, Kind.REPLACE, body=OTHER)
    assert last_entry(match).body == {"first_bidder": 2, **OTHER}


def store_from_form(match: Match, kind: Kind, body: Any, number: int = 1) -> Any:
    """Append a hand as a form sends it; return the stored body."""
    command = Command(
        key=uuid4(),
        kind=kind,
        author=CommandAuthor(),
        number=number,
        body=body,
        is_raw_input=True,
    )
    assert append(command, address=match.address, now=NOW).is_stored
    return last_entry(match).body


def test_played_pieces_become_tricks_when_the_hand_is_entered() -> None:
    raw = generate_hand(start("tricky", 3), Random(3), tricks=True)
    form_body = read_match(new_match()).replayed.state.game.convert_tricks_to_pieces(
        raw
    )
    contract_body = store_from_form(new_match(), Kind.CONTRACT, form_body)
    assert contract_body[PLAYED_KEY] == form_body[PLAYED_KEY]
    entered_body = store_from_form(new_match(), Kind.ENTER, form_body)
    assert entered_body["tricks"] == raw["tricks"]
    assert PLAYED_KEY not in entered_body
    match = new_match()
    give(Kind.ENTER, match_id=match.pk, number=1, body=form_body)
    assert match.log.count() == 0


def test_later_hand_from_a_form_uses_the_first_bidder() -> None:
    match = entered_match([{"first_bidder": 2, **HAND}])
    form_body = {**HAND, "bids": [[1, 96], [2, "pass"], [0, "pass"]]}
    assert store_from_form(match, Kind.ENTER, form_body, number=2) == form_body


@pytest.mark.parametrize(("bid", "is_kept"), [(96, True), (102, False)])
def test_contract_keeps_its_auction_only_if_they_agree(
    bid: int,
    is_kept: bool,  # noqa: FBT001 - a column of the table above
) -> None:
    contract = {"contract": HAND["contract"]}
    form_body = {**contract, "bids": [[1, bid], [2, "pass"], [0, "pass"]]}
    stored_body = store_from_form(
        entered_match([HAND]), Kind.CONTRACT, form_body, number=2
    )
    assert stored_body == (form_body if is_kept else contract)


SHAPES = {
    "alone": lambda number: number,
    "negative": lambda number: -number,
    "in an object": lambda number: {"contract": {"bid": number}},
    "in a list": lambda number: [1, [number]],
    "in a tuple": lambda number: (number, "x"),
    "among others": lambda number: {"a": [], "b": {}, "c": [number, None, "x", True]},
}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_numbers_are_limited_to_the_column_maximum(shape: Any) -> None:
    check_number_sizes(shape(GREATEST))
    with pytest.raises(Refusal) as refusal:
        check_number_sizes(shape(GREATEST + 1), 3)
    [fault] = refusal.value.faults
    assert (fault.field, fault.clause, fault.hand) == ("", "record.format", 3)
    assert str(fault.message) == f"Enter a number up to {GREATEST}."


def test_too_deeply_nested_hand_is_refused() -> None:
    deep: Any = []
    for _level in range(5000):
        deep = [deep]
    with pytest.raises(Refusal) as refusal:
        check_number_sizes(deep, 3)
    [fault] = refusal.value.faults
    assert (fault.field, fault.clause, fault.hand) == ("", "record.format", 3)
    assert str(fault.message) == "This isn’t a valid hand."


@pytest.mark.parametrize("game", ["tricky", "tricky_bid", "tricky_dice"])
def test_void_hand_keeps_its_tricks_and_their_sums(game: str) -> None:
    raw = generate_hand(start(game, 4, {}), Random(3), tricks=True)
    match = entered_match([raw], game, 4)
    [played] = read_match(match).replayed.hands
    send(match, Kind.VOID)
    [void] = read_match(match).replayed.hands
    assert void.state == "void"
    assert void.raw_with_sums == played.raw_with_sums
    assert len(void.raw_with_sums) > len(raw)
    sums = {
        key: void.raw_with_sums[key] for key in void.raw_with_sums if key != "tricks"
    }
    [hand] = send(match, Kind.REPLACE, body=sums).logged.replayed.hands
    assert (hand.state, hand.raw["tricks"]) == ("played", raw["tricks"])


def test_a_corrected_void_hand_counts_and_keeps_its_history() -> None:
    match = entered_match([HAND, OTHER])
    send(match, Kind.VOID)
    outcome = send(match, Kind.REPLACE, body=THIRD)
    first, second = outcome.logged.replayed.hands
    assert outcome.status is CommandStatus.STORED
    assert (first.state, first.raw, second.state) == ("played", THIRD, "played")
    assert [entry.kind for entry in first.history] == ["enter", "void", "replace"]
    replayed = read_match(match).replayed
    assert replayed.state == outcome.logged.replayed.state
    assert replayed.state.totals == (
        read_match(entered_match([THIRD, OTHER])).replayed.state.totals
    )
