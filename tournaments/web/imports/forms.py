"""Forms of imports."""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import game_choices
from tournaments.event.setup.spreadsheets import (
    LARGEST_UNPACKED,
    LONGEST_CELL,
    MOST_COLUMNS,
    MOST_PARTS,
    OLDER_ENCODINGS,
    SPREADSHEET,
    UnreadableListError,
    ambiguous_encodings,
    has_hidden_cells,
    plausible_encodings,
    unpacked_size,
)
from tournaments.files.archive.arrivals import LARGEST
from tournaments.history.imports.crosstables import PLAYER_CELL, unpivot
from tournaments.history.imports.files import (
    cells_in_file,
    cells_in_text,
    list_sheets_and_best_fit,
)
from tournaments.history.imports.past_results import (
    LABELS,
    LOWEST_WINS,
    clear_lines,
    has_list_headings,
    heading_line_index,
    move_family_names_last,
    with_column,
    with_headings_and_line_numbers,
)
from tournaments.models import Club
from tournaments.web.fields import SlugField

LARGEST_FILE, LARGE_FILE = 4_000_000, 300_000
"""Bytes above which a file is refused, and above which a worker reads it."""
LARGE_UNPACKED = 1_500_000
"""Unpacked bytes above which a worker reads a spreadsheet."""
CELL = re.compile(r"(cell|player)-(\d{1,6})-(\d{1,3})")
"""Name of a field that corrects a cell or confirms a player: line from 1, column from 0."""
LEFT_OUT = re.compile(r"leave-(\d{1,6})")
"""Name of a field that leaves out a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookSheet:
    """A sheet of a workbook with several sheets."""

    name: str
    is_read: bool
    is_fitting: bool
    """Whether it looks like past results."""

    @property
    def looks_like_unread_results(self) -> bool:
        return self.is_fitting and not self.is_read


def list_sheets_if_several(
    names: Sequence[str], *, fitting: Sequence[int], chosen: int
) -> list[WorkbookSheet]:
    """Return the sheets of a workbook; empty for fewer than two.

    `fitting` and `chosen` are indices into `names`; the chosen sheet is read.
    """
    if len(names) < 2:
        return []
    return [
        WorkbookSheet(name=name, is_read=at == chosen, is_fitting=at in fitting)
        for at, name in enumerate(names)
    ]


class PastResultsImportForm(forms.Form):
    """A pasted list or a file, with a game and a day for lines without them."""

    game = forms.ChoiceField(
        label=_("Game (if the list doesn’t say)"),
        choices=game_choices,
    )
    text = forms.CharField(
        label=_("Your list (with column headings)"),
        required=False,
        max_length=LARGEST_FILE,
        widget=forms.Textarea(attrs={"rows": 8}),
    )
    file = forms.FileField(
        label=_("or a file (CSV, XLSX or JSON)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt,.json"}),
    )
    lowest_wins = forms.BooleanField(
        label=_("In Any game, the lowest total wins"), required=False
    )
    family_first = forms.BooleanField(
        label=_("Family name first, as in “Müller Anna”"), required=False
    )
    day = forms.DateField(
        label=_("Date (if the list doesn’t say)"),
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
    """`decimal` and `day_order`: answers for columns with two readings."""
    read_as = forms.ChoiceField(
        choices=[(name, name) for name in OLDER_ENCODINGS],
        required=False,
        widget=forms.HiddenInput,
    )
    encoding = forms.ChoiceField(
        choices=[(name, name) for name in OLDER_ENCODINGS],
        required=False,
        widget=forms.HiddenInput,
    )
    """`read_as` and `encoding`: the older encodings the text was read in, and is to be read in."""
    encodings: Sequence[str] = ()
    """Encodings that are equally plausible; empty if there is no choice."""
    workbook = forms.CharField(
        required=False, max_length=LARGE_FILE * 2, widget=forms.HiddenInput
    )
    """The workbook in base 64, so that another of its sheets can be read."""
    sheet = forms.IntegerField(
        required=False, min_value=0, max_value=MOST_PARTS, widget=forms.HiddenInput
    )
    read_sheet = forms.IntegerField(
        required=False, min_value=0, max_value=MOST_PARTS, widget=forms.HiddenInput
    )
    """`read_sheet`: the sheet that `text` was read from."""
    sheets: Sequence["WorkbookSheet"] = ()
    """Empty unless the file is a workbook with several sheets."""
    packed_workbook: str = ""
    has_hidden_cells: bool = False
    """Whether the sheet has hidden rows or columns."""
    large: tuple[str, bytes] | None = None
    """Name and content of a file that a worker has to read; else None."""
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    @property
    def import_key(self) -> UUID:
        key: UUID = self.cleaned_data["key"]
        sheet = self.cleaned_data["read_sheet"]
        return key if sheet is None else uuid5(key, str(sheet))

    def build_other_sheets_form(self) -> "PastResultsImportForm":
        """Return an empty form for the same workbook, with the same game, day and order of names and totals."""
        field_names = ("game", "day", "family_first", "lowest_wins")
        form = PastResultsImportForm(
            initial={name: self.cleaned_data[name] for name in field_names}
        )
        form.sheets, form.packed_workbook = self.sheets, self.packed_workbook
        return form

    def clean_file(self) -> list[list[str]]:
        """Return the cells of the file; empty without one, or if a worker has to read it.

        Raises ValidationError if it is too large or cannot be read.
        """
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return []
        if (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(_("This file is too large. The limit is 4 MB."))
        content = file.read()
        unpacked = unpacked_size(content)
        if len(content) > LARGE_FILE or LARGE_UNPACKED < unpacked <= LARGEST_UNPACKED:
            self.large = (file.name or "", content)
            return []
        try:
            self.encodings = ambiguous_encodings(file.name or "", content)
            return self._read_cells(file.name or "", content)
        except UnreadableListError as unreadable:
            raise forms.ValidationError(str(unreadable)) from None

    def _read_cells(self, name: str, content: bytes) -> list[list[str]]:
        sheet = self._choose_sheet(name, content)
        cells = cells_in_file(name, content, today=timezone.localdate(), sheet=sheet)
        width = max(map(len, cells), default=0)
        self.has_hidden_cells = has_hidden_cells(content, sheet, width=width)
        return cells

    def _choose_sheet(self, name: str, content: bytes) -> int:
        """Return the index of the sheet to read; store the workbook if it has several."""
        sheets = list_sheets_and_best_fit(name, content, today=timezone.localdate())
        answers = (self.cleaned_data.get(field) for field in ("sheet", "read_sheet"))
        chosen = next(
            (answer for answer in answers if answer is not None), sheets.fitting
        )
        fitting = [sheets.fitting, *sheets.other_indexes]
        self.sheets = list_sheets_if_several(
            sheets.names, fitting=fitting, chosen=chosen
        )
        if self.sheets:
            self.packed_workbook = b64encode(content).decode()
        return chosen

    def _decode_posted_workbook(self) -> bytes:
        """Return the workbook of the previous page. Raises UnreadableListError if it is invalid."""
        try:
            content = b64decode(self.cleaned_data["workbook"])
        except ValueError:
            content = b""
        if (
            not content.startswith(SPREADSHEET)
            or unpacked_size(content) > LARGE_UNPACKED
        ):
            raise UnreadableListError(_("Choose the file again."))
        return content

    def clean(self) -> dict[str, Any]:
        """Set `cells` to the corrected cells of the file or the pasted list; one is required."""
        cleaned = super().clean() or {}
        if self.large:
            return cleaned
        cells = cleaned.get("file")
        if not cells:
            try:
                workbook = (
                    self._decode_posted_workbook() if cleaned.get("workbook") else b""
                )
                text = cleaned.get("text", "").replace("\x00", "")
                if workbook and not text:
                    cells = self._read_cells("list.xlsx", workbook)
                else:
                    if workbook:
                        self._choose_sheet("list.xlsx", workbook)
                    cells = cells_in_text(self._redecode_text(text))
            except UnreadableListError as unreadable:
                self.add_error("text", str(unreadable))
        if not cells and not self.errors:
            self.add_error("text", _("Paste a list, or choose a file."))
        today = timezone.localdate()
        cells = unpivot(cells or [], has_list_headings=has_list_headings, today=today)
        cells = self._apply_corrections(cells)
        if cleaned.get("day"):
            cells = with_column(cells, "date", cleaned["day"].isoformat())
        if cleaned.get("lowest_wins"):
            cells = with_column(cells, LOWEST_WINS, "yes")
        if cleaned.get("family_first"):
            cells = move_family_names_last(cells)
        cleaned["cells"] = cells
        return cleaned

    def _redecode_text(self, text: str) -> str:
        """Return the text as decoded with the chosen encoding."""
        old_encoding = self.cleaned_data.get("read_as")
        encoding = self.cleaned_data.get("encoding")
        if not old_encoding:
            return text
        try:
            content = text.encode(old_encoding)
            self.encodings = [] if encoding else plausible_encodings(content)
            return content.decode(encoding or old_encoding)
        except UnicodeError:
            # A corrected cell has letters that the encoding lacks.
            return text

    def _apply_corrections(self, cells: list[list[str]]) -> list[list[str]]:
        """Return the list with its corrected cells and named columns, without left-out lines."""
        for name in sorted(self.data):
            if match := CELL.fullmatch(name):
                line, place = int(match[2]) - 1, int(match[3])
                if line < len(cells) and place < MOST_COLUMNS:
                    row = cells[line]
                    row += [""] * (place + 1 - len(row))
                    is_cell = match[1] == "cell"
                    text = str(self.data[name]) if is_cell else PLAYER_CELL + row[place]
                    row[place] = text[:LONGEST_CELL]
        left_out = (
            int(match[1]) for match in map(LEFT_OUT.fullmatch, self.data) if match
        )
        lines = [line for line in left_out if 0 < line <= len(cells)]
        cells = clear_lines(cells, lines, today=timezone.localdate())
        column_names = [
            str(self.data.get(f"column-{n}", "")) for n in range(MOST_COLUMNS)
        ]
        if not any(column_names):
            return cells
        names = [name if name in LABELS else "" for name in column_names]
        while not names[-1]:
            names.pop()
        if "has_heads" in self.data:
            heads = heading_line_index(cells)
            return [*cells[:heads], names, *cells[heads + 1 :]]
        return with_headings_and_line_numbers(cells, names)


class ClubImportForm(forms.Form):
    """A club's archive, and another slug if its own is taken."""

    file = forms.FileField(
        label=_("Club file (ZIP, up to 4 MB)"),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
    slug = SlugField(
        label=_("New club address (if the current one is taken)"), required=False
    )
    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def clean_file(self) -> Any:
        """Return the file. Raises ValidationError if it is too large to be read."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > LARGEST:
            raise forms.ValidationError(
                _(
                    "This file is larger than 4 MB. Ask the person who runs this "
                    "server to import it with manage.py import_club."
                )
            )
        return file

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"]).lower()
        if slug and Club.objects.filter(slug=slug).exists():
            raise forms.ValidationError(
                _("A club already has this address. Choose another.")
            )
        return slug
