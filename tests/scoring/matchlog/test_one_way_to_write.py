"""Each kind of command, given in each way: the same becomes of it, and of its repetition."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client

from scoring.matchlog.append import HANDLERS, read_match
from scoring.matchlog.commands import Status
from scoring.matchlog.confirmations import words_of
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.settling import count_as_they_stand
from scoring.matchlog.tokens import seat_token
from scoring.models import LogEntry, Match
from tests.factories import new_match
from tests.factories.commands import By, Kind, give

pytestmark = pytest.mark.django_db

CONTRACT = {"contract": {"bidder": 1, "bid": 96, "trump": 7}}
HAND = {**CONTRACT, "points": [140, 120, 101]}
OTHER = {
    "contract": {"bidder": 0, "bid": 120, "trump": 2},
    "points": [140, 120, 101],
}
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
        by=By(base_version=wish.base),
    )


def by_phone(match: Match, wish: Wish) -> None:
    entry = {
        "format": "trick-entry",
        "version": 1,
        "key": str(wish.key),
        "kind": wish.kind,
        "number": wish.number,
        "body": wish.body,
        "base": wish.base,
        "made_by": "Ann",
        "phone": uuid4().hex,
    }
    Client().post(
        f"/m/{match.address}/entries/",
        json.dumps(entry),
        content_type="application/json",
        headers={"X-Seat-Token": seat_token(match)},
    )


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


@dataclass(frozen=True, kw_only=True)
class Case:
    """A wish at a match with a history, and what becomes of it."""

    name: str
    before: tuple[Wish, ...] = ()
    wish: Callable[[Match], Wish]
    status: Status = Status.STORED
    settled: bool = False


def entered(hand: Mapping[str, Any] = HAND, number: int = 1) -> Wish:
    return Wish(kind=Kind.ENTER, number=number, body=hand)


def corrected(hand: Mapping[str, Any] = OTHER, number: int = 1) -> Wish:
    return Wish(kind=Kind.REPLACE, number=number, body=hand)


def about(kind: Kind, base: int | None = None, body: Any = None) -> Wish:
    return Wish(kind=kind, number=1, base=base, body=body)


def confirmed(match: Match) -> Wish:
    words = words_of(read_match(match).replayed)
    return Wish(kind=Kind.CONFIRM, body={"seat": 0, "words": words})


TWO_VERSIONS = (entered(), entered(OTHER))
CASES = [
    Case(name="a hand", wish=lambda m: entered()),
    Case(
        name="a hand that another phone entered otherwise",
        before=(entered(OTHER), entered(LATER, 2)),
        wish=lambda m: entered(),
        status=Status.CONFLICT,
    ),
    Case(
        name="a hand that another phone entered just so",
        before=(entered(), entered(LATER, 2)),
        wish=lambda m: entered(),
        status=Status.SUPERSEDED,
    ),
    Case(
        name="a hand too far", wish=lambda m: entered(number=3), status=Status.REFUSED
    ),
    Case(
        name="a contract",
        wish=lambda m: Wish(kind=Kind.CONTRACT, number=1, body=CONTRACT),
    ),
    Case(
        name="a contract whose hand is there",
        before=(entered(), entered(LATER, 2)),
        wish=lambda m: Wish(kind=Kind.CONTRACT, number=1, body=CONTRACT),
        status=Status.SUPERSEDED,
    ),
    Case(name="a correction", before=(entered(),), wish=lambda m: corrected()),
    Case(
        name="a correction of what somebody else corrected meanwhile",
        before=(entered(), corrected(LATER)),
        wish=lambda m: replace(corrected(), base=1),
        status=Status.CONFLICT,
    ),
    Case(
        name="a correction to what somebody else made of it",
        before=(entered(), corrected()),
        wish=lambda m: replace(corrected(), base=1),
        status=Status.SUPERSEDED,
    ),
    Case(name="void", before=(entered(),), wish=lambda m: about(Kind.VOID, 1)),
    Case(
        name="void, after somebody corrected it",
        before=(entered(), corrected()),
        wish=lambda m: about(Kind.VOID, 1),
        status=Status.CONFLICT,
    ),
    Case(
        name="void, what is void",
        before=(entered(), about(Kind.VOID)),
        wish=lambda m: about(Kind.VOID, 1),
        status=Status.SUPERSEDED,
    ),
    Case(
        name="restored",
        before=(entered(), about(Kind.VOID)),
        wish=lambda m: about(Kind.RESTORE, 2),
    ),
    Case(
        name="restored, what counts",
        before=(entered(),),
        wish=lambda m: about(Kind.RESTORE, 1),
        status=Status.SUPERSEDED,
    ),
    Case(
        name="the version that stands, of two",
        before=(*TWO_VERSIONS,),
        wish=lambda m: about(Kind.KEEP, 2),
    ),
    Case(
        name="somebody else at a seat",
        wish=lambda m: Wish(kind=Kind.RESEAT, body={"seat": 1, "name": "Zoe"}),
    ),
    Case(
        name="somebody at two seats",
        wish=lambda m: Wish(kind=Kind.RESEAT, body={"seat": 1, "name": "Ann"}),
        status=Status.REFUSED,
    ),
    Case(name="a confirmation", before=(entered(),), wish=confirmed, settled=True),
    Case(
        name="a confirmation of a match that goes on",
        before=(entered(),),
        wish=confirmed,
        status=Status.REFUSED,
    ),
]
by_name = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
in_each_way = pytest.mark.parametrize("way", WAYS)


def match_of(case: Case) -> Match:
    match = new_match()
    for wish in case.before:
        by_command(match, wish)
    if case.settled:
        count_as_they_stand(Match.objects.filter(pk=match.pk))
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
def test_the_same_becomes_of_a_command_in_whatever_way_it_comes(
    case: Case, way: Way
) -> None:
    match, plain = match_of(case), match_of(case)
    wish = case.wish(match)
    outcome = give(
        wish.kind,
        match_id=plain.pk,
        number=wish.number,
        body=wish.body,
        by=By(base_version=wish.base),
    )
    assert outcome.status is case.status
    way(match, wish)
    assert log_of(match) == log_of(plain)
    assert rebuild_match(match_id=match.pk, check=True) == []


@in_each_way
@by_name
def test_a_command_that_comes_twice_is_there_once(case: Case, way: Way) -> None:
    match = match_of(case)
    wish = case.wish(match)
    way(match, wish)
    once = log_of(match)
    way(match, wish)
    assert log_of(match) == once


@in_each_way
@by_name
def test_another_command_under_a_used_key_changes_nothing(case: Case, way: Way) -> None:
    match = match_of(case)
    wish = case.wish(match)
    way(match, Wish(kind=Kind.PEN, key=wish.key)) if way is not by_form else by_command(
        match, Wish(kind=Kind.PEN, key=wish.key)
    )
    once = log_of(match)
    way(match, wish)
    assert log_of(match) == once


@in_each_way
@by_name
def test_a_closed_match_takes_nothing(case: Case, way: Way) -> None:
    match = match_of(case)
    wish = case.wish(match)
    Match.objects.filter(pk=match.pk).update(closed=True)
    before = log_of(match)
    way(match, wish)
    assert log_of(match) == before


def test_every_kind_is_given_in_some_case_or_has_a_test_of_its_own() -> None:
    given = {case.wish(match_of(case)).kind for case in CASES}
    elsewhere = {Kind.PEN, Kind.DISPUTE, Kind.BOARD, Kind.WITHDRAW}
    assert given | elsewhere == set(HANDLERS)


@pytest.mark.parametrize("first", WAYS)
@pytest.mark.parametrize("second", WAYS)
def test_the_second_of_two_corrections_on_one_version_stands_beside_the_first(
    first: Way, second: Way
) -> None:
    match = new_match()
    by_command(match, entered())
    first(match, replace(corrected(OTHER), base=1))
    second(match, replace(corrected(LATER), base=1))
    (hand,) = read_match(Match.objects.get(pk=match.pk)).replayed.hands
    assert hand.raw == OTHER
    assert [proposal.body for proposal in hand.proposals] == [LATER]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", [by_phone, by_form])
def test_of_eight_corrections_at_once_one_stands_and_the_others_beside_it(
    way: Way,
) -> None:
    match = new_match()
    by_command(match, entered())
    barrier = Barrier(8)

    def correct(bid: int) -> None:
        contract = {"bidder": 0, "bid": bid, "trump": 2}
        barrier.wait(timeout=30)
        try:
            way(match, replace(corrected({**OTHER, "contract": contract}), base=1))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(correct, range(100, 108)))
    kinds = [entry.kind for entry in match.log.in_order()]
    assert sorted(kinds[1:]) == ["conflict"] * 7 + ["replace"]
    (hand,) = read_match(Match.objects.get(pk=match.pk)).replayed.hands
    assert len(hand.proposals) == 7


def test_entries_that_only_follow_from_others_cannot_be_asked_for() -> None:
    stored_only = {LogEntry.Kind.CONFLICT, LogEntry.Kind.SUPERSEDED}
    assert set(LogEntry.Kind) - set(HANDLERS) == stored_only
