"""Who really sits at a table."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField
from tournaments.event.late_seats import can_lose_a_seat
from tournaments.models import Entry, Table


class SeatsForm(forms.Form):
    """Somebody for each seat, and since when."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    from_hand = forms.IntegerField(
        label=_("From which hand on? 1 for the whole match"), min_value=1, initial=1
    )
    reason = NameField(label=_("Why?"), max_length=200, initial=_("they sat otherwise"))

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
                label=_("Seat %(number)s") % {"number": place.index + 1},
                empty_label=_("Nobody") if may_be_empty else None,
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
