"""Confirming a result and withdrawing that, for pages without scripts.

Phones with scripts send both as entries, as they do with hands.
"""

import json
from typing import Any
from uuid import uuid4

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.competition import competition
from scoring.matchlog.append import append
from scoring.models import LogEntry, Match
from scoring.pages.confirmation import ConfirmationState, Viewer, confirmation_state
from scoring.pages.sheet import Sheet, load_sheet
from scoring.sync.rights import find_phone_seat, find_read_only_reason
from scoring.web.redirects import post_only
from scoring.web.views.requests import (
    build_command,
    get_match_and_set_locale,
    phone_log_id,
    redirect_if_closed,
    show_outcome,
)


@post_only
def match_confirm(request: HttpRequest, address: str) -> HttpResponseRedirect:
    """Confirm a result for a seat, with the words that its player saw."""
    return _append_posted_confirmation(request, address, LogEntry.Kind.CONFIRM)


@post_only
def match_withdraw(request: HttpRequest, address: str) -> HttpResponseRedirect:
    return _append_posted_confirmation(request, address, LogEntry.Kind.WITHDRAW)


@require_safe
def match_hand_over(request: HttpRequest, address: str, seat: int) -> HttpResponse:
    """Ask a player with a shared phone to confirm the result.

    Redirects to the sheet if they have confirmed already, or no longer need to.
    """
    match = get_match_and_set_locale(request, address)
    if redirect_response := redirect_if_closed(request, match):
        return redirect_response
    if competition().confirmation_rules(match) is None:
        return redirect(match)
    if not competition().can_others_confirm(match, request):
        raise PermissionDenied(find_read_only_reason(request, match))
    sheet = load_sheet(match)
    state = load_confirmation_state(request, sheet)
    confirmation_request = state.find_request(seat) if state else None
    if confirmation_request is None:
        return redirect(match)
    context = {
        "sheet": sheet,
        "asked": confirmation_request,
        "confirmed_at": competition().table_address(match),
        "key": uuid4(),
    }
    return render(request, "scoring/hand_over.html", context)


def load_confirmation_state(
    request: HttpRequest, sheet: Sheet
) -> ConfirmationState | None:
    """Return the confirmations at a table as this phone shows them; None while a match goes on."""
    match = sheet.match
    if not match.is_settled:
        return None
    agreement = competition().confirmation_rules(match)
    is_at_table = agreement is None or competition().can_others_confirm(match, request)
    viewer = Viewer(
        own=find_phone_seat(request, match) if is_at_table else None,
        family=competition().seats_on_same_phone(match, request),
        is_at_table=is_at_table,
        phone=phone_log_id(request),
    )
    return confirmation_state(sheet, agreement, viewer)


def append_confirmation(
    request: HttpRequest, match: Match, kind: LogEntry.Kind, body: dict[str, Any]
) -> None:
    """Store or withdraw a seat's confirmation; the next page shows the outcome."""
    command = build_command(request, match, kind, body=body)
    outcome = append(command, address=match.address, now=timezone.now())
    is_confirmed = kind == LogEntry.Kind.CONFIRM
    message = (
        gettext("Confirmed.") if is_confirmed else gettext("Confirmation withdrawn.")
    )
    show_outcome(request, outcome, message)


def _append_posted_confirmation(
    request: HttpRequest, address: str, kind: LogEntry.Kind
) -> HttpResponseRedirect:
    match = get_match_and_set_locale(request, address)
    try:
        body = json.loads(request.POST.get("body", ""))
    except (RecursionError, ValueError):
        body = {}
    append_confirmation(request, match, kind, body if isinstance(body, dict) else {})
    return redirect(match)
