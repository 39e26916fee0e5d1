"""For how long an account stays signed in, and what its owner is told of that.

The session says when it began and when it was used last, so looking costs nothing. Pages that are
opened and whatever is sent are use; an open desk that asks for news by itself is not. Nobody who is
not signed in is looked at, nor given a cookie.
"""

import time
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

from allauth.account import signals as of_accounts
from allauth.mfa import signals as of_passkeys
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import (
    user_logged_in,
    user_logged_out,
    user_login_failed,
)
from django.contrib.sessions.backends.base import UpdateError
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from scoring.limits import network_here
from scoring.unwritten import unless_locked
from tournaments.models import SecurityEvent, User
from tournaments.people.factors import is_of_today, seal_again
from tournaments.people.security import Visitor, log_refused, note_event
from tournaments.people.sign_ins import (
    begin_sign_in,
    end_others,
    note_end,
    note_use,
    time_of,
)
from tournaments.web.devices import device_of

Kind = SecurityEvent.Kind

MARK = "signed_in"
"""Under which a session says when its account signed in, when it was used last, and which it is."""
ENDED = "signed_out"
"""Under which it says why that is over; the page to sign in tells it."""
OF_THE_PHONE = (
    "seats",
    "holders",
    "joined",
    "joined_players",
    "brought",
    "disputes",
    "subscriptions",
)
"""What a session stores of its phone, whoever is signed in: which seat its owner took, as whom it
entered, of what it is told."""
WRITTEN_EVERY = 300
"""Seconds between two writings of the last use."""
OF_FACTORS = {
    Authenticator.Type.WEBAUTHN: (Kind.PASSKEY_ADDED, Kind.PASSKEY_REMOVED),
    Authenticator.Type.TOTP: (Kind.APP_ADDED, Kind.APP_REMOVED),
}
"""What is noted where something by which one signs in comes, and where it goes."""
BY_ITSELF = frozenset({"projector"})
"""Pages that load themselves anew."""


def account_in_time(request: HttpRequest) -> User | AnonymousUser:
    """Return who is signed in; nobody where that was too long ago, and the phone is told why."""
    user = get_user(request)
    if not isinstance(user, User):
        return AnonymousUser()
    session, now = request.session, int(time.time())
    mark = session.get(MARK)
    if mark is None or mark["key"] != session.session_key:
        # Signed in before there was a mark, or under another key since the password was changed.
        mark = _marked(request, user, mark, now)
    if why := _over(user, mark, now):
        unless_locked(partial(leave_account, request, user, why))
        # Django keeps what it has read.
        request._cached_user = AnonymousUser()  # type: ignore[attr-defined]
        return AnonymousUser()
    if now - mark["used"] >= WRITTEN_EVERY and is_use(request):
        unless_locked(partial(_note_use, request, {**mark, "used": now}))
    return user


def _note_use(request: HttpRequest, mark: dict[str, Any]) -> None:
    """Write that a sign-in is used still, under the key that its session has now.

    The session is saved here: with the answer a page would wait for it.
    """
    session, key = request.session, str(request.session.session_key)
    was_modified = session.modified
    session[MARK] = {**mark, "key": key}
    session.modified = was_modified
    note_use(sign_in_id=mark["id"], session_key=key, now=timezone.now())
    with suppress(UpdateError):  # It was ended just now.
        session.save()


def _marked(
    request: HttpRequest, user: User, mark: dict[str, Any] | None, now: int
) -> dict[str, Any]:
    session, key = request.session, str(request.session.session_key)
    if mark is None:
        begin = partial(
            begin_sign_in,
            user=user,
            session_key=key,
            visitor=visitor_of(request),
            now=timezone.now(),
        )
        sign_in = unless_locked(begin)
        if sign_in is None:
            # It is marked when it can be.
            return {"began": now, "used": now, "id": 0, "key": key}
        mark = {"began": now, "used": now, "id": sign_in.pk}
    else:
        unless_locked(partial(_note_use, request, mark))
        return {**mark, "key": key}
    session[MARK] = {**mark, "key": key}
    return {**mark, "key": key}


def _over(user: User, mark: dict[str, Any], now: int) -> Kind | None:
    """Return why an account is signed in no more; None while it is.

    Whose it is, is asked only where it matters.
    """
    idle = timedelta(seconds=now - mark["used"])
    since = timedelta(seconds=now - mark["began"])
    shortest, short = settings.SIGNED_IN_IDLE, settings.SIGNED_IN_AT_MOST
    if idle <= min(shortest.values()) and since <= min(short.values()):
        return None
    longest_idle, longest = time_of(user)
    if idle > longest_idle:
        return Kind.SESSION_IDLE
    return Kind.SESSION_OLD if since > longest else None


def is_use(request: HttpRequest) -> bool:
    """Tell whether somebody is at the device, as far as a request shows that.

    They opened a page, or sent something. What a page asks for by itself is no use.
    """
    if request.method not in ("GET", "HEAD"):
        return True
    if "HX-Request" in request.headers:
        return False
    opened = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    matched = request.resolver_match
    if matched is not None and matched.url_name in BY_ITSELF:
        return False
    return opened and "text/html" in request.headers.get("Accept", "")


def leave_account(request: HttpRequest, user: User, why: Kind) -> None:
    """Sign an account out on a phone, which stays what it is: its matches, its cards, who entered by it."""
    kept = {
        name: request.session[name] for name in OF_THE_PHONE if name in request.session
    }
    request.user = user
    request.left_because = why  # type: ignore[attr-defined]
    logout(request)
    request.session.update(kept)
    if why != Kind.SIGNED_OUT:
        request.session[ENDED] = why.value


def sign_in_here(request: HttpRequest) -> int | None:
    """Return which sign-in it is by which somebody asks; None for nobody."""
    mark = request.session.get(MARK)
    return mark["id"] if mark else None


def visitor_of(request: HttpRequest | None) -> Visitor:
    """Return from where somebody asks."""
    if request is None:
        return Visitor()
    return Visitor(
        device=device_of(request.META.get("HTTP_USER_AGENT", "")),
        network=network_here(request),
    )


def log_refusal(request: HttpRequest) -> None:
    """Log that an account asked for what its role does not open, or a stranger sent what they may not.

    It is named by its view: addresses are keys, and stand in no log.
    """
    user = request.user if isinstance(request.user, User) else None
    matched = request.resolver_match
    what = f"{request.method} {matched.view_name if matched else 'unknown'}"
    log_refused(user, visitor_of(request), what)


@receiver(user_logged_in)
def note_sign_in(
    sender: object, request: HttpRequest | None, user: User, **_further: object
) -> None:
    """Begin a sign-in."""
    visitor = visitor_of(request)
    note_event(Kind.SIGNED_IN, user=user, visitor=visitor)
    if request is None:
        return
    request.session.pop(ENDED, None)
    request.session.pop(MARK, None)
    _marked(request, user, None, int(time.time()))


@receiver(user_logged_out)
def note_sign_out(
    sender: object, request: HttpRequest, user: User | None, **_further: object
) -> None:
    """End a sign-in, before its session is emptied."""
    if user is None:
        return
    why = getattr(request, "left_because", Kind.SIGNED_OUT)
    note_event(why, user=user, visitor=visitor_of(request))
    if mark := request.session.get(MARK):
        note_end(sign_in_id=mark["id"], now=timezone.now())
    if why == Kind.SIGNED_OUT:
        # What the device was told as theirs; what it is told as a player's phone stays.
        told = request.session.get("subscriptions", [])
        user.subscriptions.filter(address__in=told).delete()


@receiver(user_login_failed)
def note_failure(
    sender: object,
    credentials: dict[str, Any],
    request: HttpRequest | None = None,
    **_further: object,
) -> None:
    """Note that somebody could not sign in, with an address that may be nobody's."""
    address = str(credentials.get("email") or credentials.get("username") or "")
    user = User.objects.filter(email=address.lower()).first() if address else None
    note_event(
        Kind.SIGN_IN_FAILED,
        user=user,
        visitor=visitor_of(request),
        address=address,
    )


@receiver(of_passkeys.authentication_failed)
def note_wrong_code(
    sender: object, request: HttpRequest, user: User, **_further: object
) -> None:
    """Note a wrong code, or a passkey that did not fit."""
    note_event(Kind.SIGN_IN_FAILED, user=user, visitor=visitor_of(request))


@receiver(of_accounts.password_changed)
@receiver(of_accounts.password_set)
@receiver(of_accounts.password_reset)
def note_password(
    sender: object, request: HttpRequest, user: User, **_further: object
) -> None:
    """End all other sign-ins, which Django shuts out with the password that they knew."""
    visitor, session = visitor_of(request), request.session
    note_event(Kind.PASSWORD_CHANGED, user=user, visitor=visitor)
    here = session.get(MARK)
    end_others(
        user=user, but=here["id"] if here else None, visitor=visitor, now=timezone.now()
    )


@receiver(of_passkeys.authenticator_added)
@receiver(of_passkeys.authenticator_removed)
@receiver(of_passkeys.authenticator_reset)
def note_passkey(
    sender: object,
    request: HttpRequest,
    user: User,
    authenticator: Authenticator,
    signal: object,
    **_further: object,
) -> None:
    """Note a passkey or an app that came or went, and codes for when all are lost."""
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        kind = Kind.CODES_MADE
        if signal is of_passkeys.authenticator_removed:
            return  # With the last passkey.
    else:
        added, removed = OF_FACTORS[authenticator.type]
        kind = removed if signal is of_passkeys.authenticator_removed else added
    name = authenticator.data.get("name", "")
    note_event(kind, user=user, visitor=visitor_of(request), what=str(name))


@receiver(of_passkeys.authenticator_used)
def seal_anew(sender: object, authenticator: Authenticator, **_further: object) -> None:
    """Seal the secret of an app that was just used by the site's secret of today."""
    if authenticator.type == Authenticator.Type.TOTP and not is_of_today(
        authenticator.data["secret"]
    ):
        seal_again([authenticator])


@receiver(of_accounts.email_added)
@receiver(of_accounts.email_changed)
@receiver(of_accounts.email_removed)
def note_address(
    sender: object, request: HttpRequest, user: User, **_further: object
) -> None:
    """Note that an account has other addresses than before."""
    note_event(Kind.ADDRESS_CHANGED, user=user, visitor=visitor_of(request))
