"""How long an account stays signed in on a phone, which keeps its own session for a year.

Django has one age for everything in a session, and allauth would write to the database with each request.
So the session says when its account signed in and was used last, and allauth's list is written every few minutes.
"""

import time
from contextlib import suppress
from datetime import timedelta
from functools import partial

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.middleware import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import UpdateError
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from scoring.unwritten import unless_locked
from tournaments.models import SecurityEvent, User
from tournaments.people.sign_ins import longest_times

Kind = SecurityEvent.Kind

MARK = "signed_in"
"""Session key: when the account signed in (`began`) and was used last (`used`), in seconds."""
SIGN_OUT_REASON = "signed_out"
"""Session key: why the sign-in ended, for the page to sign in."""
PHONE_KEYS = (
    "seats",
    "holders",
    "joined",
    "joined_players",
    "brought",
    "disputes",
    "subscriptions",
)
"""Session keys that belong to the phone, whoever is signed in."""
WRITE_INTERVAL = 300
"""Seconds between two writes of the last use."""
RELOADING_PAGES = frozenset({"projector"})


def user_if_session_valid(request: HttpRequest) -> User | AnonymousUser:
    """Return the account of the session, and sign it out if its time is over."""
    user = get_user(request)
    if not isinstance(user, User):
        return AnonymousUser()
    # What follows reads the account from the request, and Django keeps what it has read.
    request.user = user
    mark, now = request.session.get(MARK), int(time.time())
    began, used = (mark["began"], mark["used"]) if mark else (now, now)
    if reason := _sign_out_reason(user, began=began, used=used, now=now):
        unless_locked(partial(sign_out, request, user, reason))
        request.user = request._cached_user = AnonymousUser()  # type: ignore[attr-defined]
        return AnonymousUser()
    if mark is None or (now - used >= WRITE_INTERVAL and is_use(request)):
        unless_locked(partial(_write_use, request, began, now))
    return user


def _write_use(request: HttpRequest, began: int, now: int) -> None:
    """Save the session at once: with the response a page would wait for a locked database."""
    session = request.session
    was_modified = session.modified
    session[MARK] = {"began": began, "used": now}
    session.modified = was_modified
    with suppress(UpdateError, PermissionDenied):
        session.save()  # UpdateError: it was ended just now.
        UserSession.objects.create_from_request(request)


def _sign_out_reason(user: User, *, began: int, used: int, now: int) -> Kind | None:
    """Return why the time of a sign-in is over; None while it is not."""
    idle, age = timedelta(seconds=now - used), timedelta(seconds=now - began)
    # Nearly every request ends here, without a query for the account's roles.
    if idle <= min(settings.SIGNED_IN_IDLE.values()) and age <= min(
        settings.SIGNED_IN_AT_MOST.values()
    ):
        return None
    longest_idle, longest = longest_times(user)
    if idle > longest_idle:
        return Kind.SESSION_IDLE
    return Kind.SESSION_OLD if age > longest else None


def is_use(request: HttpRequest) -> bool:
    """Return whether someone opened a page or sent something; pages that poll are no use."""
    if request.method not in ("GET", "HEAD"):
        return True
    matched = request.resolver_match
    if "HX-Request" in request.headers or (
        matched is not None and matched.url_name in RELOADING_PAGES
    ):
        return False
    is_opened = request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"
    return is_opened and "text/html" in request.headers.get("Accept", "")


def sign_out(request: HttpRequest, user: User, reason: Kind) -> None:
    """Sign an account out, and leave the phone its seats and entries."""
    of_phone = {
        key: request.session[key] for key in PHONE_KEYS if key in request.session
    }
    request.user = user
    request.sign_out_reason = reason  # type: ignore[attr-defined]
    logout(request)
    request.session.update(of_phone)
    if reason != Kind.SIGNED_OUT:
        request.session[SIGN_OUT_REASON] = reason.value
