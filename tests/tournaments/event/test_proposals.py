"""Nights proposed for a number of players and hours."""

from decimal import Decimal
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories.tournaments import member, tournament_with
from tournaments.event.desk.overview import read_desk
from tournaments.event.setup.proposals import (
    BREAK_MINUTES,
    expected_match_minutes,
    propose_nights,
)
from tournaments.models import Role
from tournaments.web.club.nights import list_offered_nights


@pytest.mark.long(3)
def test_seventeen_players_in_three_hours_meet_without_repeats() -> None:
    best = propose_nights(17, 180, "tricky_bid")[0]
    assert best.repeats == best.sit_out == 0
    assert sum(best.sizes) == 17
    assert best.minutes <= 180
    assert best.rounds == (180 + BREAK_MINUTES) // (best.round_minutes + BREAK_MINUTES)


def test_warns_if_a_match_takes_longer_than_the_evening() -> None:
    (first, *_others) = propose_nights(16, 60, "tricky")
    assert first.rounds == 1
    assert first.minutes == expected_match_minutes("tricky", 4) > 60


@pytest.mark.parametrize(
    ("people", "game", "sizes", "sit_out"),
    [
        (2, "tricky", (2,), 0),
        (4, "tricky", (4,), 0),
        (5, "tricky", (3, 2), 0),
        (7, "tricky", (4, 3), 0),
        (18, "tricky_dice", (4, 4, 4, 4), 2),
    ],
)
def test_table_sizes_depend_on_the_game(
    people: int, game: str, sizes: tuple[int, ...], sit_out: int
) -> None:
    best = propose_nights(people, 180, game)[0]
    assert (best.sizes, best.sit_out) == (sizes, sit_out)
    assert propose_nights(2, 180, "tricky_dice") == []


@pytest.mark.long(2)
def test_proposes_round_robin_final_and_swiss_if_they_fit() -> None:
    found = propose_nights(16, 260, "tricky_bid")
    kinds = {
        (proposal.format, proposal.rounds, proposal.final_size) for proposal in found
    }
    assert {("round_robin", 5, 0), ("swiss", 7, 0), ("planned", 6, 3)} <= kinds
    # As many players meet in it, and it copes with leavers.
    assert (found[0].format, found[0].rounds, found[0].repeats) == ("planned", 5, 0)


@pytest.mark.long(3)
@pytest.mark.django_db
def test_proposal_fills_in_the_tournament_form(client: Client) -> None:
    club = tournament_with([]).club
    client.force_login(member(club, Role.DIRECTOR))
    url = reverse("tournaments:wizard", args=[club.slug])
    query: dict[str, str | int] = {"people": 17, "hours": "3", "game": "tricky_bid"}
    wizard = client.get(url, query)
    assert "No one meets twice" in wizard.content.decode()
    best = wizard.context["offers"][0]
    assert f'data-offer="1">{best.name}</button>' in wizard.content.decode()
    form_response = client.get(url, {"offer": best.query}, follow=True)
    assert form_response.redirect_chain[0][0].startswith(
        reverse("tournaments:tournament_new", args=[club.slug])
    )
    assert 'value="tricky_bid" selected' in form_response.content.decode()
    # The link back leads to the same query.
    assert form_response.context["wizard_url"] == f"{url}?{urlencode(query)}"
    # An offer sets only the fields that a proposal may set.
    response = client.get(url, {"offer": "minutes=29&next=//evil.example&name=Mine"})
    assert response["Location"].partition("?")[2] == "minutes=29"
    invalid_fields: list[dict[str, str | int]] = [
        {"people": 1},
        {"hours": "x"},
        {"hours": "2.25"},
        {"game": "?"},
    ]
    for changes in invalid_fields:
        form = client.get(url, {**query, **changes}).context["form"]
        assert list(changes) == list(form.errors)


@pytest.mark.parametrize("players", [7, 13, 16])
def test_proposals_of_one_kind_are_distinct(players: int) -> None:
    offers = list_offered_nights(people=players, hours=Decimal(3), game="tricky_bid")
    assert [offer.number for offer in offers] == list(range(1, len(offers) + 1))
    assert len({offer.name for offer in offers}) == len(offers)
    evenings = [
        proposal.distinguishing_parts
        for proposal in propose_nights(players, 120, "tricky_bid")
    ]
    assert len(evenings) == len(set(evenings))


@pytest.mark.parametrize("game", ["tricky", "tricky_dice", "tricks_and_treats", "db2t"])
def test_proposals_use_the_whole_evening(game: str) -> None:
    for proposal in propose_nights(16, 180, game):
        assert 176 <= proposal.minutes <= 180


@pytest.mark.django_db
def test_desk_warns_if_present_players_cannot_play_a_round_robin() -> None:
    tournament = tournament_with(14, format="round_robin")
    desk = read_desk(tournament, timezone.now())
    assert "No known schedule lets 14 players" in desk.preflight
