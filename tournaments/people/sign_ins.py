"""Where an account is signed in: listed for its owner, who ends what is not theirs."""

from datetime import datetime, timedelta
from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction

from tournaments.models import Role, SecurityEvent, SignIn, User
from tournaments.models.security import SignInQuerySet
from tournaments.people.security import Visitor, note_event


def begin_sign_in(
    *, user: User, session_key: str, visitor: Visitor, now: datetime
) -> SignIn:
    """Return that an account is signed in on a device from now on."""
    return SignIn.objects.create(
        user=user,
        session_key=session_key,
        device=visitor.device,
        network=visitor.network,
        began_at=now,
        used_at=now,
    )


def note_use(*, sign_in_id: int, session_key: str, now: datetime) -> None:
    """Write that it is used still, and under which key its session is now."""
    SignIn.objects.filter(pk=sign_in_id, ended_at=None).update(
        session_key=session_key, used_at=now
    )


def note_end(*, sign_in_id: int, now: datetime) -> None:
    """Write that it is over."""
    SignIn.objects.filter(pk=sign_in_id, ended_at=None).update(ended_at=now)


def time_of(user: User) -> tuple[timedelta, timedelta]:
    """Return for how long an account is signed in without use, and at most."""
    who = "helper" if helps_somewhere(user) else "other"
    return settings.SIGNED_IN_IDLE[who], settings.SIGNED_IN_AT_MOST[who]


def where_signed_in(user: User, now: datetime) -> SignInQuerySet:
    """Return on which devices an account is signed in, the one used last first."""
    idle, at_most = time_of(user)
    return user.sign_ins.standing().in_time(idle=idle, at_most=at_most, now=now)


@transaction.atomic
def end_sign_in(*, sign_in: SignIn, visitor: Visitor, now: datetime) -> SignIn:
    """Return a sign-in that is over: its session is gone, and all that the device had by it."""
    session_of(sign_in.session_key).delete(sign_in.session_key)
    note_end(sign_in_id=sign_in.pk, now=now)
    note_event(
        SecurityEvent.Kind.SESSION_ENDED,
        user=sign_in.user,
        visitor=visitor,
        what=sign_in.device,
    )
    return sign_in


def end_others(*, user: User, but: int | None, visitor: Visitor, now: datetime) -> int:
    """Return how many other sign-ins of an account are over now."""
    others = where_signed_in(user, now)
    others = others if but is None else others.exclude(pk=but)
    ended = list(others)
    for sign_in in ended:
        end_sign_in(sign_in=sign_in, visitor=visitor, now=now)
    return len(ended)


def session_of(key: str) -> SessionBase:
    """Return the session with this key, as the site keeps sessions."""
    store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
    return store(key)


def helps_somewhere(user: User) -> bool:
    """Tell whether an account directs or scores in any club, or looks after the site."""
    if user.is_staff or user.is_superuser:
        return True
    return user.memberships.filter(role__gte=Role.SCORER).exists()
