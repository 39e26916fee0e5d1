"""Forms about players: merges and deletions."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class MergeForm(forms.Form):
    """Two names of one person."""

    merged = forms.TypedChoiceField(label=_("This one"), coerce=int)
    kept = forms.TypedChoiceField(
        label=_("is this one, and goes by this name"), coerce=int
    )

    def __init__(self, *args: Any, known: Mapping[int, str], **options: Any) -> None:
        """Offer the players of a club."""
        super().__init__(*args, **options)
        for name in ("merged", "kept"):
            field = self.fields[name]
            assert isinstance(field, forms.TypedChoiceField)
            field.choices = list(known.items())

    def clean(self) -> dict[str, Any]:
        """Refuse one player for both."""
        cleaned = super().clean() or {}
        if "kept" in cleaned and cleaned["kept"] == cleaned.get("merged"):
            self.add_error("kept", _("Choose two different players."))
        return cleaned


class EraseForm(forms.Form):
    """The name of who is to be forgotten, typed out: nothing brings it back."""

    name = forms.CharField(
        label=_("The name, as it is written here"),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
