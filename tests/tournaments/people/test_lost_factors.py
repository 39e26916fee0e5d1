"""Who lost passkey, app and codes: the host takes them away, once it is shown whose they are."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.tournaments.web.account.test_authenticator_app import (
    by_password,
    is_signed_in,
    quick_digests,
    user_with_app,
)
from tournaments.models import SecurityEvent, User

pytestmark = pytest.mark.django_db
SITE = "https://tricky.example"
SEEN = "seen in the club room"
__all__ = ["quick_digests"]


@pytest.fixture(autouse=True)
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


def has_app(user: User) -> bool:
    return bool(Authenticator.objects.filter(user=user).exists())


def test_email_proof_removes_second_factor_and_notifies_the_user() -> None:
    user = user_with_app()
    signed_in = Client()
    signed_in.force_login(user)
    assert is_signed_in(signed_in)
    forget(user, proof_of(user))
    assert not has_app(user)
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
    assert has_app(user)
    events = SecurityEvent.objects.filter(kind=SecurityEvent.Kind.FACTORS_FORGOTTEN)
    assert not events.exists()


def test_email_proof_works_once() -> None:
    user = user_with_app()
    proof = proof_of(user)
    forget(user, proof)
    Authenticator.objects.create(
        user=user, type=Authenticator.Type.TOTP, data={"secret": "A" * 32}
    )
    with pytest.raises(CommandError, match="Not the code from the last e-mail"):
        forget(user, proof)


def test_without_email_the_host_must_state_how_they_verified_the_user(
    settings: Settings,
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "none"
    user = user_with_app()
    with pytest.raises(CommandError, match="how do you know"):
        forget(user, "", known_by="")
    forget(user, "")
    assert not has_app(user)
    with pytest.raises(CommandError, match="No account has the address"):
        call_command("forget_factors", "nobody@example.org", site=SITE)
