"""Matches: the list on this phone, a new one, the score sheet, its polling and its confirmations."""

import json
from typing import Any
from uuid import uuid4

import segno
from django.contrib import messages
from django.core.cache import caches
from django.core.cache.utils import make_template_fragment_key
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe
from django_htmx.http import reswap

from scoring.competition import ResultState, competition
from scoring.games.registry import table_games
from scoring.locales.sentences import translate
from scoring.matchlog.append import append
from scoring.matchlog.client_keys import derive_key_for_owner
from scoring.matchlog.confirmations import seat_indexes_with_phone
from scoring.matchlog.records import export_match
from scoring.matchlog.starting import get_or_start_rematch, start_match
from scoring.models import LogEntry, Match
from scoring.pages.common_matches import find_common_matches
from scoring.pages.confirmation import ConfirmationState, confirmation_state
from scoring.pages.match_list import earlier_options, list_match_items
from scoring.pages.sheet import (
    Sheet,
    load_sheet,
    match_link_preview,
    match_notices,
    poll_version,
)
from scoring.phone_memory import (
    forget_match,
    remember_match,
    remember_secret,
    seen_match_ids,
)
from scoring.rules import Refusal
from scoring.sync.rights import (
    find_phone_seat,
    lost_seat_name,
    may_write,
    write_denied_message,
    write_refusal_reason,
)
from scoring.web.forms import NewMatchForm
from scoring.web.limits import (
    LimitedAction,
    count_action,
    count_match_start,
    mark_rate_limited,
    rate_limit_message,
    rate_limit_page,
)
from scoring.web.redirects import post_only
from scoring.web.views.requests import (
    UNCHANGED,
    add_outcome_messages,
    build_authorized_command,
    check_access_and_redirect_if_closed,
    csrf_cookie_or_empty,
    get_match_and_set_locale,
    phone_log_id,
    phone_player_name,
    recent_players,
)

REMATCH_MARK = "rematch"
"""The mark that a sheet sends when it already links to the rematch."""
SHEET_CACHE_SECONDS = 30
"""Seconds; short because names can change, but a table's phones poll at the same time."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the matches of this phone, with a link to start a new one."""
    seen_ids = seen_match_ids(request)
    phone_matches = competition().with_related(
        Match.objects.filter(pk__in=seen_ids), may_be_stale=True
    )
    matches = list(phone_matches.with_seats().newest_first())
    running = next((match for match in matches if not match.finished), None)
    other_matches = [match for match in matches if match is not running]
    if not seen_ids:
        other_matches = list(Match.objects.latest_demos().with_seats().newest_first())
    context = {
        "sheet": load_sheet(running) if running else None,
        "has_matches": bool(matches),
        "played": list_match_items(other_matches),
        "games": table_games(),
        "nights": competition().own_nights(request),
    }
    return render(request, "scoring/home.html", context)


def match_new(request: HttpRequest) -> HttpResponse:
    """Start a match from a game and names in seat order."""
    recent = recent_players(request)
    form = NewMatchForm(request.POST or None, recent=recent)
    form.initial = {
        name: request.GET[name]
        for name in form.game_ids_by_option_field
        if name in request.GET
    }
    key, wait = None, 0
    if request.method == "POST" and form.is_valid():
        # After the Back button, the same form may start a match with other people.
        start_values = (form.cleaned_data["game"], *form.names, form.options)
        key = derive_key_for_owner(
            form.cleaned_data["key"],
            "browser",
            csrf_cookie_or_empty(request),
            *start_values,
        )
        wait = count_match_start(request, key=key)
    if wait:
        form.add_error(None, rate_limit_message(wait))
    elif key:
        try:
            match = start_match(
                key=key,
                game=form.cleaned_data["game"],
                names=form.names,
                options=form.options,
                players=form.players_by_name,
                now=timezone.now(),
            )
        except Refusal as refusal:
            for fault in refusal.faults:
                name = fault.field.removeprefix("options.")
                form.add_error(
                    name if name in form.game_ids_by_option_field else None,
                    translate(fault.message, form.names),
                )
        else:
            remember_match(request, match.pk)
            return redirect(match)
    context = {
        "form": form,
        "games": table_games(),
        "recent": recent,
        "earlier": earlier_options(
            Match.objects.filter(pk__in=seen_match_ids(request))
        ),
    }
    page = render(request, "scoring/match_new.html", context)
    return mark_rate_limited(page, wait) if wait else page


@require_safe
def match(request: HttpRequest, address: str) -> HttpResponse:
    shown_match = get_match_and_set_locale(request, address)
    if shown_match.rematch_of is not None and not shown_match.version:
        # Another phone may have started the table's rematch too.
        first = shown_match.rematch_of.current_rematch
        if first is not None and first != shown_match:
            return redirect(first)
    remember_match(request, shown_match.pk)
    if secret := request.GET.get("secret", ""):
        # Out of the address bar, from which people share links for reading.
        remember_secret(request, secret)
        return redirect(shown_match)
    sheet = load_sheet(shown_match)
    closed = write_refusal_reason(request, shown_match)
    freeable = []
    if not closed and competition().confirmation_rules(shown_match) is None:
        own = find_phone_seat(request, shown_match)
        taken_seats = [seat for seat in shown_match.seats.all() if seat.holder]
        freeable = [seat for seat in taken_seats if seat.index != own]
    context = {
        "sheet": sheet,
        "about": match_link_preview(sheet),
        "seat_name": phone_player_name(request, shown_match),
        "closed": closed,
        "freed_seat": lost_seat_name(request, shown_match),
        # Only friendly matches allow players to free one another's seats.
        "freeable": freeable,
        "current_rematch": _rematch_if_finished(shown_match),
        "key": uuid4(),
        "confirmed_at": lambda: competition().table_url(shown_match),
        "confirmation": load_confirmation_after_match(request, sheet),
        "notices": match_notices(shown_match, request),
        "desk": lambda: competition().desk_url(
            shown_match, getattr(request, "user", None)
        ),
        "now": timezone.now(),
        # Inline for pages on a phone's own server, which no other request reaches.
        "code": lambda: _qr_code(request, shown_match).svg_data_uri(scale=6, border=2),
    }
    return render(request, "scoring/match.html", context)


@require_safe
def common_matches_page(request: HttpRequest, address: str) -> HttpResponse:
    """Show how the people of a match did in all matches on this phone that they played together."""
    shown_match = get_match_and_set_locale(request, address, may_be_stale=True)
    names = [seat.name for seat in shown_match.seats.order_by("index")]
    phone_matches = competition().with_related(
        Match.objects.filter(pk__in=seen_match_ids(request), finished=True),
        may_be_stale=True,
    )
    # A result that can still change names no winner.
    final_matches = [
        match
        for match in phone_matches.with_seats().newest_first()
        if competition().result_state(match) == ResultState.FINAL
    ]
    shared = find_common_matches(names, final_matches)
    context = {
        "match": shown_match,
        "names": names,
        "shared": shared,
        "played": list_match_items(shared.matches),
    }
    return render(request, "scoring/common_matches.html", context)


@require_safe
def match_live(request: HttpRequest, address: str) -> HttpResponse:
    """Return the sheet if it changed since the version `v`, else 204.

    After a dot, `v` has the mark of the notices above the sheet. New notices come with the
    sheet, or alone.
    """
    shown_version, _dot, mark = request.GET.get("v", "").partition(".")
    shown_match = get_match_and_set_locale(request, address, may_be_stale=True)
    current_rematch = _rematch_if_finished(shown_match)
    is_known = shown_version == poll_version(shown_match) and (
        current_rematch is None or mark == REMATCH_MARK
    )
    has_notices = mark or shown_match.rematch_of_id
    notices = match_notices(shown_match, request) if has_notices else None
    # A phone's own server has no notices.
    has_others = notices is not None and notices.digest not in {"", mark}
    if is_known and not has_others:
        return HttpResponse(status=204)
    page = (
        HttpResponse()
        if is_known
        else _render_or_get_cached_sheet(request, shown_match, current_rematch)
    )
    if notices is not None and has_others:
        context = {"notices": notices, "now": timezone.now(), "is_live": True}
        notices_html = render_to_string("scoring/_notices.html", context)
        page.write(notices_html)
    return reswap(page, "none") if is_known else page


def _rematch_if_finished(match: Match) -> Match | None:
    return match.current_rematch if match.finished else None


def _render_or_get_cached_sheet(
    request: HttpRequest, match: Match, current_rematch: Match | None
) -> HttpResponse:
    """Return the sheet without the page around it.

    It is cached for two groups: phones with write access, and all others. A phone that can end
    the match, start the next one or confirm a result gets its own.
    """
    closed = write_refusal_reason(request, match)
    confirmation_key = (
        _confirmation_cache_key_parts(request, match)
        if match.has_counting_result
        else ()
    )
    freed = lost_seat_name(request, match)
    visible_state = (closed, confirmation_key, current_rematch, freed)
    key_parts = [match.address, poll_version(match), get_language(), *visible_state]
    cache_key = make_template_fragment_key("sheet", key_parts)
    cached_page = None if confirmation_key is None else caches["sheets"].get(cache_key)
    if cached_page is not None:
        return HttpResponse(cached_page)
    sheet = load_sheet(match)
    context = {
        "sheet": sheet,
        "confirmation": load_confirmation_after_match(request, sheet),
        "seat_name": phone_player_name(request, match),
        "freed_seat": freed,
        "closed": closed,
        "confirmed_at": lambda: competition().table_url(match),
        "current_rematch": current_rematch,
        "key": uuid4(),
    }
    page = render(request, "scoring/match.html#sheet", context)
    if confirmation_key is not None and (closed or sheet.end_match_action is None):
        caches["sheets"].set(cache_key, page.content, SHEET_CACHE_SECONDS)
    return page


def _confirmation_cache_key_parts(
    request: HttpRequest, match: Match
) -> tuple[object, ...] | None:
    """Return a cache key for the confirmations on the sheet of a match whose result counts; None if only this phone sees it."""
    agreement = competition().confirmation_rules(match)
    if agreement is None or find_phone_seat(request, match) is not None:
        return None
    is_at_table = competition().can_others_confirm_on_this_phone(match, request)
    result_state = competition().result_state(match)
    agreement_state = (is_at_table, agreement.required, str(result_state))
    phones = (phone_log_id(request), *sorted(seat_indexes_with_phone(match)))
    return *agreement_state, *phones, match.finished, match.closed


def load_confirmation_after_match(
    request: HttpRequest, sheet: Sheet
) -> ConfirmationState | None:
    """Return the confirmations at a table as this phone shows them; None while a match goes on."""
    match = sheet.match
    if not match.has_counting_result:
        return None
    agreement = competition().confirmation_rules(match)
    is_at_table = agreement is None or competition().can_others_confirm_on_this_phone(
        match, request
    )
    return confirmation_state(
        sheet,
        agreement,
        own=find_phone_seat(request, match) if is_at_table else None,
        family=competition().seats_on_same_phone(match, request),
        is_at_table=is_at_table,
        phone=phone_log_id(request),
    )


def append_and_announce_confirmation_or_withdrawal(
    request: HttpRequest, match: Match, kind: LogEntry.Kind, body: dict[str, Any]
) -> None:
    """Store or withdraw a seat's confirmation; the next page shows the outcome."""
    command = build_authorized_command(request, match, kind, body=body)
    outcome = append(command, address=match.address, now=timezone.now())
    is_confirmed = kind == LogEntry.Kind.CONFIRM
    message = (
        gettext("Confirmed.") if is_confirmed else gettext("Confirmation withdrawn.")
    )
    add_outcome_messages(request, outcome, message)


@post_only
def match_confirm_or_withdraw(
    request: HttpRequest, address: str, *, kind: LogEntry.Kind
) -> HttpResponse:
    """Confirm a result for a seat, with the words that its player saw, or withdraw that.

    This is for pages without scripts; phones with scripts send entries, as they do with hands.
    """
    shown_match = get_match_and_set_locale(request, address)
    try:
        body = json.loads(request.POST.get("body", ""))
    except (RecursionError, ValueError):
        body = {}
    append_and_announce_confirmation_or_withdrawal(
        request, shown_match, kind, body if isinstance(body, dict) else {}
    )
    return redirect(shown_match)


@require_safe
def match_ask_seat_to_confirm(
    request: HttpRequest, address: str, seat: int
) -> HttpResponse:
    """Ask a player with a shared phone to confirm the result.

    Redirects to the sheet if they have confirmed already, or no longer need to.
    """
    match = get_match_and_set_locale(request, address)
    if redirect_response := check_access_and_redirect_if_closed(request, match):
        return redirect_response
    if competition().confirmation_rules(match) is None:
        return redirect(match)
    if not competition().can_others_confirm_on_this_phone(match, request):
        raise PermissionDenied(write_denied_message(request, match))
    sheet = load_sheet(match)
    state = load_confirmation_after_match(request, sheet)
    asked_seat = state.find_among_other_asked_seats(seat) if state else None
    if asked_seat is None:
        return redirect(match)
    context = {
        "sheet": sheet,
        "asked": asked_seat,
        "confirmed_at": competition().table_url(match),
        "key": uuid4(),
    }
    return render(request, "scoring/hand_over.html", context)


@post_only
def match_rematch(request: HttpRequest, address: str) -> HttpResponse:
    """Redirect to the table's rematch, started with rotated seats if asked for."""
    shown_match = get_match_and_set_locale(request, address)
    if competition().table_url(shown_match):
        # The competition decides on the next match.
        messages.info(request, gettext("The tournament decides who plays next."))
        return redirect(shown_match)
    wait = (
        0 if shown_match.current_rematch else count_action(request, LimitedAction.START)
    )
    if wait:
        return rate_limit_page(request, wait, retry_url=shown_match.get_absolute_url())
    rematch = get_or_start_rematch(
        shown_match, is_rotated=request.POST.get("rotate") == "1", now=timezone.now()
    )
    remember_match(request, rematch.pk)
    return redirect(rematch)


@post_only
def match_forget(request: HttpRequest, address: str) -> HttpResponse:
    """Remove a match from the list of this phone; it stays on the server."""
    shown_match = get_match_and_set_locale(request, address, may_be_stale=True)
    if forget_match(request, shown_match.pk):
        text = gettext("Removed from this phone. The match stays on the server.")
        template = '{} <a href="{}">{}</a>'
        url = shown_match.get_absolute_url()
        link = format_html(template, text, url, gettext("Undo"))
        messages.success(request, link)
    else:
        messages.info(request, gettext(UNCHANGED))
    return redirect("scoring:home")


@require_safe
def match_qr_image(request: HttpRequest, address: str) -> HttpResponse:
    """Return the match's URL as a QR code."""
    answer = HttpResponse(content_type="image/svg+xml; charset=utf-8")
    # The response works as a binary file, which segno's types do not know.
    code = _qr_code(request, get_match_and_set_locale(request, address))
    code.save(answer, kind="svg", scale=6, border=2)  # type: ignore[arg-type]
    return answer


def _qr_code(request: HttpRequest, match: Match) -> segno.QRCode:
    url = request.build_absolute_uri(match.get_absolute_url())
    secret = ""
    if match.secret and may_write(request, match):
        secret = competition().shareable_secret(match)
    return segno.make(f"{url}?secret={secret}" if secret else url, error="m")


@require_safe
def match_record(request: HttpRequest, address: str) -> HttpResponse:
    """Return the match as a record with its log."""
    text = export_match(get_match_and_set_locale(request, address), for_followers=True)
    answer = HttpResponse(text, content_type="application/json")
    answer["Content-Disposition"] = 'attachment; filename="match.json"'
    return answer
