"""Signing in: who is counted when a password is wrong, what is said then, and what is written."""

from io import BytesIO
from typing import Any, ClassVar

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.core.mail import EmailMessage
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.limits import network_of
from tournaments.models import SecurityEvent, User
from tournaments.people.factors import seal, unseal
from tournaments.people.languages import speaking_to
from tournaments.people.letters import ACCOUNT_LETTERS
from tournaments.web.account.sessions import sign_out

SHOWS_AGAIN = {
    "reauthenticate": _("Use the password"),
    "mfa_reauthenticate": _("Use a code"),
    "mfa_reauthenticate:webauthn": _("Use the passkey"),
}
"""What somebody can show again who they are by, under allauth's names."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # has no types
    """Counts wrong passwords for a network and an account together.

    Whoever guesses is stopped as before, there; the director signs in from anywhere else.
    """

    error_messages: ClassVar[dict[str, Promise | str]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is closed."),
        "duplicate_email": _("This address is yours already."),
        "email_password_mismatch": _(
            "This address and this password do not go together."
        ),
        "email_taken": _("This address has an account already. Sign in with it."),
        "enter_current_password": _("This is not your password so far."),
        "incorrect_password": _("This is not your password."),
        "too_many_login_attempts": _(
            "Too many wrong passwords. Wait five minutes, or use another way in."
        ),
        "unverified_primary_email": _("Confirm your address first."),
    }

    def _get_login_attempts_cache_key(
        self, request: HttpRequest, **credentials: Any
    ) -> str:
        """Return what wrong passwords are counted under: whoever named another port of ours starts no new count."""
        login = credentials.get("email", credentials.get("username", "")).lower()
        return f"{login}:{network_of(self.get_client_ip(request))}"

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Return by what somebody can show again who they are, in the words of the house."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        for method in methods:
            method["description"] = SHOWS_AGAIN.get(method["id"], method["description"])
        return methods

    def logout(self, request: HttpRequest) -> None:
        """Sign out, and leave the phone its matches."""
        if isinstance(request.user, User):
            sign_out(request, request.user, SecurityEvent.Kind.SIGNED_OUT)

    def get_logout_redirect_url(self, request: HttpRequest) -> str:
        """Return where a sign-out leads; the page there lets go of what the account alone could do."""
        return f"{reverse('scoring:home')}?signed-out"

    def render_mail(
        self,
        template_prefix: str,
        email: str,
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """Return a letter of ours for one that allauth wants to send."""
        with speaking_to(email):
            letter = ACCOUNT_LETTERS[template_prefix](context)
            return letter.to(email, from_email=self.get_from_email(), headers=headers)


class FactorsAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # has no types
    """What comes after the password, in the words and the drawing of the house."""

    error_messages: ClassVar[dict[str, Promise | str]] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This is none of your codes, or was used."),
        "unverified_email": _("Confirm your address first."),
    }

    def encrypt(self, text: str) -> str:
        """Return the secret of an app, or of codes that nobody has seen, as the database keeps it."""
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Return what the database keeps, as it was."""
        return unseal(encrypted_text)

    def build_totp_svg(self, url: str) -> str:
        """Return the address of a secret as a QR code, on white whatever the page is on."""
        drawn = BytesIO()
        code = segno.make(url, error="m")
        code.save(drawn, kind="svg", scale=6, border=2, light="white")
        return drawn.getvalue().decode()
