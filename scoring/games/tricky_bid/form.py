"""Entering a round of Tricky Bid: sums, or a tally that adds up by itself."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.games.entry_form import (
    EntryForm,
    choice_field,
    number_field,
    seat_values,
    whole,
)
from scoring.games.record_paths import at
from scoring.rules.numbers import grouped
from scoring.rules.tricky_bid.tricks import DEALS, HIGHEST, MOST_POINTS


class AntesField(forms.CharField):
    """The numbers on the antes that one trick brought, as they were typed."""

    def clean(self, value: Any) -> list[int]:
        """Return the numbers; refuse what no ante shows."""
        words = super().clean(value).replace(",", " ").split()
        numbers = [
            int(word)
            for word in words
            if word.isascii() and len(word) < 3 and word.isdigit()
        ]
        if len(numbers) < len(words) or max(numbers, default=0) > HIGHEST:
            raise forms.ValidationError(
                _("Antes show 0 to %(most)s; put a space between two of them."),
                params={"most": HIGHEST},
            )
        return numbers


class TrickyBidForm(EntryForm):
    """The points that each player's antes came to."""

    takings = "points"

    def add_seat_fields(self) -> None:
        """Add the points of each seat, and a winner and antes for each trick."""
        for seat, name in self.seat_choices:
            self.fields[f"points_{seat}"] = number_field(
                name,
                most=MOST_POINTS[self.state.seats],
                row=_("Points"),
                place=at(f"points[{seat}]"),
            )
        if self.has_tally:
            self._add_tally()

    def add_empty_fields(self) -> None:
        """Add the tally."""
        if not self.has_tally:
            self._add_tally()

    def _add_tally(self) -> None:
        for trick in self.tricks:
            words = {"number": trick + 1}
            self.fields[f"winner_{trick}"] = choice_field(
                _("Trick %(number)s: winner") % words,
                self.seat_choices,
                place=at(f"tally[{trick}].winner"),
            )
            self.fields[f"antes_{trick}"] = AntesField(
                label=_("Trick %(number)s: antes won") % words,
                required=False,
                widget=forms.TextInput(
                    attrs={
                        "autocomplete": "off",
                        "data-pad": "tally",
                        **at(f"tally[{trick}].antes", as_="words"),
                    }
                ),
            )

    @property
    def tricks(self) -> range:
        """Return the tricks of a round."""
        return range(DEALS[self.state.seats].tricks)

    @property
    def needed(self) -> list[str]:
        """Return everybody's points, or every trick of the tally."""
        if self.has_tally:
            return [f"antes_{trick}" for trick in self.tricks]
        return [f"points_{seat}" for seat in range(self.state.seats)]

    @property
    def has_tally(self) -> bool:
        """Tell whether tricks were tallied, so that sums follow from them."""
        return any(self.data.get(f"antes_{trick}") for trick in self.tricks)

    @property
    def points(self) -> list[int | None]:
        """Return the points as entered, or as the tally adds up."""
        if not self.has_tally:
            return self.numbers("points")
        sums = [0] * self.state.seats
        for trick in self.tricks:
            winner = whole(self.cleaned_data.get(f"winner_{trick}"))
            if winner is not None:
                sums[winner] += sum(self.cleaned_data.get(f"antes_{trick}") or ())
        return list(sums)

    @property
    def balance(self) -> str:
        """Return the sum beside what the antes can come to; by name for a tally."""
        points = self.points
        entered = [taken for taken in points if taken is not None]
        if not entered:
            return ""
        if self.has_tally:
            pairs = zip(self.names, points, strict=True)
            return " · ".join(f"{name} {taken}" for name, taken in pairs)
        words = ngettext(
            "%(sum)s point in all, of at most %(most)s.",
            "%(sum)s points in all, of at most %(most)s.",
            sum(entered),
        )
        return words % {
            "sum": grouped(sum(entered)),
            "most": MOST_POINTS[self.state.seats],
        }

    @property
    def tally(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        """Return the winner and the antes of each trick."""
        return [
            (self[f"winner_{trick}"], self[f"antes_{trick}"]) for trick in self.tricks
        ]

    @property
    def blank(self) -> dict[str, Any]:
        """Return points that nobody said."""
        return {"points": [None] * self.state.seats}

    @classmethod
    def initial_from(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the initial values that show a raw round."""
        return seat_values("points", raw.get("points"))
