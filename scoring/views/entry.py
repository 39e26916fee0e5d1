"""Entering the next hand."""

from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from scoring.forms import ENTRY_FORMS, EntryForm
from scoring.models import LogEntry
from scoring.operations import (
    HandTakenError,
    KeyReusedError,
    Preview,
    enter_hand,
    preview,
    save_contract,
)
from scoring.rules import Refusal
from scoring.sheet import Sheet, sheet_of
from scoring.views.requests import author_of, match_at, posted_number

TAKEN = "taken"
"""The code of an error by which somebody else was quicker."""


def entry_form(sheet: Sheet, data: Any = None, raw: Any = None) -> EntryForm:
    """Return the entry form of the match's game, filled with what there is."""
    form_class = ENTRY_FORMS[sheet.match.game]
    initial = form_class.initial_from(raw or {})
    initial["base"] = sheet.match.version
    return form_class(data, names=sheet.names, state=sheet.state, initial=initial)


def hand_new(request: HttpRequest, address: str) -> HttpResponse:
    """Enter the next hand, or only its contract."""
    match = match_at(address)
    sheet = sheet_of(match)
    pending = sheet.folded.pending
    number = posted_number(request) or sheet.folded.next_number
    seen = None
    if request.method == "POST":
        form = entry_form(sheet, request.POST)
        if form.is_valid():
            if "check" in request.POST:
                seen = preview(
                    match=match, kind="enter", number=number, raw=form.raw_hand()
                )
                form.add_faults(seen.faults)
            elif _save(request, sheet, form, number):
                return redirect(match)
    else:
        form = entry_form(sheet, raw=pending.raw if pending else _kept(sheet))
    return render(
        request,
        "scoring/hand_new.html",
        {**entry_context(sheet, form, seen), "number": number},
    )


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
    operation = save_contract if "contract_only" in request.POST else enter_hand
    author = author_of(request, match, base=form.cleaned_data["base"])
    try:
        return operation(
            match_id=match.pk,
            key=form.cleaned_data["key"],
            number=number,
            raw=form.raw_hand(),
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
    return {
        "sheet": sheet,
        "form": form,
        "entry_template": f"scoring/entry/{game}.html",
        "has_contract": sheet.match.rules.has_contract,
        "taken": form.is_bound and form.has_error(NON_FIELD_ERRORS, TAKEN),
        **preview_context(sheet, form, seen),
    }


def preview_context(
    sheet: Sheet, form: EntryForm, seen: Preview | None
) -> dict[str, object]:
    """Return what an entry would do, in words."""
    context: dict[str, object] = {"form": form, "lines": [], "faults": []}
    if seen is None:
        return context
    scored = seen.after.scored[-1].scored if seen.after and seen.after.scored else None
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
    return {**context, "lines": lines, "totals": rows}


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
    form = entry_form(sheet, request.POST)
    seen = None
    if form.is_valid():
        kind = "contract" if form.is_contract else "enter"
        number = sheet.folded.next_number
        seen = preview(match=match, kind=kind, number=number, raw=form.raw_hand())
    context = preview_context(sheet, form, seen)
    return render(request, "scoring/_preview.html", context)
