"""One trick of a recorded hand, as its players put it down."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

Laid = tuple[int, str]
"""A seat, and what it put down: `ante` or `play`."""


class ChangeTrickForm(forms.Form):
    """What each seat put into a trick."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    base = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        *args: Any,
        laid: Mapping[Laid, Sequence[str]],
        names: Sequence[str],
        **options: Any,
    ) -> None:
        """Make a form for what was laid, in playing order."""
        super().__init__(*args, **options)
        self.laid = laid
        for (seat, asks), pieces in laid.items():
            label = _("%(name)s (ante)") if asks == "ante" else "%(name)s"
            self.fields[f"{asks}_{seat}"] = forms.CharField(
                label=label % {"name": names[seat]},
                max_length=40,
                initial=" ".join(pieces),
                widget=forms.TextInput(
                    attrs={
                        "autocomplete": "off",
                        "data-pieces": "one",
                        "data-most": len(pieces),
                    }
                ),
            )

    def clean(self) -> dict[str, Any]:
        """Refuse more or fewer pieces than somebody put down: one too many would be the next one's."""
        cleaned = super().clean() or {}
        for (seat, asks), pieces in self.laid.items():
            name = f"{asks}_{seat}"
            if name in cleaned and len(cleaned[name].split()) != len(pieces):
                message = ngettext(
                    "One piece is put down here.",
                    "%(n)s pieces are put down here.",
                    len(pieces),
                )
                self.add_error(name, message % {"n": len(pieces)})
        return cleaned

    @property
    def pieces(self) -> dict[Laid, Sequence[str]]:
        """Return what was said, by seat and what it put down."""
        return {
            (seat, asks): self.cleaned_data[f"{asks}_{seat}"].split()
            for seat, asks in self.laid
        }
