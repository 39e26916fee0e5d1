"""Tie-breaks in their order, each by what it says."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.standings.tie_breaks import NAMES, TIE_BREAKS

OFFERED = 8
"""Places in the order, where not more are taken already."""


class InOrder(forms.MultiWidget):
    """A list of choices for each place."""

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        """Return what is chosen for each place."""
        return list(value or ())


class TieBreaksField(forms.MultiValueField):
    """Names of tie-breaks, in the order in which they decide."""

    def __init__(self, *, places: int = OFFERED, **options: Any) -> None:
        """Offer so many places."""
        choices = [
            ("", "–"),
            *((code, gettext_lazy(TIE_BREAKS[code].explanation)) for code in NAMES),
        ]
        fields = [
            forms.ChoiceField(choices=choices, required=False)
            for _place in range(places)
        ]
        lists = [
            forms.Select(choices=choices, attrs={"aria-label": f"{place}."})
            for place in range(1, places + 1)
        ]
        super().__init__(
            fields, widget=InOrder(lists), require_all_fields=False, **options
        )

    def compress(self, data_list: Sequence[str]) -> list[str]:
        """Return those that were chosen; refuse one that was chosen twice."""
        chosen = [name for name in data_list if name]
        if len(set(chosen)) < len(chosen):
            raise forms.ValidationError(_("Each of them once at most."))
        return chosen
