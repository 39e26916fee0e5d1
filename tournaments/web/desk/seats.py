"""Corrections of who sits at a table."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.games.text_fields import NameField
from scoring.games.words import names_in_a_row
from scoring.matchlog.commands import Author
from tournaments.changes import RefusedError
from tournaments.event.late_seats import can_lose_a_seat
from tournaments.event.seats import set_seats
from tournaments.models import Entry, Role, Table, Tournament, User
from tournaments.web.access import in_tournament


class SeatsForm(forms.Form):
    """Somebody for each seat, and since when."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    from_hand = forms.IntegerField(
        label=gettext_lazy("From which hand on? 1 for the whole match"),
        min_value=1,
        initial=1,
    )
    reason = NameField(
        label=gettext_lazy("Why?"),
        max_length=200,
        initial=gettext_lazy("they sat otherwise"),
    )

    field_order = ["key", *(f"seat_{seat}" for seat in range(8)), "from_hand", "reason"]

    def __init__(self, *args: Any, table: Table, **options: Any) -> None:
        """Offer everybody for each seat; chosen is who is written there now."""
        self.places = list(table.places.select_related("entry").order_by("index"))
        initial = {
            "key": uuid4(),
            **{f"seat_{place.index}": place.entry_id for place in self.places},
        }
        super().__init__(*args, **{"initial": initial, **options})
        everybody = table.round.tournament.entries.by_number()
        may_be_empty = can_lose_a_seat(table)
        for place in self.places:
            self.fields[f"seat_{place.index}"] = forms.ModelChoiceField(
                everybody,
                label=gettext_lazy("Seat %(number)s") % {"number": place.index + 1},
                empty_label=gettext_lazy("Nobody") if may_be_empty else None,
                required=not may_be_empty,
            )
        self.order_fields(self.field_order)

    @property
    def entry_ids(self) -> list[int | None]:
        """Return who was chosen, in the order of the seats; None for nobody."""
        chosen: list[Entry | None] = [
            self.cleaned_data[f"seat_{place.index}"] for place in self.places
        ]
        return [entry.pk if entry else None for entry in chosen]


@in_tournament(Role.SCORER)
def table_seats(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> HttpResponse:
    """Show who is written at the seats of a table, and put them right."""
    chosen_table = get_object_or_404(
        Table.objects.select_related("round__tournament", "match"),
        round__tournament=tournament,
        round__number=number,
        number=table,
    )
    assert isinstance(request.user, User)
    form = SeatsForm(request.POST or None, table=chosen_table)
    if request.method == "POST" and form.is_valid():
        try:
            changed = set_seats(
                table_id=chosen_table.pk,
                key=form.cleaned_data["key"],
                entry_ids=form.entry_ids,
                from_hand=form.cleaned_data["from_hand"],
                author=Author(
                    name=request.user.public_name[:80], may_change_closed=True
                ),
                reason=form.cleaned_data["reason"],
                now=timezone.now(),
            )
        except RefusedError as refused:
            field = refused.field if refused.field in form.fields else None
            form.add_error(field, refused.message)
        else:
            _show_changed(request, chosen_table, changed)
            return redirect("tournaments:desk", tournament.address)
    context = {
        "tournament": tournament,
        "table": chosen_table,
        "form": form,
        "may_be_empty": can_lose_a_seat(chosen_table),
    }
    return render(request, "tournaments/desk/table_seats.html", context)


def _show_changed(
    request: HttpRequest, table: Table, changed: Mapping[int, Sequence[str]]
) -> None:
    """Say who sits now at each table that changed."""
    if not changed:
        words = _("Nothing changed: table %(number)s was already seated like this.")
        messages.info(request, words % {"number": table.number})
        return
    words = _("Now at table %(number)s: %(names)s.")
    lines = [
        words % {"number": number, "names": names_in_a_row(list(names))}
        for number, names in changed.items()
    ]
    messages.success(request, " ".join(lines))
