"""Owners export or close their accounts, and members leave the team of a club."""

import json

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.core.serializers import serialize
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from tests.factories.tournaments import ClubFactory, member, tournament_with
from tests.tournaments.web.account.test_second_factor import (
    just_signed_in,
    quick_digests,
    user_with_app,
)
from tests.tournaments.web.pages import text
from tournaments.event.desk import announcements
from tournaments.models import (
    Club,
    Entry,
    Invitation,
    Membership,
    Role,
    SecurityEvent,
    Tournament,
    User,
)
from tournaments.people.clubs import set_member_role

pytestmark = pytest.mark.django_db
CLOSE_URL = reverse("tournaments:account_close")
__all__ = ["quick_digests"]


@pytest.fixture
def night() -> Tournament:
    return tournament_with(["Ada", "Ben", "Cy", "Di"])


def member_with_data(
    night: Tournament, role: Role = Role.SCORER
) -> tuple[User, Client]:
    """Return a team member with data of every kind, and the signed-in client."""
    user, client = just_signed_in()
    user.first_name = "Carla Unusual"
    user.save()
    club, now = night.club, timezone.now()
    EmailAddress.objects.create(user=user, email=user.email, primary=True)
    Membership.objects.create(club=club, user=user, role=role)
    club.follows.create(user=user, since=now)
    ada: Entry = night.entries.by_number()[0]
    club.claims.create(user=user, player=ada.player, made_at=now)
    user.api_tokens.create(name="Carla's script", digest="d" * 64, made_at=now)
    announcements.announce(tournament_id=night.pk, text="Soup!", user=user, now=now)
    Invitation.objects.create(
        club=ClubFactory.create(), email=user.email, role=1, made_at=now
    )
    Invitation.objects.create(
        club=club, email=user.email, role=role, made_at=now, answered_at=now
    )
    return user, client


def everything_stored() -> str:
    """Return all rows of all tables, as text."""
    return "".join(
        serialize("json", model._default_manager.all()) for model in apps.get_models()
    )


def close_account(client: Client, user: User) -> str:
    response = client.post(CLOSE_URL, {"email": user.email}, follow=True)
    return str(response.content.decode())


def test_export_contains_all_own_data_and_no_secrets(night: Tournament) -> None:
    user, client = member_with_data(night)
    response = client.get(reverse("tournaments:account_export"))
    assert response["Content-Disposition"] == 'attachment; filename="account.json"'
    export = json.loads(response.content)
    assert (export["email"], export["name"]) == (user.email, "Carla Unusual")
    assert export["roles"] == [{"club": night.club.name, "role": "scorer"}]
    assert [claim["player"] for claim in export["claims"]] == ["Ada"]
    assert [program["name"] for program in export["programs"]] == ["Carla's script"]
    for key in ("follows", "invitations", "devices", "events", "addresses"):
        assert export[key], key
    assert "d" * 64 not in response.content.decode()
    assert user.password not in response.content.decode()


def test_closed_account_is_erased_but_its_actions_remain(
    night: Tournament,
) -> None:
    user, client = member_with_data(night)
    session = client.session
    session["joined"] = {night.address: [night.entries.by_number()[0].pk]}
    session.save()
    other_client = Client()
    other_client.force_login(user)
    assert user.email in everything_stored()
    assert "Account deleted." in close_account(client, user)
    for browser in (client, other_client):
        assert browser.get(reverse("tournaments:account_history")).status_code == 302
    assert not Client().login(email=user.email, password="")
    # The phone still belongs to the entry.
    assert night.address in client.session["joined"]
    assert SESSION_KEY not in client.session
    remaining = everything_stored()
    # So the address can be used for a new account.
    assert user.email not in remaining
    assert "Carla" not in remaining
    assert [announcement.text for announcement in night.announcements.active()] == [
        "Soup!"
    ]
    assert night.announcements.get().made_by_id == user.pk
    assert night.entries.count() == 4
    kinds = SecurityEvent.objects.filter(user=user).values_list("kind", flat=True)
    assert "account_closed" in kinds


def test_closing_an_account_requires_its_own_address(night: Tournament) -> None:
    user, client = member_with_data(night)
    response = client.post(CLOSE_URL, {"email": "else@example.org"})
    assert (
        f"That’s a different address. Type “{user.email}”." in response.content.decode()
    )
    user.refresh_from_db()
    assert user.is_active
    response = client.post(CLOSE_URL, {"email": user.email.upper()}, follow=True)
    assert "Account deleted." in response.content.decode()


def test_closing_an_account_requires_a_recent_password() -> None:
    user = user_with_app()
    client = Client()
    client.force_login(user)
    response = client.post(CLOSE_URL, {"email": user.email})
    assert response["Location"].startswith(reverse("account_reauthenticate"))
    user.refresh_from_db()
    assert user.is_active


def test_last_director_can_close_account_only_after_the_club_is_archived_or_directed(
    night: Tournament,
) -> None:
    user, client = member_with_data(night, Role.DIRECTOR)
    Club.objects.filter(pk=night.club.pk).update(name="The Old Crown")
    assert "You’re the only director of" not in text(client, CLOSE_URL)
    assert "No one else directs The Old Crown." in close_account(client, user)
    assert client.get(reverse("tournaments:account_history")).status_code == 200
    Club.objects.filter(pk=night.club.pk).update(archived_at=timezone.now())
    assert "You’re the only director of The Old Crown. The club stays" in text(
        client, CLOSE_URL
    )
    Club.objects.filter(pk=night.club.pk).update(archived_at=None)
    member(night.club, Role.DIRECTOR)
    assert "Account deleted." in close_account(client, user)


LEAVE_BUTTON = ">Leave team</button>"


@pytest.mark.parametrize("role", [Role.SCORER, Role.DIRECTOR])
def test_helper_can_leave_a_club(night: Tournament, role: Role) -> None:
    member(night.club, Role.DIRECTOR)
    user, client = member_with_data(night, role)
    club = night.club
    leave_url = reverse("tournaments:club_leave", args=[club.slug])
    manage_url = reverse("tournaments:club_manage", args=[club.slug])
    assert leave_url in text(client, manage_url)
    leave_page = text(client, leave_url)
    assert str(role.label) in leave_page.lower()
    assert LEAVE_BUTTON in leave_page
    if role == Role.DIRECTOR:
        # From the list of the team as well.
        membership = club.memberships.get(user=user)
        leave_url = reverse(
            "tournaments:person_remove", args=[club.slug, membership.pk]
        )
    response = client.post(leave_url, follow=True)
    assert f"You’ve left the team at {club.name}." in response.content.decode()
    assert not club.memberships.filter(user=user).exists()


def test_last_director_cannot_leave_and_is_warned(
    night: Tournament,
) -> None:
    _user, client = member_with_data(night, Role.DIRECTOR)
    leave_url = reverse("tournaments:club_leave", args=[night.club.slug])
    assert "is the last director" in text(client, leave_url)
    assert LEAVE_BUTTON not in text(client, leave_url)
    response = client.post(leave_url, follow=True)
    assert "is the last director" in response.content.decode()
    assert night.club.memberships.count() == 1


def test_role_is_shown_in_the_readers_language(night: Tournament) -> None:
    user, client = member_with_data(night, Role.VIEWER)
    with override("de"):
        set_member_role(club=night.club, user=user, role=Role.SCORER)
    history = reverse("tournaments:account_history")
    assert f"scorer, {night.club.name}" in text(client, history)


def test_archived_club_accepts_no_entries(night: Tournament) -> None:
    Club.objects.update(archived_at=timezone.now())
    night.refresh_from_db()
    assert (
        night.registration_state(timezone.now(), 0)
        == Tournament.RegistrationState.CLOSED
    )
    stranger = Client()
    assert "I’m coming" not in text(stranger, night.club.get_absolute_url())
    join = reverse("tournaments:join", args=[night.address])
    stranger.post(join, {"name": "Late Larry"})
    assert not night.entries.filter(name="Late Larry").exists()
