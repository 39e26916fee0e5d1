"""Forms of the desk: players, seats, penalties, announcements, the cut."""

import binascii
import re
from base64 import b64decode, b64encode
from fractions import Fraction
from typing import Any
from uuid import uuid4

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField, ShortTextField
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import find_text_fault, strip_unsafe
from scoring.web.forms import FromHandField
from tournaments.event.entries import NEXT_ROUND, find_table_in_play
from tournaments.event.late_arrivals import can_leave_seats_empty
from tournaments.event.requested_byes import rounds_open_for_requests
from tournaments.event.seats import next_hand_number
from tournaments.event.setup.entry_lists import (
    AmbiguousListError,
    SeveralSheetsError,
    names_in_file,
    read_names,
)
from tournaments.event.setup.own_seating import MOST_LINES
from tournaments.event.setup.spreadsheets import (
    MOST_SHEETS,
    OLDER_ENCODINGS,
    UnreadableListError,
    ambiguous_encodings,
    first_rows_in_file,
)
from tournaments.models import Entry, Table, Tournament
from tournaments.people.similar_names import SimilarNameError
from tournaments.web.imports.corrections import (
    ListReadingQuestion,
    encoding_question,
    reading_choice_question,
    sheet_question,
)

LARGEST_FINAL = 200


class AnnouncementForm(forms.Form):
    text = ShortTextField(
        label=_("Message to everyone"), max_length=200, strip=True, empty_value=""
    )


class OwnSeatingForm(forms.Form):
    """A director's own seating, typed, pasted or in a file; a file comes first."""

    seating = forms.CharField(
        label=_("One table per line"),
        required=False,
        max_length=200_000,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "placeholder": "Ann; Bo; Cy; Di"}),
    )
    file = forms.FileField(
        label=_("Or a file (CSV or XLSX)"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt"}),
    )

    def clean(self) -> dict[str, Any]:
        """Return the seating as text, that of the file if there is one."""
        cleaned = super().clean() or {}
        file = cleaned.get("file")
        if file is not None:
            try:
                rows = first_rows_in_file(file.name, file.read(), max_rows=MOST_LINES)
            except UnreadableListError as unreadable:
                raise forms.ValidationError(str(unreadable)) from None
            cleaned["seating"] = "\n".join(";".join(row) for row in rows)
        return cleaned


class CutToFinalForm(forms.Form):
    size = forms.IntegerField(
        label=_("Players in the final"), min_value=2, max_value=LARGEST_FINAL
    )


POSITIVE = re.compile(r"\d{1,6}(/[1-9]\d{0,3}|[.,]\d{1,4})?", re.ASCII)


class PenaltyForm(forms.Form):
    entry = forms.ModelChoiceField(
        Entry.objects.none(), label=_("Player"), empty_label=_("Choose a player")
    )
    points = forms.CharField(label=_("Points"), max_length=12)
    reason = NameField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, tournament: Tournament, **options: Any) -> None:
        super().__init__(*args, **options)
        entry = self.fields["entry"]
        assert isinstance(entry, forms.ModelChoiceField)
        entry.queryset = tournament.entries.by_number()

    def clean_points(self) -> str:
        text = self.cleaned_data["points"].strip()
        is_number = POSITIVE.fullmatch(text)
        points = Fraction(text.replace(",", ".")) if is_number else Fraction()
        if points <= 0:
            raise forms.ValidationError(
                _("Enter a number above 0, such as 3, 0.5 or 1/2.")
            )
        return str(points)


MOST_NAMES = 500
LARGEST_FILE = 1_000_000
"""Largest file of names, in bytes."""


class AddPlayersForm(forms.Form):
    """A pasted list of names, a file of them, or both."""

    names = forms.CharField(
        label=_("Names, one per line"),
        required=False,
        max_length=MOST_NAMES * (LONGEST_NAME + 5),
        widget=forms.Textarea(attrs={"rows": 6}),
    )
    file = forms.FileField(
        label=_("Or a file (CSV, XLSX or JSON) with a column of names"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.xlsx,.txt,.json"}),
    )
    here = forms.BooleanField(label=_("They’re here"), required=False)
    encoding = forms.ChoiceField(
        choices=[(name, name) for name in OLDER_ENCODINGS],
        required=False,
        widget=forms.HiddenInput,
    )
    packed_file = forms.CharField(
        required=False, max_length=2 * LARGEST_FILE, widget=forms.HiddenInput
    )
    """A file from an earlier submission, in base 64."""
    sheet = forms.IntegerField(
        required=False, min_value=0, max_value=MOST_SHEETS, widget=forms.HiddenInput
    )
    """The chosen sheet of a workbook."""
    names_as = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    file_as = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    """`names_as` and `file_as`: the chosen readings of the pasted list and of the file."""
    question: ListReadingQuestion | None = None
    """A question about reading the file or the pasted list; None if it is clear."""

    def clean_file(self) -> "UploadedFile[Any] | None":
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file and (file.size or 0) > LARGEST_FILE:
            raise forms.ValidationError(
                _("This file is too large. Choose one under 1 MB.")
            )
        return file

    def _read_file_names_or_ask(self) -> list[str]:
        """Return the names in the file; empty without one.

        Raises ValidationError for a file without names or with several readings, and then
        sets `question`.
        """
        file = self.cleaned_data.get("file")
        if file:
            name, content = file.name, file.read()
        else:
            name = ""
            try:
                content = b64decode(self.cleaned_data.get("packed_file", ""))
            except binascii.Error:
                raise forms.ValidationError(_("Choose the file again.")) from None
        if not content and not file:
            return []
        # The next page has to send the file again; earlier answers were about another file.
        answers = {"encoding": "", "sheet": "", "file_as": ""} if file else {}
        form_data = {field: self.data[field] for field in self.data}
        packed = b64encode(content).decode()
        self.data = {**form_data, **answers, "packed_file": packed}
        encoding = "" if file else self.cleaned_data.get("encoding", "")
        encodings = [] if encoding else ambiguous_encodings(name, content)
        if encodings:
            self.question = encoding_question(content, encodings)
            raise forms.ValidationError(
                gettext(
                    "This file can be read in several ways. Choose the one that looks "
                    "right."
                )
            )
        answer = "" if file else self.cleaned_data.get("file_as", "")
        sheet = None if file else self.cleaned_data.get("sheet")
        try:
            names = names_in_file(name, content, encoding, answer, sheet)
        except UnreadableListError as unreadable:
            raise forms.ValidationError(str(unreadable)) from None
        except SeveralSheetsError as several:
            self.question = sheet_question(several.sheets, several.fitting)
            raise forms.ValidationError(str(several)) from None
        except AmbiguousListError as ambiguous:
            self.question = reading_choice_question(ambiguous.readings, field="file_as")
            raise forms.ValidationError(str(ambiguous)) from None
        if not names:
            raise forms.ValidationError(_("No names found in this file."))
        return names

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        listed: list[str] = []
        if not self.errors:
            try:
                listed = self._read_file_names_or_ask()
            except forms.ValidationError as refused:
                self.add_error("file", refused)
        try:
            answer = cleaned.get("names_as", "")
            listed = [*read_names(cleaned.get("names", ""), answer), *listed]
        except UnreadableListError as unreadable:
            self.add_error("names", str(unreadable))
        except AmbiguousListError as ambiguous:
            # One question at a time.
            self.question = self.question or reading_choice_question(
                ambiguous.readings, field="names_as"
            )
            self.add_error("names", str(ambiguous))
        if not listed and not self.errors:
            self.add_error("names", _("Enter at least one name."))
        for name in listed:
            if find_text_fault(name):
                # The fault is invisible: name the one entry of a long list.
                message = gettext(
                    "“%(name)s” has a hidden character that can’t be stored. "
                    "Type this name again instead of pasting it."
                )
                self.add_error("names", message % {"name": strip_unsafe(name)})
                break
        if len(listed) > MOST_NAMES:
            self.add_error(
                "names",
                _("That’s %(count)s names. Add up to %(most)s at a time.")
                % {"count": len(listed), "most": MOST_NAMES},
            )
        return {**cleaned, "listed": listed}


class RequestedByesForm(forms.Form):
    """The coming rounds that a player sits out on request."""

    rounds = forms.TypedMultipleChoiceField(
        label=_("Rounds to sit out"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        """Offer the rounds that are open for requests."""
        super().__init__(*args, **kwargs)
        self.open_rounds = rounds_open_for_requests(entry)
        field = self.fields["rounds"]
        assert isinstance(field, forms.TypedMultipleChoiceField)
        field.choices = [
            (number, _("Round %(number)s") % {"number": number})
            for number in self.open_rounds
        ]
        self.initial["rounds"] = entry.bye_rounds


class CorrectPlayerNameForm(forms.Form):
    """A corrected name of a player, which replaces the old one everywhere."""

    name = NameField(label=_("Name"), max_length=LONGEST_NAME)

    @property
    def is_confirmed_as_another_person(self) -> bool:
        """Whether the similar name was confirmed to be another person's."""
        return bool(self.data.get("is_another") == self.cleaned_data["name"])

    def add_similar_name_question(self, doubtful: SimilarNameError) -> None:
        self.add_error("name", doubtful.message)
        label = gettext("“%(name)s” is a different person")
        self.fields["is_another"] = forms.BooleanField(
            label=label % {"name": doubtful.name},
            required=False,
            # The tick counts for this name only; another one has to be confirmed again.
            widget=forms.CheckboxInput(
                attrs={"value": doubtful.name}, check_test=lambda _value: False
            ),
        )


class SubstituteForm(forms.Form):
    """A substitute for an entry, and their first hand if the table has begun."""

    name = NameField(label=_("Who’s taking over?"), max_length=LONGEST_NAME)

    def __init__(self, *args: Any, entry: Entry, **options: Any) -> None:
        super().__init__(*args, **options)
        table = find_table_in_play(entry)
        if table is None or table.match is None:
            return
        stays = gettext("Next round (%(name)s finishes this table)")
        self.fields["from_hand"] = FromHandField(
            label=gettext("From which hand at table %(number)s?")
            % {"number": table.number},
            next_number=next_hand_number(table),
            later_choices=[(NEXT_ROUND, stays % {"name": entry.name})],
        )


class TableSeatsForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    reason = NameField(
        label=_("Why?"),
        max_length=200,
        initial=_("they sat in different seats"),
    )

    field_order = ["key", *(f"seat_{seat}" for seat in range(8)), "from_hand", "reason"]

    def __init__(self, *args: Any, table: Table, **options: Any) -> None:
        """Offer all entries for each seat, with the current one selected."""
        places = table.places.select_related("entry", "table__match")
        self.places = list(places.order_by("index"))
        initial = {
            "key": uuid4(),
            **{f"seat_{place.index}": place.entry_id for place in self.places},
        }
        super().__init__(*args, **{"initial": initial, **options})
        everybody = table.round.tournament.entries.by_number()
        may_be_empty = can_leave_seats_empty(table)
        for place in self.places:
            label = gettext("Seat %(number)s")
            if place.name != place.entry.name:
                label = gettext("Seat %(number)s (now %(name)s)")
            self.fields[f"seat_{place.index}"] = forms.ModelChoiceField(
                everybody,
                label=label % {"number": place.index + 1, "name": place.name},
                empty_label=_("No one") if may_be_empty else None,
                required=not may_be_empty,
            )
        following = next_hand_number(table)
        if following > 1:
            self.fields["from_hand"] = FromHandField(
                label=gettext("From which hand?"),
                next_number=following,
            )
        self.order_fields(self.field_order)

    @property
    def entry_ids(self) -> list[int | None]:
        """Return the keys of the chosen entries in seat order; None for an empty seat."""
        chosen: list[Entry | None] = [
            self.cleaned_data[f"seat_{place.index}"] for place in self.places
        ]
        return [entry.pk if entry else None for entry in chosen]
