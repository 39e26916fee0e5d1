"""Penalties."""

import re
from fractions import Fraction
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField
from tournaments.models import Entry, Tournament

POSITIVE = re.compile(r"\d{1,6}(/[1-9]\d{0,3}|[.,]\d{1,4})?", re.ASCII)


class PenaltyForm(forms.Form):
    """Points taken away from somebody, and why."""

    entry = forms.ModelChoiceField(
        Entry.objects.none(), label=_("Player"), empty_label=_("Who?")
    )
    points = forms.CharField(label=_("Points"), max_length=12)
    reason = NameField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, tournament: Tournament, **options: Any) -> None:
        """Make a form that offers the tournament's players."""
        super().__init__(*args, **options)
        entry = self.fields["entry"]
        assert isinstance(entry, forms.ModelChoiceField)
        entry.queryset = tournament.entries.by_number()

    def clean_points(self) -> str:
        """Return the points as an exact number; refuse what is none, or below zero."""
        text = self.cleaned_data["points"].strip()
        is_number = POSITIVE.fullmatch(text)
        points = Fraction(text.replace(",", ".")) if is_number else Fraction()
        if points <= 0:
            raise forms.ValidationError(_("A number above zero, as in 3, 0.5 or 1/2."))
        return str(points)
