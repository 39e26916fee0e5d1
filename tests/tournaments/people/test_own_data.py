"""What is stored of an account: its owner downloads it, or closes the account; who helps in a club leaves it."""

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
CLOSE = reverse("tournaments:account_close")
__all__ = ["quick_digests"]


@pytest.fixture
def night() -> Tournament:
    return tournament_with(["Ada", "Ben", "Cy", "Di"])


def helping(night: Tournament, role: Role = Role.SCORER) -> tuple[User, Client]:
    """Return an account with something of every kind, and the browser in which it is signed in."""
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


def close(client: Client, user: User) -> str:
    answer = client.post(CLOSE, {"email": user.email}, follow=True)
    return str(answer.content.decode())


def test_export_contains_all_own_data_and_no_secrets(night: Tournament) -> None:
    user, client = helping(night)
    answer = client.get(reverse("tournaments:account_export"))
    assert answer["Content-Disposition"] == 'attachment; filename="account.json"'
    stored = json.loads(answer.content)
    assert (stored["email"], stored["name"]) == (user.email, "Carla Unusual")
    assert stored["roles"] == [{"club": night.club.name, "role": "scorer"}]
    assert [claim["player"] for claim in stored["claims"]] == ["Ada"]
    assert [program["name"] for program in stored["programs"]] == ["Carla's script"]
    for several in ("follows", "invitations", "devices", "events", "addresses"):
        assert stored[several], several
    assert "d" * 64 not in answer.content.decode()
    assert user.password not in answer.content.decode()


def test_closed_account_is_erased_but_its_actions_remain(
    night: Tournament,
) -> None:
    user, client = helping(night)
    session = client.session
    session["joined"] = {night.address: [night.entries.by_number()[0].pk]}
    session.save()
    other = Client()
    other.force_login(user)
    assert user.email in everything_stored()
    assert "Account deleted." in close(client, user)
    for browser in (client, other):
        assert browser.get(reverse("tournaments:account_history")).status_code == 302
    assert not Client().login(email=user.email, password="")
    # The phone remains that of the entry.
    assert night.address in client.session["joined"]
    assert SESSION_KEY not in client.session
    left = everything_stored()
    # So the address may make an account again.
    assert user.email not in left
    assert "Carla" not in left
    assert [announcement.text for announcement in night.announcements.active()] == [
        "Soup!"
    ]
    assert night.announcements.get().made_by_id == user.pk
    assert night.entries.count() == 4
    kinds = SecurityEvent.objects.filter(user=user).values_list("kind", flat=True)
    assert "account_closed" in kinds


def test_closing_an_account_requires_its_own_address(night: Tournament) -> None:
    user, client = helping(night)
    answer = client.post(CLOSE, {"email": "else@example.org"})
    assert (
        f"That’s a different address. Type “{user.email}”." in answer.content.decode()
    )
    user.refresh_from_db()
    assert user.is_active
    answer = client.post(CLOSE, {"email": user.email.upper()}, follow=True)
    assert "Account deleted." in answer.content.decode()


def test_closing_an_account_requires_a_recent_password() -> None:
    user = user_with_app()
    client = Client()
    client.force_login(user)
    answer = client.post(CLOSE, {"email": user.email})
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    user.refresh_from_db()
    assert user.is_active


def test_last_director_can_close_account_only_after_the_club_is_archived_or_directed(
    night: Tournament,
) -> None:
    user, client = helping(night, Role.DIRECTOR)
    Club.objects.filter(pk=night.club.pk).update(name="The Old Crown")
    assert "No one else directs" not in text(client, CLOSE)
    assert "No one else directs The Old Crown." in close(client, user)
    assert client.get(reverse("tournaments:account_history")).status_code == 200
    Club.objects.filter(pk=night.club.pk).update(archived_at=timezone.now())
    assert "No one else directs The Old Crown. The club stays" in text(client, CLOSE)
    Club.objects.filter(pk=night.club.pk).update(archived_at=None)
    member(night.club, Role.DIRECTOR)
    assert "Account deleted." in close(client, user)


@pytest.mark.parametrize("role", [Role.SCORER, Role.DIRECTOR])
def test_helper_can_leave_a_club(night: Tournament, role: Role) -> None:
    member(night.club, Role.DIRECTOR)
    user, client = helping(night, role)
    club = night.club
    leave = reverse("tournaments:club_leave", args=[club.slug])
    assert leave in text(client, club.get_absolute_url())
    assert str(role.label) in text(client, leave).lower()
    if role == Role.DIRECTOR:
        # From the list of the team as well.
        own = club.memberships.get(user=user)
        leave = reverse("tournaments:person_remove", args=[club.slug, own.pk])
    answer = client.post(leave, follow=True)
    assert f"You’ve left the team at {club.name}." in answer.content.decode()
    assert not club.memberships.filter(user=user).exists()


def test_last_director_cannot_leave_and_is_warned(
    night: Tournament,
) -> None:
    _user, client = helping(night, Role.DIRECTOR)
    leave = reverse("tournaments:club_leave", args=[night.club.slug])
    assert "is the last director" in text(client, leave)
    assert "Leave team" not in text(client, leave)
    answer = client.post(leave, follow=True)
    assert "is the last director" in answer.content.decode()
    assert night.club.memberships.count() == 1


def test_role_is_shown_in_the_readers_language(night: Tournament) -> None:
    user, client = helping(night, Role.VIEWER)
    with override("de"):
        set_member_role(club=night.club, user=user, role=Role.SCORER)
    history = reverse("tournaments:account_history")
    assert f"scorer, {night.club.name}" in text(client, history)


def test_archived_club_accepts_no_entries(night: Tournament) -> None:
    Club.objects.update(archived_at=timezone.now())
    night.refresh_from_db()
    assert night.registration_state(timezone.now(), 0) == Tournament.Registration.CLOSED
    stranger = Client()
    assert "I’m coming" not in text(stranger, night.club.get_absolute_url())
    join = reverse("tournaments:join", args=[night.address])
    stranger.post(join, {"name": "Late Larry"})
    assert not night.entries.filter(name="Late Larry").exists()
