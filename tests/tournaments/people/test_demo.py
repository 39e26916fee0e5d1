"""The first newcomer who asks becomes director of the demo club."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories.tournaments import ClubFactory, UserFactory
from tests.tournaments.web.pages import text
from tournaments.models import Club, Role
from tournaments.models.clubs import DEMO

pytestmark = pytest.mark.django_db
CLUBS_URL, CLAIM_URL = reverse("tournaments:clubs"), reverse("tournaments:demo_claim")


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
    assert "Direct Demo Club" in text(newcomer, CLUBS_URL)
    response = newcomer.post(CLAIM_URL, follow=True)
    assert "You’re directing Demo Club" in response.content.decode()
    assert demo.memberships.get().role == Role.DIRECTOR
    second_newcomer = Client()
    second_newcomer.force_login(UserFactory.create())
    assert CLAIM_URL not in text(second_newcomer, CLUBS_URL)
    response = second_newcomer.post(CLAIM_URL, follow=True)
    assert "Someone already directs the demo club" in response.content.decode()
    assert demo.memberships.count() == 1


def test_archived_and_other_clubs_are_not_offered_to_newcomers(
    newcomer: Client, demo: Club
) -> None:
    demo.archived_at = timezone.now()
    demo.save()
    ClubFactory.create()
    Club.objects.filter(pk=demo.pk).update(slug="demo-club-2")
    ClubFactory.create(slug=DEMO)
    assert CLAIM_URL not in text(newcomer, CLUBS_URL)
    newcomer.post(CLAIM_URL)
    assert not any(club.memberships.exists() for club in Club.objects.all())
