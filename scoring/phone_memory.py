"""What a phone remembers in a signed cookie: the matches that it has seen and the secrets that it was shown.

So reading a page stores nothing in the database.
"""

import re
from typing import NamedTuple, TypeVar

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import get_random_string

COOKIE = "__Host-phone" if settings.SESSION_COOKIE_SECURE else "phone"
SALT = "scoring.phone_memory"
MOST_MATCHES = 30
MOST_SECRETS = 30
"""With as many matches they fit into the 4,096 bytes that browsers take."""
SECRET = re.compile(r"[A-Za-z0-9_-]{1,32}")
MEMORY = "_phone_memory"
IS_NEW = "_phone_memory_is_new"
Item = TypeVar("Item")


class PhoneMemory(NamedTuple):
    """Both lists begin with the latest."""

    matches: list[int]
    """Primary keys."""
    secrets: list[str]
    browser: str = ""
    """Random; empty for a phone that remembers nothing yet."""


NOTHING = PhoneMemory([], [])


def seen_matches(request: HttpRequest) -> list[int]:
    """Return the primary keys of the matches that this phone has seen, the latest first."""
    return _memory(request).matches


def shown_secrets(request: HttpRequest) -> list[str]:
    """Return the secrets of cards and tables that this phone was shown, the latest first."""
    return _memory(request).secrets


def browser_name(request: HttpRequest) -> str:
    """Return the random name of this phone's browser; empty if it remembers nothing yet."""
    return _memory(request).browser


def remember_match(request: HttpRequest, pk: int) -> None:
    memory = _memory(request)
    if memory.matches[:1] != [pk]:
        matches = _first(pk, memory.matches)[:MOST_MATCHES]
        _change(request, memory._replace(matches=matches))


def remember_secret(request: HttpRequest, secret: str) -> None:
    """Put a secret first among those that this phone was shown; ignore what cannot be one."""
    memory = _memory(request)
    if SECRET.fullmatch(secret) and memory.secrets[:1] != [secret]:
        secrets = _first(secret, memory.secrets)[:MOST_SECRETS]
        _change(request, memory._replace(secrets=secrets))


def _first(item: Item, items: list[Item]) -> list[Item]:
    return [item, *(other for other in items if other != item)]


def _memory(request: HttpRequest) -> PhoneMemory:
    known: PhoneMemory | None = getattr(request, MEMORY, None)
    if known is None:
        request.session.keys()  # Whether it was ended is known once it was loaded.
        try:
            cookie = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT)
            known = PhoneMemory(*cookie)
        except signing.BadSignature:
            # There is none, or somebody changed it; an earlier release used the session.
            known = PhoneMemory(
                matches=list(request.session.get("matches", ())),
                secrets=list(request.session.get("secrets", ())),
            )
        if _has_ended(request):
            known = NOTHING
        setattr(request, MEMORY, known)
    return known


def _has_ended(request: HttpRequest) -> bool:
    """Tell whether this phone shows a session that was loaded and is gone: ended on another device, or expired."""
    session = request.session
    return (
        bool(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
        and session.accessed
        and not session.modified
        and session.session_key is None
    )


def _change(request: HttpRequest, memory: PhoneMemory) -> None:
    browser = memory.browser or get_random_string(12)
    setattr(request, MEMORY, memory._replace(browser=browser))
    setattr(request, IS_NEW, True)


def cookie_value(memory: PhoneMemory) -> str:
    return signing.dumps(memory, salt=SALT, compress=True)


def set_phone_cookie(request: HttpRequest, response: HttpResponse) -> None:
    """Send the cookie to a phone that has something new to remember; delete it if the session was ended."""
    if getattr(request, IS_NEW, False):
        response.set_cookie(
            COOKIE,
            cookie_value(getattr(request, MEMORY)),
            max_age=settings.SESSION_COOKIE_AGE,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    elif COOKIE in request.COOKIES and _has_ended(request):
        response.delete_cookie(COOKIE, samesite="Lax")
