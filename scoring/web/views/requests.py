"""What views ask of a request: which match, who is at the phone, in which language and time zone."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone, translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, gettext_noop

from scoring.competition import LocaleDefaults, competition
from scoring.locales.sentences import translate
from scoring.locales.zones import get_zone, known_zones
from scoring.matchlog.commands import Author, Command, Outcome, Status
from scoring.matchlog.tokens import seat_token
from scoring.models import LogEntry, Match, Player, Seat
from scoring.phone_memory import browser_name, seen_matches
from scoring.sync.rights import (
    closed_reason,
    follow_reason,
    freed_seat,
    may_write,
    write_token,
)

UNCHANGED = gettext_noop("Nothing has changed: this was done before.")
OF_CONFIRMATIONS = (LogEntry.Kind.CONFIRM, LogEntry.Kind.WITHDRAW)
"""Of which it matters whose phone they come from."""
PHONE_SALT = "scoring.phone"
PHONE_LENGTH = 32
"""Hexadecimal digits: 128 bits."""
RECENT_PLAYERS = 24
"""People who are offered by name."""


def match_at(request: HttpRequest, address: str, *, to_look: bool = False) -> Match:
    """Return the match at this address, or answer 404; from now on answer as its club does.

    Its seats are fetched too, unless it is only `to_look`: polls rarely need them.
    """
    matches = competition().along(
        Match.objects.filter(address=address), to_look=to_look
    )
    match = get_object_or_404(matches if to_look else matches.with_seats())
    activate_place(request, competition().place(match))
    return match


def chosen_language(request: HttpRequest) -> str:
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def own_zone(request: HttpRequest) -> str:
    """Return the time zone that somebody chose here, empty for none."""
    chosen = request.COOKIES.get(settings.TIME_ZONE_COOKIE_NAME, "")
    return chosen if chosen in known_zones() else ""


def activate_place(request: HttpRequest, place: LocaleDefaults) -> None:
    """Answer in the language and by the clocks of a place, whoever has chosen no others.

    To be called where a request is answered; it holds until the answer is there.
    """
    language = place.language
    if (
        language
        and language in dict(settings.LANGUAGES)
        and not chosen_language(request)
    ):
        translation.activate(language)
    if place.time_zone and not own_zone(request):
        timezone.activate(get_zone(place.time_zone))


def recent_players(request: HttpRequest) -> list[Player]:
    """Return who can be seated by a tap: those whom this phone has seen, and no strangers."""
    return Seat.objects.players_at(seen_matches(request), most=RECENT_PLAYERS)


def posted_key(request: HttpRequest) -> UUID:
    """Return the key that the client made; a new one where it made none."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()


def browser_id(request: HttpRequest) -> str:
    """Return what tells this browser from others, and stays when it sends a form again.

    A session may only begin with the answer to the form; the token against forged requests
    came with the page.
    """
    return str(request.META.get("CSRF_COOKIE", ""))


def small_number(text: str) -> int | None:
    """Return the whole number that a short text of digits is; None for any other."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def posted_number(request: HttpRequest) -> int | None:
    """Return the number of the hand that the page was made for."""
    return small_number(request.POST.get("number", ""))


def seat_name(request: HttpRequest, match: Match) -> str:
    """Return which seat this phone took, by its name; empty for none."""
    name: str = request.session.get("seats", {}).get(str(match.pk), "")
    return "" if freed_seat(request, match) else name


def refuse_followers(request: HttpRequest, match: Match) -> None:
    if not may_write(request, match):
        raise PermissionDenied(follow_reason(request, match))


def redirect_if_closed(request: HttpRequest, match: Match) -> HttpResponse | None:
    """Return the way back to the sheet of a match that is closed, which says so; None for who may.

    Raises PermissionDenied for whoever only follows.
    """
    refuse_followers(request, match)
    return redirect(match) if closed_reason(request, match) else None


def refuse_if_closed(request: HttpRequest, match: Match, form: Form) -> None:
    """Say in a posted form why its match takes nothing; what was typed stays in the form.

    Raises PermissionDenied for whoever only follows.
    """
    refuse_followers(request, match)
    if closed := closed_reason(request, match):
        form.add_error(None, closed)


def official_name(request: HttpRequest, match: Match) -> str:
    """Return the name of who directs and asks; empty for players, who are named by their seat."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or seat_name(request, match):
        return ""
    return competition().official(match, user)


def keeps(request: HttpRequest, match: Match) -> bool:
    """Tell whether a phone keeps what is changed here, and delivers it by itself.

    What is delivered says which seat sent it and no account, so what only those who direct may
    do, or what is to bear their name, is posted.
    """
    return not match.closed and not official_name(request, match)


def build_command(
    request: HttpRequest,
    match: Match,
    kind: LogEntry.Kind,
    *,
    number: int | None = None,
    body: Mapping[str, Any] | None = None,
    reason: str = "",
    instead_of_board: bool = False,
) -> Command:
    """Return what a posted page wants to be appended: by whom, and on which state.

    Raises PermissionDenied for whoever only follows.
    """
    refuse_followers(request, match)
    seat, official = seat_name(request, match), official_name(request, match)
    phone, token = "", seat_token(match) if match.secret else None
    if kind in OF_CONFIRMATIONS:
        phone, token = phone_name(request), write_token(request, match)
    author = Author(
        name=seat or official,
        sits_here=not official,
        phone=phone,
        directs=bool(official),
        may_change_closed=match.closed and not closed_reason(request, match),
        token=token,
    )
    return Command(
        key=posted_key(request),
        kind=kind,
        author=author,
        number=number,
        body=body,
        base_version=small_number(request.POST.get("base", "")),
        reason=reason,
        instead_of_board=instead_of_board,
    )


def phone_name(request: HttpRequest) -> str:
    """Return what this phone is called in the log where its pages are posted; empty for a new one."""
    browser = browser_name(request)
    named = salted_hmac(PHONE_SALT, browser, algorithm="sha256")
    return named.hexdigest()[:PHONE_LENGTH] if browser else ""


def show_outcome(request: HttpRequest, outcome: Outcome, said: str) -> None:
    """Say on the next page what became of a command; `said` if it changed what counts."""
    for fault in outcome.faults:
        messages.error(request, translate(fault.message, outcome.logged.names))
    if outcome.status is Status.STORED:
        messages.success(request, said)
    elif outcome.first is Status.CONFLICT:
        messages.warning(request, gettext("Two versions now: choose one."))
    elif outcome.is_stored:
        messages.info(request, gettext(UNCHANGED))
