"""Codes that nobody has: a room may mistype a few, nobody tries thousands."""

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

MOST = 30
"""Wrong codes from one address of the network; a whole club shares one."""
WITHIN = 10 * 60
"""Seconds in which they are counted."""
TOO_OFTEN = _(
    "Too many wrong codes came from here. Scan the QR code, or wait ten minutes."
)


def _key(request: HttpRequest) -> str:
    return f"guesses:{get_adapter().get_client_ip(request)}"


def guessed_too_often(request: HttpRequest) -> bool:
    """Tell whether so many wrong codes came from an address that it has to wait."""
    return int(cache.get(_key(request), 0)) >= MOST


def count_guess(request: HttpRequest) -> None:
    """Count a wrong code."""
    if not cache.add(_key(request), 1, WITHIN):
        cache.incr(_key(request))
