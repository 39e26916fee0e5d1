"""Limits on wrong codes: a room may mistype a few, but thousands cannot be tried.

A code has 38 bits, so the cost of a wrong guess has to limit guessing. Wrong codes are
counted for the browser, for its network and for the whole site. Once one of them has too
many, no code is looked up at all: if right codes still passed, they could be found by
guessing at full speed.

A club's room is one network. So its limit allows for an hour of mistakes in a full room; a
single browser reaches its own limit long before, and its refused codes do not count for the
room. Right codes never count, however many come at once. A refused player can scan the QR
code, which contains the address and is never limited.
"""

from datetime import timedelta
from typing import NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from scoring.limits import client_network
from tournaments.models import Guesses

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
BROWSER_LIMIT, NETWORK_LIMIT, SITE_LIMIT = 10, 50, 300
"""Wrong codes allowed: in an hour, in an hour, and in a minute."""
WITHIN_AN_HOUR = 60 * 60
"""Seconds after which codes can be typed again, for every limit."""
LIMIT_MESSAGE = _(
    "Too many wrong codes. Scan the QR code, find the tournament on its club’s "
    "page, or try again in an hour."
)


class Limit(NamedTuple):
    key: str
    most: int
    within: timedelta


def is_guess_limit_reached(request: HttpRequest) -> bool:
    """Return whether a limit is reached, so that no code may be looked up for this request."""
    now = timezone.now()
    return any(
        Guesses.objects.count_wrong_codes(limit.key, limit.within, now) >= limit.most
        for limit in _limits(request)
    )


def count_wrong_code(request: HttpRequest) -> None:
    if request.session.session_key is None:
        request.session.create()
    now = timezone.now()
    for limit in _limits(request):
        Guesses.objects.record_wrong_code(limit.key, limit.within, now)


def _limits(request: HttpRequest) -> list[Limit]:
    """Return the limits of a request; a browser without a session has none of its own."""
    network = client_network(request)
    limits = [
        Limit(_hash_value("network", network), NETWORK_LIMIT, HOUR),
        Limit(_hash_value("site", ""), SITE_LIMIT, MINUTE),
    ]
    browser = request.session.session_key
    if browser is not None:
        limits.append(Limit(_hash_value("browser", browser), BROWSER_LIMIT, HOUR))
    return limits


def _hash_value(kind: str, value: str) -> str:
    return salted_hmac(
        f"tournaments.guesses.{kind}", value, algorithm="sha256"
    ).hexdigest()
