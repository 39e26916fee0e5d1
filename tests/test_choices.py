"""A chosen language or time zone applies everywhere: on the phone, in the account, in the club."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.factories.tournaments import ClubFactory, UserFactory, signed_in
from tournaments.models import User

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.one_database,
    pytest.mark.parametrize("kind", ["language", "time_zone"]),
]
PAGES = {"language": "set_language", "time_zone": "time_zone"}
COOKIES = {
    "language": settings.LANGUAGE_COOKIE_NAME,
    "time_zone": settings.TIME_ZONE_COOKIE_NAME,
}
CHOSEN = {"language": "fr", "time_zone": "America/Chicago"}
PASSWORD = "correct horse battery"


def choose(client: Client, kind: str, choice: str, **fields: str) -> Any:
    return client.post(reverse(PAGES[kind]), {kind: choice, **fields})


def sign_in(client: Client, user: User) -> None:
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})


@pytest.fixture
def user() -> User:
    user: User = UserFactory.create()
    user.set_password(PASSWORD)
    user.save()
    return user


def test_choice_is_remembered_and_returns_to_the_page(kind: str) -> None:
    client = Client()
    answer = choose(client, kind, CHOSEN[kind], next="/how-to-play/")
    assert answer["Location"] == "/how-to-play/"
    cookie = client.cookies[COOKIES[kind]]
    assert (cookie.value, bool(cookie["httponly"])) == (CHOSEN[kind], True)
    unset_fields = {"time_zone": {"act": "as_clubs"}, "language": {"language": ""}}
    client.post(reverse(PAGES[kind]), {**unset_fields[kind], "next": "/"})
    assert not client.cookies[COOKIES[kind]].value


def test_account_keeps_its_choice_on_every_device(kind: str, user: User) -> None:
    device, other_device = Client(), Client()
    sign_in(device, user)
    choose(device, kind, CHOSEN[kind])
    assert getattr(User.objects.get(pk=user.pk), kind) == CHOSEN[kind]
    sign_in(other_device, user)
    assert other_device.cookies[COOKIES[kind]].value == CHOSEN[kind]


def test_account_without_a_choice_adopts_that_of_its_device(
    kind: str, user: User
) -> None:
    client = Client()
    client.cookies[COOKIES[kind]] = CHOSEN[kind]
    client.get("/")
    assert getattr(User.objects.get(pk=user.pk), kind) == ""
    sign_in(client, user)
    assert getattr(User.objects.get(pk=user.pk), kind) == CHOSEN[kind]


def test_a_director_chooses_for_the_club(kind: str) -> None:
    club = ClubFactory.create()
    page = reverse("tournaments:club_edit", args=[club.slug])
    client = signed_in(club)
    assert client.post(page, {kind: "Atlantis"}).status_code == 200
    assert client.post(page, {kind: CHOSEN[kind]}).status_code == 302
    club.refresh_from_db()
    assert getattr(club, kind) == CHOSEN[kind]
