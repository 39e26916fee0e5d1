"""Entering a round of Tricky Bid: by sums, or by a tally that is added up automatically."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.games.entry_form import (
    EntryForm,
    choice_field,
    initial_seat_values,
    int_or_none_if_empty,
)
from scoring.games.record_paths import path_attrs
from scoring.locales.numbers import format_number
from scoring.rules.tricky_bid.tricks import DEALS, HIGHEST, MOST_POINTS


class AntesField(forms.CharField):
    """The numbers on the antes won in one trick."""

    def clean(self, value: Any) -> list[int]:
        """Return the numbers. Raises ValidationError if any is not on an ante."""
        parts = super().clean(value).replace(",", " ").split()
        numbers = [
            int(part)
            for part in parts
            if part.isascii() and len(part) < 3 and part.isdigit()
        ]
        if len(numbers) < len(parts) or max(numbers, default=0) > HIGHEST:
            raise forms.ValidationError(
                _("Enter antes from 0 to %(most)s, separated by spaces."),
                params={"most": HIGHEST},
            )
        return numbers


class TrickyBidForm(EntryForm):
    """The points of each player's antes."""

    share_prefix = "points"

    def add_hand_fields(self) -> None:
        self.add_seat_number_fields(
            "points", most=MOST_POINTS[self.state.seats], row=_("Points")
        )
        if self.has_tally:
            self._add_tally_fields()

    def add_screen_only_fields(self) -> None:
        if not self.has_tally:
            self._add_tally_fields()

    def _add_tally_fields(self) -> None:
        for trick in self.trick_indexes:
            values = {"number": trick + 1}
            self.fields[f"winner_{trick}"] = choice_field(
                _("Winner of trick %(number)s") % values,
                self.seat_choices,
                place=path_attrs(f"tally[{trick}].winner"),
            )
            self.fields[f"antes_{trick}"] = AntesField(
                label=_("Antes won in trick %(number)s") % values,
                required=False,
                widget=forms.TextInput(
                    attrs={
                        "autocomplete": "off",
                        "data-pad": "tally",
                        **path_attrs(f"tally[{trick}].antes", parse_as="words"),
                    }
                ),
            )

    @property
    def trick_indexes(self) -> range:
        return range(DEALS[self.state.seats].tricks)

    @property
    def required_field_names(self) -> list[str]:
        if self.has_tally:
            return [f"antes_{trick}" for trick in self.trick_indexes]
        return self.seat_field_names("points")

    @property
    def has_tally(self) -> bool:
        """Return whether a tally was entered, so that its sums are used."""
        return any(self.data.get(f"antes_{trick}") for trick in self.trick_indexes)

    @property
    def points_or_tally_sums(self) -> list[int | None]:
        if not self.has_tally:
            return self.entered_numbers_by_seat("points")
        sums = [0] * self.state.seats
        for trick in self.trick_indexes:
            winner = int_or_none_if_empty(self.cleaned_data.get(f"winner_{trick}"))
            if winner is not None:
                sums[winner] += sum(self.cleaned_data.get(f"antes_{trick}") or ())
        return list(sums)

    @property
    def entry_progress(self) -> str:
        """Return the sum and the possible maximum; for a tally, the points of each player."""
        points = self.points_or_tally_sums
        entered = [number for number in points if number is not None]
        if not entered:
            return ""
        if self.has_tally:
            pairs = zip(self.names, points, strict=True)
            return " · ".join(f"{name} {number}" for name, number in pairs)
        template = ngettext(
            "Total: %(sum)s point (at most %(most)s).",
            "Total: %(sum)s points (at most %(most)s).",
            sum(entered),
        )
        return template % {
            "sum": format_number(sum(entered)),
            "most": MOST_POINTS[self.state.seats],
        }

    @property
    def winner_and_antes_fields(
        self,
    ) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [
            (self[f"winner_{trick}"], self[f"antes_{trick}"])
            for trick in self.trick_indexes
        ]

    @property
    def empty_body(self) -> dict[str, Any]:
        return {"points": [None] * self.state.seats}

    @classmethod
    def initial_values(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        return initial_seat_values("points", raw.get("points"))
