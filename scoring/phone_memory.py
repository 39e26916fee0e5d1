"""The memory of a phone in a signed cookie: the matches it has seen and the secrets it knows.

The cookie avoids database writes when a page is read.
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
"""Together with the matches they fit into the 4,096 bytes that browsers accept."""
SECRET = re.compile(r"[A-Za-z0-9_-]{1,32}")
MEMORY = "_phone_memory"
IS_NEW = "_phone_memory_is_new"
Item = TypeVar("Item")


class PhoneMemory(NamedTuple):
    """The content of the cookie; both lists begin with the latest."""

    matches: list[int]
    """Primary keys."""
    secrets: list[str]
    browser: str = ""
    """Random name of the browser; empty if the memory is empty."""


EMPTY_MEMORY = PhoneMemory([], [])


def seen_match_ids(request: HttpRequest) -> list[int]:
    """Return the primary keys of the matches that this phone has seen, the latest first."""
    return _load_memory(request).matches


def known_secrets(request: HttpRequest) -> list[str]:
    """Return the secrets of cards and tables that this phone knows, the latest first."""
    return _load_memory(request).secrets


def find_browser_id(request: HttpRequest) -> str | None:
    """Return the random name of this phone's browser; None if its memory is empty."""
    return _load_memory(request).browser or None


def remember_match(request: HttpRequest, pk: int) -> None:
    memory = _load_memory(request)
    if memory.matches[:1] != [pk]:
        matches = _move_to_front(pk, memory.matches)[:MOST_MATCHES]
        _replace_memory(request, memory._replace(matches=matches))


def forget_match(request: HttpRequest, pk: int) -> bool:
    """Remove a match from this phone's list; return whether it was there."""
    memory = _load_memory(request)
    if pk not in memory.matches:
        return False
    matches = [other for other in memory.matches if other != pk]
    _replace_memory(request, memory._replace(matches=matches))
    return True


def remember_secret(request: HttpRequest, secret: str) -> None:
    """Store a secret as the latest one of this phone; ignore text that cannot be a secret."""
    memory = _load_memory(request)
    if SECRET.fullmatch(secret) and memory.secrets[:1] != [secret]:
        secrets = _move_to_front(secret, memory.secrets)[:MOST_SECRETS]
        _replace_memory(request, memory._replace(secrets=secrets))


def _move_to_front(item: Item, items: list[Item]) -> list[Item]:
    return [item, *(existing for existing in items if existing != item)]


def _load_memory(request: HttpRequest) -> PhoneMemory:
    memory: PhoneMemory | None = getattr(request, MEMORY, None)
    if memory is None:
        request.session.keys()  # `_has_session_ended` needs a loaded session.
        try:
            cookie = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT)
            memory = PhoneMemory(*cookie)
        except signing.BadSignature:
            # There is no valid cookie; an earlier release used the session.
            memory = PhoneMemory(
                matches=list(request.session.get("matches", ())),
                secrets=list(request.session.get("secrets", ())),
            )
        if _has_session_ended(request):
            memory = EMPTY_MEMORY
        setattr(request, MEMORY, memory)
    return memory


def _has_session_ended(request: HttpRequest) -> bool:
    """Return whether the phone sent a session that no longer exists: ended on another device, or expired."""
    session = request.session
    return (
        bool(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
        and session.accessed
        and not session.modified
        and session.session_key is None
    )


def _replace_memory(request: HttpRequest, memory: PhoneMemory) -> None:
    browser = memory.browser or get_random_string(12)
    setattr(request, MEMORY, memory._replace(browser=browser))
    setattr(request, IS_NEW, True)


def signed_cookie_value(memory: PhoneMemory) -> str:
    return signing.dumps(memory, salt=SALT, compress=True)


def store_phone_cookie_or_delete_if_session_ended(
    request: HttpRequest, response: HttpResponse
) -> None:
    """Set the cookie if the memory changed; delete it if the session was ended."""
    if getattr(request, IS_NEW, False):
        response.set_cookie(
            COOKIE,
            signed_cookie_value(getattr(request, MEMORY)),
            max_age=settings.SESSION_COOKIE_AGE,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )
    elif COOKIE in request.COOKIES and _has_session_ended(request):
        response.delete_cookie(COOKIE, samesite="Lax")
