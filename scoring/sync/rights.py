"""Write access to a match, the same for pages, phones and programs."""

from copy import copy

from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop

from scoring.competition import competition
from scoring.matchlog.append import CLOSED
from scoring.matchlog.tokens import SEPARATOR, match_write_token, seat_holder_token
from scoring.models import Match

FOLLOWS = gettext_noop(
    "You’re watching this table. To enter scores, scan the table card or open My night."
)

HOLDERS = "holders"
"""Session key for the secrets with which a phone holds seats, by match."""


def may_write(request: HttpRequest, match: Match) -> bool:
    """Return whether the request may write to a match.

    A match without a secret is open to anyone with its link; another to phones that have
    scanned its code, and to people that its competition allows.
    """
    return not match.secret or competition().may_write(match, request)


def write_denied_message(request: HttpRequest, match: Match) -> str:
    """Return the reason why the request may only read a match, and how to get write access."""
    return competition().table_read_only_hint(match, request) or gettext(FOLLOWS)


def find_taken_seat(request: HttpRequest, match: Match) -> int | None:
    """Return the seat that this phone took as its owner's; None if it took none."""
    holder = request.session.get(HOLDERS, {}).get(str(match.pk))
    seats = match.seats.all() if holder else ()
    return next((seat.index for seat in seats if seat.holder == holder), None)


def lost_seat_name(request: HttpRequest, match: Match) -> str:
    """Return the name at the seat that this phone took and another one freed; empty if none."""
    name: str = request.session.get("seats", {}).get(str(match.pk), "")
    has_taken_seat = bool(name) and str(match.pk) in request.session.get(HOLDERS, {})
    if not has_taken_seat or find_taken_seat(request, match) is not None:
        return ""
    return name if name in {seat.name for seat in match.seats.all()} else ""


def find_phone_seat(request: HttpRequest, match: Match) -> int | None:
    """Return this phone's seat, from its competition or because it took one; None if none."""
    competition_seat = competition().own_seat(match, request)
    return (
        find_taken_seat(request, match)
        if competition_seat is None
        else competition_seat
    )


def may_take_seat(request: HttpRequest, match: Match) -> bool:
    """Return whether this phone may take a seat: not if its competition gives it one."""
    if not may_write(request, match):
        return False
    if competition().confirmation_rules(match) is None:
        return True
    is_at_table = competition().can_others_confirm_on_this_phone(match, request)
    return is_at_table and competition().own_seat(match, request) is None


def phone_write_token(request: HttpRequest, match: Match) -> str:
    """Return the token that lets this phone write to a match; empty if it may not.

    A player's own phone has a token for its seat, a family's phone one for each of their seats.
    A phone that took a seat has the table's token and that of the seat.
    """
    if not may_write(request, match):
        return ""
    competition_seat = competition().own_seat(match, request)
    agreement = (
        competition().confirmation_rules(match)
        if competition_seat is not None
        else None
    )
    if competition_seat is None or agreement is None:
        table_seat = (
            find_taken_seat(request, match) if may_take_seat(request, match) else None
        )
        if table_seat is None:
            return match_write_token(match)
        holder = request.session[HOLDERS][str(match.pk)]
        return SEPARATOR.join(
            [match_write_token(match), seat_holder_token(match, table_seat, holder)]
        )
    seats = (competition_seat, *competition().seats_on_same_phone(match, request))
    return SEPARATOR.join(
        seat_holder_token(match, seat, agreement.holders[seat]) for seat in seats
    )


def has_token_only_by_account(request: HttpRequest, match: Match) -> bool:
    """Return whether a phone has its token of a match only through the signed-in account.

    Such a token ends with the sign-out; one from a card, a link or an entry belongs to the
    phone.
    """
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or not match.secret:
        return False
    anonymous_request = copy(request)
    anonymous_request.user = None  # type: ignore[assignment]  # As on a phone, without accounts.
    return phone_write_token(anonymous_request, match) != phone_write_token(
        request, match
    )


def write_refusal_reason(request: HttpRequest, match: Match) -> str:
    """Return the reason why the request may not change a match; empty if it may."""
    if not may_write(request, match):
        return write_denied_message(request, match)
    if not match.closed:
        return ""
    user = getattr(request, "user", None)
    may = competition().may_change_closed(match, user)
    return "" if may else gettext(CLOSED)


def refusal_or_late_hand_notice(request: HttpRequest, match: Match) -> str:
    """Return the reason why the request may not change a match, or a notice that it is late; else
    empty."""
    return write_refusal_reason(request, match) or competition().match_over_notice(
        match
    )
