"""How long an account stays signed in, its sign-in history, and the security log."""

import json
import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from tests.factories import new_match
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    tournament_with,
)
from tournaments.models import Club, Role, SecurityEvent, User
from tournaments.people.clubs import remove_member, set_member_role
from tournaments.people.programs import make_token, revoke_token
from tournaments.tasks import delete_expired_sessions_and_security_events
from tournaments.web.account.sessions import MARK
from tournaments.web.account.views import EVENT_ICONS
from tricky_site.observability.logs import JSONFormatter

pytestmark = pytest.mark.django_db

Kind = SecurityEvent.Kind
PASSWORD = "correct horse battery"
PAGE_HEADERS = {"accept": "text/html", "sec-fetch-mode": "navigate"}
POLL_HEADERS = {"accept": "*/*", "hx-request": "true"}
GUESSER, DIRECTOR = "203.0.113.7", "198.51.100.9"
DATABASE_CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "tricky_cache",
    },
    "drawn": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    client.get(reverse("tournaments:my_clubs"), headers=PAGE_HEADERS)
    return client


def reauthenticate(client: Client, user: User) -> Client:
    """Sign in and confirm the password again, as managing other devices requires."""
    user.set_password(PASSWORD)
    user.save()
    client.force_login(user)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    return client


def age_session(client: Client, time: timedelta, *, since: str = "used") -> None:
    """Move the last use of a session, or its beginning, into the past."""
    session = client.session
    session[MARK] = {
        **session[MARK],
        since: session[MARK][since] - int(time.total_seconds()),
    }
    session.save()


def is_signed_in(client: Client, **headers: str) -> bool:
    response = client.get(
        reverse("tournaments:tokens"), headers=headers or PAGE_HEADERS
    )
    return response.status_code == 200


def event_kinds(user: User) -> list[str]:
    events = user.security_events.order_by("pk")
    return list(events.values_list("kind", flat=True))


# Session lifetimes


def test_director_is_signed_out_after_half_a_day_idle() -> None:
    club: Club = ClubFactory.create()
    client = signed_in(member(club, Role.DIRECTOR))
    age_session(client, timedelta(hours=11))
    assert is_signed_in(client)
    age_session(client, timedelta(hours=11))
    assert is_signed_in(client)
    age_session(client, timedelta(hours=13))
    assert not is_signed_in(client)


def test_sign_in_page_gives_the_reason_and_redirects_back() -> None:
    club: Club = ClubFactory.create()
    user = User.objects.create_user("ana@example.org", PASSWORD)
    club.memberships.create(user=user, role=Role.DIRECTOR)
    client = signed_in(user)
    age_session(client, timedelta(hours=13))
    people_url = reverse("tournaments:people", args=[club.slug])
    page = client.get(people_url, headers=PAGE_HEADERS, follow=True)
    assert "after a long time without activity" in page.content.decode()
    response = client.post(
        page.redirect_chain[-1][0],
        {"login": user.email, "password": PASSWORD, "next": people_url},
    )
    assert response["Location"] == people_url
    login_page = Client().get(reverse("account_login"))
    assert "for a long time" not in login_page.content.decode()


@pytest.mark.parametrize("role", [Role.VIEWER, None])
def test_viewer_and_player_sessions_last_longer(role: Role | None) -> None:
    club: Club = ClubFactory.create()
    client = signed_in(member(club, role) if role else UserFactory.create())
    age_session(client, timedelta(days=29))
    # Posting a form counts as use.
    client.post(reverse("tournaments:tokens"), {"name": ""})
    age_session(client, timedelta(days=29))
    assert is_signed_in(client)
    age_session(client, timedelta(days=31))
    assert not is_signed_in(client)


def test_director_session_lasts_at_most_a_month() -> None:
    client = signed_in(member(ClubFactory.create(), Role.SCORER))
    age_session(client, timedelta(days=29), since="began")
    assert is_signed_in(client)
    age_session(client, timedelta(days=2), since="began")
    page = client.get(reverse("tournaments:tokens"), headers=PAGE_HEADERS, follow=True)
    assert "been signed in for a long time" in page.content.decode()


def test_polling_desk_does_not_extend_the_session() -> None:
    club: Club = ClubFactory.create()
    client = signed_in(member(club, Role.DIRECTOR))
    night = tournament_with(4, club=club)
    age_session(client, timedelta(hours=11))
    used = client.session[MARK]["used"]
    live_url = reverse("tournaments:desk_live", args=[night.address])
    assert client.get(live_url, headers=POLL_HEADERS).status_code == 200
    projector_url = reverse("tournaments:projector", args=[night.address])
    assert client.get(projector_url, headers=PAGE_HEADERS).status_code == 200
    assert client.session[MARK]["used"] == used
    desk_url = reverse("tournaments:desk", args=[night.address])
    client.get(desk_url, headers=PAGE_HEADERS)
    assert client.session[MARK]["used"] > used
    last_seen = UserSession.objects.get().last_seen_at
    assert last_seen > timezone.now() - timedelta(minutes=1)
    age_session(client, timedelta(hours=13))
    # An expired desk reloads, and so asks to sign in.
    response = client.get(live_url, headers=POLL_HEADERS)
    assert (response.headers["HX-Refresh"], response.content) == ("true", b"")


def test_sign_in_rotates_the_session_key() -> None:
    User.objects.create_user("ana@example.org", PASSWORD)
    client = Client()
    client.get(new_match().get_absolute_url())
    old_key = client.session.session_key
    credentials = {"login": "ana@example.org", "password": PASSWORD}
    client.post(reverse("account_login"), credentials)
    new_key = client.session.session_key
    assert old_key != new_key
    # 32 of 36 possible characters are 165 bits.
    assert re.fullmatch(r"[a-z0-9]{32}", str(new_key))
    stranger = Client()
    stranger.cookies["sessionid"] = str(old_key)
    assert not is_signed_in(stranger)


# Data after sign-out


def test_sign_out_removes_other_account_data_from_the_session() -> None:
    client = signed_in(UserFactory.create())
    session = client.session
    session["account_verified_email"] = "ana@example.org"
    session["seats"] = {"1": "Ann"}
    session.save()
    old_key = client.session.session_key
    client.post(reverse("account_logout"))
    assert set(client.session.keys()) == {"seats"}
    assert client.session.session_key != old_key


def test_sign_out_stops_desk_notifications() -> None:
    club: Club = ClubFactory.create()
    user = member(club, Role.DIRECTOR)
    client = signed_in(user)
    night = tournament_with(4, club=club)
    subscription = night.subscriptions.create(
        user=user, endpoint="https://push.example.org/1", made_at=timezone.now()
    )
    session = client.session
    session["subscriptions"] = [subscription.address]
    session.save()
    client.post(reverse("account_logout"))
    assert not night.subscriptions.exists()


# Devices and history


def test_user_signs_out_another_device() -> None:
    user = member(ClubFactory.create(), Role.DIRECTOR)
    current = reauthenticate(Client(), user)
    other_device, old_device = signed_in(user), signed_in(user)
    history_url = reverse("tournaments:account_history")
    end_urls = []
    for device in (other_device, old_device):
        session = UserSession.objects.get(session_key=device.session.session_key)
        end_urls.append(reverse("tournaments:sign_in_end", args=[session.pk]))
        assert end_urls[-1] in current.get(history_url).content.decode()
    UserSession.objects.filter(session_key=old_device.session.session_key).update(
        last_seen_at=timezone.now() - timedelta(hours=13)
    )
    assert end_urls[-1] not in current.get(history_url).content.decode()
    current.post(end_urls[0])
    assert is_signed_in(current)
    assert not is_signed_in(other_device)
    assert Kind.SESSION_ENDED in event_kinds(user)


def test_user_signs_out_all_other_devices() -> None:
    user = UserFactory.create()
    current = reauthenticate(Client(), user)
    others = [signed_in(user) for _device in range(2)]
    stranger = signed_in(UserFactory.create())
    end_url = reverse("tournaments:sign_ins_end")
    page = current.post(end_url, follow=True).content.decode()
    assert "Signed out of 2 other devices." in page
    assert (
        "No other device is signed in"
        in current.post(end_url, follow=True).content.decode()
    )
    assert is_signed_in(current)
    assert not any(is_signed_in(other) for other in others)
    assert is_signed_in(stranger)


def test_signing_out_other_devices_requires_the_password() -> None:
    user = User.objects.create_user("ana@example.org", PASSWORD)
    current, other_device = signed_in(user), signed_in(user)
    other_session = UserSession.objects.get(
        session_key=other_device.session.session_key
    )
    end_one = reverse("tournaments:sign_in_end", args=[other_session.pk])
    end_all = reverse("tournaments:sign_ins_end")
    for end_url in (end_one, end_all):
        location = current.post(end_url)["Location"]
        assert location.startswith(reverse("account_reauthenticate"))
        response = current.post(location, {"password": "wrong", "next": end_url})
        assert response.status_code == 200
        assert is_signed_in(other_device)
    # The requested action continues after the password.
    location = current.post(end_all)["Location"]
    current.post(location, {"password": PASSWORD, "next": end_all})
    assert not is_signed_in(other_device)
    assert is_signed_in(current)


def test_user_cannot_sign_out_another_user() -> None:
    other_device = signed_in(UserFactory.create())
    other_session = UserSession.objects.get()
    client = reauthenticate(Client(), UserFactory.create())
    response = client.post(reverse("tournaments:sign_in_end", args=[other_session.pk]))
    assert response.status_code == 404
    assert is_signed_in(other_device)


def test_password_change_signs_out_other_devices_and_notifies() -> None:
    user = User.objects.create_user("ana@example.org", PASSWORD)
    current, other_device = signed_in(user), signed_in(user)
    new_password = "one quite other sentence"
    current.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": new_password, "password2": new_password},
    )
    assert is_signed_in(current)
    assert not is_signed_in(other_device)
    assert Kind.PASSWORD_CHANGED in event_kinds(user)
    assert UserSession.objects.get().session_key == current.session.session_key


def test_sign_in_history_is_visible_to_its_owner_only() -> None:
    user = User.objects.create_user("ana@example.org", PASSWORD)
    client = Client(headers={"user-agent": "Mozilla/5.0 (Android 14) Firefox/130.0"})
    login_url = reverse("account_login")
    client.post(login_url, {"login": user.email, "password": "wrong"})
    client.post(login_url, {"login": user.email, "password": PASSWORD})
    client.post(reverse("account_logout"))
    assert event_kinds(user) == [Kind.SIGN_IN_FAILED, Kind.SIGNED_IN, Kind.SIGNED_OUT]
    history_url = reverse("tournaments:account_history")
    own_page = signed_in(user).get(history_url).content.decode()
    assert "Sign-in failed" in own_page
    assert "Firefox · Android · 127.0.0.1" in " ".join(own_page.split())
    other_page = signed_in(UserFactory.create()).get(history_url).content.decode()
    assert "Sign-in failed" not in other_page


def test_role_and_token_changes_notify_their_owner() -> None:
    club: Club = ClubFactory.create(name="Harbour Club")
    director, user = member(club, Role.DIRECTOR), UserFactory.create()
    director.first_name = "Dora"
    director.save()
    membership = set_member_role(club=club, user=user, role=Role.SCORER, actor=director)
    now = timezone.now()
    token, _secret = make_token(
        user=user, name="Screen", scopes=["read"], club=club, expires_at=None, now=now
    )
    revoke_token(token=token, now=now)
    revoke_token(token=token, now=now)
    remove_member(membership=membership, actor=director)
    assert event_kinds(user) == [
        Kind.ROLE_GIVEN,
        Kind.TOKEN_MADE,
        Kind.TOKEN_ENDED,
        Kind.ROLE_TAKEN,
    ]
    page = signed_in(user).get(reverse("tournaments:account_history"))
    page_text = " ".join(page.content.decode().split())
    assert "scorer, Harbour Club · by Dora" in page_text


@pytest.fixture
def security_log(
    caplog: pytest.LogCaptureFixture,
) -> Iterator[pytest.LogCaptureFixture]:
    """Collect the records of the security log, which doesn't propagate them."""
    logger = logging.getLogger("tricky.security")
    logger.addHandler(caplog.handler)
    yield caplog
    logger.removeHandler(caplog.handler)


def json_lines(log: pytest.LogCaptureFixture) -> list[str]:
    """Return the JSON lines of the security log."""
    records = (record for record in log.records if record.name == "tricky.security")
    return [JSONFormatter().format(record) for record in records]


def test_security_log_has_one_json_line_per_event_without_addresses(
    security_log: pytest.LogCaptureFixture,
) -> None:
    credentials = {"login": "nobody@example.org", "password": "wrong"}
    Client().post(reverse("account_login"), credentials)
    (line,) = json_lines(security_log)
    entry = json.loads(line)
    assert (entry["event"], entry["level"]) == ("sign_in_failed", "WARNING")
    assert entry["network"] == "127.0.0.1"
    assert "unknown" in entry
    assert "example.org" not in line


def test_host_signs_an_account_out_on_all_devices(
    capsys: pytest.CaptureFixture[str],
) -> None:
    user = User.objects.create_user("ana@example.org", PASSWORD)
    ana, other = signed_in(user), signed_in(UserFactory.create())
    call_command("sign_out", "Ana@example.org")
    assert not is_signed_in(ana)
    assert is_signed_in(other)
    assert "signed out: 1" in capsys.readouterr().out
    call_command("sign_out", everybody=True)
    assert not is_signed_in(other)
    with pytest.raises(CommandError, match="No account has the address"):
        call_command("sign_out", "nobody@example.org")


def test_closed_account_is_signed_out_everywhere() -> None:
    user = UserFactory.create()
    client = signed_in(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert not is_signed_in(client)


def test_denied_request_is_logged_with_view_and_account(
    security_log: pytest.LogCaptureFixture,
) -> None:
    club: Club = ClubFactory.create()
    user = member(club, Role.VIEWER)
    client = signed_in(user)
    response = client.get(reverse("tournaments:people", args=[club.slug]))
    assert response.status_code == 403
    assert "no-store" in response.headers["Cache-Control"]
    (line,) = [line for line in json_lines(security_log) if '"refused"' in line]
    entry = json.loads(line)
    assert (entry["account"], entry["what"]) == (user.pk, "GET tournaments:people")
    assert club.slug not in line


def test_visitor_input_cannot_inject_log_lines() -> None:
    record = logging.makeLogRecord({"msg": "x", "fields": {"what": "a\n{}\u2028b"}})
    assert len(JSONFormatter().format(record).splitlines()) == 1


def test_old_security_events_are_deleted(settings: Any) -> None:
    user = UserFactory.create()
    expired, current = signed_in(user), signed_in(user)
    Session.objects.filter(pk=expired.session.session_key).update(
        expire_date=timezone.now() - timedelta(seconds=1)
    )
    for owner, days in ((user, 179), (user, 181), (None, 29), (None, 31)):
        at = timezone.now() - timedelta(days=days)
        SecurityEvent.objects.create(user=owner, kind=Kind.SIGN_IN_FAILED, at=at)
    delete_expired_sessions_and_security_events()
    assert Session.objects.get().pk == current.session.session_key
    failures = SecurityEvent.objects.filter(kind=Kind.SIGN_IN_FAILED)
    assert failures.count() == 2
    scheduled_tasks = [
        entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()
    ]
    assert delete_expired_sessions_and_security_events.name in scheduled_tasks


def test_every_kind_of_event_has_an_icon() -> None:
    assert EVENT_ICONS.keys() == set(Kind)


# Privacy of accounts


def test_sign_up_does_not_reveal_existing_accounts(settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    User.objects.create_user("ana@example.org", PASSWORD)
    pages = []
    for email in ("ana@example.org", "bob@example.org"):
        form_data = {"email": email, "password1": PASSWORD}
        page = Client().post(reverse("account_signup"), form_data, follow=True)
        token = r"X-CSRFToken[^}]*|name=\"csrfmiddlewaretoken\" value=\"[^\"]*\""
        content = re.sub(token, "", page.content.decode())
        pages.append((page.redirect_chain, content.replace(email, "")))
    assert pages[0] == pages[1]


# Wrong passwords, counted by network and account across all processes


def sign_in(client: Client, email: str, password: str, *, address: str) -> bool:
    """Try to sign in from an address; return whether it succeeded."""
    credentials = {"login": email, "password": password}
    response = client.post("/accounts/login/", credentials, REMOTE_ADDR=address)
    return response.status_code == 302


def test_guesser_does_not_lock_out_other_networks() -> None:
    user = User.objects.create_user("dora@example.org", "right and long")
    for _guess in range(12):
        assert not sign_in(Client(), user.email, "wrong", address=GUESSER)
    assert not sign_in(Client(), user.email, "right and long", address=GUESSER)
    assert sign_in(Client(), user.email, "right and long", address=DIRECTOR)


def test_changing_the_port_does_not_reset_the_guess_count() -> None:
    user = User.objects.create_user("dora@example.org", "right and long")
    for guess in range(5):
        client = Client(headers={"host": f"testserver:{8000 + guess}"})
        assert not sign_in(client, user.email, "wrong", address=GUESSER)
    assert not sign_in(Client(), user.email, "right and long", address=GUESSER)


@override_settings(CACHES=DATABASE_CACHES)
def test_rate_limit_table_exists_and_is_shared() -> None:
    caches["default"].set("counted", 3)
    # Like another process, which has its own connections.
    del caches["default"]
    assert caches["default"].get("counted") == 3
