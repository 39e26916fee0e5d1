"""Whoever wants to try the desk directs the club of the demo season, while nobody does."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories.tournaments import ClubFactory, UserFactory
from tests.tournaments.web.pages import text
from tournaments.models import Club, Role
from tournaments.models.clubs import DEMO

pytestmark = pytest.mark.django_db
CLUBS, DIRECT = reverse("tournaments:clubs"), reverse("tournaments:demo_claim")


@pytest.fixture
def demo() -> Club:
    club: Club = ClubFactory.create(name="Demo Club", slug=DEMO, is_demo=True)
    return club


@pytest.fixture
def newcomer(client: Client) -> Client:
    client.force_login(UserFactory.create())
    return client


def test_first_newcomer_becomes_demo_club_director_with_one_tap(
    newcomer: Client, demo: Club
) -> None:
    assert "Direct Demo Club" in text(newcomer, CLUBS)
    answer = newcomer.post(DIRECT, follow=True)
    assert "You’re directing Demo Club" in answer.content.decode()
    assert demo.memberships.get().role == Role.DIRECTOR
    next_one = Client()
    next_one.force_login(UserFactory.create())
    assert DIRECT not in text(next_one, CLUBS)
    answer = next_one.post(DIRECT, follow=True)
    assert "Someone already directs the demo club" in answer.content.decode()
    assert demo.memberships.count() == 1


def test_archived_and_other_clubs_are_not_offered_to_newcomers(
    newcomer: Client, demo: Club
) -> None:
    demo.archived_at = timezone.now()
    demo.save()
    ClubFactory.create()
    Club.objects.filter(pk=demo.pk).update(slug="demo-club-2")
    ClubFactory.create(slug=DEMO)
    assert DIRECT not in text(newcomer, CLUBS)
    newcomer.post(DIRECT)
    assert not any(club.memberships.exists() for club in Club.objects.all())
