"""Seat tokens: what a phone shows with every entry that it sends."""

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

SALT = "scoring.seat"
HEXADECIMAL_DIGITS = 32
"""128 bits."""


def seat_token(address: str, *, secret: str | bytes | None = None) -> str:
    """Return the token by which phones may write to the match at an address.

    It follows from the site's secret, so it outlives sessions, restarts and releases;
    a secret that was rotated keeps its tokens while it stands among the fallbacks.
    """
    made = salted_hmac(SALT, address, secret=secret, algorithm="sha256")
    return made.hexdigest()[:HEXADECIMAL_DIGITS]


def is_seat_token(token: str, address: str) -> bool:
    """Tell whether a token is one of the match at the address."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(
        constant_time_compare(token, seat_token(address, secret=secret))
        for secret in secrets
    )
