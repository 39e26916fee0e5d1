"""Entering the next hand."""

from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from scoring.forms import EntryForm, RecordedForm, form_for
from scoring.forms.auction import read_bids
from scoring.judging import HandTakenError
from scoring.models import LogEntry
from scoring.operations import (
    KeyReusedError,
    Preview,
    enter_hand,
    preview,
    save_contract,
)
from scoring.referee import PlayView, play_view
from scoring.rules import PLAYED, Refusal, hear_auction
from scoring.sheet import Sheet, sheet_of
from scoring.views.requests import (
    author_of,
    match_at,
    posted_number,
    seated_as,
    turned_back,
)

TAKEN = "taken"
"""The code of an error by which somebody else was quicker."""


def entry_form(
    sheet: Sheet,
    number: int,
    data: Any = None,
    raw: Any = None,
    *,
    by_tricks: bool = False,
    goes_on: bool = False,
) -> EntryForm:
    """Return the form of a hand, by its sums or its pieces, filled with what there is.

    A hand that `goes_on` is judged at once as far as it was entered, where it can be.
    """
    form_class = form_for(sheet.match.game, {PLAYED} if by_tricks else data or ())
    initial = form_class.initial_from(raw or {})
    initial["base"] = sheet.match.version
    state = sheet.folded.state_before(number)
    form = form_class(data, names=sheet.names, state=state, initial=initial)
    if data is None and (by_tricks or (goes_on and form.goes_on_later)):
        # What was entered before is told as if it were tapped now.
        form = form_class(
            _as_said(form), names=sheet.names, state=state, initial=initial
        )
    form.is_valid()
    return form


def _as_said(form: EntryForm) -> dict[str, Any]:
    """Return what the form shows, as a browser would post it."""
    shown = {
        name: form.get_initial_for_field(field, name)
        for name, field in form.fields.items()
    }
    return {name: value for name, value in shown.items() if value is not None}


def hand_new(
    request: HttpRequest, address: str, *, by_tricks: bool = False
) -> HttpResponse:
    """Enter the next hand, or only its contract, or as far as it was played."""
    match = match_at(address)
    if by_tricks and not match.rules.records_tricks:
        raise Http404
    if back := turned_back(request, match):
        return back
    sheet = sheet_of(match)
    pending = sheet.folded.pending
    number = posted_number(request) or sheet.folded.next_number
    seen = None
    if request.method == "POST":
        form = entry_form(sheet, number, request.POST)
        if form.is_valid():
            if "check" in request.POST:
                seen = preview(
                    match=match, kind="enter", number=number, raw=form.raw_hand()
                )
                form.add_faults(seen.faults)
            elif _save(request, sheet, form, number):
                return redirect(match)
    else:
        raw = pending.raw if pending else _bidden(request, sheet) or _kept(sheet)
        form = entry_form(
            sheet, number, raw=raw, by_tricks=by_tricks, goes_on=bool(pending)
        )
    return render(
        request,
        "scoring/hand_new.html",
        {
            **entry_context(sheet, form, seen),
            "number": number,
            "seated_as": seated_as(request, match),
        },
    )


def _bidden(request: HttpRequest, sheet: Sheet) -> dict[str, Any]:
    """Return what an auction came to that was heard just now."""
    bids = read_bids(request.GET.get("bids", ""))
    try:
        state = sheet.folded.state_before(sheet.folded.next_number)
        heard = hear_auction(state, bids)
    except Refusal:
        return {}
    if heard.passed_out:
        return {"bids": bids, "passed_out": True}
    return {"bids": bids, "contract": dict(heard.contract)} if heard.contract else {}


def _kept(sheet: Sheet) -> dict[str, Any]:
    """Return what stays from the last hand: treats that are still held."""
    scored = sheet.folded.scored
    if sheet.match.game != "tricks_and_treats" or not scored:
        return {}
    return {"treats": scored[-1].raw["treats"]}


def _save(
    request: HttpRequest, sheet: Sheet, form: EntryForm, number: int
) -> LogEntry | None:
    """Return the entry that was stored; None where it was refused."""
    match = sheet.match
    goes_on = "contract_only" in request.POST
    operation = save_contract if goes_on else enter_hand
    author = author_of(
        request, match, base=form.cleaned_data["base"], reason=form.remark
    )
    try:
        return operation(
            match_id=match.pk,
            key=form.cleaned_data["key"],
            number=number,
            raw=form.raw_contract() if goes_on else form.raw_hand(),
            author=author,
            seen=sheet.seen,
        ).entry
    except Refusal as refusal:
        form.add_faults(refusal.faults)
    except HandTakenError as taken:
        words = gettext(
            "Hand %(number)s was entered on another phone meanwhile. "
            "What you typed is still here: compare it with what was saved."
        )
        form.add_error(
            None, forms.ValidationError(words % {"number": taken.number}, code=TAKEN)
        )
    except KeyReusedError:
        form.add_error(None, gettext("This entry was sent before, and differed."))
    return None


def entry_context(
    sheet: Sheet, form: EntryForm, seen: Preview | None
) -> dict[str, object]:
    """Return what the entry pages draw."""
    game = sheet.match.game
    form.add_empty_fields()
    is_recorded = isinstance(form, RecordedForm)
    return {
        "sheet": sheet,
        "form": form,
        "is_recorded": is_recorded,
        "entry_template": f"scoring/entry/{'tricks' if is_recorded else game}.html",
        "has_contract": sheet.match.rules.has_contract,
        "taken": form.is_bound and form.has_error(NON_FIELD_ERRORS, TAKEN),
        **preview_context(sheet, form, seen),
    }


def preview_context(
    sheet: Sheet, form: EntryForm, seen: Preview | None
) -> dict[str, object]:
    """Return what an entry would do, in words."""
    context: dict[str, object] = {
        "sheet": sheet,
        "form": form,
        "lines": [],
        "faults": [],
    }
    if isinstance(form, RecordedForm):
        context["play"] = (
            play_view(form.state, form.begun(), sheet.names)
            if form.has_contract
            else PlayView(asks=gettext("Enter the contract first."), waits=True)
        )
    if seen is None:
        return context
    scored = seen.after.scored[-1].scored if seen.after and seen.after.scored else None
    if isinstance(form, RecordedForm) and not form.is_complete:
        # The play tells what is wrong with it.
        return context
    if seen.faults or scored is None or not form.is_whole:
        return {**context, "faults": _faults_to_show(sheet, form, seen)}
    lines = [
        {
            "name": "" if line.seat is None else sheet.names[line.seat],
            "points": None if line.seat is None else scored.scores[line.seat],
            "text": line.text.spoken(sheet.names, gettext),
            "clause": line.clause,
        }
        for line in scored.explanation
    ]
    rows = zip(
        sheet.names, sheet.state.totals, scored.scores, scored.totals, strict=True
    )
    findings = [
        finding.message.spoken(sheet.names, gettext) for finding in scored.findings
    ]
    return {**context, "lines": lines, "totals": rows, "findings": findings}


def _faults_to_show(
    sheet: Sheet, form: EntryForm, seen: Preview
) -> list[dict[str, object]]:
    """Return the faults in what was entered; nobody is told off for what is to come."""
    found = [(form.field_for(fault.field), fault) for fault in seen.faults]
    return [
        {
            "field": name or "",
            "message": fault.message.spoken(sheet.names, gettext),
            "clause": fault.clause,
        }
        for name, fault in found
        if form.is_whole or (name is not None and form.is_filled(name))
    ]


@require_POST
def hand_preview(request: HttpRequest, address: str) -> HttpResponse:
    """Answer what the entry as it stands would do."""
    match = match_at(address)
    sheet = sheet_of(match)
    number = posted_number(request) or sheet.folded.next_number
    form = entry_form(sheet, number, request.POST)
    seen = None
    if form.is_valid() and number == sheet.folded.next_number:
        kind, raw = "enter", form.raw_hand()
        if form.is_contract:
            kind, raw = "contract", form.raw_contract()
        seen = preview(match=match, kind=kind, number=number, raw=raw)
    context = preview_context(sheet, form, seen)
    return render(request, "scoring/_preview.html", context)
