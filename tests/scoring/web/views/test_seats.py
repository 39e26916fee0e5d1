"""Seats and substitutes on the pages of a match."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Match, Seat
from scoring.models.matches import demo_address
from scoring.rules import GAMES
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db


def seats_url(match: Match) -> str:
    return reverse("scoring:match_seats", args=[match.address])


def change_seat(
    client: Client, match: Match, seat: int, name: str, **options: int
) -> str:
    """Give a seat to a player; return the page shown afterwards."""
    reason = "plays on for somebody"
    fields = {
        "key": str(uuid4()),
        "seat": seat,
        "name": name,
        "reason": reason,
        **options,
    }
    response = client.post(seats_url(match), fields, follow=True)
    return response.content.decode()


def test_substitute_takes_over_the_seats_points(client: Client) -> None:
    match = entered_match([{"passed_out": True}])
    page = change_seat(client, match, 1, "Gil", from_hand=2)
    assert "Gil now has this seat from hand 2 on." in page
    assert match.seats.get(index=1).total != 0
    seats_page = client.get(seats_url(match)).content.decode()
    assert "Gil took seat 2" in seats_page
    assert "plays on for somebody" in seats_page
    change_seat(client, match, 1, "Hal", from_hand=2)
    *_before, first, second = match.log.seat_changes()
    assert second.supersedes == first


def test_asks_for_first_hand_of_a_substitute_after_a_hand(client: Client) -> None:
    match = entered_match([{"passed_out": True}] * 2)
    form = client.get(seats_url(match)).context["form"]
    assert form["from_hand"].value() == 3
    assert [label for _hand, label in form.fields["from_hand"].choices] == [
        "Hand 3 (next)",
        "Hand 2",
        "From the start",
    ]
    page = change_seat(client, match, 1, "Gil")
    assert (
        "A hand has already been entered. Choose the first hand this applies to."
        in page
    )
    assert match.seats.get(index=1).name == "Bo"
    page = change_seat(client, match, 1, "Gil", from_hand=1)
    assert "Gil has had this seat from the start." in page
    assert "from_hand" not in client.get(seats_url(new_match())).context["form"].fields


def test_only_players_known_to_the_phone_are_offered(client: Client) -> None:
    own_match, _other_match = new_match(), new_match("db2t", 4)
    new_match_url = reverse("scoring:match_new")
    assert client.get(new_match_url).context["recent"] == []
    client.get(own_match.get_absolute_url())
    offered = client.get(new_match_url).context["recent"]
    assert set(offered) == {seat.player for seat in own_match.seats.all()}


def test_same_name_as_a_stranger_makes_a_new_player(client: Client) -> None:
    other_match = new_match("tricky", 2)
    name = other_match.seats.get(index=0).name
    client.post(
        reverse("scoring:match_new"),
        {"key": str(uuid4()), "game": "tricky", "name_0": name, "name_1": "Zoe"},
    )
    seat = Seat.objects.exclude(match=other_match).get(index=0)
    assert seat.name == name
    assert seat.player_id != other_match.seats.get(index=0).player_id


def test_a_new_phone_is_shown_the_demo_match_of_each_game(client: Client) -> None:
    home_url = reverse("scoring:home")
    assert client.get(home_url).context["played"] == []
    for game in GAMES:
        match = new_match(game, 4)
        Match.objects.filter(pk=match.pk).update(address=demo_address(game))
    demo_matches = [line.match for line in client.get(home_url).context["played"]]
    assert {match.address for match in demo_matches} == set(map(demo_address, GAMES))
    client.get(demo_matches[0].get_absolute_url())
    assert client.get(home_url).context["sheet"].match == demo_matches[0]
    assert client.get(home_url).context["played"] == []
