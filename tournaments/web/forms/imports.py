"""A list of past results."""

from typing import Any
from uuid import uuid4

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import game_choices
from tournaments.event.setup.entry_lists import (
    UnreadableListError,
    rows_in_file,
    rows_of,
)
from tournaments.history.imports.past_results import MOST_LINES

LARGEST_FILE = 4_000_000
"""Bytes."""


class ImportForm(forms.Form):
    """A pasted list or a file, and what was played where it does not say."""

    game = forms.ChoiceField(
        label=_("Game, where a line does not say it"),
        choices=game_choices,
    )
    text = forms.CharField(
        label=_("The list, with a line of headings"),
        required=False,
        max_length=LARGEST_FILE,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    file = forms.FileField(
        label=_("or a file: CSV or XLSX"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt"}),
    )
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def clean_file(self) -> list[list[str]]:
        """Return the cells of the file; refuse one that cannot be read."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return []
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("Past results fit into four megabytes."))
        try:
            return rows_in_file(file.name or "", file.read(), most=MOST_LINES + 2)
        except UnreadableListError:
            raise forms.ValidationError(
                _("This is neither a CSV nor an XLSX file; save it as one of them.")
            ) from None

    def clean(self) -> dict[str, Any]:
        """Take the file, else what was pasted; refuse neither."""
        cleaned = super().clean() or {}
        cells = cleaned.get("file") or rows_of(
            cleaned.get("text", "").replace("\x00", ""), most=MOST_LINES + 2
        )
        if not cells and not self.errors:
            self.add_error("text", _("Paste a list, or choose a file."))
        cleaned["cells"] = cells
        return cleaned
