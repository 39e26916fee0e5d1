"""Substitutes, and players who sat elsewhere than recorded."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from scoring.matchlog.append import read_match
from scoring.matchlog.commands import CommandOutcome, CommandStatus
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match, Player
from scoring.rules import Refusal
from tests.factories import HAND, PlayerFactory, entered_match
from tests.factories.commands import NOW, Kind, reseat, stored, void_hand

pytestmark = pytest.mark.django_db


def names(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.order_by("index")]


def rearrange(
    match: Match, players: dict[int, Player], from_hand: int, key: UUID | None = None
) -> CommandOutcome:
    numbers = {str(index): player.pk for index, player in players.items()}
    body = {"players": numbers, "from_hand": from_hand}
    return stored(Kind.RESEAT, match_id=match.pk, key=key, body=body)


def test_another_person_can_take_a_seat() -> None:
    match = entered_match([HAND])
    flo = PlayerFactory.create(name="Flo")
    change: dict[str, Any] = {"match_id": match.pk, "name": "Flo"}
    key = uuid4()
    reseat(key=key, index=0, player=flo, **change)
    assert match.seats.get(index=0).player == flo
    assert match.log.get(version=2).kind == "seats"
    repeated = reseat(key=key, index=0, player=flo, **change)
    assert repeated.status is CommandStatus.REPEATED
    assert match.log.count() == 2
    with pytest.raises(Refusal) as refusal:
        reseat(key=key, index=1, **change)
    assert refusal.value.faults[0].field == "key"
    with pytest.raises(Refusal):
        reseat(index=1, player=flo, **change)


def test_players_swap_seats_and_seats_keep_their_points() -> None:
    match = entered_match([HAND])
    ann, bo, _cy = (seat.player for seat in match.seats.order_by("index"))
    totals = list(match.seats.order_by("index").values_list("total", flat=True))
    key = uuid4()
    first = rearrange(match, {0: bo, 1: ann}, 1, key=key)
    repeated = rearrange(match, {0: bo, 1: ann}, 1, key=key)
    assert (first.status, repeated.status) == (
        CommandStatus.STORED,
        CommandStatus.REPEATED,
    )
    assert names(match) == ["Bo", "Ann", "Cy"]
    assert list(match.seats.order_by("index").values_list("total", flat=True)) == totals
    changes = [entry.body or {} for entry in match.log.seat_changes()]
    assert [change["name"] for change in changes] == ["Bo", "Ann"]


def test_log_stores_the_first_hand_of_a_substitute() -> None:
    match = entered_match([HAND])
    flo = PlayerFactory.create(name="Flo")
    cy = match.seats.get(index=2).player
    rearrange(match, {2: flo}, 2)
    assert [entry.body for entry in match.log.seat_changes()] == [
        {"seat": 2, "player": cy.pk, "name": "Cy", "from_hand": 1},
        {"seat": 2, "player": flo.pk, "name": "Flo", "from_hand": 2},
    ]


@pytest.mark.parametrize(
    ("corrected_hand", "expected_names"),
    [
        (2, ["Cy", "Flo", "Flo", "Flo"]),
        (3, ["Cy", "Cy", "Flo", "Flo"]),
        (4, ["Cy", "Cy", "Cy", "Flo"]),
        (1, ["Flo"] * 4),
    ],
)
def test_first_hand_of_a_seat_change_can_be_corrected(
    corrected_hand: int, expected_names: list[str]
) -> None:
    match = entered_match([HAND] * 3)
    flo = PlayerFactory.create(name="Flo")
    for from_hand in (3, corrected_hand):
        rearrange(match, {2: flo}, from_hand)
    match.refresh_from_db()
    assert [
        row[2] for row in read_match(match).names_by_hand(range(1, 5))
    ] == expected_names
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_seat_can_change_after_a_void_last_hand() -> None:
    match = entered_match([HAND] * 3)
    void_hand(match_id=match.pk, number=2)
    match.refresh_from_db()
    rearrange(match, {2: PlayerFactory.create(name="Flo")}, 9)
    match.refresh_from_db()
    assert [row[2] for row in read_match(match).names_by_hand((3, 4))] == ["Cy", "Flo"]


def store_old_seat_changes(match: Match, *seat_changes: tuple[str, int]) -> None:
    """Store changes of seat 3 as earlier releases did, without its first player."""
    for version, (name, from_hand) in enumerate(seat_changes, start=match.version + 1):
        player = PlayerFactory.create(name=name)
        body = {"seat": 2, "player": player.pk, "name": name, "from_hand": from_hand}
        match.log.create(
            version=version, key=uuid4(), kind=Kind.RESEAT, body=body, made_at=NOW
        )
        match.seats.filter(index=2).update(player=player, name=name)
    Match.objects.filter(pk=match.pk).update(version=match.version + len(seat_changes))
    match.refresh_from_db()


@pytest.mark.parametrize(
    ("seat_changes", "expected_names"),
    [
        ([("Ben", 3)], ["Seat 3", "Seat 3", "Ben"]),
        ([("Ben", 2), ("Cyd", 3)], ["Seat 3", "Ben", "Cyd"]),
        ([("Ben", 2), ("Cyd", 1)], ["Cyd"] * 3),
    ],
)
def test_log_of_an_earlier_release_credits_no_unknown_hands(
    seat_changes: list[tuple[str, int]], expected_names: list[str]
) -> None:
    match = entered_match([HAND] * 3)
    store_old_seat_changes(match, *seat_changes)
    assert [
        row[2] for row in read_match(match).names_by_hand((1, 2, 3))
    ] == expected_names


def test_unchanged_seats_store_nothing() -> None:
    match = entered_match([HAND])
    ann = match.seats.get(index=0).player
    assert rearrange(match, {0: ann}, 1).status is CommandStatus.SUPERSEDED
    assert not match.log.seat_changes().exists()


def test_new_name_at_a_seat_makes_a_new_player() -> None:
    match = entered_match([HAND])
    change: dict[str, Any] = {"match_id": match.pk, "index": 2}
    reseat(name="Gil", **change)
    gil = match.seats.get(index=2).player
    assert gil.name == "Gil"
    assert (match.log.seat_changes().get().body or {})["player"] == gil.pk
    with pytest.raises(Refusal):
        reseat(name="", **change)


def test_player_cannot_have_two_seats() -> None:
    match = entered_match([HAND])
    ann = match.seats.get(index=0).player
    with pytest.raises(Refusal):
        rearrange(match, {1: ann}, 1)
    assert names(match) == ["Ann", "Bo", "Cy"]
