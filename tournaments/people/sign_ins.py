"""Sessions of accounts, from allauth's list, and how long they may last."""

from datetime import timedelta
from typing import NamedTuple

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from tournaments.models import Role, SecurityEvent, User
from tournaments.people.security import DeviceAndNetwork, store_and_log_event

BROWSERS = (
    # All but the last also contain the names of other browsers.
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
MACHINES = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux"),
)


class SessionLifetime(NamedTuple):
    """How long an account stays signed in."""

    idle: timedelta
    """Longest time without use."""
    total: timedelta
    """Longest time in all."""


def session_lifetime(user: User) -> SessionLifetime:
    """Return the limits of an account: shorter if it directs or scores in any club, or runs the site."""
    is_helper = (
        user.is_staff
        or user.is_superuser
        or user.memberships.filter(role__gte=Role.SCORER).exists()
    )
    group = "helper" if is_helper else "other"
    return SessionLifetime(
        idle=settings.SIGNED_IN_IDLE[group], total=settings.SIGNED_IN_AT_MOST[group]
    )


def active_sessions(user: User) -> QuerySet[UserSession]:
    """Return the sessions of an account that have not expired, the one used last first."""
    now, limits = timezone.now(), session_lifetime(user)
    own: QuerySet[UserSession] = UserSession.objects.filter(
        user=user,
        created_at__gt=now - limits.total,
        last_seen_at__gt=now - limits.idle,
    )
    return own.order_by("-last_seen_at", "-pk")


def browser_and_device_name(user_agent: str) -> str:
    """Return the common names of the browser and the machine; empty for a program.

    >>> browser_and_device_name("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0")
    'Firefox · Android'
    >>> browser_and_device_name("curl/8.5")
    ''
    """
    labels = (
        next((name for mark, name in table if mark in user_agent), "")
        for table in (BROWSERS, MACHINES)
    )
    return " · ".join(name for name in labels if name)


@transaction.atomic
def end_session(session: UserSession, *, visitor: DeviceAndNetwork) -> None:
    """End a session with everything in it."""
    session.end()
    store_and_log_event(
        SecurityEvent.Kind.SESSION_ENDED,
        user=session.user,
        visitor=visitor,
        detail=browser_and_device_name(session.user_agent),
    )


def end_sessions(
    user: User, *, except_key: str | None, visitor: DeviceAndNetwork
) -> int:
    """End all sessions of an account except the one with the key `except_key`, and return how many."""
    ended = 0
    for session in active_sessions(user).exclude(session_key=except_key or ""):
        # The key of a session changes with the password that is set in it.
        if session.exists():
            end_session(session, visitor=visitor)
            ended += 1
        else:
            session.delete()
    return ended
