"""Where a host demands a second factor, an account does nothing without one, but add it."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories.tournaments import ClubFactory, member
from tests.tournaments.web.account.test_authenticator_app import SECRET
from tournaments.models import Club, Role, User

pytestmark = pytest.mark.django_db
HERE = "django.contrib.messages.middleware.MessageMiddleware"
PAGE = {"accept": "text/html"}


@pytest.fixture(autouse=True)
def demanding(settings: Settings) -> None:
    after = settings.MIDDLEWARE.index(HERE) + 1
    settings.MIDDLEWARE = [
        *settings.MIDDLEWARE[:after],
        "tricky_site.http.middleware.RequireSecondFactorMiddleware",
        *settings.MIDDLEWARE[after:],
    ]


def director() -> tuple[Club, User, Client]:
    club: Club = ClubFactory.create()
    user, client = member(club, Role.DIRECTOR), Client()
    client.force_login(user)
    return club, user, client


def test_missing_second_factor_redirects_to_setup() -> None:
    club, _user, client = director()
    people = reverse("tournaments:people", args=[club.slug])
    answer = client.get(people, headers=PAGE, follow=True)
    assert answer.redirect_chain == [(reverse("mfa_index"), 302)]
    assert (
        "This server requires a passkey or an authenticator app"
        in answer.content.decode()
    )
    assert client.get(reverse("account_logout")).status_code == 200


def test_missing_second_factor_blocks_changes() -> None:
    club, _user, client = director()
    change = reverse("tournaments:club_edit", args=[club.slug])
    answer = client.post(change, {"name": "Taken over"})
    assert answer["Location"].startswith(reverse("account_login"))
    assert Club.objects.get().name == club.name


def test_second_factor_or_no_account_is_not_redirected() -> None:
    club, user, client = director()
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.TOTP, data={"secret": SECRET}
    )
    people = reverse("tournaments:people", args=[club.slug])
    assert client.get(people, headers=PAGE).status_code == 200
    assert Client().get(reverse("scoring:home"), headers=PAGE).status_code == 200
