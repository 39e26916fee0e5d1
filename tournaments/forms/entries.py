"""Names of players."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.rules.record import LONGEST_NAME
from tournaments.operations.entries import read_names

MOST_NAMES = 500


class NamesForm(forms.Form):
    """A pasted list of names."""

    names = forms.CharField(
        label=_("Names, one a line"),
        max_length=MOST_NAMES * (LONGEST_NAME + 5),
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    here = forms.BooleanField(label=_("They are here"), required=False)

    def clean_names(self) -> list[str]:
        """Return the names; refuse a list without any."""
        names = read_names(self.cleaned_data["names"])
        if not names:
            raise forms.ValidationError(_("There is no name in this list."))
        return names


class JoinForm(forms.Form):
    """Somebody who enters by themselves."""

    name = forms.CharField(label=_("Your name"), max_length=LONGEST_NAME)


class SubstituteForm(forms.Form):
    """Who plays on for somebody."""

    name = forms.CharField(label=_("Who plays on?"), max_length=LONGEST_NAME)
