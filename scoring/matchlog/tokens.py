"""Seat tokens: proof that a phone may write to a match."""

from collections.abc import Collection, Sequence

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.competition import competition
from scoring.models import Match, Seat

SALT = "scoring.seat"
OWN_SALT = "scoring.own"
HEXADECIMAL_DIGITS = 32
"""128 bits."""
SEPARATOR = "+"
"""Separator of the tokens of one phone: those of several players, or of a table and a seat."""
ELSEWHERE = "elsewhere"
"""The holder that the server on a phone stores for a seat on another phone."""


def match_write_token(match: Match, *, key: str | bytes | None = None) -> str:
    """Return the token that lets phones write to a match.

    It is derived from the site's secret key, so it outlives sessions, restarts and releases;
    after a rotation it stays valid while the old key is among the fallbacks. It is also derived
    from the match's own secret: a new secret invalidates it.
    """
    content = f"{match.address} {match.secret}" if match.secret else match.address
    signature = salted_hmac(SALT, content, secret=key, algorithm="sha256")
    return signature.hexdigest()[:HEXADECIMAL_DIGITS]


def is_match_write_token(token: str, match: Match) -> bool:
    """Return whether a token is the match's own, alone or next to that of a seat."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(
        constant_time_compare(part, match_write_token(match, key=key))
        for key in keys
        for part in token.split(SEPARATOR, 1)[:1]
    )


def seat_holder_token(
    match: Match, seat: int, holder: str, *, key: str | bytes | None = None
) -> str:
    """Return the token of a seat holder's own phone: it writes, and it confirms for that seat.

    It is also derived from the holder: once another player takes the seat, it is invalid.
    """
    content = f"{match.address} {match.secret} {seat} {holder}"
    signature = salted_hmac(OWN_SALT, content, secret=key, algorithm="sha256")
    return signature.hexdigest()[:HEXADECIMAL_DIGITS]


def seat_indexes_held_by_token(
    token: str | None, match: Match, seats: Sequence[Seat]
) -> Collection[int]:
    """Return the seats that belong to the phone with this token; empty for a table's token.

    A phone has a seat by its competition, or because it took one of `seats`. Without a token
    (None) the code runs on the phone itself, which knows its own seats.
    """
    agreement = competition().confirmation_rules(match)
    if token is None:
        seat_indexes = {
            seat.index for seat in seats if seat.holder not in ("", ELSEWHERE)
        }
        if agreement is not None:
            seat_indexes |= {*agreement.family}
            seat_indexes |= set() if agreement.own is None else {agreement.own}
        return seat_indexes
    holders = [(seat.index, seat.holder) for seat in seats if seat.holder]
    holders += agreement.holders.items() if agreement else ()
    parts = token.split(SEPARATOR, len(seats) + 1)
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return {
        seat
        for seat, holder in holders
        for key in keys
        for part in parts
        if constant_time_compare(part, seat_holder_token(match, seat, holder, key=key))
    }
