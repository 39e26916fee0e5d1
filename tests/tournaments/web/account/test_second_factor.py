"""Second factors: codes that work once, servers that require them, and recovery."""

import base64
import hashlib
import hmac
import json
import re
import struct
import time
from typing import Any

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import generate_totp_secret
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from tests.browser.club import PASSWORD
from tests.factories.tournaments import ClubFactory, UserFactory, member
from tournaments.models import Club, Role, SecurityEvent, User
from tournaments.people import factors
from tournaments.people.factors import (
    is_sealed_with_current_key,
    reseal,
    unseal_or_random,
)

pytestmark = pytest.mark.django_db

SECRET = base64.b32encode(b"twenty bytes of seed").decode()
STEP = 30
"""Seconds for which a code is valid."""
MESSAGE_MIDDLEWARE = "django.contrib.messages.middleware.MessageMiddleware"
HTML_HEADERS = {"accept": "text/html"}
SITE = "https://tricky.example"
VERIFICATION = "seen in the club room"
WRONG_CODE_ERROR = "This code is wrong or was already used."
Kind = SecurityEvent.Kind


@pytest.fixture(autouse=True)
def quick_digests(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make digests fast; `tests/test_keys.py` tests their real cost."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    monkeypatch.setattr(factors, "ROUNDS", 10)


def code_of(secret: str, *, steps_ago: int = 0) -> str:
    """Return the RFC 6238 code that an app shows, once it is valid for at least five seconds."""
    seconds_left = STEP - time.time() % STEP
    if seconds_left < 5:
        time.sleep(seconds_left)
    moment = struct.pack(">Q", int(time.time()) // STEP - steps_ago)
    digest = hmac.new(base64.b32decode(secret), moment, hashlib.sha1).digest()
    offset = digest[-1] & 0x0F
    number = int.from_bytes(digest[offset : offset + 4]) & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def wrong_code(secret: str) -> str:
    return f"{(int(code_of(secret)) + 1) % 1_000_000:06}"


def new_user() -> User:
    user: User = UserFactory.create(password=make_password(PASSWORD))
    return user


def user_with_app() -> User:
    user = new_user()
    data = {"secret": SECRET}
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data=data)
    return user


def sign_in(user: User) -> Client:
    client = Client()
    credentials = {"login": user.email, "password": PASSWORD}
    assert client.post(reverse("account_login"), credentials).status_code == 302
    return client


def just_signed_in() -> tuple[User, Client]:
    """Return a user and a client that just confirmed the password, as account security requires."""
    user = new_user()
    client = sign_in(user)
    reauthentication = {"password": PASSWORD}
    client.post(reverse("account_reauthenticate"), reauthentication)
    return user, client


def type_code(client: Client, code: str) -> Any:
    return client.post(reverse("mfa_authenticate"), {"code": code})


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("mfa_index")).status_code == 200


def event_kinds(user: User) -> list[str]:
    return list(user.security_events.order_by("pk").values_list("kind", flat=True))


def factors_of(user: User) -> list[str]:
    """Return the types of the account's second factors."""
    authenticators = Authenticator.objects.filter(user=user)
    return list(authenticators.values_list("type", flat=True))


def find_secret(page: str) -> str:
    match = re.search(r"<textarea[^>]*readonly>([A-Z2-7]{32})</textarea>", page)
    assert match is not None
    return match[1]


def add_app(client: Client) -> tuple[str, str]:
    """Add an app; return its secret and the code that confirmed it."""
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    secret = find_secret(page)
    code = code_of(secret)
    response = client.post(reverse("mfa_activate_totp"), {"code": code})
    assert response.status_code == 302, response.content.decode()
    assert response["Location"] == reverse("mfa_view_recovery_codes")
    return secret, code


def test_setup_page_shows_one_secret_as_qr_code_address_and_text() -> None:
    user, client = just_signed_in()
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    assert f"secret={find_secret(page)}&amp;issuer=Tricky" in page
    assert 'href="otpauth://totp/' in page
    assert 'src="data:image/svg+xml;base64,' in page
    add_app(client)
    assert "Added on" in client.get(reverse("mfa_index")).content.decode()
    expected = {Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES}
    assert set(factors_of(user)) == expected
    # Adding an app requires a recently confirmed password.
    stranger = Client()
    stranger.force_login(UserFactory.create())
    response = stranger.get(reverse("mfa_activate_totp"))
    assert response["Location"].startswith(reverse("account_reauthenticate"))


def test_wrong_code_adds_no_app_and_keeps_the_secret() -> None:
    user, client = just_signed_in()
    secret = find_secret(client.get(reverse("mfa_activate_totp")).content.decode())
    form_data = {"code": wrong_code(secret)}
    page = client.post(reverse("mfa_activate_totp"), form_data).content.decode()
    assert (WRONG_CODE_ERROR in page, find_secret(page)) == (True, secret)
    assert factors_of(user) == []


def test_code_works_once() -> None:
    user = user_with_app()
    code = code_of(SECRET)
    assert type_code(sign_in(user), code).status_code == 302
    other_client = sign_in(user)
    assert WRONG_CODE_ERROR in type_code(other_client, code).content.decode()
    assert not is_signed_in(other_client)


def test_setup_code_cannot_be_reused_to_sign_in() -> None:
    user, client = just_signed_in()
    _secret, code = add_app(client)
    other_client = sign_in(user)
    assert WRONG_CODE_ERROR in type_code(other_client, code).content.decode()
    assert not is_signed_in(other_client)


def test_expired_code_is_rejected() -> None:
    user = user_with_app()
    client = sign_in(user)
    expired_code = code_of(SECRET, steps_ago=2)
    assert WRONG_CODE_ERROR in type_code(client, expired_code).content.decode()
    assert not is_signed_in(client)


def test_wrong_codes_are_logged_and_lock_after_five() -> None:
    user = user_with_app()
    client = sign_in(user)
    for _guess in range(5):
        type_code(client, wrong_code(SECRET))
    page = type_code(client, code_of(SECRET)).content.decode()
    assert "Too many wrong passwords." in page
    assert not is_signed_in(client)
    assert event_kinds(user).count(Kind.SIGN_IN_FAILED) == 5


def test_recovery_code_works_once() -> None:
    user, client = just_signed_in()
    add_app(client)
    page = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    codes = find_recovery_codes(page)
    assert len(codes) == 10
    without_phone = sign_in(user)
    assert type_code(without_phone, codes[0]).status_code == 302
    assert is_signed_in(without_phone)
    other_client = sign_in(user)
    assert WRONG_CODE_ERROR in type_code(other_client, codes[0]).content.decode()


def find_recovery_codes(page: str) -> list[str]:
    """Return the recovery codes that a page shows."""
    return re.findall(r"^(?:.*>)?(\d{8})$", page, re.MULTILINE)


def stored_data(user: User, kind: str) -> Any:
    """Return the data of a second factor in the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT data FROM mfa_authenticator WHERE user_id = %s AND type = %s",
            [user.pk, kind],
        )
        ((data,),) = cursor.fetchall()
    return data if isinstance(data, dict) else json.loads(data)


def test_app_secret_is_encrypted_at_rest_and_works() -> None:
    user, client = just_signed_in()
    secret, _code = add_app(client)
    assert secret not in json.dumps(stored_data(user, "totp"))
    cache.clear()
    other_client = sign_in(user)
    assert type_code(other_client, code_of(secret)).status_code == 302
    assert is_signed_in(other_client)


@pytest.mark.parametrize("shown_in", ["page", "file"])
def test_recovery_codes_are_shown_once_and_stored_as_digests(shown_in: str) -> None:
    user, client = just_signed_in()
    add_app(client)
    assert stored_data(user, "recovery_codes")["seed"].startswith("sealed:")
    pages = {"page": "mfa_view_recovery_codes", "file": "mfa_download_recovery_codes"}
    page = client.get(reverse(pages[shown_in])).content.decode()
    codes = find_recovery_codes(page)
    assert shown_in == "file" or "".join(f"{code}%0A" for code in codes) in page
    stored = stored_data(user, "recovery_codes")
    assert "seed" not in stored
    assert len(stored["migrated_codes"]) == 10
    assert [code for code in codes if code in json.dumps(stored)] == []
    second_page = client.get(reverse(pages["page"])).content.decode()
    assert "10 of 10 codes are left" in second_page
    assert find_recovery_codes(second_page) == []
    assert client.get(reverse(pages["file"])).status_code == 403
    other_client = sign_in(user)
    assert type_code(other_client, f"{codes[4][:4]} {codes[4][4:]}").status_code == 302
    assert is_signed_in(other_client)


def test_stolen_digest_does_not_sign_in() -> None:
    user, client = just_signed_in()
    add_app(client)
    client.get(reverse("mfa_view_recovery_codes"))
    thief = sign_in(user)
    stolen_digest = stored_data(user, "recovery_codes")["migrated_codes"][0]
    assert WRONG_CODE_ERROR in type_code(thief, stolen_digest).content.decode()
    assert not is_signed_in(thief)


def test_app_works_during_and_after_secret_key_rotation(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    active_user, inactive_user = user_with_app(), user_with_app()
    call_command("seal_again")
    assert "Sealed: 2. Unreadable: 0." in capsys.readouterr().out
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret that is long enough for a test of it"
    assert type_code(sign_in(active_user), code_of(SECRET)).status_code == 302
    assert is_sealed_with_current_key(stored_data(active_user, "totp")["secret"])
    assert not is_sealed_with_current_key(stored_data(inactive_user, "totp")["secret"])
    call_command("seal_again")
    settings.SECRET_KEY_FALLBACKS = []
    cache.clear()
    for user in (active_user, inactive_user):
        client = sign_in(user)
        assert type_code(client, code_of(SECRET)).status_code == 302
        assert is_signed_in(client)


def test_unreadable_app_secret_rejects_sign_in(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    user, client = just_signed_in()
    secret, _code = add_app(client)
    page = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    cache.clear()
    settings.SECRET_KEY = "another secret that is long enough for a test of it"
    other_client = sign_in(user)
    assert WRONG_CODE_ERROR in type_code(other_client, code_of(secret)).content.decode()
    assert not is_signed_in(other_client)
    # A digest needs no secret.
    assert type_code(other_client, find_recovery_codes(page)[0]).status_code == 302
    assert is_signed_in(other_client)


def test_upgrade_encrypts_secrets_stored_in_plain_text() -> None:
    user = user_with_app()
    recovery = RecoveryCodes.activate(user)
    codes = recovery.get_unused_codes()
    recovery.instance.data = {
        "seed": unseal_or_random(recovery.instance.data["seed"]),
        "used_mask": 1,
    }
    recovery.mark_as_viewed()
    reseal(Authenticator.objects.all())
    assert stored_data(user, "totp")["secret"].startswith("sealed:")
    assert len(stored_data(user, "recovery_codes")["migrated_codes"]) == 9
    client = sign_in(user)
    assert WRONG_CODE_ERROR in type_code(client, codes[0]).content.decode()
    assert type_code(client, codes[1]).status_code == 302


def test_password_reset_does_not_bypass_the_app() -> None:
    user = user_with_app()
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    client = Client()
    reset_page = client.get(f"/accounts/password/reset/key/{key}/", follow=True)
    new_password = "another horse battery"
    form_data = {"password1": new_password, "password2": new_password}
    assert client.post(reset_page.request["PATH_INFO"], form_data).status_code == 302
    assert not is_signed_in(client)
    client.post(
        reverse("account_login"), {"login": user.email, "password": new_password}
    )
    assert not is_signed_in(client)
    assert type_code(client, code_of(SECRET)).status_code == 302
    assert is_signed_in(client)


def test_account_history_lists_app_changes(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    user, client = just_signed_in()
    with django_capture_on_commit_callbacks(execute=True):
        add_app(client)
    page = client.get(reverse("mfa_deactivate_totp")).content.decode()
    assert page.count("<h1") == 1
    assert client.post(reverse("mfa_deactivate_totp")).status_code == 302
    assert factors_of(user) == []
    expected = [Kind.SIGNED_IN, Kind.APP_ADDED, Kind.CODES_MADE, Kind.APP_REMOVED]
    assert sorted(event_kinds(user)) == sorted(expected)
    page = client.get(reverse("tournaments:account_history")).content.decode()
    assert "App codes turned on" in page
    assert "App codes turned off" in page
    # The code is no longer required.
    assert is_signed_in(sign_in(user))


def test_secrets_and_codes_are_random_and_long_enough() -> None:
    secrets = {generate_totp_secret() for _account in range(50)}
    assert len(secrets) == 50
    assert {len(base64.b32decode(secret)) for secret in secrets} == {20}
    codes: list[str] = []
    for _account in range(20):
        recovery_codes = RecoveryCodes.activate(new_user()).get_unused_codes()
        assert len(recovery_codes) == 10
        codes += recovery_codes
    # Eight digits are 26 bits: two of two hundred are equal about once in five thousand runs.
    assert {(len(code), code.isdecimal()) for code in codes} == {(8, True)}
    assert len(set(codes)) > 195


# If the server requires a second factor, an account without one can only add it.


@pytest.fixture
def second_factor_required(settings: Settings) -> None:
    index = settings.MIDDLEWARE.index(MESSAGE_MIDDLEWARE) + 1
    settings.MIDDLEWARE = [
        *settings.MIDDLEWARE[:index],
        "tricky_site.http.middleware.RequireSecondFactorMiddleware",
        *settings.MIDDLEWARE[index:],
    ]


def club_with_director() -> tuple[Club, User, Client]:
    club: Club = ClubFactory.create()
    user, client = member(club, Role.DIRECTOR), Client()
    client.force_login(user)
    return club, user, client


@pytest.mark.usefixtures("second_factor_required")
def test_missing_second_factor_redirects_to_setup() -> None:
    club, _user, client = club_with_director()
    people_url = reverse("tournaments:people", args=[club.slug])
    response = client.get(people_url, headers=HTML_HEADERS, follow=True)
    assert response.redirect_chain == [(reverse("mfa_index"), 302)]
    assert (
        "This server requires a passkey or an authenticator app"
        in response.content.decode()
    )
    assert client.get(reverse("account_logout")).status_code == 200


@pytest.mark.usefixtures("second_factor_required")
def test_missing_second_factor_blocks_changes() -> None:
    club, _user, client = club_with_director()
    edit_url = reverse("tournaments:club_edit", args=[club.slug])
    response = client.post(edit_url, {"name": "Taken over"})
    assert response["Location"].startswith(reverse("account_login"))
    assert Club.objects.get().name == club.name


@pytest.mark.usefixtures("second_factor_required")
def test_second_factor_or_no_account_is_not_redirected() -> None:
    club, user, client = club_with_director()
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.TOTP, data={"secret": SECRET}
    )
    people_url = reverse("tournaments:people", args=[club.slug])
    assert client.get(people_url, headers=HTML_HEADERS).status_code == 200
    assert (
        Client().get(reverse("scoring:home"), headers=HTML_HEADERS).status_code == 200
    )


# Lost passkeys, apps and codes: the operator removes them after verifying the user.


@pytest.fixture
def email_enabled(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def proof_of(user: User) -> str:
    """Return the code in the last e-mail, which the user passes on to the operator."""
    call_command("forget_factors", user.email, site=SITE)
    email = mail.outbox[-1]
    assert email.to == [user.email]
    proof = re.search(r"^\w{6,}-\w{32}$", str(email.body), re.MULTILINE)
    assert proof is not None
    return proof[0]


def forget_factors(user: User, proof: str, known_by: str = VERIFICATION) -> None:
    call_command(
        "forget_factors", user.email, site=SITE, proof=proof, known_by=known_by
    )


@pytest.mark.usefixtures("email_enabled")
def test_email_proof_removes_second_factor_and_notifies_the_user() -> None:
    user = user_with_app()
    other_client = Client()
    other_client.force_login(user)
    assert is_signed_in(other_client)
    forget_factors(user, proof_of(user))
    assert factors_of(user) == []
    assert not is_signed_in(other_client)
    email = mail.outbox[-1]
    assert (email.to, email.subject) == (
        [user.email],
        "Your passkeys and codes were removed",
    )
    EmailAddress.objects.create(
        user=user, email=user.email, verified=True, primary=True
    )
    client = sign_in(user)
    page = client.get(reverse("tournaments:account_history")).content.decode()
    assert "Passkeys and codes removed by the server’s operator" in page
    assert VERIFICATION in page


@pytest.mark.usefixtures("email_enabled")
def test_second_factor_is_not_removed_without_the_email_proof() -> None:
    user, other_user = user_with_app(), user_with_app()
    for wrong_proof in ("guessed", proof_of(other_user)):
        with pytest.raises(CommandError, match="Not the code from the last e-mail"):
            forget_factors(user, wrong_proof)
    proof = proof_of(user)
    with pytest.raises(CommandError, match="how do you know"):
        forget_factors(user, proof, known_by=" ")
    user.set_password("another horse battery")
    user.save()
    with pytest.raises(CommandError, match="Not the code from the last e-mail"):
        forget_factors(user, proof)
    assert factors_of(user) == [Authenticator.Type.TOTP]
    events = SecurityEvent.objects.filter(kind=SecurityEvent.Kind.FACTORS_FORGOTTEN)
    assert not events.exists()


@pytest.mark.usefixtures("email_enabled")
def test_email_proof_works_once() -> None:
    user = user_with_app()
    proof = proof_of(user)
    forget_factors(user, proof)
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.TOTP, data={"secret": "A" * 32}
    )
    with pytest.raises(CommandError, match="Not the code from the last e-mail"):
        forget_factors(user, proof)


@pytest.mark.usefixtures("email_enabled")
def test_without_email_the_host_must_state_how_they_verified_the_user(
    settings: Settings,
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    user = user_with_app()
    with pytest.raises(CommandError, match="how do you know"):
        forget_factors(user, "", known_by="")
    forget_factors(user, "")
    assert factors_of(user) == []
    with pytest.raises(CommandError, match="No account has the address"):
        call_command("forget_factors", "nobody@example.org", site=SITE)
