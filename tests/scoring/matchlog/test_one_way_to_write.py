"""Every kind of command has the same outcome through every channel, also when repeated."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import COMMAND_HANDLERS, read_match
from scoring.matchlog.commands import CommandStatus
from scoring.matchlog.confirmations import checksum_words_line
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.settling import mark_unfinished_matches_as_counting
from scoring.models import LogEntry, Match
from tests.factories import HAND, OTHER, new_match
from tests.factories.commands import Authorship, Kind, give
from tests.factories.phones import deliver, entry
from tests.scoring.matchlog.test_races import run_at_once

pytestmark = pytest.mark.django_db

CONTRACT = {"contract": HAND["contract"]}
LATER = {**HAND, "points": [101, 120, 140]}


@dataclass(frozen=True, kw_only=True)
class CommandSpec:
    """A command, independent of the channel that sends it."""

    kind: Kind
    number: int | None = None
    body: Mapping[str, Any] | None = None
    base: int | None = None
    key: UUID = field(default_factory=uuid4)


Channel = Callable[[Match, CommandSpec], None]


def send_command(match: Match, command: CommandSpec) -> None:
    give(
        command.kind,
        match_id=match.pk,
        key=command.key,
        number=command.number,
        body=command.body,
        by=Authorship(base_version=command.base),
    )


def send_from_phone(match: Match, command: CommandSpec) -> None:
    fields = {"number": command.number, "body": command.body, "base": command.base}
    author = {"key": str(command.key), "made_by": "Ann", "phone": uuid4().hex}
    deliver(match.address, entry(command.kind, **fields, **author))


def post_form(match: Match, command: CommandSpec) -> None:
    path, fields = form_request(command)
    base = {} if command.base is None else {"base": command.base}
    response = Client().post(
        f"/m/{match.address}/{path}", {"key": str(command.key), **base, **fields}
    )
    assert response.status_code in (200, 302)


def form_request(command: CommandSpec) -> tuple[str, dict[str, Any]]:
    """Return the path and the fields of the form that sends a command."""
    body, number = command.body or {}, command.number
    confirmation = {"confirm": "1", "reason": "mistyped"}
    body_json = json.dumps(command.body)
    match command.kind:
        case Kind.ENTER:
            return "hands/new/", {"number": number, **hand_fields(body)}
        case Kind.CONTRACT:
            fields = {"number": number, "contract_only": "1", **hand_fields(body)}
            return "hands/new/", fields
        case Kind.REPLACE:
            return f"hands/{number}/correct/", {**confirmation, **hand_fields(body)}
        case Kind.VOID | Kind.RESTORE:
            return f"hands/{number}/{command.kind}/", confirmation
        case Kind.KEEP:
            return f"hands/{number}/choose/", {"kind": "keep", "body": body_json}
        case Kind.RESEAT:
            return "seats/", {**body, "reason": "another name"}
        case Kind.CONFIRM:
            return "confirm/", {"body": body_json}
        case _:
            raise AssertionError(f"no page says {command.kind}")


def hand_fields(hand: Mapping[str, Any]) -> dict[str, Any]:
    points = {
        f"points_{seat}": value for seat, value in enumerate(hand.get("points", ()))
    }
    return {**hand["contract"], **points}


CHANNELS = [send_command, send_from_phone, post_form]


@dataclass(frozen=True)
class Case:
    """A match with a history, a command and its expected status."""

    name: str
    before: tuple[CommandSpec, ...]
    command: CommandSpec | Callable[[Match], CommandSpec]
    status: CommandStatus = CommandStatus.STORED
    settled: bool = False

    def command_for(self, match: Match) -> CommandSpec:
        """Return the command for the match."""
        return (
            self.command
            if isinstance(self.command, CommandSpec)
            else self.command(match)
        )


def enter_command(hand: Mapping[str, Any] = HAND, number: int = 1) -> CommandSpec:
    return CommandSpec(kind=Kind.ENTER, number=number, body=hand)


def correct_command(hand: Mapping[str, Any] = OTHER, number: int = 1) -> CommandSpec:
    return CommandSpec(kind=Kind.REPLACE, number=number, body=hand)


def hand_command(kind: Kind, base: int | None = None, body: Any = None) -> CommandSpec:
    return CommandSpec(kind=kind, number=1, base=base, body=body)


def reseat_command(name: str, **options: int) -> CommandSpec:
    return CommandSpec(kind=Kind.RESEAT, body={"seat": 1, "name": name, **options})


def confirm_command(match: Match) -> CommandSpec:
    words = checksum_words_line(read_match(match).replayed)
    return CommandSpec(kind=Kind.CONFIRM, body={"seat": 0, "words": words})


LATE_CORRECTION = replace(correct_command(), base=1)
VOID, RESTORE = hand_command(Kind.VOID, 1), hand_command(Kind.RESTORE, 1)
NOTE_CONTRACT = CommandSpec(kind=Kind.CONTRACT, number=1, body=CONTRACT)
CASES = [
    Case("a hand", (), enter_command()),
    Case(
        "a hand that another phone entered otherwise",
        (enter_command(OTHER), enter_command(LATER, 2)),
        enter_command(),
        CommandStatus.CONFLICT,
    ),
    Case(
        "a hand that another phone entered just so",
        (enter_command(), enter_command(LATER, 2)),
        enter_command(),
        CommandStatus.SUPERSEDED,
    ),
    Case("a hand too far", (), enter_command(number=3), CommandStatus.REFUSED),
    Case("no contract", (), NOTE_CONTRACT),
    Case(
        "a contract whose hand is there",
        (enter_command(), enter_command(LATER, 2)),
        NOTE_CONTRACT,
        CommandStatus.SUPERSEDED,
    ),
    Case("a correction", (enter_command(),), correct_command()),
    Case(
        "a correction of what somebody else corrected meanwhile",
        (enter_command(), correct_command(LATER)),
        LATE_CORRECTION,
        CommandStatus.CONFLICT,
    ),
    Case(
        "a correction to what somebody else made of it",
        (enter_command(), correct_command()),
        LATE_CORRECTION,
        CommandStatus.SUPERSEDED,
    ),
    Case("void", (enter_command(),), VOID),
    Case(
        "void, after a correction",
        (enter_command(), correct_command()),
        VOID,
        CommandStatus.CONFLICT,
    ),
    Case(
        "void again",
        (enter_command(), hand_command(Kind.VOID)),
        VOID,
        CommandStatus.SUPERSEDED,
    ),
    Case(
        "restored",
        (enter_command(), hand_command(Kind.VOID)),
        hand_command(Kind.RESTORE, 2),
    ),
    Case(
        "restored, what counts", (enter_command(),), RESTORE, CommandStatus.SUPERSEDED
    ),
    Case(
        "the version that stands",
        (enter_command(), enter_command(OTHER)),
        hand_command(Kind.KEEP, 2),
    ),
    Case("somebody else at a seat", (), reseat_command("Zoe")),
    Case("somebody at two seats", (), reseat_command("Ann"), CommandStatus.REFUSED),
    Case(
        "a seat from the next hand on",
        (enter_command(),),
        reseat_command("Zoe", from_hand=2),
    ),
    Case(
        "a seat from the start", (enter_command(),), reseat_command("Zoe", from_hand=1)
    ),
    Case(
        "a seat from nobody knows when",
        (enter_command(),),
        reseat_command("Zoe"),
        CommandStatus.REFUSED,
    ),
    Case("a confirmation", (enter_command(),), confirm_command, settled=True),
    Case(
        "a confirmation too early",
        (enter_command(),),
        confirm_command,
        CommandStatus.REFUSED,
    ),
]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
each_channel = pytest.mark.parametrize("channel", CHANNELS)


def create_match(case: Case) -> Match:
    match = new_match()
    for command in case.before:
        send_command(match, command)
    if case.settled:
        mark_unfinished_matches_as_counting(Match.objects.filter(pk=match.pk))
    match.refresh_from_db()
    return match


def public_log(match: Match) -> list[tuple[Any, ...]]:
    """Return kind, hand and body of each entry, without player IDs."""
    return [
        (
            entry.kind,
            entry.hand_number,
            {k: v for k, v in (entry.body or {}).items() if k != "player"},
        )
        for entry in match.log.in_order()
    ]


@each_channel
@each_case
def test_command_has_the_same_effect_through_every_channel(
    case: Case, channel: Channel
) -> None:
    match, expected_match = create_match(case), create_match(case)
    command = case.command_for(match)
    outcome = give(
        command.kind,
        match_id=expected_match.pk,
        number=command.number,
        body=command.body,
        by=Authorship(base_version=command.base),
    )
    assert outcome.status is case.status
    channel(match, command)
    assert public_log(match) == public_log(expected_match)
    assert rebuild_match(match_id=match.pk, check_only=True) == []
    channel(match, command)
    assert public_log(match) == public_log(expected_match)


@each_channel
@each_case
def test_another_command_under_a_used_key_changes_nothing(
    case: Case, channel: Channel
) -> None:
    match = create_match(case)
    command = case.command_for(match)
    send_command(match, CommandSpec(kind=Kind.PEN, key=command.key))
    before = public_log(match)
    channel(match, command)
    assert public_log(match) == before


@each_channel
@each_case
def test_closed_match_refuses_every_command(case: Case, channel: Channel) -> None:
    match = create_match(case)
    command = case.command_for(match)
    Match.objects.filter(pk=match.pk).update(closed=True)
    before = public_log(match)
    channel(match, command)
    assert public_log(match) == before


def test_every_kind_of_entry_is_covered() -> None:
    tested = {case.command_for(create_match(case)).kind for case in CASES}
    tested_elsewhere = {
        Kind.PEN,
        Kind.DISPUTE,
        Kind.BOARD,
        Kind.WITHDRAW,
        Kind.NOTE,
    }
    assert tested | tested_elsewhere == set(COMMAND_HANDLERS)
    stored_only = {LogEntry.Kind.CONFLICT, LogEntry.Kind.SUPERSEDED}
    assert set(LogEntry.Kind) - set(COMMAND_HANDLERS) == stored_only


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("channel", [send_from_phone, post_form])
def test_one_of_eight_simultaneous_corrections_wins(channel: Channel) -> None:
    match = new_match()
    send_command(match, enter_command())
    contracts = [{"bidder": 0, "bid": bid, "trump": 2} for bid in range(100, 108)]
    commands = [
        replace(correct_command({**OTHER, "contract": contract}), base=1)
        for contract in contracts
    ]
    assert (
        run_at_once(*[partial(channel, match, command) for command in commands])
        == [None] * 8
    )
    kinds = [entry.kind for entry in match.log.in_order()]
    assert sorted(kinds[1:]) == ["conflict"] * 7 + ["replace"]
    (hand,) = read_match(Match.objects.get(pk=match.pk)).replayed.hands
    assert len(hand.proposals) == 7
