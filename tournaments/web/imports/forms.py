"""Forms of imports."""

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import game_choices
from tournaments.event.setup.spreadsheets import (
    LARGEST_UNPACKED,
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_SHEETS,
    OLDER_ENCODINGS,
    SPREADSHEET,
    UnreadableListError,
    encodings_of,
    plausible_encodings,
    unpacked_size,
)
from tournaments.files.archive.arrivals import LARGEST
from tournaments.history.imports.crosstables import unpivot
from tournaments.history.imports.files import (
    cells_in_file,
    cells_in_text,
    fitting_sheets,
)
from tournaments.history.imports.past_results import (
    LABELS,
    families_last,
    is_list,
    with_day,
    with_headings,
)
from tournaments.models import Club
from tournaments.web.fields import SlugField

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
        label=_("or a file: CSV, XLSX or JSON"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt,.json"}),
    )
    family_first = forms.BooleanField(
        label=_("Names begin with the family name, as in “Müller Anna”"), required=False
    )
    day = forms.DateField(
        label=_("Day, if the list has none"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
    )
    decimal = forms.ChoiceField(
        choices=[(".", "."), (",", ",")], required=False, widget=forms.HiddenInput
    )
    day_order = forms.ChoiceField(
        choices=[("dmy", "dmy"), ("mdy", "mdy")],
        required=False,
        widget=forms.HiddenInput,
    )
    """Answers for columns that can be read in two ways."""
    read_as = forms.ChoiceField(
        choices=[(each, each) for each in OLDER_ENCODINGS],
        required=False,
        widget=forms.HiddenInput,
    )
    encoding = forms.ChoiceField(
        choices=[(each, each) for each in OLDER_ENCODINGS],
        required=False,
        widget=forms.HiddenInput,
    )
    """In which of the older encodings the text was read, and in which it is to be."""
    encodings: Sequence[str] = ()
    """Those that make as sensible words; empty if there is nothing to choose."""
    workbook = forms.CharField(
        required=False, max_length=LARGE_FILE * 2, widget=forms.HiddenInput
    )
    """A workbook in base 64, so that another of its sheets can be read."""
    sheet = forms.IntegerField(
        required=False, min_value=0, max_value=MOST_SHEETS, widget=forms.HiddenInput
    )
    sheets: Sequence[str] = ()
    """The names of its sheets; empty for a file that is no workbook."""
    chosen_sheet: int = 0
    packed_workbook: str = ""
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
            self.encodings = encodings_of(file.name or "", content)
            return self._read(file.name or "", content)
        except UnreadableListError as unreadable:
            raise forms.ValidationError(str(unreadable)) from None

    def _read(
        self, name: str, content: bytes, sheet: int | None = None
    ) -> list[list[str]]:
        """Return the cells of a file, and remember a workbook of several sheets."""
        today = timezone.localdate()
        found = fitting_sheets(name, content, today=today)
        chosen = found.fitting if sheet is None else sheet
        if len(found.names) > 1:
            self.sheets, self.chosen_sheet = found.names, chosen
            self.packed_workbook = b64encode(content).decode()
        return cells_in_file(name, content, today=today, sheet=chosen)

    def _read_sheet(self) -> list[list[str]]:
        """Return the cells of the chosen sheet of a workbook that came before."""
        try:
            content = b64decode(self.cleaned_data["workbook"])
        except binascii.Error:
            content = b""
        if (
            not content.startswith(SPREADSHEET)
            or unpacked_size(content) > LARGE_UNPACKED
        ):
            raise UnreadableListError(_("Choose the file again."))
        return self._read("list.xlsx", content, self.cleaned_data["sheet"])

    def clean(self) -> dict[str, Any]:
        """Take the file, else what was pasted, as far as it was put right; refuse neither."""
        cleaned = super().clean() or {}
        if self.large:
            return cleaned
        cells = cleaned.get("file")
        if not cells:
            try:
                if cleaned.get("workbook") and cleaned.get("sheet") is not None:
                    cells = self._read_sheet()
                else:
                    text = cleaned.get("text", "").replace("\x00", "")
                    cells = cells_in_text(self._read_again(text))
            except UnreadableListError as unreadable:
                self.add_error("text", str(unreadable))
        if not cells and not self.errors:
            self.add_error("text", _("Paste a list, or choose a file."))
        today = timezone.localdate()
        cells = unpivot(cells or [], is_list=is_list, today=today)
        cells = self._put_right(cells)
        if cleaned.get("day"):
            cells = with_day(cells, cleaned["day"])
        if cleaned.get("family_first"):
            cells = families_last(cells)
        cleaned["cells"] = cells
        return cleaned

    def _read_again(self, text: str) -> str:
        """Return a text in the encoding that was chosen for it."""
        read_as = self.cleaned_data.get("read_as")
        encoding = self.cleaned_data.get("encoding")
        if not read_as:
            return text
        try:
            content = text.encode(read_as)
            self.encodings = [] if encoding else plausible_encodings(content)
            return content.decode(encoding or read_as)
        except UnicodeError:
            # A cell was put right with letters that the encoding lacks.
            return text

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
        if "has_heads" in self.data:
            return [names, *cells[1:]]
        return with_headings(cells, names)


class ArrivalForm(forms.Form):
    """The archive, and another address where its own is taken."""

    file = forms.FileField(
        label=_("The archive: a ZIP of at most four megabytes"),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
    slug = SlugField(
        label=_("Another address for the club, where its own is taken"), required=False
    )
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def clean_file(self) -> Any:
        """Return the file; refuse one that is not read to its end."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST:
            raise forms.ValidationError(
                _(
                    "This archive is larger than four megabytes. Whoever runs this host "
                    "can bring it in: manage.py import_club."
                )
            )
        return file

    def clean_slug(self) -> str:
        """Return the address; refuse one that is taken."""
        slug = str(self.cleaned_data["slug"]).lower()
        if slug and Club.objects.filter(slug=slug).exists():
            raise forms.ValidationError(
                _("There is a club at this address already; choose another.")
            )
        return slug
