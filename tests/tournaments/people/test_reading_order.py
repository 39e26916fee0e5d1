"""Lists of names follow the reader's language; computed orders are the same for all."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override

from tests.factories.circuits import new_circuit
from tests.factories.history import counted_tournament
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    member,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.history.club_records import (
    longest_runs_of_tables_won,
    top_players_by_tournaments,
)
from tournaments.history.winners import wins_or_leads_by_tournament
from tournaments.models import Club, Entry, Placing, Result, Role
from tournaments.web.account.views import ApiKeyForm
from tournaments.web.display.projector import list_seats_and_byes_by_name

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NAMES = ["Zebra", "Ñandu", "Äpfel", "Nuria"]
ORDERS = {
    "de": ["Äpfel", "Ñandu", "Nuria", "Zebra"],
    "es": ["Äpfel", "Nuria", "Ñandu", "Zebra"],
}


def names_on_page(url: str, client: Client | None = None) -> list[str]:
    """Return the names in the order in which a page first has them."""
    reader = client or Client()
    reader.cookies[settings.LANGUAGE_COOKIE_NAME] = get_language() or ""
    page = text(reader, url)
    return sorted(NAMES, key=lambda name: page.index(name))


@pytest.fixture(params=ORDERS)
def order(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Give the names in the order of the language in which the test reads."""
    with override(request.param):
        yield ORDERS[request.param]


def test_clubs_are_sorted_by_the_readers_language(order: list[str]) -> None:
    clubs = [ClubFactory.create(name=name) for name in NAMES]
    for club in clubs:
        TournamentFactory.create(club=club)
    user = member(clubs[0], Role.DIRECTOR)
    for club in clubs[1:]:
        club.memberships.create(user=user, role=Role.VIEWER)
    client = Client()
    client.force_login(user)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = get_language() or ""
    clubs_url = reverse("tournaments:clubs")
    memberships = client.get(clubs_url).context["memberships"]
    club_choices = list(ApiKeyForm(user=user).fields["club"].choices)  # type: ignore[attr-defined]
    for club in clubs:
        club.follows.create(user=user, since=timezone.now())
    my_clubs = client.get(reverse("tournaments:my_clubs"))
    circuit = new_circuit(*clubs)
    manage_url = reverse("tournaments:circuit_manage", args=[circuit.slug])
    orders = {
        "everybody's": names_on_page(clubs_url),
        "an account's": [membership.club.name for membership in memberships],
        "a token's": [str(club) for _pk, club in club_choices[1:]],
        "followed": [board.club.name for board in my_clubs.context["clubs"]],
        "a circuit's": names_on_page(circuit.get_absolute_url()),
        "a circuit's for its director": names_on_page(manage_url, client),
    }
    assert orders == dict.fromkeys(orders, order)


def test_circuits_are_sorted_by_the_readers_language(
    club: Club, order: list[str]
) -> None:
    for number, name in enumerate(NAMES):
        circuit = new_circuit(club, slug=f"c{number}")
        circuit.name = name
        circuit.save()
    assert names_on_page(reverse("tournaments:club_about", args=[club.slug])) == order
    circuits_url = reverse("tournaments:club_circuits", args=[club.slug])
    assert names_on_page(circuits_url, signed_in(club)) == order


def test_players_of_a_night_are_sorted_by_the_readers_language(
    order: list[str],
) -> None:
    tournament = tournament_with(NAMES)
    assert names_on_page(at("tournament", tournament)) == order
    seats = list_seats_and_byes_by_name(running_round(tournament))
    assert [seat.name for seat in seats] == order
    assert names_on_page(at("round", tournament, 1) + "?seats") == order


def test_names_of_one_person_are_sorted_by_the_readers_language(
    order: list[str],
) -> None:
    tournament = tournament_with(["Bo"])
    entry = tournament.entries.get()
    for name in NAMES:
        other_tournament = tournament_with(["Bo"], club=tournament.club)
        Entry.objects.filter(tournament=other_tournament).update(
            name=name, player=entry.player_id
        )
    url = reverse("tournaments:player", args=[tournament.club.slug, entry.player_id])
    assert names_on_page(url) == order


def test_winners_are_sorted_by_the_readers_language(order: list[str]) -> None:
    night = counted_tournament("2026-03-12", NAMES)
    Result.objects.update(rank=1)
    names = wins_or_leads_by_tournament([night.pk])[night.pk].names
    assert sorted(NAMES, key=names.index) == order


@pytest.mark.usefixtures("order")
def test_first_of_tied_record_holders_is_the_same_for_every_reader() -> None:
    club = counted_tournament("2026-03-12", NAMES).club
    Result.objects.update(rank=1)
    Placing.objects.update(rank=1)
    for feats in (
        top_players_by_tournaments(club, won=True),
        longest_runs_of_tables_won(club),
    ):
        assert [feat.name for feat in feats] == ["Äpfel", "Ñandu", "Nuria"]
