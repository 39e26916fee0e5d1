"""Helpers for views: the match of a request, the phone's seat and rights, language and time zone."""

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
from scoring.locales.zones import first_known_zone, known_zone_names
from scoring.matchlog.commands import (
    Command,
    CommandAuthor,
    CommandOutcome,
    CommandStatus,
)
from scoring.matchlog.tokens import match_write_token
from scoring.models import LogEntry, Match, Player, Seat
from scoring.phone_memory import find_browser_id, seen_match_ids
from scoring.sync.rights import (
    lost_seat_name,
    may_write,
    phone_write_token,
    write_denied_message,
    write_refusal_reason,
)

UNCHANGED = gettext_noop("Already done. Nothing changed.")
CONFIRMATION_KINDS = (LogEntry.Kind.CONFIRM, LogEntry.Kind.WITHDRAW)
"""Kinds of entries for which the phone matters."""
PHONE_SALT = "scoring.phone"
PHONE_LENGTH = 32
"""Hexadecimal digits: 128 bits."""
RECENT_PLAYERS = 24
"""The number of names to offer."""


def get_match_and_set_locale(
    request: HttpRequest, address: str, *, may_be_stale: bool = False
) -> Match:
    """Return the match with this address; activate its club's language and time zone.

    With `may_be_stale` the rows around it can be a few moments old, and its seats are not fetched.
    Raises Http404.
    """
    matches = competition().with_related(
        Match.objects.filter(address=address), may_be_stale=may_be_stale
    )
    match = get_object_or_404(matches if may_be_stale else matches.with_seats())
    activate_locale_unless_chosen(request, competition().locale_defaults(match))
    return match


def read_language_cookie(request: HttpRequest) -> str:
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def chosen_time_zone(request: HttpRequest) -> str:
    """Return the time zone chosen in this browser; empty if none."""
    chosen = request.COOKIES.get(settings.TIME_ZONE_COOKIE_NAME, "")
    return chosen if chosen in known_zone_names() else ""


def locale_context(request: HttpRequest) -> dict[str, object]:
    """Context processor: the chosen language and zone, empty if not chosen, and the offered languages.

    Each language has its code, its name, whether it is a draft, and "true" if it is active.
    """
    drafts = {
        language.code for language in settings.OTHER_LANGUAGES if language.is_draft
    }
    active_language = translation.get_language()
    offered = [
        (code, name, code in drafts, "true" if code == active_language else "")
        for code, name in settings.LANGUAGES
    ]
    return {
        "languages": offered,
        "language_chosen": read_language_cookie(request),
        "zone_chosen": chosen_time_zone(request),
    }


def activate_locale_unless_chosen(request: HttpRequest, place: LocaleDefaults) -> None:
    """Activate the language and time zone of a place, unless the browser has its own.

    Call it while answering a request; it lasts until the response.
    """
    language = place.language
    if (
        language
        and language in dict(settings.LANGUAGES)
        and not read_language_cookie(request)
    ):
        translation.activate(language)
    if place.time_zone and not chosen_time_zone(request):
        timezone.activate(first_known_zone(place.time_zone))


def recent_players(request: HttpRequest) -> list[Player]:
    """Return the players to offer for seats: only those from matches on this phone."""
    return Seat.objects.find_latest_players(
        seen_match_ids(request), limit=RECENT_PLAYERS
    )


def posted_or_new_key(request: HttpRequest) -> UUID:
    """Return the key that the client made, or a new one if it is missing."""
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()


def csrf_cookie_or_empty(request: HttpRequest) -> str:
    """Return an id of this browser that stays the same when it sends a form again.

    The session may only start with the answer to the form; the CSRF cookie came with the page.
    """
    return str(request.META.get("CSRF_COOKIE", ""))


def parse_small_number(text: str) -> int | None:
    """Return a number from up to nine digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def posted_hand_number(request: HttpRequest) -> int | None:
    """Return the number of the hand in the posted form."""
    return parse_small_number(request.POST.get("number", ""))


def phone_player_name(request: HttpRequest, match: Match) -> str:
    """Return the player's name at the seat that this phone took; empty if none."""
    name: str = request.session.get("seats", {}).get(str(match.pk), "")
    return "" if lost_seat_name(request, match) else name


def require_write_access(request: HttpRequest, match: Match) -> None:
    if not may_write(request, match):
        raise PermissionDenied(write_denied_message(request, match))


def check_access_and_redirect_if_closed(
    request: HttpRequest, match: Match
) -> HttpResponse | None:
    """Return a redirect to the sheet if a match is closed for this request, else None.

    Raises PermissionDenied for requests without write access.
    """
    require_write_access(request, match)
    return redirect(match) if write_refusal_reason(request, match) else None


def check_access_and_add_error_if_closed(
    request: HttpRequest, match: Match, form: Form
) -> None:
    """Add an error to a posted form if its match is closed; the entered values stay.

    Raises PermissionDenied for requests without write access.
    """
    require_write_access(request, match)
    if closed := write_refusal_reason(request, match):
        form.add_error(None, closed)


def director_name_unless_seated(request: HttpRequest, match: Match) -> str:
    """Return the director's name if one made the request; empty for players with a seat."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated or phone_player_name(request, match):
        return ""
    return competition().director_name(match, user)


def can_queue_offline(request: HttpRequest, match: Match) -> bool:
    """Return whether a phone may queue changes made here and deliver them later.

    Queued entries have a seat and no account, so changes that need a director's rights or name
    are posted instead.
    """
    return not match.closed and not director_name_unless_seated(request, match)


def build_authorized_command(
    request: HttpRequest,
    match: Match,
    kind: LogEntry.Kind,
    *,
    number: int | None = None,
    body: Mapping[str, Any] | None = None,
    reason: str = "",
    note: str = "",
    instead_of_board: bool = False,
) -> Command:
    """Return the command of a posted page, with its author and base version.

    Raises PermissionDenied for requests without write access.
    """
    require_write_access(request, match)
    seat, official = (
        phone_player_name(request, match),
        director_name_unless_seated(request, match),
    )
    phone, token = "", match_write_token(match) if match.secret else None
    if kind in CONFIRMATION_KINDS:
        phone, token = phone_log_id(request), phone_write_token(request, match)
    author = CommandAuthor(
        name=seat or official,
        is_self_named=not official,
        account=request.user.pk if official else None,
        phone=phone,
        directs=bool(official),
        may_change_closed=match.closed and not write_refusal_reason(request, match),
        token=token,
    )
    return Command(
        key=posted_or_new_key(request),
        kind=kind,
        author=author,
        number=number,
        body=body,
        base_version=parse_small_number(request.POST.get("base", "")),
        reason=reason,
        note=note,
        instead_of_board=instead_of_board,
    )


def phone_log_id(request: HttpRequest) -> str:
    """Return this phone's name in the log for posted pages; empty for a new phone."""
    browser = find_browser_id(request)
    if browser is None:
        return ""
    digest = salted_hmac(PHONE_SALT, browser, algorithm="sha256")
    return digest.hexdigest()[:PHONE_LENGTH]


def add_outcome_messages(
    request: HttpRequest, outcome: CommandOutcome, success_message: str
) -> None:
    """Show the outcome of a command on the next page; `success_message` is the message for success."""
    for fault in outcome.faults:
        messages.error(request, translate(fault.message, outcome.logged.names))
    if outcome.status is CommandStatus.STORED:
        messages.success(request, success_message)
    elif outcome.first_status is CommandStatus.CONFLICT:
        messages.warning(request, gettext("There are two versions now. Choose one."))
    elif outcome.is_stored:
        messages.info(request, gettext(UNCHANGED))
