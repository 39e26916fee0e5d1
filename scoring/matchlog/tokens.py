"""Seat tokens: what shows that a phone may write to a match."""

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.models import Match

SALT = "scoring.seat"
HEXADECIMAL_DIGITS = 32
"""128 bits."""


def seat_token(match: Match, *, key: str | bytes | None = None) -> str:
    """Return the token by which phones may write to a match.

    It follows from the site's secret key, so it outlives sessions, restarts and releases; a key
    that was rotated keeps its tokens while it stands among the fallbacks. It follows from the
    match's own secret too: where that is another, the tokens of before are worth nothing.
    """
    signed = f"{match.address} {match.secret}" if match.secret else match.address
    made = salted_hmac(SALT, signed, secret=key, algorithm="sha256")
    return made.hexdigest()[:HEXADECIMAL_DIGITS]


def is_seat_token(token: str, match: Match) -> bool:
    """Tell whether a token is one of the match."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(constant_time_compare(token, seat_token(match, key=key)) for key in keys)
