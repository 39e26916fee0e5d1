"""One hand: why it scored so, its history, and changing it."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from scoring.changes import changes_of
from scoring.folding import DIRECTOR, FINDINGS, STAND, Entry, FoldedHand, wish_in
from scoring.forms import EntryForm, ReasonForm
from scoring.judging import NoSuchHandError
from scoring.models import LogEntry, Match
from scoring.operations import (
    Author,
    KeyReusedError,
    choose,
    correct_hand,
    preview,
    restore_hand,
    settle_findings,
    void_hand,
)
from scoring.retelling import tell_hand
from scoring.rules import Refusal
from scoring.sheet import Sheet, sheet_of
from scoring.views.entry import entry_context, entry_form
from scoring.views.requests import (
    author_of,
    closed_to,
    match_at,
    posted_key,
    seated_as,
    small_number,
    turned_back,
)


def _hand_of(sheet: Sheet, number: int) -> FoldedHand:
    found = sheet.folded.hand(number)
    if found is None:
        raise Http404
    return found


@require_safe
def hand(request: HttpRequest, address: str, number: int) -> HttpResponse:
    """Show the scores of a hand, the reasons, and everything entered for it."""
    sheet = sheet_of(match_at(address))
    found = _hand_of(sheet, number)
    context = {
        "sheet": sheet,
        "hand": found,
        "lines": _lines(sheet, found),
        "history": _history(sheet, found),
        "standing": tell_hand(found.raw, sheet.names),
        "proposals": [_proposal(sheet, entry) for entry in found.proposals],
        "seated_as": seated_as(request, sheet.match),
        "closed": closed_to(request, sheet.match),
        "key": uuid4(),
        "revealed": _revealed(sheet, found),
        "decisions": [
            (STAND, json.dumps({FINDINGS: STAND}), gettext("Let it stand")),
            (DIRECTOR, json.dumps({FINDINGS: DIRECTOR}), gettext("Call the director")),
        ],
    }
    return render(request, "scoring/hand.html", context)


def _revealed(sheet: Sheet, found: FoldedHand) -> list[dict[str, Any]]:
    """Return the rules that were broken in a hand, as its recorded tricks show."""
    return [
        {
            "trick": finding.trick,
            "text": finding.message.spoken(sheet.names, gettext),
            "clause": finding.clause,
        }
        for finding in (found.scored.findings if found.scored else ())
    ]


def _proposal(sheet: Sheet, entry: Entry) -> dict[str, Any]:
    """Return another phone's version of a hand, as it is shown and as it is chosen."""
    wish = wish_in(entry)
    return {
        "entry": entry,
        "told": tell_hand(entry.body or {}, sheet.names),
        "kind": wish or LogEntry.Kind.REPLACE,
        "body": "" if wish else json.dumps(entry.body),
    }


def _lines(sheet: Sheet, found: FoldedHand) -> list[dict[str, Any]]:
    if found.scored is None:
        return []
    return [
        {
            "name": "" if line.seat is None else sheet.names[line.seat],
            "points": None if line.seat is None else found.scored.scores[line.seat],
            "text": line.text.spoken(sheet.names, gettext),
            "clause": line.clause,
        }
        for line in found.scored.explanation
    ]


def _history(sheet: Sheet, found: FoldedHand) -> list[tuple[Entry, list[str]]]:
    """Return every entry of the hand with what it said."""
    return [
        (entry, tell_hand(entry.body or {}, sheet.names)) for entry in found.history
    ]


def hand_correct(
    request: HttpRequest, address: str, number: int, *, by_tricks: bool = False
) -> HttpResponse:
    """Change a hand: first see what it changes, then confirm with a reason."""
    match = match_at(address)
    if by_tricks and not match.rules.records_tricks:
        raise Http404
    if back := turned_back(request, match):
        return back
    sheet = sheet_of(match)
    found = _hand_of(sheet, number)
    raw = found.raw_with_sums
    form = entry_form(sheet, number, request.POST or None, raw, by_tricks=by_tricks)
    reason_form = ReasonForm(request.POST if "confirm" in request.POST else None)
    seen = None
    if request.method == "POST" and form.is_valid():
        raw = found.corrected(form.raw_hand())
        seen = preview(match=match, kind="replace", number=number, raw=raw)
        form.add_faults(seen.faults)
        if seen.after is not None and reason_form.is_valid():
            author = author_of(
                request, match, reason=reason_form.cleaned_data["reason"]
            )
            if _correct(match, number, raw, form, author):
                return redirect("scoring:hand", address, number)
    context = {
        **entry_context(sheet, form, None),
        "hand": found,
        "number": number,
        "reason_form": reason_form,
        "seated_as": seated_as(request, match),
        "changes": changes_of(sheet, number, seen),
    }
    return render(request, "scoring/hand_correct.html", context)


def _correct(
    match: Match, number: int, raw: dict[str, Any], form: EntryForm, author: Author
) -> bool:
    """Store a correction; where it came too late, say so in the form."""
    try:
        correct_hand(
            match_id=match.pk,
            key=form.cleaned_data["key"],
            number=number,
            raw=raw,
            author=author,
        )
    except Refusal as refusal:
        form.add_faults(refusal.faults)
    except (KeyReusedError, NoSuchHandError):
        form.add_error(None, gettext("This hand was changed meanwhile; look again."))
    else:
        return True
    return False


@require_POST
def hand_choose(request: HttpRequest, address: str, number: int) -> HttpResponse:
    """Let one of two versions of a hand count, or settle what its tricks show."""
    match = match_at(address)
    decision = request.POST.get(FINDINGS, "")
    base = small_number(request.POST.get("base", ""))
    if decision in (STAND, DIRECTOR):
        settle = partial(settle_findings, decision=decision)
        _make(request, match, number, settle, author_of(request, match, base=base))
        return redirect("scoring:hand", address, number)
    version = small_number(request.POST.get("version", ""))
    operation = partial(choose, version=version)
    reason = gettext("chosen of two versions")
    author = author_of(request, match, reason=reason, base=base)
    _make(request, match, number, operation, author)
    return redirect("scoring:hand", address, number)


@require_POST
def hand_void(request: HttpRequest, address: str, number: int) -> HttpResponse:
    """Let a hand count no more: first see what it changes, then confirm."""
    return _change(request, address, number, LogEntry.Kind.VOID, void_hand)


@require_POST
def hand_restore(request: HttpRequest, address: str, number: int) -> HttpResponse:
    """Let a void hand count again: first see what it changes, then confirm."""
    return _change(request, address, number, LogEntry.Kind.RESTORE, restore_hand)


def _change(
    request: HttpRequest,
    address: str,
    number: int,
    kind: LogEntry.Kind,
    operation: Callable[..., object],
) -> HttpResponse:
    match = match_at(address)
    if back := turned_back(request, match):
        return back
    sheet = sheet_of(match)
    _hand_of(sheet, number)
    form = ReasonForm(request.POST if "confirm" in request.POST else None)
    if form.is_valid():
        author = author_of(request, match, reason=form.cleaned_data["reason"])
        _make(request, match, number, operation, author)
        return redirect("scoring:hand", address, number)
    seen = preview(match=match, kind=kind, number=number)
    for fault in seen.faults:
        messages.error(request, fault.message.spoken(sheet.names, gettext))
    context = {
        "sheet": sheet,
        "number": number,
        "restores": kind == LogEntry.Kind.RESTORE,
        "reason_form": form,
        "seated_as": seated_as(request, match),
        "key": posted_key(request),
        "changes": changes_of(sheet, number, seen),
    }
    return render(request, "scoring/hand_change.html", context)


def _make(
    request: HttpRequest,
    match: Match,
    number: int,
    operation: Callable[..., object],
    author: Author,
) -> None:
    """Make the change; where it came too late, say so."""
    try:
        operation(
            match_id=match.pk, key=posted_key(request), number=number, author=author
        )
    except (KeyReusedError, NoSuchHandError):
        messages.error(request, gettext("This hand was changed meanwhile; look again."))
    except Refusal as refusal:
        names = [seat.name for seat in match.seats.all()]
        for fault in refusal.faults:
            messages.error(request, fault.message.spoken(names, gettext))
