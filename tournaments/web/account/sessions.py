"""Sign-ins of accounts: how long they last on a device, and which events are recorded.

The session of a phone lasts a year, also without an account.

Django has one age for a whole session, and allauth would write to the database with each request.
So the session stores when its account signed in and was last used, and allauth's list is updated every few minutes.
"""

import logging
import time
from contextlib import suppress
from datetime import timedelta
from functools import partial
from io import BytesIO
from typing import Any, ClassVar

import segno
from allauth.account import signals as account
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa import signals as mfa
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth import signals as auth
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import UpdateError
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.dispatch import Signal, receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.limits import client_network, network_key
from scoring.storage_failures import write_if_unlocked
from tournaments.models import SecurityEvent, User
from tournaments.people.factors import (
    is_sealed_with_current_key,
    reseal,
    seal,
    unseal_or_random,
)
from tournaments.people.languages import override_recipient_language
from tournaments.people.letters import ACCOUNT_LETTERS
from tournaments.people.security import DeviceAndNetwork, log_event, store_and_log_event
from tournaments.people.sign_ins import (
    browser_and_device_name,
    end_sessions,
    session_lifetime,
)

Kind = SecurityEvent.Kind

MARK = "signed_in"
"""Session key: when the account signed in (`began`) and was last used (`used`), in Unix seconds."""
SIGN_OUT_REASON = "signed_out"
"""Session key: why the sign-in ended, for the sign-in page."""
PHONE_KEYS = (
    "seats",
    "holders",
    "joined",
    "joined_players",
    "brought",
    "disputes",
    "subscriptions",
)
"""Session keys that belong to the phone and survive a sign-out."""
WRITE_INTERVAL = 300
"""Seconds between two updates of the last use."""
RELOADING_PAGES = frozenset({"projector"})


def expire_or_refresh_session(request: HttpRequest) -> User | AnonymousUser:
    """Return the account of the session; sign it out first if it was idle or signed in too long."""
    user = get_user(request)
    if not isinstance(user, User):
        return AnonymousUser()
    # The code below reads `request.user`, and Django caches it.
    request.user = user
    mark, now = request.session.get(MARK), int(time.time())
    began, used = (mark["began"], mark["used"]) if mark else (now, now)
    idle, age = timedelta(seconds=now - used), timedelta(seconds=now - began)
    reason = None
    # The shortest limits of all roles spare nearly every request the query for the roles.
    if idle > min(settings.SIGNED_IN_IDLE.values()) or age > min(
        settings.SIGNED_IN_AT_MOST.values()
    ):
        limits = session_lifetime(user)
        if idle > limits.idle:
            reason = Kind.SESSION_IDLE
        elif age > limits.total:
            reason = Kind.SESSION_OLD
    if reason is not None:
        write_if_unlocked(partial(sign_out_account_only, request, user, reason))
        request.user = request._cached_user = AnonymousUser()  # type: ignore[attr-defined]
        return AnonymousUser()
    if mark is None or (now - used >= WRITE_INTERVAL and is_user_activity(request)):

        def write_use() -> None:
            # Saved now: the session middleware would make the response wait for a locked database.
            session = request.session
            was_modified = session.modified
            session[MARK] = {"began": began, "used": now}
            session.modified = was_modified
            with suppress(UpdateError, PermissionDenied):
                session.save()  # UpdateError: the session was ended just now.
                UserSession.objects.create_from_request(request)

        write_if_unlocked(write_use)
    return user


def is_user_activity(request: HttpRequest) -> bool:
    """Return whether the request opened a page or sent something; polling does not count."""
    if request.method not in ("GET", "HEAD"):
        return True
    resolver_match = request.resolver_match
    if "HX-Request" in request.headers or (
        resolver_match is not None and resolver_match.url_name in RELOADING_PAGES
    ):
        return False
    is_opened = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    return is_opened and "text/html" in request.headers.get("Accept", "")


def sign_out_account_only(request: HttpRequest, user: User, reason: Kind) -> None:
    """Sign an account out; the phone keeps the session keys of `PHONE_KEYS`."""
    phone_data = {
        key: request.session[key] for key in PHONE_KEYS if key in request.session
    }
    request.user = user
    request.sign_out_reason = reason  # type: ignore[attr-defined]
    logout(request)
    request.session.update(phone_data)
    if reason != Kind.SIGNED_OUT:
        request.session[SIGN_OUT_REASON] = reason.value


Type = Authenticator.Type

EVENT_SIGNALS: tuple[tuple[Signal, Kind], ...] = (
    (auth.user_logged_in, Kind.SIGNED_IN),
    (mfa.authentication_failed, Kind.SIGN_IN_FAILED),
    (account.password_changed, Kind.PASSWORD_CHANGED),
    (account.password_set, Kind.PASSWORD_CHANGED),
    (account.password_reset, Kind.PASSWORD_CHANGED),
    (account.email_added, Kind.ADDRESS_CHANGED),
    (account.email_changed, Kind.ADDRESS_CHANGED),
    (account.email_removed, Kind.ADDRESS_CHANGED),
)
ADDED = {
    Type.WEBAUTHN: Kind.PASSKEY_ADDED,
    Type.TOTP: Kind.APP_ADDED,
    Type.RECOVERY_CODES: Kind.CODES_MADE,
}
REMOVED = {Type.WEBAUTHN: Kind.PASSKEY_REMOVED, Type.TOTP: Kind.APP_REMOVED}
"""Recovery codes are removed with the last passkey, which is recorded already."""


def get_visitor(request: HttpRequest | None) -> DeviceAndNetwork:
    """Return the device and network of a request; empty without one."""
    if request is None:
        return DeviceAndNetwork()
    return DeviceAndNetwork(
        device=browser_and_device_name(request.META.get("HTTP_USER_AGENT", "")),
        network=client_network(request),
    )


def log_refused_request(request: HttpRequest) -> None:
    """Log a refused request by the name of its view; its URL may contain a secret key."""
    user = request.user if isinstance(request.user, User) else None
    resolver_match = request.resolver_match
    view = resolver_match.view_name if resolver_match else "unknown"
    log_event(
        "refused",
        user=user,
        visitor=get_visitor(request),
        detail=f"{request.method} {view}",
        level=logging.WARNING,
    )


def _record_security_event(
    kind: Kind, *, request: HttpRequest | None, user: User, **_further: object
) -> None:
    store_and_log_event(kind, user=user, visitor=get_visitor(request))


for signal, kind in EVENT_SIGNALS:
    signal.connect(partial(_record_security_event, kind), weak=False, dispatch_uid=kind)


@receiver(auth.user_logged_in)
def clear_session_times_and_sign_out_reason(
    request: HttpRequest | None, user: User, **_further: object
) -> None:
    """Reset the time of the sign-in; the next request stores it and lists the session."""
    if request is not None:
        request.session.pop(SIGN_OUT_REASON, None)
        request.session.pop(MARK, None)


@receiver(auth.user_logged_out)
def record_sign_out_and_end_notifications(
    request: HttpRequest, user: User | None, **_further: object
) -> None:
    """Record the end of a sign-in while its session still exists."""
    if user is None:
        return
    reason = getattr(request, "sign_out_reason", Kind.SIGNED_OUT)
    store_and_log_event(reason, user=user, visitor=get_visitor(request))
    UserSession.objects.filter(session_key=request.session.session_key).delete()
    if reason == Kind.SIGNED_OUT:
        # The account's notifications end; those for the phone's player continue.
        addresses = request.session.get("subscriptions", [])
        user.subscriptions.filter(address__in=addresses).delete()


@receiver(auth.user_login_failed)
def record_sign_in_failure(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_further: object
) -> None:
    """Record a failed sign-in, for the account with this address if there is one."""
    address = str(credentials.get("email") or credentials.get("username") or "")
    user = User.objects.filter(email=address.lower()).first() if address else None
    visitor = get_visitor(request)
    store_and_log_event(
        Kind.SIGN_IN_FAILED, user=user, visitor=visitor, address=address
    )


@receiver(account.password_changed)
@receiver(account.password_set)
@receiver(account.password_reset)
def end_other_sessions(request: HttpRequest, user: User, **_further: object) -> None:
    """End the account's other sessions: Django refuses them, but leaves those phones their matches."""
    end_sessions(
        user, except_key=request.session.session_key, visitor=get_visitor(request)
    )


@receiver(mfa.authenticator_added)
@receiver(mfa.authenticator_reset)
@receiver(mfa.authenticator_removed)
def record_factor_change(
    signal: Signal,
    request: HttpRequest,
    user: User,
    authenticator: Authenticator,
    **_further: object,
) -> None:
    """Record a passkey, an app or a set of recovery codes that was added or removed."""
    kinds = REMOVED if signal is mfa.authenticator_removed else ADDED
    if kind := kinds.get(authenticator.type):
        name = str(authenticator.data.get("name", ""))
        store_and_log_event(kind, user=user, visitor=get_visitor(request), detail=name)


@receiver(mfa.authenticator_used)
def reencrypt_outdated_app_secret(
    authenticator: Authenticator, **_further: object
) -> None:
    """Encrypt the secret of an app again after its use, if the site's key has changed."""
    if authenticator.type == Type.TOTP and not is_sealed_with_current_key(
        authenticator.data["secret"]
    ):
        reseal([authenticator])


METHOD_LABELS = {
    "reauthenticate": _("Use password"),
    "mfa_reauthenticate": _("Use a code"),
    "mfa_reauthenticate:webauthn": _("Use passkey"),
}
"""Labels of the ways to reauthenticate, by allauth's ids."""


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # has no types
    """Counts wrong passwords for each pair of network and account.

    Guessing is blocked on its own network; the director can still sign in from any other.
    """

    error_messages: ClassVar[dict[str, Promise | str]] = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is inactive."),
        "duplicate_email": _("This is already your address."),
        "email_password_mismatch": _("Wrong e-mail address or password."),
        "email_taken": _("This address already has an account. Sign in with it."),
        "enter_current_password": _("That’s not your current password."),
        "incorrect_password": _("Wrong password."),
        "too_many_login_attempts": _(
            "Too many wrong passwords. Wait five minutes, or sign in another way."
        ),
        "unverified_primary_email": _("Confirm your e-mail address first."),
    }

    def _get_login_attempts_cache_key(
        self, request: HttpRequest, **credentials: Any
    ) -> str:
        """Return the cache key for wrong passwords.

        Unlike allauth's it omits the requested host: another port would start a new count.
        """
        login = credentials.get("email", credentials.get("username", "")).lower()
        return f"{login}:{network_key(self.get_client_ip(request))}"

    def get_reauthentication_methods(self, user: User) -> list[dict[str, Any]]:
        """Return the ways to reauthenticate, with our labels."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        for method in methods:
            method["description"] = METHOD_LABELS.get(
                method["id"], method["description"]
            )
        return methods

    def logout(self, request: HttpRequest) -> None:
        """Sign out; the phone keeps its matches."""
        if isinstance(request.user, User):
            sign_out_account_only(request, request.user, SecurityEvent.Kind.SIGNED_OUT)

    def get_logout_redirect_url(self, request: HttpRequest) -> str:
        """Return the home page; `signed-out` makes it drop the data of the account."""
        return f"{reverse('scoring:home')}?signed-out"

    def render_mail(
        self,
        template_prefix: str,
        email: str,
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """Return our own e-mail in place of allauth's."""
        with override_recipient_language(email):
            letter = ACCOUNT_LETTERS[template_prefix](context)
            return letter.build_message(
                email, from_email=self.get_from_email(), headers=headers
            )


class SecondFactorsAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # has no types
    """Second factors, with our error messages, encryption and QR code."""

    error_messages: ClassVar[dict[str, Promise | str]] = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("This code is wrong or was already used."),
        "unverified_email": _("Confirm your e-mail address first."),
    }

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal_or_random(encrypted_text)

    def build_totp_svg(self, url: str) -> str:
        """Return the `otpauth` URL as a QR code, on white also on a dark page."""
        svg = BytesIO()
        code = segno.make(url, error="m")
        code.save(svg, kind="svg", scale=6, border=2, light="white")
        return svg.getvalue().decode()
