"""What nobody has to sign in for, bounded: beginning matches, entering, calling, taking the pen.

A club's room is one network to the internet, so what a network may is measured by the biggest
night: `ROOM_PHONES` phones there. One browser reaches a limit of its own long before, whatever the
room does. Accounts are counted for themselves alone, so that no room and no stranger stops a director.
"""

import logging
import time
from enum import StrEnum
from http import HTTPStatus
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, ngettext

from scoring.limits import RateLimit, client_network, count_call
from scoring.models import Match
from scoring.phone_memory import browser_name
from scoring.web.redirects import page_above

logger = logging.getLogger("tricky.security")
WITHIN = 600
"""Seconds for which these limits are."""


MAX_SCORER_CHANGES = 60
"""Of one match: eight phones that take it from one another at every hand."""


class Act(StrEnum):
    """What is counted."""

    START = "start"
    JOIN = "join"
    CALL = "call"


class Most(NamedTuple):
    """How often within ten minutes."""

    browser: int
    """Or account."""
    a_phone: float
    """Of one network, for each phone that may be in a room."""


MOST = {
    # Of four phones at a table one begins its match: of a whole room in ten minutes, and once again.
    Act.START: Most(browser=20, a_phone=0.3),
    # Whoever enters a family does so from one phone; a room comes within half an hour.
    Act.JOIN: Most(browser=30, a_phone=1),
    Act.CALL: Most(browser=30, a_phone=0.5),
}


def seconds_to_wait(request: HttpRequest, act: Act) -> int:
    """Return after how many seconds it may be tried again; 0 for what may be done now.

    It counts this time.
    """
    phones: int = getattr(settings, "ROOM_PHONES", 0)
    if not phones:
        return 0  # A phone's own server bounds nobody.
    most, counted = MOST[act], []
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        counted.append(_count(act, f"account {user.pk}", most.browser * 2))
    else:
        request.session.keys()  # One that a visitor made up has no key once it was looked for.
        if browser := browser_name(request) or request.session.session_key:
            counted.append(_count(act, f"browser {browser}", most.browser))
        # What the browser's own limit stops does not count for the room.
        if not any(limit.is_exceeded for limit in counted):
            room = int(most.a_phone * phones)
            counted.append(_count(act, f"network {client_network(request)}", room))
    wait = max((limit.resets_in for limit in counted if limit.is_exceeded), default=0)
    if wait:
        fields = {"what": act.value, "network": client_network(request)}
        logger.warning("too_often", extra={"fields": fields})
    return wait


def seconds_until_start(request: HttpRequest, **match: object) -> int:
    """Return in how many seconds a match may begin; 0 for now, and for one that has begun."""
    is_begun = Match.objects.filter(**match).exists()
    return 0 if is_begun else seconds_to_wait(request, Act.START)


def may_change_scorer(address: str) -> bool:
    """Tell whether the pen of a match may be taken once more, which it counts.

    However it wanders at a table, nobody writes in between beyond this; so no log grows by it.
    """
    return not _count("pen", address, MAX_SCORER_CHANGES).is_exceeded


def _count(act: str, who: str, most: int) -> RateLimit:
    hashed = salted_hmac("scoring.limits", who, algorithm="sha256").hexdigest()[:32]
    return count_call(f"{act}:{hashed}", most=most, now=time.time(), within=WITHIN)


def describe_wait(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return ngettext(
        "Wait a minute, then send it again.",
        "Wait %(minutes)s minutes, then send it again.",
        minutes,
    ) % {"minutes": minutes}


def rate_limit_message(seconds: int) -> str:
    words = gettext("That was too often from here.")
    return f"{words} {describe_wait(seconds)}"


def rate_limited(response: HttpResponse, seconds: int) -> HttpResponse:
    response.status_code = HTTPStatus.TOO_MANY_REQUESTS
    response["Retry-After"] = str(seconds)
    return response


def rate_limit_page(
    request: HttpRequest, seconds: int = 0, *, back: str = ""
) -> HttpResponse:
    """Return the page for what was sent too often by a button alone.

    It leads back to the page with that button, never to an address that only takes what is posted.
    """
    is_page = request.method in ("GET", "HEAD")
    here = request.get_full_path() if is_page else page_above(request.path)
    context = {
        "wait": describe_wait(seconds) if seconds else "",
        "again": back or here,
    }
    answer = render(request, "429.html", context)
    return rate_limited(answer, seconds or WITHIN // 2)
