"""One hand: the reasons for its scores, its history, and changing it."""

import json
from itertools import zip_longest
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from scoring.competition import competition
from scoring.games.words import describe_calls
from scoring.locales.sentences import join_names, translate
from scoring.matchlog.append import append, preview_command
from scoring.matchlog.replay import (
    DIRECTOR,
    FINDINGS,
    STAND,
    ReplayedHand,
    get_conflicting_action,
)
from scoring.models import LogEntry, Match
from scoring.pages.change_preview import build_change_preview
from scoring.pages.confirmation import has_confirmation_lapsed
from scoring.pages.hand_text import (
    describe_hand,
    differing_seat_names,
    explanation_lines,
    mark_differences,
)
from scoring.pages.sheet import Sheet, load_sheet
from scoring.pages.trick_by_trick import recorded_tricks
from scoring.rules import PLAYED_KEY
from scoring.rules.names import UNSAFE
from scoring.sync.rights import write_refusal_reason
from scoring.web.forms import NoteForm, ReasonForm
from scoring.web.redirects import post_only
from scoring.web.views.entry import (
    build_entry_form,
    entry_context,
    form_from_posted_refusal,
)
from scoring.web.views.requests import (
    add_outcome_messages,
    build_authorized_command,
    can_queue_offline,
    check_access_and_redirect_if_closed,
    get_match_and_set_locale,
    phone_player_name,
    posted_or_new_key,
    require_write_access,
)

CHANGES = (
    LogEntry.Kind.KEEP,
    LogEntry.Kind.REPLACE,
    LogEntry.Kind.VOID,
    LogEntry.Kind.RESTORE,
)
"""Kinds of entries that change a hand, and so can choose between two versions."""


def get_hand_or_404(sheet: Sheet, number: int) -> ReplayedHand:
    replayed = sheet.replayed.hand(number)
    if replayed is None:
        raise Http404
    return replayed


@require_safe
def hand(request: HttpRequest, address: str, number: int) -> HttpResponse:
    """Show the scores of a hand, the reasons, and all its entries."""
    sheet = load_sheet(get_match_and_set_locale(request, address))
    replayed = get_hand_or_404(sheet, number)
    form = NoteForm(initial={"note": " · ".join(replayed.notes)})
    return _render_hand(request, sheet, replayed, form)


@post_only
def hand_note(request: HttpRequest, address: str, number: int) -> HttpResponse:
    """Write, change or remove the note on a hand."""
    match = get_match_and_set_locale(request, address)
    if redirect_response := check_access_and_redirect_if_closed(request, match):
        return redirect_response
    sheet = load_sheet(match)
    replayed = get_hand_or_404(sheet, number)
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _render_hand(request, sheet, replayed, form)
    command = build_authorized_command(
        request,
        match,
        LogEntry.Kind.NOTE,
        number=number,
        note=form.cleaned_data["note"],
    )
    outcome = append(command, address=address, now=timezone.now(), logged=sheet.logged)
    add_outcome_messages(request, outcome, gettext("Note saved."))
    return redirect("scoring:hand", address, number)


def _render_hand(
    request: HttpRequest, sheet: Sheet, replayed: ReplayedHand, note_form: NoteForm
) -> HttpResponse:
    number = replayed.number
    sheet = sheet.with_names_of_hand(number)
    own_text = _describe_hand(sheet, replayed.raw)
    other_texts = [
        _describe_hand(sheet, proposal.body) for proposal in replayed.proposals
    ]
    proposals: list[dict[str, Any]] = []
    for proposal, text in zip(replayed.proposals, other_texts, strict=True):
        wish = get_conflicting_action(proposal.body)
        proposals.append(
            {
                "entry": proposal,
                "sentences": mark_differences(text, own_text),
                "kind": wish or LogEntry.Kind.REPLACE,
                "body": "" if wish else json.dumps(proposal.body),
            }
        )
    changes = [entry for entry in replayed.history if entry.kind in CHANGES]
    entries = [entry for entry in replayed.history if isinstance(entry, LogEntry)]
    # A friendly match has no director.
    decisions = [(json.dumps({FINDINGS: STAND}), gettext("Leave as played"))]
    if competition().table_url(sheet.match):
        call_body = json.dumps({FINDINGS: DIRECTOR})
        decisions.append((call_body, gettext("Call the director")))
    context = {
        "sheet": sheet,
        "hand": replayed,
        "lead": _intro_sentence(sheet, replayed),
        "lines": explanation_lines(sheet.names, replayed.scored)
        if replayed.scored
        else [],
        "auction": describe_calls(replayed.hand.bids, sheet.names)
        if replayed.scored
        else (),
        "tricks": recorded_tricks(sheet, number),
        # A trick-by-trick hand is sent again after each trick: show only the last
        # entry.
        "history": [
            (entry, _describe_hand(sheet, entry.body))
            for entry, later in zip_longest(entries, entries[1:])
            if later is None or not _is_extended_by(entry, later)
        ],
        "standing": mark_differences(own_text, other_texts[0] if other_texts else ()),
        "proposals": proposals,
        # After a change the link to the sheet is the primary button.
        "is_changed": bool(changes),
        "seat_name": phone_player_name(request, sheet.match),
        "closed": write_refusal_reason(request, sheet.match),
        # Whether the last change ended confirmations of the result.
        "asks_again": bool(changes)
        and isinstance(changes[-1], LogEntry)
        and has_confirmation_lapsed(
            sheet, competition().confirmation_rules(sheet.match), changes[-1].version
        ),
        "keeps": can_queue_offline(request, sheet.match),
        "key": posted_or_new_key(request),
        "note_form": note_form,
        "revealed": [
            {
                "trick": finding.trick,
                "text": sheet.game.translate_with_pieces(finding.message, sheet.names),
                "clause": finding.clause,
            }
            for finding in (replayed.scored.findings if replayed.scored else ())
        ],
        "decisions": decisions,
    }
    return render(request, "scoring/hand.html", context)


def _intro_sentence(sheet: Sheet, replayed: ReplayedHand) -> str:
    """Return the sentence above a hand; empty if its lines are enough."""
    number = replayed.number
    if replayed.proposals and not sheet.match.closed:
        kinds = [entry.kind for entry in replayed.history]
        if any(
            kind in CHANGES for kind in kinds[kinds.index(LogEntry.Kind.CONFLICT) :]
        ):
            template = gettext(
                "Someone chose a version of hand %(number)s, then another one arrived."
            )
            return template % {"number": number}
        differing_names = differing_seat_names(
            replayed.raw, replayed.proposals[0].body or {}, sheet.names
        )
        if not differing_names:
            return gettext("There are two versions of hand %(number)s.") % {
                "number": number
            }
        return ngettext(
            "There are two versions of hand %(number)s, with different entries for "
            "%(names)s.",
            "There are two versions of hand %(number)s, with different entries for "
            "%(names)s.",
            len(differing_names),
        ) % {"number": number, "names": join_names(differing_names)}
    if replayed.state == "void":
        return gettext("This hand is void and doesn’t count.")
    if replayed.state == "after_end":
        return gettext(
            "This hand was played after the match ended, so it doesn’t count."
        )
    return sheet.game.describe_contract(replayed.hand, sheet.names)


def _describe_hand(sheet: Sheet, raw: Any) -> list[str]:
    return describe_hand(sheet.match.game, raw or {}, sheet.names)


def _is_extended_by(entry: LogEntry, later: LogEntry) -> bool:
    """Return whether a later entry only adds pieces: a pad sends the hand after each trick."""
    if not entry.kind == later.kind == LogEntry.Kind.CONTRACT:
        return False
    body, later_body = dict(entry.body or {}), dict(later.body or {})
    pieces, later_pieces = body.pop(PLAYED_KEY, []), later_body.pop(PLAYED_KEY, [])
    is_same = body == later_body and entry.made_by == later.made_by
    return (
        is_same
        and len(pieces) < len(later_pieces)
        and later_pieces[: len(pieces)] == pieces
    )


def hand_correct(
    request: HttpRequest, address: str, number: int, *, by_tricks: bool = False
) -> HttpResponse:
    """Correct a hand: first show the effects, then confirm with a reason."""
    match = get_match_and_set_locale(request, address)
    if by_tricks and not match.rules.records_tricks:
        raise Http404
    require_write_access(request, match)
    if request.method != "POST" and (
        redirect_response := check_access_and_redirect_if_closed(request, match)
    ):
        return redirect_response
    sheet = load_sheet(match)
    return show_or_store_correction(
        request, sheet, number, request.POST or None, by_tricks=by_tricks
    )


def show_or_store_correction(
    request: HttpRequest,
    sheet: Sheet,
    number: int,
    data: Any,
    *,
    by_tricks: bool,
    note: str = "",
) -> HttpResponse:
    """Show the effects of a correction, or store it. `data` is the form's data."""
    match, address = sheet.match, sheet.match.address
    desk_url = _find_return_desk_url(request, match)
    replayed = get_hand_or_404(sheet, number)
    raw = replayed.raw_with_sums
    hand_sheet = sheet.with_names_of_hand(number)
    form = form_from_posted_refusal(request, hand_sheet, number) or build_entry_form(
        hand_sheet, number, data, raw, by_tricks=by_tricks
    )
    reason_form = ReasonForm(
        request.POST if "confirm" in request.POST else None,
        initial={"reason": "agreed at the table"} if desk_url else None,
    )
    change = None
    is_posted = request.method == "POST"
    if is_posted and form.is_valid() and not write_refusal_reason(request, match):
        command = build_authorized_command(
            request,
            match,
            LogEntry.Kind.REPLACE,
            number=number,
            body=form.raw_hand(),
            reason=request.POST.get("reason", "") if reason_form.is_valid() else "",
        )
        if reason_form.is_valid():
            outcome = append(
                command,
                address=match.address,
                now=timezone.now(),
                logged=sheet.logged,
            )
            if outcome.is_stored:
                add_outcome_messages(
                    request, outcome, sheet.game.hand_text("corrected", number)
                )
                if desk_url and request.POST["confirm"] == SETTLES:
                    _settle_dispute(request, match)
                if desk_url:
                    return redirect(desk_url)
                return redirect("scoring:hand", address, number)
            form.add_faults(outcome.faults)
        else:
            change = preview_command(sheet.logged, command)
            form.add_faults(change.faults)
    form.add_screen_only_fields()
    context = {
        **entry_context(request, sheet, form, None),
        "hand": replayed,
        "number": number,
        "reason_form": reason_form,
        "seat_name": phone_player_name(request, match),
        "keeps": can_queue_offline(request, match) and not desk_url,
        "changes": build_change_preview(sheet, number, change),
        "note": note,
        "desk_url": desk_url,
        "settles": SETTLES,
    }
    return render(request, "scoring/hand_correct.html", context)


SETTLES = "settle"
"""Value of the button that also settles the dispute of the match's table."""


def _find_return_desk_url(request: HttpRequest, match: Match) -> str:
    """Return the URL of the desk if it led to this page; empty for users that may not settle there."""
    user = getattr(request, "user", None)
    leads = request.POST.get("leads", request.GET.get("leads", ""))
    if leads != "desk" or not competition().may_change_closed(match, user):
        return ""
    return competition().desk_url(match, user)


def _settle_dispute(request: HttpRequest, match: Match) -> None:
    notice = competition().settle_dispute(match, request.user, timezone.now())
    show = messages.error if notice.urgent else messages.success
    show(request, notice.text)


@post_only
def hand_choose_version_or_ruling(
    request: HttpRequest, address: str, number: int
) -> HttpResponse:
    """Choose one of two versions of a hand, or decide on its findings.

    The page posts the kind and body of the entry, as it gives them to phones.
    """
    match = get_match_and_set_locale(request, address)
    kind = request.POST.get("kind", "")
    try:
        body = json.loads(request.POST.get("body") or "null")
    except (RecursionError, ValueError):
        return HttpResponseBadRequest()
    reason = request.POST.get("reason", "")
    is_sound = isinstance(body, dict | None) and not UNSAFE.search(reason)
    if kind not in CHANGES or not is_sound:
        return HttpResponseBadRequest()
    command = build_authorized_command(
        request,
        match,
        LogEntry.Kind(kind),
        number=number,
        body=body,
        reason=reason,
    )
    outcome = append(command, address=address, now=timezone.now())
    add_outcome_messages(request, outcome, gettext("Choice saved."))
    if request.POST.get("leads") == "sheet":
        return redirect(match)
    return redirect("scoring:hand", address, number)


@post_only
def hand_void_or_restore(
    request: HttpRequest, address: str, number: int, *, kind: LogEntry.Kind
) -> HttpResponse:
    """Void a hand or restore a void one: first show the effects, then confirm."""
    match = get_match_and_set_locale(request, address)
    if redirect_response := check_access_and_redirect_if_closed(request, match):
        return redirect_response
    sheet = load_sheet(match)
    get_hand_or_404(sheet, number)
    form = ReasonForm(
        request.POST if "confirm" in request.POST else None,
        initial={"reason": "agreed at the table"},
    )
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    command = build_authorized_command(
        request, match, kind, number=number, reason=reason
    )
    if form.is_valid():
        outcome = append(
            command, address=address, now=timezone.now(), logged=sheet.logged
        )
        key = "voided" if kind == LogEntry.Kind.VOID else "restored"
        add_outcome_messages(request, outcome, sheet.game.hand_text(key, number))
        return redirect("scoring:hand", address, number)
    change = preview_command(sheet.logged, command)
    for fault in change.faults:
        messages.error(request, translate(fault.message, sheet.names))
    context = {
        "sheet": sheet,
        "number": number,
        "restores": kind == LogEntry.Kind.RESTORE,
        "reason_form": form,
        "seat_name": phone_player_name(request, match),
        "keeps": can_queue_offline(request, match),
        "key": posted_or_new_key(request),
        "changes": build_change_preview(sheet, number, change),
    }
    return render(request, "scoring/hand_change.html", context)
