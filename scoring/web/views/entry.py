"""Entering the next hand, with news from other phones."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import select_template
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.games.entry_form import EntryForm
from scoring.games.pieces import PieceEntryForm
from scoring.games.record_paths import parse_bids
from scoring.locales.sentences import translate
from scoring.matchlog.append import CommandPreview, append, preview_command
from scoring.matchlog.commands import CommandOutcome, CommandStatus
from scoring.models import LogEntry, Match
from scoring.pages.change_preview import describe_if_match_ends
from scoring.pages.hand_text import explanation_lines
from scoring.pages.sheet import Sheet, load_sheet, poll_version
from scoring.pages.trick_by_trick import PlayView, play_view
from scoring.rules import PLAYED_KEY, Refusal, parse_auction
from scoring.sync.rights import (
    refusal_or_late_hand_notice,
    write_refusal_reason,
)
from scoring.web.forms import NoteForm
from scoring.web.redirects import post_only
from scoring.web.views.requests import (
    build_authorized_command,
    check_access_and_redirect_if_closed,
    get_match_and_set_locale,
    parse_small_number,
    phone_player_name,
    posted_hand_number,
    require_write_access,
)

LONGEST_SHORT_NAME = 7
"""The number of letters that leaves room for another player on the same line of the preview."""
NewsKind = Literal["saved", "begun", "changed", "pen"]

NEWS_BY_KIND: dict[str, NewsKind] = {
    LogEntry.Kind.ENTER: "saved",
    LogEntry.Kind.CONFLICT: "saved",
    LogEntry.Kind.CONTRACT: "begun",
    LogEntry.Kind.REPLACE: "changed",
    LogEntry.Kind.VOID: "changed",
    LogEntry.Kind.RESTORE: "changed",
    LogEntry.Kind.KEEP: "changed",
}


def build_entry_form(
    sheet: Sheet,
    number: int,
    data: Any = None,
    raw: Any = None,
    *,
    by_tricks: bool = False,
    is_pending: bool = False,
) -> EntryForm:
    """Return the form of a hand, by its sums or its pieces, with the known values.

    A hand that `is_pending` is scored at once as far as it was entered, if possible.
    """
    form_class = sheet.game.select_form({PLAYED_KEY} if by_tricks else data or ())
    initial = form_class.initial_values(raw or {})
    initial["base"] = sheet.match.version
    state = sheet.replayed.state_before(number)
    form = form_class(data, names=sheet.names, state=state, initial=initial)
    if data is None and (by_tricks or (is_pending and form.accepts_partial_hands)):
        # Treat earlier values as if they were just entered.
        form = form_class(
            _initial_post_values(form), names=sheet.names, state=state, initial=initial
        )
    form.is_valid()
    return form


def _initial_post_values(form: EntryForm) -> dict[str, Any]:
    """Return the values in the form, as a browser would post them."""
    initial_values = {
        name: form.get_initial_for_field(field, name)
        for name, field in form.fields.items()
    }
    return {name: value for name, value in initial_values.items() if value is not None}


def form_from_posted_refusal(
    request: HttpRequest, sheet: Sheet, number: int
) -> EntryForm | None:
    """Return the form of a queued entry that the server refused; None if there is none.

    The phone posts it as `entered`, in the format of the match record.
    """
    if "entered" not in request.POST:
        return None
    try:
        raw = json.loads(request.POST["entered"])
        form_class = sheet.game.select_form(raw)
        initial = form_class.initial_values(raw)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return build_entry_form(sheet, number)
    state = sheet.replayed.state_before(number)
    initial_form = form_class(names=sheet.names, state=state, initial=initial)
    posted_values = {
        name: request.POST[name] for name in ("key", "base") if name in request.POST
    }
    return build_entry_form(
        sheet, number, {**_initial_post_values(initial_form), **posted_values}
    )


def hand_new(
    request: HttpRequest, address: str, *, by_tricks: bool = False
) -> HttpResponse:
    """Enter the next hand, only its contract, or its play so far."""
    match = get_match_and_set_locale(request, address)
    if by_tricks and not match.rules.records_tricks:
        raise Http404
    if request.method != "POST" and (
        redirect_response := check_access_and_redirect_if_closed(request, match)
    ):
        return redirect_response
    sheet = load_sheet(match)
    if request.method != "POST" and sheet.replayed.is_over:
        # A phone that has not seen the last hand's score asks for the next one.
        return redirect(match)
    pending = sheet.replayed.pending_hand
    number = posted_hand_number(request) or sheet.replayed.next_number
    change = None
    note_form = NoteForm(request.POST or None)
    if request.method == "POST":
        form = form_from_posted_refusal(request, sheet, number) or build_entry_form(
            sheet, number, request.POST
        )
        require_write_access(request, match)
        is_sound = (
            form.is_valid()
            and note_form.is_valid()
            and not write_refusal_reason(request, match)
        )
        is_check = "check" in request.POST
        is_contract_only = "contract_only" in request.POST
        is_saved = is_sound and form.is_complete and not (is_check or is_contract_only)
        if is_saved and form.unusual_hand_question and not form.cleaned_data["sure"]:
            form.add_error(None, form.unusual_hand_question)
        elif is_sound:
            command = build_authorized_command(
                request,
                match,
                LogEntry.Kind.CONTRACT if is_contract_only else LogEntry.Kind.ENTER,
                number=number,
                body=form.raw_unfinished_hand()
                if is_contract_only
                else form.raw_hand(),
                reason=form.log_note,
                note=note_form.cleaned_data["note"],
                # The preview is available before the question about the board.
                instead_of_board=is_check
                or form.cleaned_data.get("instead_of_board", False),
            )
            if is_check:
                change = preview_command(sheet.logged, command)
                form.add_faults(change.faults)
            else:
                outcome = append(
                    command,
                    address=match.address,
                    now=timezone.now(),
                    logged=sheet.logged,
                )
                if outcome.is_stored:
                    return redirect_to_sheet_or_conflict(outcome)
                form.add_faults(outcome.faults)
    else:
        scored = sheet.replayed.scored_hands
        carried_values = sheet.game.carried_values(scored[-1].raw) if scored else {}
        raw = (
            pending.raw
            if pending
            else _auction_hand_values(request, sheet) or carried_values
        )
        form = build_entry_form(
            sheet, number, raw=raw, by_tricks=by_tricks, is_pending=bool(pending)
        )
    form.add_screen_only_fields()
    context = entry_context(request, sheet, form, change)
    form_bids = form["bids"].value() if "bids" in form.fields else ""
    bids = form_bids or request.GET.get("bids", "")
    context |= {
        "number": number,
        "note_form": note_form,
        "seat_name": phone_player_name(request, match),
        # Keeps the auction in the link to another way of entry.
        "bids_query": f"?{urlencode({'bids': bids})}" if bids else "",
    }
    return render(request, "scoring/hand_new.html", context)


def _auction_hand_values(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    """Return the result of the auction in the URL as a hand's values; empty if incomplete."""
    bids = parse_bids(request.GET.get("bids", ""))
    try:
        state = sheet.replayed.state_before(sheet.replayed.next_number)
        auction = parse_auction(state, bids)
    except Refusal:
        return {}
    if auction.is_passed_out:
        return {"bids": bids, "passed_out": True}
    return (
        {"bids": bids, "contract": dict(auction.contract)} if auction.contract else {}
    )


def redirect_to_sheet_or_conflict(outcome: CommandOutcome) -> HttpResponse:
    """Redirect to the sheet, or after a conflict to the hand with both versions."""
    if outcome.first_status is CommandStatus.CONFLICT and outcome.entry is not None:
        number = outcome.entry.hand_number
        return redirect("scoring:hand", outcome.match.address, number)
    return redirect(outcome.match)


def entry_context(
    request: HttpRequest, sheet: Sheet, form: EntryForm, change: CommandPreview | None
) -> dict[str, object]:
    """Return the context for a page with the entry form and its preview."""
    is_recorded = isinstance(form, PieceEntryForm)
    return {
        "sheet": sheet,
        "form": form,
        "is_recorded": is_recorded,
        "entry_template": select_template(
            ["scoring/entry/tricks.html"]
            if is_recorded
            else sheet.game.templates("entry")
        ),
        "has_contract": sheet.match.rules.has_contract,
        "closed": refusal_or_late_hand_notice(request, sheet.match),
        **preview_context(sheet, form, change),
    }


def preview_context(
    sheet: Sheet, form: EntryForm, change: CommandPreview | None
) -> dict[str, object]:
    """Return the context for the preview of an entry, in words."""
    context: dict[str, object] = {
        "sheet": sheet,
        "form": form,
        "lines": [],
        "faults": [],
        "has_long_names": max(map(len, sheet.names)) > LONGEST_SHORT_NAME,
    }
    if isinstance(form, PieceEntryForm):
        if form.is_contract_complete:
            play = play_view(form.state, form.raw_unfinished_hand(), sheet.names)
        else:
            # In a list, labels have no question marks or hints about the range.
            labels = [
                re.split("[,(]", str(form[name].label))[0].strip(
                    " ¿?\N{NO-BREAK SPACE}"
                )
                for name in form.missing_contract_field_names
            ]
            prompt = gettext("Still needed: %(what)s") % {"what": " · ".join(labels)}
            play = PlayView(asks=prompt, waits=True)
        context["play"] = play
    if change is None:
        return context
    replayed = change.after
    scored = (
        replayed.scored_hands[-1].scored if replayed and replayed.scored_hands else None
    )
    if isinstance(form, PieceEntryForm) and not form.is_play_complete:
        # The play has its own messages.
        return context
    if change.faults or replayed is None or scored is None or not form.is_complete:
        # Fields that are still empty get no error messages.
        fields = [form.find_field_name(fault.field) for fault in change.faults]
        context["faults"] = [
            {
                "field": name or "",
                "message": translate(fault.message, sheet.names),
                "clause": fault.clause,
            }
            for name, fault in zip(fields, change.faults, strict=True)
            if form.is_complete or (name is not None and form.is_filled(name))
        ]
        return context
    findings = [
        sheet.game.translate_with_pieces(finding.message, sheet.names)
        for finding in scored.findings
    ]
    return {
        **context,
        "lines": explanation_lines(sheet.names, scored),
        "is_scored": True,
        "findings": findings,
        "end": describe_if_match_ends(
            sheet.match, change.before, replayed, sheet.names
        ),
    }


@post_only
def hand_preview(request: HttpRequest, address: str) -> HttpResponse:
    """Return a preview of the entry in the form."""
    match = get_match_and_set_locale(request, address)
    sheet = load_sheet(match)
    number = posted_hand_number(request) or sheet.replayed.next_number
    form = build_entry_form(sheet, number, request.POST)
    change = None
    if form.is_valid() and number == sheet.replayed.next_number:
        kind, body = LogEntry.Kind.ENTER, form.raw_hand()
        if form.is_savable_while_unfinished:
            kind, body = LogEntry.Kind.CONTRACT, form.raw_unfinished_hand()
        command = build_authorized_command(
            request, match, kind, number=number, body=body, instead_of_board=True
        )
        change = preview_command(sheet.logged, command)
    context = preview_context(sheet, form, change)
    return render(request, "scoring/_preview.html", context)


@require_safe
def hand_news(request: HttpRequest, address: str, number: int) -> HttpResponse:
    """Return news of a hand since the form was loaded; 204 if there is none since `v`.

    `since` is the version that the form is based on, `phone` the requesting phone's name.
    """
    match = get_match_and_set_locale(request, address, may_be_stale=True)
    version = poll_version(match)
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    since = parse_small_number(request.GET.get("since", ""))
    phone = request.GET.get("phone", "")
    context = {
        "match": match,
        "version": version,
        "closed": refusal_or_late_hand_notice(request, match),
        "number": number,
        "news": list_hand_news(
            match,
            number,
            since=match.version if since is None else since,
            phone=phone,
        ),
    }
    return render(request, "scoring/_news.html", context)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandNews:
    """The latest action of a kind by another phone."""

    kind: NewsKind
    name: str
    at: datetime


def list_hand_news(
    match: Match, number: int, *, since: int, phone: str = ""
) -> list[HandNews]:
    """Return the news after the version `since`, without actions of this phone.

    If this phone is the scorer again, an earlier change of scorer is no longer news; neither is
    a hand that was begun, once it is saved.
    """
    news: dict[NewsKind, HandNews] = {}
    for entry in match.log.filter(version__gt=since).in_order():
        is_mine = bool(phone) and entry.phone == phone
        if entry.kind == LogEntry.Kind.PEN:
            kind: NewsKind | None = "pen"
        else:
            is_here = entry.hand_number == number
            kind = NEWS_BY_KIND.get(entry.kind) if is_here else None
        if kind is None:
            continue
        news.pop(kind, None)
        if kind == "saved":
            news.pop("begun", None)
        if not is_mine:
            news[kind] = HandNews(kind=kind, name=entry.author_name, at=entry.made_at)
    return list(news.values())
