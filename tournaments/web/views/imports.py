"""Past results that a club brings along: looked at first, taken out again at will."""

import csv
from io import StringIO

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from tournaments.changes import RefusedError
from tournaments.history.imports.imports import bring_in, redo_import, undo_import
from tournaments.history.imports.past_results import Past, read_past
from tournaments.models import Club, Entry, Role, User
from tournaments.web.forms import ImportForm
from tournaments.web.views.access import in_club


@in_club(Role.DIRECTOR)
def imports(request: HttpRequest, club: Club) -> HttpResponse:
    """Take a list, show what it says, and bring it in once that is confirmed."""
    form = ImportForm(request.POST or None, request.FILES or None)
    past = None
    if form.is_valid():
        past = read_past(
            form.cleaned_data["cells"],
            game=form.cleaned_data["game"],
            today=timezone.localdate(),
        )
        for fault in past.faults:
            form.add_error("text", fault)
        if (
            not past.faults
            and "confirm" in request.POST
            and _brought_in(form, club, request)
        ):
            return redirect("tournaments:imports", club.slug)
    context = {
        "club": club,
        "form": form,
        "imports": club.imports.select_related("made_by").prefetch_related(
            "tournaments"
        ),
        **(_preview(form, club, past) if past and past.events else {}),
    }
    return render(request, "tournaments/imports.html", context)


def _brought_in(form: ImportForm, club: Club, request: HttpRequest) -> bool:
    assert isinstance(request.user, User)
    try:
        bring_in(
            club_id=club.pk,
            key=form.cleaned_data["key"],
            name=request.POST.get("name", "") or "list",
            game=form.cleaned_data["game"],
            cells=form.cleaned_data["cells"],
            by=request.user,
            now=timezone.now(),
        )
    except RefusedError as refused:
        form.add_error("text", refused.message)
        return False
    return True


def _preview(form: ImportForm, club: Club, past: Past) -> dict[str, object]:
    """Return what the list would bring, and the list itself to be sent once more."""
    text = StringIO()
    csv.writer(text).writerows(form.cleaned_data["cells"])
    names = {name.casefold() for event in past.events for name in event.players}
    entries = Entry.objects.filter(tournament__club=club).values_list("name", flat=True)
    known_names = names & {name.casefold() for name in entries.distinct()}
    file = form.files.get("file")
    held = club.tournaments.filter(name__in={event.name for event in past.events})
    there = {(tournament.held_on, tournament.name) for tournament in held}
    return {
        "again": [event for event in past.events if (event.day, event.name) in there],
        "events": past.events,
        "text": text.getvalue(),
        "known": len(known_names),
        "new": sorted(
            {
                name
                for event in past.events
                for name in event.players
                if name.casefold() not in known_names
            }
        ),
        "name": file.name if file else "",
    }


@require_POST
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
