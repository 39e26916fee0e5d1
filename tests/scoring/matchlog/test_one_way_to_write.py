"""Each kind of command, given in each way: the same becomes of it, and of its repetition."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import COMMAND_KINDS, read_match
from scoring.matchlog.commands import Status
from scoring.matchlog.confirmations import result_words
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.settling import score_unfinished
from scoring.models import LogEntry, Match
from tests.factories import HAND, OTHER, new_match
from tests.factories.commands import Authorship, Kind, give
from tests.factories.phones import deliver, entry
from tests.scoring.matchlog.test_races import at_once

pytestmark = pytest.mark.django_db

CONTRACT = {"contract": HAND["contract"]}
LATER = {**HAND, "points": [101, 120, 140]}


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What somebody wants, whatever way they have to say it."""

    kind: Kind
    number: int | None = None
    body: Mapping[str, Any] | None = None
    base: int | None = None
    key: UUID = field(default_factory=uuid4)


Way = Callable[[Match, Wish], None]


def by_command(match: Match, wish: Wish) -> None:
    give(
        wish.kind,
        match_id=match.pk,
        key=wish.key,
        number=wish.number,
        body=wish.body,
        by=Authorship(base_version=wish.base),
    )


def by_phone(match: Match, wish: Wish) -> None:
    said = {"number": wish.number, "body": wish.body, "base": wish.base}
    who = {"key": str(wish.key), "made_by": "Ann", "phone": uuid4().hex}
    deliver(match.address, entry(wish.kind, **said, **who))


def by_form(match: Match, wish: Wish) -> None:
    page, fields = form_of(wish)
    base = {} if wish.base is None else {"base": wish.base}
    answer = Client().post(
        f"/m/{match.address}/{page}", {"key": str(wish.key), **base, **fields}
    )
    assert answer.status_code in (200, 302)


def form_of(wish: Wish) -> tuple[str, dict[str, Any]]:
    """Return the page on which a wish is said, and the fields that say it."""
    body, number = wish.body or {}, wish.number
    why = {"confirm": "1", "reason": "mistyped"}
    said = json.dumps(wish.body)
    match wish.kind:
        case Kind.ENTER:
            return "hands/new/", {"number": number, **hand_fields(body)}
        case Kind.CONTRACT:
            fields = {"number": number, "contract_only": "1", **hand_fields(body)}
            return "hands/new/", fields
        case Kind.REPLACE:
            return f"hands/{number}/correct/", {**why, **hand_fields(body)}
        case Kind.VOID | Kind.RESTORE:
            return f"hands/{number}/{wish.kind}/", why
        case Kind.KEEP:
            return f"hands/{number}/choose/", {"kind": "keep", "body": said}
        case Kind.RESEAT:
            return "seats/", {**body, "reason": "another name"}
        case Kind.CONFIRM:
            return "confirm/", {"body": said}
        case _:
            raise AssertionError(f"no page says {wish.kind}")


def hand_fields(hand: Mapping[str, Any]) -> dict[str, Any]:
    points = {
        f"points_{seat}": taken for seat, taken in enumerate(hand.get("points", ()))
    }
    return {**hand["contract"], **points}


WAYS = [by_command, by_phone, by_form]


@dataclass(frozen=True)
class Case:
    """A match with a history, what somebody wants there, and what becomes of it."""

    name: str
    before: tuple[Wish, ...]
    wish: Wish | Callable[[Match], Wish]
    status: Status = Status.STORED
    settled: bool = False

    def wish_at(self, match: Match) -> Wish:
        """Return what somebody wants at the match."""
        return self.wish if isinstance(self.wish, Wish) else self.wish(match)


def entered(hand: Mapping[str, Any] = HAND, number: int = 1) -> Wish:
    return Wish(kind=Kind.ENTER, number=number, body=hand)


def corrected(hand: Mapping[str, Any] = OTHER, number: int = 1) -> Wish:
    return Wish(kind=Kind.REPLACE, number=number, body=hand)


def about(kind: Kind, base: int | None = None, body: Any = None) -> Wish:
    return Wish(kind=kind, number=1, base=base, body=body)


def seated(name: str, **since: int) -> Wish:
    return Wish(kind=Kind.RESEAT, body={"seat": 1, "name": name, **since})


def confirmed(match: Match) -> Wish:
    words = result_words(read_match(match).replayed)
    return Wish(kind=Kind.CONFIRM, body={"seat": 0, "words": words})


LATE = replace(corrected(), base=1)
VOID, RESTORE = about(Kind.VOID, 1), about(Kind.RESTORE, 1)
NOTED = Wish(kind=Kind.CONTRACT, number=1, body=CONTRACT)
CASES = [
    Case("a hand", (), entered()),
    Case(
        "a hand that another phone entered otherwise",
        (entered(OTHER), entered(LATER, 2)),
        entered(),
        Status.CONFLICT,
    ),
    Case(
        "a hand that another phone entered just so",
        (entered(), entered(LATER, 2)),
        entered(),
        Status.SUPERSEDED,
    ),
    Case("a hand too far", (), entered(number=3), Status.REFUSED),
    Case("no contract", (), NOTED),
    Case(
        "a contract whose hand is there",
        (entered(), entered(LATER, 2)),
        NOTED,
        Status.SUPERSEDED,
    ),
    Case("a correction", (entered(),), corrected()),
    Case(
        "a correction of what somebody else corrected meanwhile",
        (entered(), corrected(LATER)),
        LATE,
        Status.CONFLICT,
    ),
    Case(
        "a correction to what somebody else made of it",
        (entered(), corrected()),
        LATE,
        Status.SUPERSEDED,
    ),
    Case("void", (entered(),), VOID),
    Case("void, after a correction", (entered(), corrected()), VOID, Status.CONFLICT),
    Case("void again", (entered(), about(Kind.VOID)), VOID, Status.SUPERSEDED),
    Case("restored", (entered(), about(Kind.VOID)), about(Kind.RESTORE, 2)),
    Case("restored, what counts", (entered(),), RESTORE, Status.SUPERSEDED),
    Case("the version that stands", (entered(), entered(OTHER)), about(Kind.KEEP, 2)),
    Case("somebody else at a seat", (), seated("Zoe")),
    Case("somebody at two seats", (), seated("Ann"), Status.REFUSED),
    Case("a seat from the next hand on", (entered(),), seated("Zoe", from_hand=2)),
    Case("a seat from the start", (entered(),), seated("Zoe", from_hand=1)),
    Case("a seat from nobody knows when", (entered(),), seated("Zoe"), Status.REFUSED),
    Case("a confirmation", (entered(),), confirmed, settled=True),
    Case("a confirmation too early", (entered(),), confirmed, Status.REFUSED),
]
by_name = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
in_each_way = pytest.mark.parametrize("way", WAYS)


def match_of(case: Case) -> Match:
    match = new_match()
    for wish in case.before:
        by_command(match, wish)
    if case.settled:
        score_unfinished(Match.objects.filter(pk=match.pk))
    match.refresh_from_db()
    return match


def log_of(match: Match) -> list[tuple[Any, ...]]:
    """Return what everybody may read of a log, but the persons' numbers."""
    return [
        (
            entry.kind,
            entry.hand_number,
            {k: v for k, v in (entry.body or {}).items() if k != "player"},
        )
        for entry in match.log.in_order()
    ]


@in_each_way
@by_name
def test_command_has_the_same_effect_through_every_channel(
    case: Case, way: Way
) -> None:
    match, plain = match_of(case), match_of(case)
    wish = case.wish_at(match)
    outcome = give(
        wish.kind,
        match_id=plain.pk,
        number=wish.number,
        body=wish.body,
        by=Authorship(base_version=wish.base),
    )
    assert outcome.status is case.status
    way(match, wish)
    assert log_of(match) == log_of(plain)
    assert rebuild_match(match_id=match.pk, check=True) == []
    way(match, wish)
    assert log_of(match) == log_of(plain)


@in_each_way
@by_name
def test_another_command_under_a_used_key_changes_nothing(case: Case, way: Way) -> None:
    match = match_of(case)
    wish = case.wish_at(match)
    by_command(match, Wish(kind=Kind.PEN, key=wish.key))
    before = log_of(match)
    way(match, wish)
    assert log_of(match) == before


@in_each_way
@by_name
def test_closed_match_refuses_every_command(case: Case, way: Way) -> None:
    match = match_of(case)
    wish = case.wish_at(match)
    Match.objects.filter(pk=match.pk).update(closed=True)
    before = log_of(match)
    way(match, wish)
    assert log_of(match) == before


def test_every_kind_of_entry_is_covered() -> None:
    given = {case.wish_at(match_of(case)).kind for case in CASES}
    elsewhere = {Kind.PEN, Kind.DISPUTE, Kind.BOARD, Kind.WITHDRAW}
    assert given | elsewhere == set(COMMAND_KINDS)
    stored_only = {LogEntry.Kind.CONFLICT, LogEntry.Kind.SUPERSEDED}
    assert set(LogEntry.Kind) - set(COMMAND_KINDS) == stored_only


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", [by_phone, by_form])
def test_one_of_eight_simultaneous_corrections_wins(way: Way) -> None:
    match = new_match()
    by_command(match, entered())
    contracts = [{"bidder": 0, "bid": bid, "trump": 2} for bid in range(100, 108)]
    wishes = [
        replace(corrected({**OTHER, "contract": contract}), base=1)
        for contract in contracts
    ]
    assert at_once(*[partial(way, match, wish) for wish in wishes]) == [None] * 8
    kinds = [entry.kind for entry in match.log.in_order()]
    assert sorted(kinds[1:]) == ["conflict"] * 7 + ["replace"]
    (hand,) = read_match(Match.objects.get(pk=match.pk)).replayed.hands
    assert len(hand.proposals) == 7
