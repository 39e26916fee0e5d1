"""What is looked for."""

from django import forms
from django.utils.translation import gettext_lazy as _


class SearchForm(forms.Form):
    """A name, a code or a day."""

    q = forms.CharField(
        label=_("A name, a tournament, or a day as in 2026-03-14 or 2026-03"),
        max_length=80,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
