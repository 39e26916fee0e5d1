"""Seat tokens: what shows that a phone may write to a match."""

from collections.abc import Collection, Sequence

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.competition import competition
from scoring.models import Match, Seat

SALT = "scoring.seat"
OWN_SALT = "scoring.own"
HEXADECIMAL_DIGITS = 32
"""128 bits."""
BETWEEN = "+"
"""What stands between the tokens of one phone: several people's own, or a table's and a seat's."""
ELSEWHERE = "elsewhere"
"""The holder of a seat on another phone, as the server on a phone is told of it."""


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
    """Tell whether a token is one of the match, alone or next to that of a seat."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(
        constant_time_compare(part, seat_token(match, key=key))
        for key in keys
        for part in token.split(BETWEEN, 1)[:1]
    )


def own_token(
    match: Match, seat: int, holder: str, *, key: str | bytes | None = None
) -> str:
    """Return the token of a seat holder's own phone: it writes, and it confirms for that seat.

    It follows from the holder too: once somebody else plays on, it is worth nothing.
    """
    signed = f"{match.address} {match.secret} {seat} {holder}"
    made = salted_hmac(OWN_SALT, signed, secret=key, algorithm="sha256")
    return made.hexdigest()[:HEXADECIMAL_DIGITS]


def own_seats(
    token: str | None, match: Match, seats: Sequence[Seat]
) -> Collection[int]:
    """Return the seats of which a token's phone is the own phone; empty for a table's token.

    A phone is somebody's own by its competition, or because it took one of the `seats`. Without a
    token it is the phone itself that asks, which was told whose it is.
    """
    agreement = competition().agreement(match)
    if token is None:
        own = {seat.index for seat in seats if seat.holder not in ("", ELSEWHERE)}
        if agreement is not None:
            own |= {*agreement.family}
            own |= set() if agreement.own is None else {agreement.own}
        return own
    holders = [(seat.index, seat.holder) for seat in seats if seat.holder]
    holders += agreement.holders.items() if agreement else ()
    shown = token.split(BETWEEN, len(seats) + 1)
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return {
        seat
        for seat, holder in holders
        for key in keys
        for part in shown
        if constant_time_compare(part, own_token(match, seat, holder, key=key))
    }
