"""Second factors: apps whose codes let in once, demanded by the host, and lost."""

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
from tournaments.people.factors import reseal, unseal_or_random, uses_current_secret

pytestmark = pytest.mark.django_db

SECRET = base64.b32encode(b"twenty bytes of seed").decode()
STEP = 30
"""Seconds for which a code holds."""
HERE = "django.contrib.messages.middleware.MessageMiddleware"
PAGE = {"accept": "text/html"}
SITE = "https://tricky.example"
SEEN = "seen in the club room"
OURS = "This code is wrong or was already used."
Kind = SecurityEvent.Kind


@pytest.fixture(autouse=True)
def quick_digests(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Digest in no time; how slowly it is done is asked by `tests/test_keys.py`."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    monkeypatch.setattr(factors, "ROUNDS", 10)


def code_of(secret: str, *, steps_ago: int = 0) -> str:
    """Return what an app shows by RFC 6238, early enough to type it."""
    left = STEP - time.time() % STEP
    if left < 5:
        time.sleep(left)
    moment = struct.pack(">Q", int(time.time()) // STEP - steps_ago)
    digest = hmac.new(base64.b32decode(secret), moment, hashlib.sha1).digest()
    at = digest[-1] & 0x0F
    number = int.from_bytes(digest[at : at + 4]) & 0x7FFFFFFF
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


def by_password(user: User) -> Client:
    client = Client()
    typed = {"login": user.email, "password": PASSWORD}
    assert client.post(reverse("account_login"), typed).status_code == 302
    return client


def just_signed_in() -> tuple[User, Client]:
    """Return a client that typed the password just now, as account security requires."""
    user = new_user()
    client = by_password(user)
    once_more = {"password": PASSWORD}
    client.post(reverse("account_reauthenticate"), once_more)
    return user, client


def type_code(client: Client, code: str) -> Any:
    return client.post(reverse("mfa_authenticate"), {"code": code})


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("mfa_index")).status_code == 200


def kinds(user: User) -> list[str]:
    return list(user.security_events.order_by("pk").values_list("kind", flat=True))


def factors_of(user: User) -> list[str]:
    """Return the factors of the account other than its password."""
    own = Authenticator.objects.filter(user=user)
    return list(own.values_list("type", flat=True))


def secret_on(page: str) -> str:
    shown = re.search(r"<textarea[^>]*readonly>([A-Z2-7]{32})</textarea>", page)
    assert shown is not None
    return shown[1]


def add_app(client: Client) -> tuple[str, str]:
    """Return the secret of an app that is added, and the code by which it was."""
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    secret = secret_on(page)
    code = code_of(secret)
    answer = client.post(reverse("mfa_activate_totp"), {"code": code})
    assert answer.status_code == 302, answer.content.decode()
    assert answer["Location"] == reverse("mfa_view_recovery_codes")
    return secret, code


def test_setup_page_shows_one_secret_as_qr_code_address_and_text() -> None:
    user, client = just_signed_in()
    page = client.get(reverse("mfa_activate_totp")).content.decode()
    assert f"secret={secret_on(page)}&amp;issuer=Tricky" in page
    assert 'href="otpauth://totp/' in page
    assert 'src="data:image/svg+xml;base64,' in page
    add_app(client)
    assert "Added on" in client.get(reverse("mfa_index")).content.decode()
    added = {Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES}
    assert set(factors_of(user)) == added
    # Who did not give the password just now adds none.
    stranger = Client()
    stranger.force_login(UserFactory.create())
    answer = stranger.get(reverse("mfa_activate_totp"))
    assert answer["Location"].startswith(reverse("account_reauthenticate"))


def test_wrong_code_adds_no_app_and_keeps_the_secret() -> None:
    user, client = just_signed_in()
    secret = secret_on(client.get(reverse("mfa_activate_totp")).content.decode())
    typed = {"code": wrong_code(secret)}
    page = client.post(reverse("mfa_activate_totp"), typed).content.decode()
    assert (OURS in page, secret_on(page)) == (True, secret)
    assert factors_of(user) == []


def test_code_works_once() -> None:
    user = user_with_app()
    code = code_of(SECRET)
    assert type_code(by_password(user), code).status_code == 302
    second = by_password(user)
    assert OURS in type_code(second, code).content.decode()
    assert not is_signed_in(second)


def test_setup_code_cannot_be_reused_to_sign_in() -> None:
    user, client = just_signed_in()
    _secret, code = add_app(client)
    other = by_password(user)
    assert OURS in type_code(other, code).content.decode()
    assert not is_signed_in(other)


def test_expired_code_is_rejected() -> None:
    user = user_with_app()
    client = by_password(user)
    old = code_of(SECRET, steps_ago=2)
    assert OURS in type_code(client, old).content.decode()
    assert not is_signed_in(client)


def test_wrong_codes_are_logged_and_lock_after_five() -> None:
    user = user_with_app()
    client = by_password(user)
    for _guess in range(5):
        type_code(client, wrong_code(SECRET))
    page = type_code(client, code_of(SECRET)).content.decode()
    assert "Too many wrong passwords." in page
    assert not is_signed_in(client)
    assert kinds(user).count(Kind.SIGN_IN_FAILED) == 5


def test_recovery_code_works_once() -> None:
    user, client = just_signed_in()
    add_app(client)
    page = client.get(reverse("mfa_view_recovery_codes")).content.decode()
    codes = kept_codes(page)
    assert len(codes) == 10
    without_phone = by_password(user)
    assert type_code(without_phone, codes[0]).status_code == 302
    assert is_signed_in(without_phone)
    again = by_password(user)
    assert OURS in type_code(again, codes[0]).content.decode()


def kept_codes(page: str) -> list[str]:
    """Return the codes to keep that a page shows."""
    return re.findall(r"^(?:.*>)?(\d{8})$", page, re.MULTILINE)


def row(user: User, kind: str) -> Any:
    """Return what the database has of a factor."""
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
    assert secret not in json.dumps(row(user, "totp"))
    cache.clear()
    other = by_password(user)
    assert type_code(other, code_of(secret)).status_code == 302
    assert is_signed_in(other)


@pytest.mark.parametrize("seen_in", ["page", "file"])
def test_recovery_codes_are_shown_once_and_stored_as_digests(seen_in: str) -> None:
    user, client = just_signed_in()
    add_app(client)
    assert row(user, "recovery_codes")["seed"].startswith("sealed:")
    pages = {"page": "mfa_view_recovery_codes", "file": "mfa_download_recovery_codes"}
    page = client.get(reverse(pages[seen_in])).content.decode()
    codes = kept_codes(page)
    assert seen_in == "file" or "".join(f"{code}%0A" for code in codes) in page
    stored = row(user, "recovery_codes")
    assert "seed" not in stored
    assert len(stored["migrated_codes"]) == 10
    assert [code for code in codes if code in json.dumps(stored)] == []
    again = client.get(reverse(pages["page"])).content.decode()
    assert "10 of 10 codes are left" in again
    assert kept_codes(again) == []
    assert client.get(reverse(pages["file"])).status_code == 403
    other = by_password(user)
    assert type_code(other, f"{codes[4][:4]} {codes[4][4:]}").status_code == 302
    assert is_signed_in(other)


def test_stolen_digest_does_not_sign_in() -> None:
    user, client = just_signed_in()
    add_app(client)
    client.get(reverse("mfa_view_recovery_codes"))
    thief = by_password(user)
    stolen = row(user, "recovery_codes")["migrated_codes"][0]
    assert OURS in type_code(thief, stolen).content.decode()
    assert not is_signed_in(thief)


def test_app_works_during_and_after_secret_key_rotation(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    used, unused = user_with_app(), user_with_app()
    call_command("seal_again")
    assert "Sealed: 2. Unreadable: 0." in capsys.readouterr().out
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret that is long enough for a test of it"
    assert type_code(by_password(used), code_of(SECRET)).status_code == 302
    assert uses_current_secret(row(used, "totp")["secret"])
    assert not uses_current_secret(row(unused, "totp")["secret"])
    call_command("seal_again")
    settings.SECRET_KEY_FALLBACKS = []
    cache.clear()
    for user in (used, unused):
        client = by_password(user)
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
    lost = by_password(user)
    assert OURS in type_code(lost, code_of(secret)).content.decode()
    assert not is_signed_in(lost)
    # A digest needs no secret.
    assert type_code(lost, kept_codes(page)[0]).status_code == 302
    assert is_signed_in(lost)


def test_upgrade_encrypts_secrets_stored_in_plain_text() -> None:
    user = user_with_app()
    seen = RecoveryCodes.activate(user)
    codes = seen.get_unused_codes()
    seen.instance.data = {
        "seed": unseal_or_random(seen.instance.data["seed"]),
        "used_mask": 1,
    }
    seen.mark_as_viewed()
    reseal(Authenticator.objects.all())
    assert row(user, "totp")["secret"].startswith("sealed:")
    assert len(row(user, "recovery_codes")["migrated_codes"]) == 9
    client = by_password(user)
    assert OURS in type_code(client, codes[0]).content.decode()
    assert type_code(client, codes[1]).status_code == 302


def test_password_reset_does_not_bypass_the_app() -> None:
    user = user_with_app()
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    client = Client()
    letter = client.get(f"/accounts/password/reset/key/{key}/", follow=True)
    new = "another horse battery"
    chosen = {"password1": new, "password2": new}
    assert client.post(letter.request["PATH_INFO"], chosen).status_code == 302
    assert not is_signed_in(client)
    client.post(reverse("account_login"), {"login": user.email, "password": new})
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
    assert sorted(kinds(user)) == sorted(expected)
    page = client.get(reverse("tournaments:account_history")).content.decode()
    assert "App codes turned on" in page
    assert "App codes turned off" in page
    # The code is no longer required.
    assert is_signed_in(by_password(user))


def test_secrets_and_codes_are_random_and_long_enough() -> None:
    secrets = {generate_totp_secret() for _account in range(50)}
    assert len(secrets) == 50
    assert {len(base64.b32decode(secret)) for secret in secrets} == {20}
    codes: list[str] = []
    for _account in range(20):
        recovery_codes = RecoveryCodes.activate(new_user()).get_unused_codes()
        assert len(recovery_codes) == 10
        codes += recovery_codes
    # Eight figures are 26 bits: of two hundred two are alike once in five thousand runs.
    assert {(len(code), code.isdecimal()) for code in codes} == {(8, True)}
    assert len(set(codes)) > 195


# Where the host demands a second factor, an account does nothing without one, but add it.


@pytest.fixture
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


@pytest.mark.usefixtures("demanding")
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


@pytest.mark.usefixtures("demanding")
def test_missing_second_factor_blocks_changes() -> None:
    club, _user, client = director()
    change = reverse("tournaments:club_edit", args=[club.slug])
    answer = client.post(change, {"name": "Taken over"})
    assert answer["Location"].startswith(reverse("account_login"))
    assert Club.objects.get().name == club.name


@pytest.mark.usefixtures("demanding")
def test_second_factor_or_no_account_is_not_redirected() -> None:
    club, user, client = director()
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.TOTP, data={"secret": SECRET}
    )
    people = reverse("tournaments:people", args=[club.slug])
    assert client.get(people, headers=PAGE).status_code == 200
    assert Client().get(reverse("scoring:home"), headers=PAGE).status_code == 200


# Accounts that lost passkey, app and codes: the host removes them, once it is proved whose they are.


@pytest.fixture
def letters_are_sent(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def proof_of(user: User) -> str:
    """Return what the last letter to somebody says that they shall tell."""
    call_command("forget_factors", user.email, site=SITE)
    letter = mail.outbox[-1]
    assert letter.to == [user.email]
    proof = re.search(r"^\w{6,}-\w{32}$", str(letter.body), re.MULTILINE)
    assert proof is not None
    return proof[0]


def forget(user: User, proof: str, known_by: str = SEEN) -> None:
    call_command(
        "forget_factors", user.email, site=SITE, proof=proof, known_by=known_by
    )


@pytest.mark.usefixtures("letters_are_sent")
def test_email_proof_removes_second_factor_and_notifies_the_user() -> None:
    user = user_with_app()
    signed_in = Client()
    signed_in.force_login(user)
    assert is_signed_in(signed_in)
    forget(user, proof_of(user))
    assert factors_of(user) == []
    assert not is_signed_in(signed_in)
    email = mail.outbox[-1]
    assert (email.to, email.subject) == (
        [user.email],
        "Your passkeys and codes were removed",
    )
    EmailAddress.objects.create(
        user=user, email=user.email, verified=True, primary=True
    )
    client = by_password(user)
    page = client.get(reverse("tournaments:account_history")).content.decode()
    assert "Passkeys and codes removed by the server’s operator" in page
    assert SEEN in page


@pytest.mark.usefixtures("letters_are_sent")
def test_second_factor_is_not_removed_without_the_email_proof() -> None:
    user, other = user_with_app(), user_with_app()
    for wrong in ("guessed", proof_of(other)):
        with pytest.raises(CommandError, match="Not the code from the last e-mail"):
            forget(user, wrong)
    proof = proof_of(user)
    with pytest.raises(CommandError, match="how do you know"):
        forget(user, proof, known_by=" ")
    user.set_password("another horse battery")
    user.save()
    with pytest.raises(CommandError, match="Not the code from the last e-mail"):
        forget(user, proof)
    assert factors_of(user) == [Authenticator.Type.TOTP]
    events = SecurityEvent.objects.filter(kind=SecurityEvent.Kind.FACTORS_FORGOTTEN)
    assert not events.exists()


@pytest.mark.usefixtures("letters_are_sent")
def test_email_proof_works_once() -> None:
    user = user_with_app()
    proof = proof_of(user)
    forget(user, proof)
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.TOTP, data={"secret": "A" * 32}
    )
    with pytest.raises(CommandError, match="Not the code from the last e-mail"):
        forget(user, proof)


@pytest.mark.usefixtures("letters_are_sent")
def test_without_email_the_host_must_state_how_they_verified_the_user(
    settings: Settings,
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    user = user_with_app()
    with pytest.raises(CommandError, match="how do you know"):
        forget(user, "", known_by="")
    forget(user, "")
    assert factors_of(user) == []
    with pytest.raises(CommandError, match="No account has the address"):
        call_command("forget_factors", "nobody@example.org", site=SITE)
