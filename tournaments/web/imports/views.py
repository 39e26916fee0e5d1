"""Imports of past results and of whole clubs."""

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
from tournaments.history.imports.files import csv_from_cells
from tournaments.history.imports.imports import import_results, redo_import, undo_import
from tournaments.history.imports.past_results import (
    LABELS,
    PastResultsReading,
    read_past_results,
    with_replaced_names,
)
from tournaments.history.imports.uploads import choose_sheet, store_or_replace_upload
from tournaments.models import Arrival, Club, Import, Role, Upload, User
from tournaments.names import localized_sort_key
from tournaments.people.identities import names_in_club
from tournaments.people.similar_names import find_similar_players
from tournaments.web.access import in_club, requires_account
from tournaments.web.actions import confirmation_page, run_action, show_refusals
from tournaments.web.imports.corrections import (
    SHOWN_LINES,
    ambiguity_questions,
    build_list_to_correct,
    describe_date_and_points_readings,
    encoding_question,
)
from tournaments.web.imports.forms import (
    ClubImportForm,
    PastResultsImportForm,
    WorkbookSheet,
    list_sheets_if_several,
)
from tournaments.web.players.forms import SimilarNamesForm


@in_club(Role.DIRECTOR)
def import_past_results_page(request: HttpRequest, club: Club) -> HttpResponse:
    form = PastResultsImportForm(request.POST or None, request.FILES or None)
    if form.is_valid() and form.large:
        name, content = form.large
        new_upload = store_or_replace_upload(
            club=club,
            key=form.cleaned_data["key"],
            name=name,
            content=content,
            game=form.cleaned_data["game"],
            family_first=form.cleaned_data["family_first"],
            now=timezone.now(),
        )
        return redirect("tournaments:upload", club.slug, new_upload.key)
    return _preview_or_import(request, club, form)


@in_club(Role.DIRECTOR)
def past_results_upload_page(
    request: HttpRequest, club: Club, key: UUID
) -> HttpResponse:
    """Show a large file once a worker has read it, and a waiting page until then.

    POST chooses another of its sheets.
    """
    stored_upload = get_object_or_404(club.uploads.defer("content"), key=key)
    if request.method == "POST":
        sheet = request.POST.get("sheet", "")
        if sheet.isascii() and sheet.isdigit():
            choose_sheet(
                upload_id=stored_upload.pk, sheet=int(sheet), now=timezone.now()
            )
        return redirect("tournaments:upload", club.slug, stored_upload.key)
    if stored_upload.cells is not None:
        form = PastResultsImportForm(
            {
                "text": csv_from_cells(stored_upload.cells),
                "name": stored_upload.name,
                "game": stored_upload.game,
                "key": str(stored_upload.key),
                **({"family_first": "on"} if stored_upload.family_first else {}),
                "read_sheet": stored_upload.sheet,
                "read_as": next(
                    iter(
                        ambiguous_encodings(
                            stored_upload.name, bytes(stored_upload.content)
                        )
                    ),
                    "",
                ),
            }
        )
        width = max(map(len, stored_upload.cells), default=0)
        form.has_hidden_cells = has_hidden_cells(
            bytes(stored_upload.content), stored_upload.sheet or 0, width=width
        )
        return _preview_or_import(request, club, form, stored_upload)
    unread = Upload.objects.awaiting_reading(timezone.now())
    context = {
        "club": club,
        "upload": stored_upload,
        "is_given_up": not unread.filter(pk=stored_upload.pk).exists(),
        "form": {"sheets": _list_upload_sheets(stored_upload, stored_upload.sheet)},
    }
    return render(request, "tournaments/imports/upload.html", context)


def _list_upload_sheets(upload: Upload, chosen: int | None) -> list[WorkbookSheet]:
    return list_sheets_if_several(
        upload.sheets, fitting=upload.fitting_sheets, chosen=chosen or 0
    )


def _preview_or_import(
    request: HttpRequest,
    club: Club,
    form: PastResultsImportForm,
    upload: Upload | None = None,
) -> HttpResponse:
    """Show a preview of a list, and import it once it is confirmed."""
    past = doubles = None
    if form.is_valid() and upload is None:
        uploads = club.uploads.defer("content", "cells")
        upload = uploads.filter(key=form.cleaned_data["key"]).first()
    if upload is not None:
        read_sheet = form.cleaned_data.get("read_sheet")
        form.sheets = _list_upload_sheets(upload, read_sheet)
    if form.is_valid():
        past = read_past_results(
            form.cleaned_data["cells"],
            game=form.cleaned_data["game"],
            today=club.local_day(timezone.now()),
            decimal=form.cleaned_data["decimal"] or None,
            day_order=form.cleaned_data["day_order"] or None,
        )
        doubles = SimilarNamesForm(
            request.POST if "confirm" in request.POST else None,
            doubles=find_similar_players(
                club, [name for event in past.events for name in event.players]
            ),
        )
        is_confirmed = "confirm" in request.POST and doubles.is_valid()
        if is_confirmed and not past.faults:
            if not past.is_unambiguous or len(form.encodings) > 1:
                message = _("Choose how Tricky should read the list, then import it.")
                messages.error(request, message)
            elif _import_and_show_result(
                request, club, form, past, doubles.meant_names_by_typed
            ):
                if not any(sheet.looks_like_unread_results for sheet in form.sheets):
                    return redirect("tournaments:imports", club.slug)
                # The next page offers the other sheets. No redirect: sending this again imports
                # nothing new, since the key is the same.
                form, past = form.build_other_sheets_form(), None
    files: dict[object, list[Import]] = {}
    for past_import in club.imports.prefetch_related("tournaments__club"):
        # Pasted lists have no name to group them by.
        files.setdefault(past_import.name or past_import.pk, []).append(past_import)
    context = {
        "club": club,
        "form": form,
        "upload": upload,
        "read_as": next(iter(form.encodings), ""),
        "name": request.POST.get("name", ""),
        "doubles": doubles,
        "files": [(imports[0].title, imports) for imports in files.values()],
    }
    if past is not None:
        context |= _preview_context(form, club, past)
    return render(request, "tournaments/imports/imports.html", context)


def _import_and_show_result(
    request: HttpRequest,
    club: Club,
    form: PastResultsImportForm,
    past: PastResultsReading,
    meant_names_by_typed: dict[str, str],
) -> bool:
    """Import the events that are not left out, and show the result; return whether it worked."""
    left_out = [
        event
        for number, event in enumerate(past.events)
        if request.POST.get(f"again-{number}") == "leave"
    ]
    if left_out == past.events:
        message = _("You left everything out, so there’s nothing to import.")
        messages.warning(request, message)
        return False
    rows = with_replaced_names(past.settled, past, meant_names_by_typed)
    skipped_lines = {row.line for event in left_out for row in event.rows}
    cells = [[] if line in skipped_lines else row for line, row in enumerate(rows, 1)]
    assert isinstance(request.user, User)
    try:
        past_import = import_results(
            club_id=club.pk,
            key=form.import_key,
            name=request.POST.get("name", ""),
            game=form.cleaned_data["game"],
            cells=cells,
            user=request.user,
            now=timezone.now(),
        )
    except RefusedError as refused:
        form.add_error("text", refused.message)
        messages.error(request, refused.message)
        return False
    count = past_import.tournaments.count()
    message = ngettext(
        "%(count)s tournament imported. Leaderboards and player pages now include it.",
        "%(count)s tournaments imported. Leaderboards and player pages now include "
        "them.",
        count,
    )
    messages.success(request, message % {"count": count})
    unread = [sheet.name for sheet in form.sheets if not sheet.is_read]
    if unread:
        message = ngettext(
            "Skipped sheet: %(sheets)s.", "Skipped sheets: %(sheets)s.", len(unread)
        )
        messages.warning(request, message % {"sheets": ", ".join(unread)})
    return True


def _preview_context(
    form: PastResultsImportForm, club: Club, past: PastResultsReading
) -> dict[str, object]:
    """Return the context of a list: its events, open questions and faults."""
    cells, file = form.cleaned_data["cells"], form.files.get("file")
    context: dict[str, object] = {}
    if past.events or past.faults:
        context["text"] = csv_from_cells(cells)
        context["name"] = file.name if file else form.data.get("name", "")
    if past.faults:
        context["wrong"] = build_list_to_correct(cells, past)
        context["labels"] = LABELS.items()
        context["first_lines"] = cells[:SHOWN_LINES]
    if not past.events:
        return context
    # One name for each person, in its first spelling.
    names = {
        same_name_key(name): name
        for event in reversed(past.events)
        for name in event.players
    }
    known_keys = names.keys() & {same_name_key(name) for name in names_in_club(club)}
    questions = ambiguity_questions(past, today=club.local_day(timezone.now()))
    if len(form.encodings) > 1:
        text = csv_from_cells(cells).encode(form.encodings[0])
        questions.insert(0, encoding_question(text, form.encodings))
    namesakes = club.tournaments.filter(name__in={event.name for event in past.events})
    existing = {(tournament.held_on, tournament.name) for tournament in namesakes}
    return context | {
        "again": [
            (number, event)
            for number, event in enumerate(past.events)
            if (event.day, event.name) in existing
        ],
        "events": past.events,
        "questions": questions,
        "columns": describe_date_and_points_readings(past),
        "known": len(known_keys),
        "new": sorted(
            (name for key, name in names.items() if key not in known_keys),
            key=localized_sort_key,
        ),
    }


@post_only
@in_club(Role.DIRECTOR)
def undo_or_redo_import(
    request: HttpRequest, club: Club, pk: int, verb: str
) -> HttpResponse:
    past_import = get_object_or_404(club.imports, pk=pk)
    acts = {
        "undo": (undo_import, _("Import undone.")),
        "redo": (redo_import, _("Past results imported again.")),
    }
    if verb not in acts:
        raise Http404
    act, message = acts[verb]
    is_undone = past_import.undone_at is not None
    if verb == "undo" and not is_undone and "sure" not in request.POST:
        count = past_import.tournaments.count()
        text = ngettext(
            "%(n)s tournament will be removed. Leaderboards and player pages will no "
            "longer include it.",
            "%(n)s tournaments will be removed. Leaderboards and player pages will no "
            "longer include them.",
            count,
        )
        return confirmation_page(
            request,
            _("Undo the import of %(file)s?") % {"file": past_import.title},
            [text % {"n": count}, _("You can import the list again later.")],
            title=club.name,
            back_url=reverse("tournaments:imports", args=[club.slug]),
            back_label=_("Import past results"),
            confirm_label=_("Undo import"),
        )
    run_action(
        request,
        lambda: act(import_id=past_import.pk, now=timezone.now()),
        success_message=message,
        changes=past_import,
    )
    return redirect("tournaments:imports", club.slug)


@requires_account
def upload_club_archive_page(request: HttpRequest) -> HttpResponse:
    """Upload the archive of a club, which the account will direct."""
    user = request.user
    assert isinstance(user, User)
    form = ClubImportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        file = form.cleaned_data["file"]
        with show_refusals(form):
            new_arrival = store_arrival(
                user=user,
                key=form.cleaned_data["key"],
                name=file.name or "",
                content=file.read(),
                slug=form.cleaned_data["slug"],
                now=timezone.now(),
            )
            return redirect("tournaments:club_import_status", new_arrival.key)
    return render(request, "tournaments/imports/club_import.html", {"form": form})


@require_safe
@requires_account
def club_import_status_page(request: HttpRequest, key: UUID) -> HttpResponse:
    """Redirect to the imported club, or show why the import failed or is still waiting."""
    stored_arrival = get_object_or_404(
        Arrival.objects.select_related("club").defer("content"),
        user=request.user,
        key=key,
    )
    if stored_arrival.club is not None:
        if stored_arrival.fault:
            messages.warning(request, stored_arrival.fault)
        return redirect(stored_arrival.club)
    waiting = Arrival.objects.awaiting_import(timezone.now()).filter(
        pk=stored_arrival.pk
    )
    context = {
        "arrival": stored_arrival,
        "is_given_up": not stored_arrival.fault and not waiting.exists(),
    }
    return render(request, "tournaments/imports/club_import_report.html", context)
