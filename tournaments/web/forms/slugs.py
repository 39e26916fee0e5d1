"""The word by which an address names a club."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class SlugField(forms.SlugField):
    """A field for that word, which says what may stand in it."""

    def __init__(self, **options: Any) -> None:
        """Take the options of Django's own."""
        words = _(
            "Letters from a to z, digits and hyphens alone, without spaces: our-club."
        )
        super().__init__(max_length=40, error_messages={"invalid": words}, **options)
