"""Rate limits for actions without an account: starting, joining, calling, changing the scorer.

A club's room is one network to the internet, so the limit of a network is set by the biggest
night, with `ROOM_PHONES` phones. A single browser reaches its own limit long before that,
whatever the room does. Accounts have separate counters, so that no room or stranger can block a
director.
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
from scoring.phone_memory import find_browser_id
from scoring.web.redirects import nearest_parent_path

logger = logging.getLogger("tricky.security")
WITHIN = 600
"""Seconds over which calls are counted."""
WaitSeconds = int
"""Seconds to wait before an action is allowed; 0 if it is allowed now."""


MAX_SCORER_CHANGES = 60
"""For one match: enough for eight phones that take over from one another at every hand."""


class LimitedAction(StrEnum):
    """The actions that are counted."""

    START = "start"
    JOIN = "join"
    CALL = "call"


class ActionLimits(NamedTuple):
    """Limits for ten minutes."""

    browser: int
    """For a browser; an account has twice as many."""
    per_phone: float
    """For a network, multiplied by the number of phones that may be in a room."""


LIMITS_BY_ACTION = {
    # One of four phones at a table starts its match: the whole room in ten minutes,
    # with some reserve.
    LimitedAction.START: ActionLimits(browser=20, per_phone=0.3),
    # A family registers from one phone; a room arrives within half an hour.
    LimitedAction.JOIN: ActionLimits(browser=30, per_phone=1),
    LimitedAction.CALL: ActionLimits(browser=30, per_phone=0.5),
}


def count_action(request: HttpRequest, action: LimitedAction) -> WaitSeconds:
    """Count an action and return the seconds to wait."""
    phones: int = getattr(settings, "ROOM_PHONES", 0)
    if not phones:
        return 0  # A phone's own server has no limits.
    most, limits = LIMITS_BY_ACTION[action], []
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        limits.append(_count_attempt(action, f"account {user.pk}", most.browser * 2))
    else:
        request.session.keys()  # Loading a session with an invented key resets the key.
        if browser := find_browser_id(request) or request.session.session_key:
            limits.append(_count_attempt(action, f"browser {browser}", most.browser))
        # Calls above the browser's own limit do not count for the room.
        if not any(limit.is_exceeded for limit in limits):
            room = int(most.per_phone * phones)
            limits.append(
                _count_attempt(action, f"network {client_network(request)}", room)
            )
    wait = max((limit.resets_in for limit in limits if limit.is_exceeded), default=0)
    if wait:
        fields = {"what": action.value, "network": client_network(request)}
        logger.warning("too_often", extra={"fields": fields})
    return wait


def count_match_start(request: HttpRequest, **match_lookup: object) -> WaitSeconds:
    """Count the start of a match, unless it exists, and return the seconds to wait; 0 if it may start."""
    is_started = Match.objects.filter(**match_lookup).exists()
    return 0 if is_started else count_action(request, LimitedAction.START)


def count_and_allow_scorer_change(address: str) -> bool:
    """Count a change of scorer of a match and return whether it is allowed.

    The limit keeps phones that take over from one another from growing the log without end.
    """
    return not _count_attempt("pen", address, MAX_SCORER_CHANGES).is_exceeded


def _count_attempt(action: str, caller: str, most: int) -> RateLimit:
    hashed = salted_hmac("scoring.limits", caller, algorithm="sha256").hexdigest()[:32]
    return count_call(f"{action}:{hashed}", most=most, now=time.time(), within=WITHIN)


def wait_message(seconds: int) -> str:
    minutes = -(-seconds // 60)
    return ngettext(
        "Wait a minute, then try again.",
        "Wait %(minutes)s minutes, then try again.",
        minutes,
    ) % {"minutes": minutes}


def rate_limit_message(seconds: int) -> str:
    headline = gettext("Too many attempts.")
    return f"{headline} {wait_message(seconds)}"


def mark_rate_limited(response: HttpResponse, seconds: int) -> HttpResponse:
    response.status_code = HTTPStatus.TOO_MANY_REQUESTS
    response["Retry-After"] = str(seconds)
    return response


def rate_limit_page(
    request: HttpRequest, seconds: int = 0, *, retry_url: str = ""
) -> HttpResponse:
    """Return the page for a rate-limited button without a form.

    It links to the page with that button, never to a URL that only accepts POST.
    """
    is_page = request.method in ("GET", "HEAD")
    page_url = request.get_full_path() if is_page else nearest_parent_path(request.path)
    context = {
        "wait": wait_message(seconds) if seconds else "",
        "again": retry_url or page_url,
    }
    answer = render(request, "429.html", context)
    return mark_rate_limited(answer, seconds or WITHIN // 2)
