"""The base of all entry forms: the key, the seats, and faults shown at their fields."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias
from uuid import uuid4

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.record_paths import (
    Attrs,
    build_body,
    format_bids,
    path_attrs,
    value_attrs,
)
from scoring.locales.sentences import translate
from scoring.rules import (
    Fault,
    MatchState,
    fill_in_derived_parts,
    normalize_unfinished_hand,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Label: TypeAlias = "str | StrPromise"
"""Text on the screen, translated when it is shown."""

NUMBER_ATTRS = {
    "inputmode": "numeric",
    "autocomplete": "off",
    "class": "number",
    "placeholder": "–",
}


def number_field(
    label: Label,
    *,
    least: int = 0,
    most: int | None = None,
    digits: int = 3,
    pad: str = "keypad",
    row: Label = "",
    place: Attrs = MappingProxyType({}),
    **attrs: Any,
) -> forms.IntegerField:
    """Return a field for a typed number.

    The keypad moves to the next field after `digits` digits, and warns if a number is
    greater than `most` or the sum of a `row` is; numbers typed without it are only checked
    by the rules. With the pad `grid` each number from `least` to `most` has its own key.
    """
    pad_attrs: dict[str, Any] = {
        "data-digits": digits,
        "data-min": least,
        "data-pad": pad,
    }
    if most is not None:
        pad_attrs["data-max"] = most
    if row:
        pad_attrs["data-row"] = row
    return forms.IntegerField(
        label=label,
        required=False,
        localize=False,
        widget=forms.TextInput(attrs={**NUMBER_ATTRS, **pad_attrs, **attrs, **place}),
        error_messages={"invalid": _("Enter digits only.")},
    )


class RadioSelectWithChoiceAttrs(forms.RadioSelect):
    """Choices of which some stand for a value other than the posted one, or depend on other fields."""

    def __init__(self, attrs: Attrs, meanings: Mapping[str, Attrs]) -> None:
        """Create choices with common attributes, and with more for some posted values."""
        super().__init__(attrs=dict(attrs))
        self.meanings = meanings

    def choice_attrs(self, value: str) -> Attrs:
        return {**self.attrs, **self.meanings.get(value, {})}

    def create_option(
        self, name: str, value: Any, *args: Any, **options: Any
    ) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **options)
        option["attrs"] |= self.meanings.get(str(value), {})
        return option


def choice_field(
    label: Label,
    choices: Iterable[tuple[Any, Label]],
    *,
    required: bool = False,
    place: Attrs = MappingProxyType({}),
    meanings: Mapping[str, Attrs] = MappingProxyType({}),
) -> forms.TypedChoiceField:
    """Return a field with all choices on the screen, one tap each.

    `place` gives their place in a match record (`scoring.games.record_paths`), `meanings`
    the attributes of choices that stand for another value.
    """
    return forms.TypedChoiceField(
        label=label,
        choices=list(choices),
        required=required,
        widget=RadioSelectWithChoiceAttrs(place, meanings),
        empty_value=None,
    )


def flag_field(
    label: Label, path: str, *, value: object = True, **attrs: Any
) -> forms.BooleanField:
    """Return a checkbox that stands for `value` at a place in a match record."""
    widget = forms.CheckboxInput({**attrs, **path_attrs(path), **value_attrs(value)})
    return forms.BooleanField(label=label, required=False, widget=widget)


class EntryForm(forms.Form):
    """The entry of one hand; it is validated by the rules, not by the form."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    base = forms.IntegerField(widget=forms.HiddenInput, required=False)
    sure = forms.BooleanField(required=False, label=_("Yes, that’s right"))
    """Set once the user has confirmed an unusual hand."""

    field_by_path: ClassVar[Mapping[str, str]] = {}
    """Form fields by the path of a fault, if their names differ."""
    contract_fields: ClassVar[Sequence[str]] = ()
    """Fields that must be filled before the contract alone can be saved."""
    share_prefix: ClassVar[str] = ""
    """Name, without the seat, of the fields for what the players share; empty for none."""
    usual_share: ClassVar[int] = 0
    """The most that one player can take alone without a question."""
    accepts_partial_hands: ClassVar[bool] = False
    """Whether a hand can be saved with any of its parts missing."""

    def __init__(
        self, *args: Any, names: Sequence[str], state: MatchState, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.names = names
        self.state = state
        self.add_hand_fields()

    @property
    def seat_choices(self) -> list[tuple[int, str]]:
        return list(enumerate(self.names))

    def add_hand_fields(self) -> None:
        """Add the fields that depend on the players and options of the match."""

    def add_seat_number_fields(self, key: str, **options: Any) -> None:
        """Add a number for each seat; its place in a record is in the list `key`."""
        for seat, name in self.seat_choices:
            place = path_attrs(f"{key}[{seat}]")
            self.fields[f"{key}_{seat}"] = number_field(name, place=place, **options)

    def seat_field_names(self, key: str) -> list[str]:
        """Return the names of the fields `key` that exist once for each seat."""
        return [f"{key}_{seat}" for seat in range(self.state.seats)]

    def add_screen_only_fields(self) -> None:
        """Add empty fields that are only needed on the screen."""

    @property
    def empty_body(self) -> dict[str, Any]:
        """Return the body of an empty entry."""
        return {}

    @property
    def empty_body_json(self) -> str:
        return json.dumps(self.empty_body)

    def input_attrs_and_texts(self) -> Iterator[tuple[Attrs, str | None]]:
        """Yield the attributes of each input, with its place in the record, and its text."""
        for name, field in self.fields.items():
            posted_value, widget = self.data.get(name), field.widget
            text = None if posted_value is None else str(posted_value).strip()
            if isinstance(field, forms.BooleanField):
                text = "on" if self.cleaned_data.get(name) else None
            if isinstance(widget, RadioSelectWithChoiceAttrs):
                yield widget.choice_attrs(text or ""), text
            else:
                yield widget.attrs, text

    def body(self) -> dict[str, Any]:
        """Return the input in the format of a match record, without computed parts."""
        return build_body(
            self.input_attrs_and_texts(), self.empty_body, self.state.seats
        )

    def raw_hand(self) -> dict[str, Any]:
        """Return the hand in the format of a match record."""
        return fill_in_derived_parts(self.state, self.body())

    def raw_unfinished_hand(self) -> dict[str, Any]:
        """Return the unfinished hand, in the format of the log."""
        return normalize_unfinished_hand(self.state, self.body())

    @classmethod
    def initial_values(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the initial values of the form for a raw hand.

        This handles plain values and lists by seat; forms with other fields override it.
        """
        initial: dict[str, Any] = {}
        for key, value in raw.items():
            is_list = isinstance(value, list | tuple)
            initial |= initial_seat_values(key, value) if is_list else {key: value}
        return initial

    @property
    def required_field_names(self) -> Sequence[str]:
        """Return the fields that a complete hand must have."""
        return ()

    @property
    def required_step_names(self) -> Sequence[str]:
        """Return `required_field_names` for a phone: `{name}` in one is the value of that field."""
        return self.required_field_names

    def is_filled(self, name: str) -> bool:
        return bool(self.data.get(name, "") != "")

    @property
    def is_complete(self) -> bool:
        """Return whether all required fields are filled."""
        return all(self.is_filled(name) for name in self.required_field_names)

    @property
    def is_savable_while_unfinished(self) -> bool:
        """Return whether only the contract is entered, and nothing of the play."""
        play_fields = set(self.required_field_names) - set(self.contract_fields)
        if self.is_complete:
            return False
        return bool(self.contract_fields) and not any(map(self.is_filled, play_fields))

    @property
    def entry_progress(self) -> str:
        """Return a sentence on the progress of the entry; the form must be validated."""
        return ""

    @property
    def log_note(self) -> str:
        """Return a note for the log on details for which a record has no field."""
        return ""

    @property
    def unusual_hand_question(self) -> str:
        """Return a question about an unusual but legal hand; empty if it is not unusual.

        It is asked once, before the hand is saved.
        """
        shares = [
            number or 0 for number in self.entered_numbers_by_seat(self.share_prefix)
        ]
        is_shared = sum(1 for number in shares if number) != 1 or self.state.seats < 3
        if not self.share_prefix or is_shared or sum(shares) <= self.usual_share:
            return ""
        name = self.names[shares.index(sum(shares))]
        return gettext("Did %(name)s take everything and everyone else nothing?") % {
            "name": name
        }

    def entered_numbers_by_seat(self, prefix: str) -> list[int | None]:
        """Return the entered number of each seat, None if missing."""
        return [self.cleaned_data.get(name) for name in self.seat_field_names(prefix)]

    def add_faults(self, faults: Iterable[Fault]) -> None:
        """Show each fault at its field."""
        for fault in faults:
            name = self.find_field_name(fault.field)
            message = translate(fault.message, self.names)
            self.add_error(name, forms.ValidationError(message, code=fault.clause))

    def find_field_name(self, path: str) -> str | None:
        """Return the name of the visible field for `path`; None if there is none."""
        if path in self.field_by_path:
            return self.field_by_path[path]
        places = {
            field.widget.attrs.get("data-path"): name
            for name, field in self.fields.items()
        }
        if path and path in places:
            return places[path]
        name = path.removeprefix("contract.")
        name = re.sub(r"\[(\d+)\]", r"_\1", name).replace(".", "_")
        is_visible = name in self.fields and not self.fields[name].widget.is_hidden
        return name if is_visible else None


class EntryFormWithBids(EntryForm):
    """The entry of a hand whose auction can be entered bid by bid."""

    bids = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.HiddenInput(attrs=dict(path_attrs("bids", parse_as="bids"))),
    )

    @classmethod
    def initial_bids(cls, raw: Mapping[str, Any]) -> dict[str, str]:
        return {"bids": format_bids(raw.get("bids", ()))}


def int_or_none_if_empty(value: Any) -> int | None:
    """Return the value of a choice as a number; None if nothing was chosen."""
    return None if value in (None, "") else int(value)


def initial_seat_values(prefix: str, values: Sequence[Any] | None) -> dict[str, Any]:
    """Return initial values for fields that exist once for each seat."""
    return {f"{prefix}_{seat}": value for seat, value in enumerate(values or ())}
