"""Imports of past results and of whole clubs."""

from collections.abc import Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from scoring.rules.names import same_name_key
from scoring.web.redirects import post_only
from tournaments.changes import RefusedError
from tournaments.event.setup.spreadsheets import ambiguous_encodings, has_hidden_cells
from tournaments.files.archive.arrivals import store_arrival
from tournaments.history.imports.files import text_of_cells
from tournaments.history.imports.imports import import_results, redo_import, undo_import
from tournaments.history.imports.past_results import (
    LABELS,
    Past,
    PastEvent,
    read_past,
    with_names,
)
from tournaments.history.imports.uploads import choose_sheet, store_upload
from tournaments.models import Arrival, Club, Role, Upload, User
from tournaments.names import reading_key
from tournaments.people.doubles import likely_doubles
from tournaments.people.identities import names_in_club
from tournaments.web.access import in_club, signed_in
from tournaments.web.actions import ask_to_confirm, run_action
from tournaments.web.imports.corrections import SHOWN_LINES, column_readings, put_right
from tournaments.web.imports.forms import (
    ArrivalForm,
    ImportForm,
    Sheet,
    list_sheets,
)
from tournaments.web.players.forms import DoublesForm


@in_club(Role.DIRECTOR)
def imports(request: HttpRequest, club: Club) -> HttpResponse:
    """Take a list, show what it says, and bring it in once that is confirmed."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid() and form.large:
        name, content = form.large
        kept = store_upload(
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


@in_club(Role.DIRECTOR)
def upload(request: HttpRequest, club: Club, key: UUID) -> HttpResponse:
    """Show what a large file says once it was read, and until then that it is.

    Posted, read another sheet of it.
    """
    kept = get_object_or_404(club.uploads.defer("content"), key=key)
    if request.method == "POST":
        sheet = request.POST.get("sheet", "")
        if sheet.isascii() and sheet.isdigit():
            choose_sheet(upload_id=kept.pk, sheet=int(sheet), now=timezone.now())
        return redirect("tournaments:upload", club.slug, kept.key)
    if kept.cells is not None:
        form = ImportForm(
            {
                "text": text_of_cells(kept.cells),
                "name": kept.name,
                "game": kept.game,
                "key": str(kept.key),
                **({"family_first": "on"} if kept.family_first else {}),
                "read_sheet": kept.sheet,
                "read_as": next(
                    iter(ambiguous_encodings(kept.name, bytes(kept.content))), ""
                ),
            }
        )
        width = max(map(len, kept.cells), default=0)
        form.has_hidden_cells = has_hidden_cells(
            bytes(kept.content), kept.sheet or 0, width=width
        )
        return _look_at(request, club, form, kept)
    is_given_up = not Upload.objects.unread(timezone.now()).filter(pk=kept.pk).exists()
    context = {
        "club": club,
        "upload": kept,
        "is_given_up": is_given_up,
        "form": {"sheets": _sheets_in(kept, kept.sheet)},
    }
    return render(request, "tournaments/imports/upload.html", context)


def _sheets_in(kept: Upload, chosen: int | None) -> list[Sheet]:
    return list_sheets(kept.sheets, fitting=kept.fitting_sheets, chosen=chosen or 0)


def _look_at(
    request: HttpRequest, club: Club, form: ImportForm, kept: Upload | None = None
) -> HttpResponse:
    """Show what a list says, and bring it in where that is confirmed."""
    past = doubles = None
    if form.is_valid() and kept is None:
        uploads = club.uploads.defer("content", "cells")
        kept = uploads.filter(key=form.cleaned_data["key"]).first()
    if kept is not None:
        form.sheets = _sheets_in(kept, form.cleaned_data.get("read_sheet"))
    if form.is_valid():
        past = read_past(
            form.cleaned_data["cells"],
            game=form.cleaned_data["game"],
            today=club.local_day(timezone.now()),
            decimal=form.cleaned_data["decimal"] or None,
            day_order=form.cleaned_data["day_order"] or None,
        )
        doubles = DoublesForm(
            request.POST if "confirm" in request.POST else None,
            doubles=likely_doubles(
                club, [name for event in past.events for name in event.players]
            ),
        )
        is_confirmed = "confirm" in request.POST and doubles.is_valid()
        is_settled = past.is_settled and len(form.encodings) < 2
        if is_confirmed and not past.faults and not is_settled:
            messages.error(request, _("Choose how the list is read, then import it."))
        elif is_confirmed and not past.faults:
            left_out = _left_out(request, past)
            named = with_names(past.settled, past, doubles.meant)
            cells = _without(named, left_out)
            if left_out == past.events:
                messages.warning(
                    request, _("All of it is left out: nothing to bring in.")
                )
            elif _brought_in(form, cells, club, request):
                if not any(sheet.is_offered for sheet in form.sheets):
                    return redirect("tournaments:imports", club.slug)
                # The next sheet is chosen on the page that follows; sent again, it is the same.
                form, past = form.for_next_sheet(), None
    context = {
        "club": club,
        "form": form,
        "upload": kept,
        "read_as": next(iter(form.encodings), ""),
        "name": request.POST.get("name", ""),
        "doubles": doubles,
        "files": club.imports.by_file(),
        **(_preview(form, club, past) if past and past.events else {}),
        **(_to_put_right(form, past) if past and past.faults else {}),
    }
    return render(request, "tournaments/imports/imports.html", context)


def _left_out(request: HttpRequest, past: Past) -> list[PastEvent]:
    """Return the events that somebody wants left out, as they are there already."""
    return [
        event
        for number, event in enumerate(past.events)
        if request.POST.get(f"again-{number}") == "leave"
    ]


def _without(
    cells: Sequence[Sequence[str]], events: Sequence[PastEvent]
) -> list[Sequence[str]]:
    """Return a list in which the lines of these events are empty."""
    gone = {row.line for event in events for row in event.rows}
    return [[] if line in gone else row for line, row in enumerate(cells, start=1)]


def _brought_in(
    form: ImportForm, cells: Sequence[Sequence[str]], club: Club, request: HttpRequest
) -> bool:
    assert isinstance(request.user, User)
    try:
        made = import_results(
            club_id=club.pk,
            key=form.import_key,
            name=request.POST.get("name", ""),
            game=form.cleaned_data["game"],
            cells=cells,
            by=request.user,
            now=timezone.now(),
        )
    except RefusedError as refused:
        form.add_error("text", refused.message)
        messages.error(request, refused.message)
        return False
    count = made.tournaments.count()
    words = ngettext(
        "%(count)s tournament has been brought in; leaderboards and pages of players count it.",
        "%(count)s tournaments have been brought in; leaderboards and pages of players count them.",
        count,
    )
    messages.success(request, words % {"count": count})
    unread = [sheet.name for sheet in form.sheets if not sheet.is_read]
    if unread:
        words = ngettext(
            "Sheet not read: %(sheets)s.", "Sheets not read: %(sheets)s.", len(unread)
        )
        messages.warning(request, words % {"sheets": ", ".join(unread)})
    return True


def _to_put_right(form: ImportForm, past: Past) -> dict[str, object]:
    """Return what is wrong with a list, and the lines in which it can be put right."""
    cells: Sequence[Sequence[str]] = form.cleaned_data["cells"]
    file = form.files.get("file")
    return {
        "wrong": put_right(cells, past),
        "labels": LABELS.items(),
        "text": text_of_cells(cells),
        "first_lines": cells[:SHOWN_LINES],
        "name": file.name if file else form.data.get("name", ""),
    }


def _preview(form: ImportForm, club: Club, past: Past) -> dict[str, object]:
    """Return what the list would bring, and the list itself to be sent once more."""
    names = {same_name_key(name) for event in past.events for name in event.players}
    known_names = names & {same_name_key(name) for name in names_in_club(club)}
    file = form.files.get("file")
    held = club.tournaments.filter(name__in={event.name for event in past.events})
    there = {(tournament.held_on, tournament.name) for tournament in held}
    return {
        "again": [
            (number, event)
            for number, event in enumerate(past.events)
            if (event.day, event.name) in there
        ],
        "events": past.events,
        "reading": column_readings(
            past,
            today=club.local_day(timezone.now()),
            encodings=form.encodings,
            text=text_of_cells(form.cleaned_data["cells"]),
        ),
        "text": text_of_cells(form.cleaned_data["cells"]),
        "known": len(known_names),
        # As they are written first: one person however they are written.
        "new": sorted(
            {
                same_name_key(name): name
                for event in reversed(past.events)
                for name in event.players
                if same_name_key(name) not in known_names
            }.values(),
            key=reading_key,
        ),
        "name": file.name if file else form.data.get("name", ""),
    }


@post_only
@in_club(Role.DIRECTOR)
def import_act(request: HttpRequest, club: Club, pk: int, verb: str) -> HttpResponse:
    """Take past results out again, or bring them in once more."""
    past_import = get_object_or_404(club.imports, pk=pk)
    acts = {
        "undo": (undo_import, _("The past results are taken out again.")),
        "redo": (redo_import, _("The past results are brought in again.")),
    }
    if verb not in acts:
        raise Http404
    act, said = acts[verb]
    if verb == "undo" and past_import.undone_at is None:
        count = past_import.tournaments.count()
        words = ngettext(
            "%(n)s tournament is taken out. Leaderboards and pages of players no longer count it.",
            "%(n)s tournaments are taken out. Leaderboards and pages of players no longer count them.",
            count,
        )
        asked = ask_to_confirm(
            request,
            _("Undo this import: %(file)s?") % {"file": past_import.title},
            [words % {"n": count}, _("You can bring the list in again later.")],
            title=club.name,
            back=reverse("tournaments:imports", args=[club.slug]),
            back_label=_("Past results"),
            no=_("No, they stay"),
        )
        if asked:
            return asked
    run_action(
        request,
        lambda: act(import_id=past_import.pk, now=timezone.now()),
        said=said,
        changes=past_import,
    )
    return redirect("tournaments:imports", club.slug)


@signed_in
def bring_club(request: HttpRequest) -> HttpResponse:
    """Take the archive of a club, which the account directs from then on."""
    user = request.user
    assert isinstance(user, User)
    form = ArrivalForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        file = form.cleaned_data["file"]
        try:
            kept = store_arrival(
                user=user,
                key=form.cleaned_data["key"],
                name=file.name or "",
                content=file.read(),
                slug=form.cleaned_data["slug"],
                now=timezone.now(),
            )
        except RefusedError as refused:
            form.add_error(refused.field, refused.message)
        else:
            return redirect("tournaments:arrival", kept.key)
    return render(request, "tournaments/imports/bring_club.html", {"form": form})


@require_safe
@signed_in
def arrival(request: HttpRequest, key: UUID) -> HttpResponse:
    """Show what became of an archive: lead to the club, say why not, or wait for it."""
    kept = get_object_or_404(
        Arrival.objects.select_related("club").defer("content"),
        user=request.user,
        key=key,
    )
    if kept.club is not None:
        if kept.fault:
            messages.warning(request, kept.fault)
        return redirect(kept.club)
    waiting = Arrival.objects.waiting(timezone.now()).filter(pk=kept.pk)
    context = {"arrival": kept, "is_given_up": not kept.fault and not waiting.exists()}
    return render(request, "tournaments/imports/arrival.html", context)
