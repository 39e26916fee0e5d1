"""What happens to accounts, as Django and allauth signal it: noted for their owners, and logged."""

from functools import partial
from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth import signals as auth
from django.dispatch import Signal, receiver
from django.http import HttpRequest

from scoring.limits import network_here
from tournaments.models import SecurityEvent, User
from tournaments.people.factors import is_of_today, seal_again
from tournaments.people.security import Visitor, log_refused, note_event
from tournaments.people.sign_ins import end_sessions
from tournaments.people.user_agents import device_name
from tournaments.web.account.sessions import MARK, SIGN_OUT_REASON

Kind = SecurityEvent.Kind
Type = Authenticator.Type

NOTED: tuple[tuple[Signal, Kind], ...] = (
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
"""Recovery codes go with the last passkey, which is noted already."""


def visitor_of(request: HttpRequest | None) -> Visitor:
    """Return the device and network of a request."""
    if request is None:
        return Visitor()
    return Visitor(
        device=device_name(request.META.get("HTTP_USER_AGENT", "")),
        network=network_here(request),
    )


def log_refusal(request: HttpRequest) -> None:
    """Log a refused request by the name of its view: addresses are keys, and belong in no log."""
    user = request.user if isinstance(request.user, User) else None
    matched = request.resolver_match
    what = f"{request.method} {matched.view_name if matched else 'unknown'}"
    log_refused(user, visitor_of(request), what)


def _note(
    kind: Kind, *, request: HttpRequest | None, user: User, **_further: object
) -> None:
    note_event(kind, user=user, visitor=visitor_of(request))


for signal, kind in NOTED:
    signal.connect(partial(_note, kind), weak=False, dispatch_uid=kind)


@receiver(auth.user_logged_in)
def forget_last_sign_in(
    request: HttpRequest | None, user: User, **_further: object
) -> None:
    """Start a new time; the next request marks and lists it."""
    if request is not None:
        request.session.pop(SIGN_OUT_REASON, None)
        request.session.pop(MARK, None)


@receiver(auth.user_logged_out)
def note_sign_out(request: HttpRequest, user: User | None, **_further: object) -> None:
    """Note the end of a sign-in, while its session is still there."""
    if user is None:
        return
    reason = getattr(request, "sign_out_reason", Kind.SIGNED_OUT)
    note_event(reason, user=user, visitor=visitor_of(request))
    UserSession.objects.filter(session_key=request.session.session_key).delete()
    if reason == Kind.SIGNED_OUT:
        # Notifications for the account end; those for the phone's player go on.
        addresses = request.session.get("subscriptions", [])
        user.subscriptions.filter(address__in=addresses).delete()


@receiver(auth.user_login_failed)
def note_failure(
    credentials: dict[str, Any], request: HttpRequest | None = None, **_further: object
) -> None:
    """Note a failed sign-in, for the account with this address if there is one."""
    address = str(credentials.get("email") or credentials.get("username") or "")
    user = User.objects.filter(email=address.lower()).first() if address else None
    visitor = visitor_of(request)
    note_event(Kind.SIGN_IN_FAILED, user=user, visitor=visitor, address=address)


@receiver(account.password_changed)
@receiver(account.password_set)
@receiver(account.password_reset)
def end_other_sessions(request: HttpRequest, user: User, **_further: object) -> None:
    """End the other sessions: Django refuses them, but would leave those phones their matches."""
    end_sessions(user, but=request.session.session_key, visitor=visitor_of(request))


@receiver(mfa.authenticator_added)
@receiver(mfa.authenticator_reset)
@receiver(mfa.authenticator_removed)
def note_factor(
    signal: Signal,
    request: HttpRequest,
    user: User,
    authenticator: Authenticator,
    **_further: object,
) -> None:
    """Note a passkey, an app or a set of codes that was added or removed."""
    kinds = REMOVED if signal is mfa.authenticator_removed else ADDED
    if kind := kinds.get(authenticator.type):
        name = str(authenticator.data.get("name", ""))
        note_event(kind, user=user, visitor=visitor_of(request), what=name)


@receiver(mfa.authenticator_used)
def renew_seal(authenticator: Authenticator, **_further: object) -> None:
    """Seal the secret of an app that was just used with the current secret of the site."""
    if authenticator.type == Type.TOTP and not is_of_today(
        authenticator.data["secret"]
    ):
        seal_again([authenticator])
