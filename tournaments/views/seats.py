"""Seats of a table that were taken otherwise than they were drawn."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from scoring.operations import Author
from tournaments.forms import SeatsForm
from tournaments.models import Role, Table, Tournament
from tournaments.operations.changes import RefusedError
from tournaments.operations.seats import correct_seats
from tournaments.views.access import in_tournament


@in_tournament(Role.SCORER)
def table_seats(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> HttpResponse:
    """Show who is written at the seats of a table, and put them right."""
    found = get_object_or_404(
        Table.objects.select_related("round__tournament", "match"),
        round__tournament=tournament,
        round__number=number,
        number=table,
    )
    form = SeatsForm(request.POST or None, table=found)
    if request.method == "POST" and form.is_valid():
        try:
            correct_seats(
                table_id=found.pk,
                key=form.cleaned_data["key"],
                entry_ids=form.entry_ids,
                from_hand=form.cleaned_data["from_hand"],
                author=Author(
                    now=timezone.now(),
                    made_by=str(request.user)[:80],
                    reason=form.cleaned_data["reason"],
                    directs=True,
                ),
            )
        except RefusedError as refused:
            known = refused.field in form.fields
            form.add_error(refused.field if known else None, refused.message)
        else:
            return redirect("tournaments:desk", tournament.address)
    context = {"tournament": tournament, "table": found, "form": form}
    return render(request, "tournaments/table_seats.html", context)
