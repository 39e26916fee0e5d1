"""Lists of names are in the order of whoever reads them; what is counted has one for all."""

from collections.abc import Callable, Sequence

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import get_language, override

from tests.factories.circuits import circuit_of
from tests.factories.history import counted
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    member,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.history.club_records import longest_runs, top_players
from tournaments.history.winners import wins
from tournaments.models import Circuit, Club, Entry, Placing, Result, Role
from tournaments.people.follows import followed_clubs
from tournaments.web.account.views import TokenForm
from tournaments.web.display.projector import seats_by_name

pytestmark = [pytest.mark.django_db, pytest.mark.database]
NAMES = ["Zebra", "Ñandu", "Äpfel", "Nuria"]
ORDERS = {
    "de": ["Äpfel", "Ñandu", "Nuria", "Zebra"],
    "es": ["Äpfel", "Nuria", "Ñandu", "Zebra"],
}


def on_page(address: str, client: Client | None = None) -> list[str]:
    """Return the names in the order in which a page first has them."""
    reader = client or Client()
    reader.cookies[settings.LANGUAGE_COOKIE_NAME] = get_language() or ""
    page = text(reader, address)
    return sorted(NAMES, key=lambda name: page.index(name))


def clubs() -> list[Club]:
    made = [ClubFactory.create(name=name) for name in NAMES]
    for club in made:
        TournamentFactory.create(club=club)
    return made


def of_everybody() -> list[str]:
    clubs()
    return on_page(reverse("tournaments:clubs"))


def of_an_account() -> list[str]:
    first, *others = clubs()
    user = member(first, Role.VIEWER)
    for club in others:
        club.memberships.create(user=user, role=Role.VIEWER)
    client = Client()
    client.force_login(user)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = get_language() or ""
    memberships = client.get(reverse("tournaments:clubs")).context["memberships"]
    return [membership.club.name for membership in memberships]


def of_a_token() -> list[str]:
    first, *others = clubs()
    user = member(first, Role.VIEWER)
    for club in others:
        club.memberships.create(user=user, role=Role.VIEWER)
    offered = list(TokenForm(user=user).fields["club"].choices)  # type: ignore[attr-defined]
    return [str(club) for _pk, club in offered[1:]]


def that_are_followed() -> list[str]:
    return [club.name for club in followed_clubs(None, [club.pk for club in clubs()])]


def of_a_circuit() -> list[str]:
    return on_page(circuit_of(*clubs()).get_absolute_url())


def of_a_circuit_for_its_director() -> list[str]:
    first, *others = clubs()
    circuit = circuit_of(first, *others)
    manage = reverse("tournaments:circuit_manage", args=[circuit.slug])
    return on_page(manage, signed_in(first))


def circuits_of_a_club() -> tuple[Club, list[Circuit]]:
    club = ClubFactory.create()
    circuits = [circuit_of(club, slug=f"c{at}") for at, _name in enumerate(NAMES)]
    for circuit, name in zip(circuits, NAMES, strict=True):
        circuit.name = name
        circuit.save()
    return club, circuits


def of_circuits() -> list[str]:
    club, _circuits = circuits_of_a_club()
    return on_page(reverse("tournaments:club", args=[club.slug]))


def of_circuits_for_a_director() -> list[str]:
    club, _circuits = circuits_of_a_club()
    page = reverse("tournaments:club_circuits", args=[club.slug])
    return on_page(page, signed_in(club))


def of_who_sits_where() -> list[str]:
    return [seat.name for seat in seats_by_name(running_round(tournament_with(NAMES)))]


def of_a_round() -> list[str]:
    tournament = tournament_with(NAMES)
    running_round(tournament)
    return on_page(at("round", tournament, 1) + "?seats")


def of_who_comes() -> list[str]:
    tournament = tournament_with(NAMES)
    return on_page(at("tournament", tournament))


def of_one_person() -> list[str]:
    tournament = tournament_with(["Bo"])
    entry = tournament.entries.get()
    for name in NAMES:
        other = tournament_with(["Bo"], club=tournament.club)
        Entry.objects.filter(tournament=other).update(name=name, player=entry.player_id)
    page = reverse("tournaments:player", args=[tournament.club.slug, entry.player_id])
    return on_page(page)


def of_winners() -> list[str]:
    night = counted("2026-03-12", NAMES)
    Result.objects.update(rank=1)
    names = wins([night.pk])[night.pk].names
    return sorted(NAMES, key=names.index)


@pytest.mark.parametrize("language", ORDERS)
@pytest.mark.parametrize(
    "listed",
    [
        of_everybody,
        of_an_account,
        of_a_token,
        that_are_followed,
        of_a_circuit,
        of_a_circuit_for_its_director,
        of_circuits,
        of_circuits_for_a_director,
        of_who_sits_where,
        of_a_round,
        of_who_comes,
        of_one_person,
        of_winners,
    ],
)
def test_names_are_in_the_order_of_who_reads_them(
    listed: Callable[[], Sequence[str]], language: str
) -> None:
    with override(language):
        assert listed() == ORDERS[language]


@pytest.mark.parametrize("language", ORDERS)
def test_the_first_of_who_are_level_in_records_are_the_same_for_all(
    language: str,
) -> None:
    club = counted("2026-03-12", NAMES).club
    Result.objects.update(rank=1)
    Placing.objects.update(rank=1)
    with override(language):
        for feats in (top_players(club, won=True), longest_runs(club)):
            assert [feat.name for feat in feats] == ["Äpfel", "Ñandu", "Nuria"]
