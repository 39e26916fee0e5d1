"""What all entry forms share: the key, the seats, and faults shown at their fields."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias
from uuid import uuid4

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.record_paths import Attrs, at, build_body, write_bids
from scoring.locales.sentences import translate
from scoring.rules import Fault, MatchState, complete, unfinished_hand

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Label: TypeAlias = "str | StrPromise"
"""Words on the screen, translated when they are shown."""

NUMBER = {
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
    """Return a field for a number that is typed, on our keypad or another.

    The pad moves on by itself after so many `digits`, and says where a number is more than
    `most`, and where those of one `row` are together; the rules check what is typed elsewhere.
    With the pad `grid` each number from `least` to `most` is a key of its own.
    """
    shape: dict[str, Any] = {
        "data-digits": digits,
        "data-least": least,
        "data-pad": pad,
    }
    if most is not None:
        shape["data-most"] = most
    if row:
        shape["data-row"] = row
    return forms.IntegerField(
        label=label,
        required=False,
        localize=False,
        widget=forms.TextInput(attrs={**NUMBER, **shape, **attrs, **place}),
        error_messages={"invalid": _("Digits only, please.")},
    )


class Choices(forms.RadioSelect):
    """Choices of which some mean another value than what they post, or depend on other fields."""

    def __init__(self, attrs: Attrs, meanings: Mapping[str, Attrs]) -> None:
        """Make choices with attributes of all, and of some by what they post."""
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
    """Return a field whose choices are all on the screen, a tap each.

    `place` says where in a match record they stand (`scoring.games.record_paths`), and
    `meanings` which of them mean something else.
    """
    return forms.TypedChoiceField(
        label=label,
        choices=list(choices),
        required=required,
        widget=Choices(place, meanings),
        empty_value=None,
    )


class EntryForm(forms.Form):
    """The entry of one hand; it reads and writes, the rules check."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    base = forms.IntegerField(widget=forms.HiddenInput, required=False)
    sure = forms.BooleanField(required=False, label=_("It is so"))
    """That what is unusual in it was asked about."""

    paths: ClassVar[Mapping[str, str]] = {}
    """Form fields by the path of a fault, where they are named differently."""
    contract_fields: ClassVar[Sequence[str]] = ()
    """What has to be entered before the contract alone can be saved."""
    takings: ClassVar[str] = ""
    """The fields, without their seats, of what players share in a hand; empty for none."""
    usual_share: ClassVar[int] = 0
    """What may all be one player's without being asked about."""
    accepts_partial_hands: ClassVar[bool] = False
    """Whether a hand can be kept as far as it is known, whatever that is."""

    def __init__(
        self, *args: Any, names: Sequence[str], state: MatchState, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.names = names
        self.state = state
        self.add_seat_fields()

    @property
    def seat_choices(self) -> list[tuple[int, str]]:
        return list(enumerate(self.names))

    def add_seat_fields(self) -> None:
        """Add the fields of which there is one a seat."""

    def add_empty_fields(self) -> None:
        """Add the fields that nobody filled and only a screen wants."""

    @property
    def empty_record(self) -> dict[str, Any]:
        """Return the body with which an entry of nothing begins."""
        return {}

    @property
    def empty_record_json(self) -> str:
        return json.dumps(self.empty_record)

    def inputs(self) -> Iterator[tuple[Attrs, str | None]]:
        """Yield each input's attributes, which name its place in the record, and its text."""
        for name, field in self.fields.items():
            posted, widget = self.data.get(name), field.widget
            text = None if posted is None else str(posted).strip()
            if isinstance(field, forms.BooleanField):
                text = "on" if self.cleaned_data.get(name) else None
            if isinstance(widget, Choices):
                yield widget.choice_attrs(text or ""), text
            else:
                yield widget.attrs, text

    def body(self) -> dict[str, Any]:
        """Return what was said as a match record has it, and nothing that follows."""
        return build_body(self.inputs(), self.empty_record, self.state.seats)

    def raw_hand(self) -> dict[str, Any]:
        """Return what was entered, as a match record writes it."""
        return complete(self.state, self.body())

    def raw_contract(self) -> dict[str, Any]:
        """Return what is known of an unfinished hand, as the log stores it."""
        return unfinished_hand(self.state, self.body())

    @classmethod
    def initial_values(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the initial values that show a raw hand.

        A form of its own shape says how; this one knows values that stand by seat.
        """
        initial: dict[str, Any] = {}
        for key, value in raw.items():
            is_list = isinstance(value, list | tuple)
            initial |= seat_values(key, value) if is_list else {key: value}
        return initial

    @property
    def required_fields(self) -> Sequence[str]:
        """Return the fields without which a hand is not entered yet."""
        return ()

    def is_filled(self, name: str) -> bool:
        return bool(self.data.get(name, "") != "")

    @property
    def is_whole(self) -> bool:
        """Tell whether everything that a hand needs was entered."""
        return all(self.is_filled(name) for name in self.required_fields)

    @property
    def is_contract(self) -> bool:
        """Tell whether a contract was entered and nothing of the play so far."""
        rest = set(self.required_fields) - set(self.contract_fields)
        if self.is_whole:
            return False
        return bool(self.contract_fields) and not any(map(self.is_filled, rest))

    @property
    def balance(self) -> str:
        """Return how far the entry is, in words; speaks of a form that was parsed."""
        return ""

    @property
    def remark(self) -> str:
        """Return a note for the log about what a record has no place for."""
        return ""

    @property
    def question(self) -> str:
        """Return what is unusual in a whole hand, as a question; empty where nothing is.

        It is asked once before the hand is saved; the rules let it be.
        """
        taken = [number or 0 for number in self.numbers(self.takings)]
        is_shared = sum(1 for number in taken if number) != 1 or self.state.seats < 3
        if not self.takings or is_shared or sum(taken) <= self.usual_share:
            return ""
        name = self.names[taken.index(sum(taken))]
        return gettext("Did %(name)s take everything, and all others nothing?") % {
            "name": name
        }

    def numbers(self, prefix: str) -> list[int | None]:
        """Return what was entered at each seat."""
        return [
            self.cleaned_data.get(f"{prefix}_{seat}")
            for seat in range(self.state.seats)
        ]

    def add_faults(self, faults: Iterable[Fault]) -> None:
        """Show each fault at its field."""
        for fault in faults:
            name = self.find_field(fault.field)
            message = translate(fault.message, self.names)
            self.add_error(name, forms.ValidationError(message, code=fault.clause))

    def find_field(self, path: str) -> str | None:
        """Return the name of the field that shows the part at `path`, if any does."""
        if path in self.paths:
            return self.paths[path]
        places = {
            field.widget.attrs.get("data-path"): name
            for name, field in self.fields.items()
        }
        if path and path in places:
            return places[path]
        name = path.removeprefix("contract.")
        name = re.sub(r"\[(\d+)\]", r"_\1", name).replace(".", "_")
        shown = name in self.fields and not self.fields[name].widget.is_hidden
        return name if shown else None


class AuctionForm(EntryForm):
    """A hand whose auction was entered bid by bid, if the table wanted that."""

    bids = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.HiddenInput(attrs=dict(at("bids", as_="bids"))),
    )

    @classmethod
    def initial_bids(cls, raw: Mapping[str, Any]) -> dict[str, str]:
        return {"bids": write_bids(raw.get("bids", ()))}


def whole(value: Any) -> int | None:
    """Return a choice's value as a number; None where nothing was chosen."""
    return None if value in (None, "") else int(value)


def seat_values(prefix: str, values: Sequence[Any] | None) -> dict[str, Any]:
    """Return initial values for fields of which there is one a seat."""
    return {f"{prefix}_{seat}": value for seat, value in enumerate(values or ())}
