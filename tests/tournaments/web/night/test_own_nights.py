"""The nights of a phone and account, on the home page and under *Tonight*."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import new_match
from tests.factories.tournaments import (
    closed_round,
    own_phone,
    running_round,
    signed_in,
    tournament_with,
)
from tournaments.models import Follow, Role, Tournament, User

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
HOME, TONIGHT = reverse("scoring:home"), reverse("tournaments:find_tournament")


def night(*names: str, hours: int = -1, **settings: Any) -> Tournament:
    starts_at = timezone.now() + timedelta(hours=hours)
    return tournament_with(names, starts_at=starts_at, **settings)


def sentences(client: Client, page: str = HOME) -> list[str]:
    context = client.get(page).context
    key = "nights" if page == HOME else "own_nights"
    return [line.sentence for line in context[key]]


def test_home_leads_players_to_their_tables() -> None:
    tournament = night("Ada", "Bea", "Cleo", "Dora")
    phone = own_phone(tournament.entries.get(name="Ada"))
    assert sentences(phone) == ["Starting any moment."]
    running_round(tournament)
    assert sentences(phone) == ["Round 1: you’re at table 1."]
    me_url = reverse("tournaments:me", args=[tournament.address])
    assert f'href="{me_url}"' in phone.get(HOME).content.decode()
    assert sentences(phone, TONIGHT) == sentences(phone)
    shared = own_phone(*tournament.entries.filter(name__in=["Ada", "Bea"]))
    assert sentences(shared) == [
        "Round 1: Ada is at table 1. Round 1: Bea is at table 1."
    ]


def test_night_is_listed_from_registration_until_a_day_after() -> None:
    upcoming, ended = night("Ada", hours=60), night("Ada", hours=-30)
    for tournament, count in ((upcoming, 1), (ended, 1), (night("Ada", hours=-40), 0)):
        phone = own_phone(tournament.entries.get())
        assert len(sentences(phone)) == count


def test_director_is_led_to_the_desk_on_the_day() -> None:
    tournament = night("Ada")
    night("Bea", hours=48, club=tournament.club)
    client = signed_in(tournament.club)
    assert sentences(client) == ["You’re directing."]
    desk_url = reverse("tournaments:desk", args=[tournament.address])
    assert f'href="{desk_url}"' in client.get(HOME).content.decode()
    assert f'href="{desk_url}"' in client.get(TONIGHT).content.decode()


def test_tonight_shows_coming_nights_of_followed_clubs() -> None:
    tournament = night("Ada", hours=48, name="Winter cup")
    client = signed_in(tournament.club, Role.VIEWER)
    assert "Winter cup" not in client.get(TONIGHT).content.decode()
    user = User.objects.get()
    Follow.objects.create(club=tournament.club, user=user, since=timezone.now())
    assert "Winter cup" in client.get(TONIGHT).content.decode()


def test_link_or_address_of_a_match_opens_it(client: Client) -> None:
    match = new_match()
    url = match.get_absolute_url()
    for code in (match.address, f"https://tricky.example{url}", f"{url}hands/1/"):
        assert client.post(TONIGHT, {"code": code})["Location"] == url


def test_you_links_to_the_pages_of_this_phones_players() -> None:
    tournament = night("Ada", "Bea", "Cleo", "Dora")
    closed_round(tournament)
    entry = tournament.entries.get(name="Ada")
    page = own_phone(entry).get(reverse("tournaments:you")).content.decode()
    link = reverse("tournaments:player", args=[tournament.club.slug, entry.player_id])
    assert f'href="{link}"' in page
