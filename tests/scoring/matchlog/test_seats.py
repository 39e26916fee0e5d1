"""Seats: somebody else plays on, and people who sat elsewhere than was written."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from scoring.matchlog.commands import Outcome, Status
from scoring.models import Match, Player
from scoring.rules import Refusal
from tests.factories import PlayerFactory, author, entered_match
from tests.factories.commands import Kind, reseat, stored
from tests.scoring.matchlog.test_append import HAND

pytestmark = pytest.mark.django_db


def names(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.order_by("index")]


def rearrange(
    match: Match, players: dict[int, Player], from_hand: int, key: UUID | None = None
) -> Outcome:
    numbers = {str(index): player.pk for index, player in players.items()}
    body = {"players": numbers, "from_hand": from_hand}
    return stored(Kind.RESEAT, match_id=match.pk, key=key, body=body)


def test_another_person_can_take_a_seat() -> None:
    match = entered_match([HAND])
    flo = PlayerFactory.create(name="Flo")
    change: dict[str, Any] = {"match_id": match.pk, "name": "Flo", "author": author()}
    key = uuid4()
    reseat(key=key, index=0, player=flo, **change)
    assert match.seats.get(index=0).player == flo
    assert match.log.get(version=2).kind == "seats"
    again = reseat(key=key, index=0, player=flo, **change)
    assert again.status is Status.REPEATED
    assert match.log.count() == 2
    with pytest.raises(Refusal) as refusal:
        reseat(key=key, index=1, **change)
    assert refusal.value.faults[0].field == "key"
    with pytest.raises(Refusal):
        reseat(key=uuid4(), index=1, player=flo, **change)


def test_a_new_name_at_a_seat_is_a_new_person() -> None:
    match = entered_match([HAND])
    change: dict[str, Any] = {"match_id": match.pk, "index": 2, "author": author()}
    reseat(key=uuid4(), name="Gil", **change)
    gil = match.seats.get(index=2).player
    assert gil.name == "Gil"
    assert (match.log.seat_changes().get().body or {})["player"] == gil.pk
    with pytest.raises(Refusal):
        reseat(key=uuid4(), name="", **change)


def test_people_who_sat_elsewhere_exchange_their_seats_and_the_seats_keep_points() -> (
    None
):
    match = entered_match([HAND])
    ann, bo, _cy = (seat.player for seat in match.seats.order_by("index"))
    totals = list(match.seats.order_by("index").values_list("total", flat=True))
    key = uuid4()
    first = rearrange(match, {0: bo, 1: ann}, 1, key=key)
    again = rearrange(match, {0: bo, 1: ann}, 1, key=key)
    assert (first.status, again.status) == (Status.STORED, Status.REPEATED)
    assert names(match) == ["Bo", "Ann", "Cy"]
    assert list(match.seats.order_by("index").values_list("total", flat=True)) == totals
    changes = [entry.body or {} for entry in match.log.seat_changes()]
    assert [change["name"] for change in changes] == ["Bo", "Ann"]


def test_the_log_says_from_which_hand_on_somebody_sat_there() -> None:
    match = entered_match([HAND])
    flo = PlayerFactory.create(name="Flo")
    rearrange(match, {2: flo}, 2)
    (entry,) = match.log.seat_changes()
    assert entry.body == {
        "seat": 2,
        "player": flo.pk,
        "name": "Flo",
        "from_hand": 2,
    }


def test_nobody_is_put_at_two_seats() -> None:
    match = entered_match([HAND])
    ann = match.seats.get(index=0).player
    with pytest.raises(Refusal):
        rearrange(match, {1: ann}, 1)
    assert names(match) == ["Ann", "Bo", "Cy"]


def test_seats_that_are_right_already_stay_and_nothing_is_stored() -> None:
    match = entered_match([HAND])
    ann = match.seats.get(index=0).player
    assert rearrange(match, {0: ann}, 1).status is Status.SUPERSEDED
    assert not match.log.seat_changes().exists()
