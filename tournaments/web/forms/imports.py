"""A list of past results."""

import re
from typing import Any
from uuid import uuid4

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import game_choices
from tournaments.event.setup.spreadsheets import (
    LARGEST_UNPACKED,
    LONGEST_CELL,
    MOST_COLUMNS,
    UnreadableListError,
    rows_in_file,
    rows_of,
    unpacked_size,
)
from tournaments.history.imports.past_results import LABELS, MOST_READ, families_last

LARGEST_FILE, LARGE_FILE = 4_000_000, 300_000
"""Bytes: what is refused, and what is read by a worker."""
LARGE_UNPACKED = 1_500_000
"""Bytes from which on a spreadsheet is read by a worker, however small it is packed."""
CELL = re.compile(r"cell-(\d{1,6})-(\d{1,3})")
"""The name of a field in which one cell is put right: its line, from 1, and its column."""
LEFT_OUT = re.compile(r"leave-(\d{1,6})")
"""The name of a field that leaves a line out."""


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
    family_first = forms.BooleanField(
        label=_("Names begin with the family name, as in “Müller Anna”"), required=False
    )
    large: tuple[str, bytes] | None = None
    """The name and the bytes of a file that a worker is to read."""
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def clean_file(self) -> list[list[str]]:
        """Return the cells of the file; refuse one that cannot be read."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return []
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("Past results fit into four megabytes."))
        content = file.read()
        unpacked = unpacked_size(content)
        if len(content) > LARGE_FILE or LARGE_UNPACKED < unpacked <= LARGEST_UNPACKED:
            self.large = (file.name or "", content)
            return []
        try:
            return rows_in_file(file.name or "", content, most=MOST_READ)
        except UnreadableListError as unreadable:
            raise forms.ValidationError(str(unreadable)) from None

    def clean(self) -> dict[str, Any]:
        """Take the file, else what was pasted, as far as it was put right; refuse neither."""
        cleaned = super().clean() or {}
        if self.large:
            return cleaned
        cells = cleaned.get("file")
        if not cells:
            try:
                text = cleaned.get("text", "").replace("\x00", "")
                cells = rows_of(text, most=MOST_READ)
            except UnreadableListError as unreadable:
                self.add_error("text", str(unreadable))
        if not cells and not self.errors:
            self.add_error("text", _("Paste a list, or choose a file."))
        cells = self._put_right(cells or [])
        if cleaned.get("family_first"):
            cells = families_last(cells)
        cleaned["cells"] = cells
        return cleaned

    def _put_right(self, cells: list[list[str]]) -> list[list[str]]:
        """Return the list with the cells that were written anew, and its columns named."""
        for name, value in self.data.items():
            if found := CELL.fullmatch(name):
                line, place = int(found[1]) - 1, int(found[2])
                if line < len(cells) and place < MOST_COLUMNS:
                    row = cells[line]
                    row += [""] * (place + 1 - len(row))
                    row[place] = str(value)[:LONGEST_CELL]
        for name in self.data:
            if (left := LEFT_OUT.fullmatch(name)) and 0 < int(left[1]) <= len(cells):
                # Empty, not gone: the lines below keep their numbers.
                cells[int(left[1]) - 1] = []
        named = [str(self.data.get(f"column-{n}", "")) for n in range(MOST_COLUMNS)]
        if not any(named):
            return cells
        names = [name if name in LABELS else "" for name in named]
        while not names[-1]:
            names.pop()
        return [names, *(cells[1:] if "has_heads" in self.data else cells)]
