"""Entering a hand of any game."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import EntryForm, number_field
from scoring.games.record_paths import path_attrs
from scoring.rules.any_game.game import MOST_POINTS


class AnyGameForm(EntryForm):
    """The points of each seat, and its bid in a match with bids."""

    def add_hand_fields(self) -> None:
        if self.state.options["bids"]:
            self._add_seat_number_fields("bids", _("%(name)s’s bid"))
        self._add_seat_number_fields("points", "%(name)s")

    def _add_seat_number_fields(self, key: str, prompt: Any) -> None:
        for seat, name in self.seat_choices:
            self.fields[f"{key}_{seat}"] = number_field(
                name,
                least=-MOST_POINTS,
                most=MOST_POINTS,
                digits=len(str(MOST_POINTS)),
                place=path_attrs(f"{key}[{seat}]", prompt=prompt % {"name": name}),
                # Keyboards for digits only have no minus.
                inputmode="text",
            )

    @property
    def bid_fields(self) -> list[forms.BoundField]:
        """Return the fields for bids; empty in a match without bids."""
        return [field for field in self if field.name.startswith("bids_")]

    @property
    def required_field_names(self) -> list[str]:
        return self.seat_field_names("points")

    @property
    def empty_body(self) -> dict[str, Any]:
        return {"points": [None] * self.state.seats}

    @property
    def entry_progress(self) -> str:
        points = [
            number
            for number in self.entered_numbers_by_seat("points")
            if number is not None
        ]
        if len(points) < 2:
            return ""
        return gettext("Total: %(sum)s") % {"sum": sum(points)}
