"""Past results that a club brings along: looked at first, taken out again at will."""

import csv
from collections.abc import Sequence
from io import StringIO
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.history.imports.imports import bring_in, redo_import, undo_import
from tournaments.history.imports.past_results import (
    LABELS,
    Fault,
    Past,
    read_past,
    with_names,
)
from tournaments.history.imports.uploads import keep_upload
from tournaments.models import Club, Entry, Role, Upload, User
from tournaments.people.doubles import likely_doubles
from tournaments.web.forms import ImportForm
from tournaments.web.forms.doubles import DoublesForm
from tournaments.web.views.access import in_club

SHOWN_LINES = 8
"""Lines that are shown where somebody says what the columns are."""


@in_club(Role.DIRECTOR)
def imports(request: HttpRequest, club: Club) -> HttpResponse:
    """Take a list, show what it says, and bring it in once that is confirmed."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid() and form.large:
        name, content = form.large
        kept = keep_upload(
            club=club,
            key=form.cleaned_data["key"],
            name=name,
            content=content,
            game=form.cleaned_data["game"],
            family_first=form.cleaned_data["family_first"],
            now=timezone.now(),
        )
        return redirect("tournaments:upload", club.slug, kept.key)
    return _look_at(request, club, form)


@require_safe
@in_club(Role.DIRECTOR)
def upload(request: HttpRequest, club: Club, key: UUID) -> HttpResponse:
    """Show what a large file says once it was read, and until then that it is."""
    kept = get_object_or_404(club.uploads.defer("content"), key=key)
    if kept.cells is not None:
        form = ImportForm(
            {
                "text": _text_of(kept.cells),
                "name": kept.name,
                "game": kept.game,
                "key": str(kept.key),
                **({"family_first": "on"} if kept.family_first else {}),
            }
        )
        return _look_at(request, club, form)
    is_given_up = not Upload.objects.unread(timezone.now()).filter(pk=kept.pk).exists()
    context = {"club": club, "upload": kept, "is_given_up": is_given_up}
    return render(request, "tournaments/upload.html", context)


def _look_at(request: HttpRequest, club: Club, form: ImportForm) -> HttpResponse:
    """Show what a list says, and bring it in where that is confirmed."""
    past = doubles = None
    if form.is_valid():
        past = read_past(
            form.cleaned_data["cells"],
            game=form.cleaned_data["game"],
            today=timezone.localdate(),
        )
        doubles = DoublesForm(
            request.POST if "confirm" in request.POST else None,
            doubles=likely_doubles(
                club, [name for event in past.events for name in event.players]
            ),
        )
        if not past.faults and "confirm" in request.POST and doubles.is_valid():
            cells = with_names(form.cleaned_data["cells"], past, doubles.meant)
            if _brought_in(form, cells, club, request):
                return redirect("tournaments:imports", club.slug)
    context = {
        "club": club,
        "form": form,
        "doubles": doubles,
        "imports": club.imports.select_related("made_by").prefetch_related(
            "tournaments"
        ),
        **(_preview(form, club, past) if past and past.events else {}),
        **(_to_put_right(form, past) if past and past.faults else {}),
    }
    return render(request, "tournaments/imports.html", context)


def _brought_in(
    form: ImportForm, cells: Sequence[Sequence[str]], club: Club, request: HttpRequest
) -> bool:
    assert isinstance(request.user, User)
    try:
        bring_in(
            club_id=club.pk,
            key=form.cleaned_data["key"],
            name=request.POST.get("name", "") or "list",
            game=form.cleaned_data["game"],
            cells=cells,
            by=request.user,
            now=timezone.now(),
        )
    except RefusedError as refused:
        form.add_error("text", refused.message)
        return False
    return True


def _text_of(cells: Sequence[Sequence[str]]) -> str:
    """Return a list as text, to be sent once more."""
    text = StringIO()
    csv.writer(text).writerows(cells)
    return text.getvalue()


def _to_put_right(form: ImportForm, past: Past) -> dict[str, object]:
    """Return what is wrong with a list, and the lines in which it can be put right."""
    cells: Sequence[Sequence[str]] = form.cleaned_data["cells"]
    file = form.files.get("file")
    width = max((len(row) for row in cells[:SHOWN_LINES]), default=0)
    by_line: dict[int, list[Fault]] = {}
    for fault in past.faults:
        by_line.setdefault(fault.line or 0, []).append(fault)
    context: dict[str, object] = {
        "faults": by_line.pop(0, []),
        "text": _text_of(cells),
        "name": file.name if file else form.data.get("name", ""),
    }
    if not by_line:
        names = {place: name for name, place in past.columns.items()}
        context["columns"] = [(place, names.get(place, "")) for place in range(width)]
        context["labels"] = LABELS.items()
        context["first_lines"] = [
            [*row, *[""] * (width - len(row))] for row in cells[:SHOWN_LINES]
        ]
        return context
    places = sorted(past.columns.items(), key=lambda pair: pair[1])
    context["heads"] = [LABELS[name] for name, _place in places]
    context["lines"] = [
        {
            "number": line,
            "cells": [
                {
                    "name": f"cell-{line}-{place}",
                    "label": LABELS[name],
                    "value": _cell(cells[line - 1], place),
                    "is_wrong": name in {fault.column for fault in faults},
                }
                for name, place in places
            ],
            "faults": faults,
        }
        for line, faults in sorted(by_line.items())
    ]
    return context


def _cell(row: Sequence[str], place: int) -> str:
    return row[place] if place < len(row) else ""


def _preview(form: ImportForm, club: Club, past: Past) -> dict[str, object]:
    """Return what the list would bring, and the list itself to be sent once more."""
    names = {name.casefold() for event in past.events for name in event.players}
    entries = Entry.objects.filter(tournament__club=club).values_list("name", flat=True)
    known_names = names & {name.casefold() for name in entries.distinct()}
    file = form.files.get("file")
    held = club.tournaments.filter(name__in={event.name for event in past.events})
    there = {(tournament.held_on, tournament.name) for tournament in held}
    return {
        "again": [event for event in past.events if (event.day, event.name) in there],
        "events": past.events,
        "text": _text_of(form.cleaned_data["cells"]),
        "known": len(known_names),
        "new": sorted(
            {
                name
                for event in past.events
                for name in event.players
                if name.casefold() not in known_names
            }
        ),
        "name": file.name if file else form.data.get("name", ""),
    }


@posted
@in_club(Role.DIRECTOR)
def import_act(request: HttpRequest, club: Club, pk: int, verb: str) -> HttpResponse:
    """Take past results out again, or bring them in once more."""
    past_import = get_object_or_404(club.imports, pk=pk)
    try:
        if verb == "undo":
            undo_import(import_id=past_import.pk, now=timezone.now())
        elif verb == "redo":
            redo_import(import_id=past_import.pk, now=timezone.now())
        else:
            raise Http404
    except RefusedError as refused:
        messages.error(request, refused.message)
    return redirect("tournaments:imports", club.slug)
