"""Entering a deal of Tricks and Treats."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.games.entry_form import EntryForm, Label, initial_seat_values, number_field
from scoring.games.record_paths import path_attrs
from scoring.rules.tricks_and_treats.game import HoldingsBySeat
from scoring.rules.tricks_and_treats.pieces import (
    DEFAULT_MIX,
    HOLDABLE_KINDS,
    TOKENS,
    TRUMP_TOKENS,
)

USUAL_MIX = ", ".join(
    f"{kind.replace('_', ' ')} {count}" for kind, count in DEFAULT_MIX.items()
)
BOARD_WARNING = _(
    "You’re playing this deal on the board. If you enter totals, the match continues "
    "without the board."
)


class TreatLook(NamedTuple):
    """The name of a treat, and the name of its icon."""

    name: Label
    icon: str


TREAT_LOOKS: Mapping[str, TreatLook] = {
    "candy": TreatLook(_("candy"), "candy"),
    "compass": TreatLook(_("compass"), "compass"),
    "evil_eye": TreatLook(_("evil eye"), "eye"),
    "ghost": TreatLook(_("ghost"), "ghost"),
    "master_trump": TreatLook(_("master trump"), "crown"),
    "poison": TreatLook(_("poison"), "flask-conical"),
    "spy": TreatLook(_("spy"), "scan-eye"),
    "swap": TreatLook(_("swap"), "repeat-2"),
    "switch": TreatLook(_("switch"), "arrow-left-right"),
    "thief": TreatLook(_("thief"), "hand-grab"),
}


class HoldableTreat(NamedTuple):
    """A treat that a player can hold, with its look."""

    kind: str
    name: Label
    icon: str


class TreatCountField(NamedTuple):
    """The field for the number of treats of one kind, and the name of its icon."""

    field: forms.BoundField
    icon: str


class HoldingFields(NamedTuple):
    """The fields for the tokens and treats of one seat."""

    tokens: forms.BoundField
    treats: list[TreatCountField]


class TreatMixField(forms.CharField):
    """The number of each treat, as in `bomb 1, candy 4`; empty for the default."""

    def clean(self, value: Any) -> dict[str, int]:
        """Return the number of each kind. The rules check the mix (treats.tokens)."""
        if isinstance(value, Mapping):
            # A phone that starts the same match again posts the format of a record.
            return dict(value)
        mix: dict[str, int] = {}
        for part in re.split(r"[,;\n]+", super().clean(value)):
            *words, count = part.split() or [""]
            if not words and not count:
                continue
            kind = "_".join(words).lower()
            is_treat_count = kind in DEFAULT_MIX and count.isascii() and count.isdigit()
            if not is_treat_count or len(count) > 2:
                raise forms.ValidationError(
                    _(
                        "Tricky can’t read “%(part)s”. Enter treats and numbers like "
                        "“%(usual)s”."
                    ),
                    params={"part": part.strip(), "usual": USUAL_MIX},
                )
            mix[kind] = int(count)
        return mix


class TricksAndTreatsForm(EntryForm):
    """Tokens claimed, treats held by kind, tokens left in the grid."""

    share_prefix, usual_share = "tokens", 3

    grid_left = number_field(
        _("Left in the grid"), most=TOKENS, place=path_attrs("grid_left")
    )
    instead_of_board = forms.BooleanField(
        required=False,
        label=_("Enter totals instead"),
        widget=forms.CheckboxInput(attrs={"data-board-warning": BOARD_WARNING}),
    )

    def add_hand_fields(self) -> None:
        holdings: HoldingsBySeat | None = self.state.carry
        unclaimed = TRUMP_TOKENS - (sum(holdings.claimed_counts) if holdings else 0)
        for seat, name in self.seat_choices:
            prompt = _("%(name)s: treats gained, then tokens") % {"name": name}
            attrs: dict[str, Any] = {"data-treats-seat": seat, "data-prompt": prompt}
            self.fields[f"tokens_{seat}"] = number_field(
                name,
                most=min(TRUMP_TOKENS // self.state.seats, unclaimed),
                pad="grid",
                row=_("Tokens"),
                place=path_attrs(f"tokens[{seat}]"),
                **attrs,
            )
        for seat, _name in self.seat_choices:
            for kind in HOLDABLE_KINDS:
                self.fields[f"treats_{seat}_{kind}"] = number_field(
                    TREAT_LOOKS[kind].name,
                    most=self.state.options["treats"].get(kind, 0),
                    pad="none",
                    row=TREAT_LOOKS[kind].name,
                    place=path_attrs(f"treats[{seat}].{kind}", default=0),
                )

    @property
    def required_field_names(self) -> list[str]:
        return [*self.seat_field_names("tokens"), "grid_left"]

    @property
    def entry_progress(self) -> str:
        counts = [
            count
            for count in self.entered_numbers_by_seat("tokens")
            if count is not None
        ]
        if not counts:
            return ""
        template = ngettext(
            "%(sum)s token claimed in this deal.",
            "%(sum)s tokens claimed in this deal.",
            sum(counts),
        )
        return template % {"sum": sum(counts)}

    @property
    def holdable_treats(self) -> list[HoldableTreat]:
        """Return the treats in this match that a player can hold."""
        mix = self.state.options["treats"]
        return [
            HoldableTreat(kind, *TREAT_LOOKS[kind])
            for kind in HOLDABLE_KINDS
            if mix.get(kind)
        ]

    @property
    def holding_fields_by_seat(self) -> list[HoldingFields]:
        return [
            HoldingFields(
                self[f"tokens_{seat}"],
                [
                    TreatCountField(self[f"treats_{seat}_{treat.kind}"], treat.icon)
                    for treat in self.holdable_treats
                ],
            )
            for seat in range(self.state.seats)
        ]

    @property
    def empty_body(self) -> dict[str, Any]:
        seats = self.state.seats
        return {
            "tokens": [None] * seats,
            "treats": [{} for _seat in range(seats)],
            "grid_left": None,
        }

    @classmethod
    def initial_values(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        treats = {
            f"treats_{seat}_{kind}": count
            for seat, counts in enumerate(raw.get("treats", ()))
            for kind, count in counts.items()
        }
        tokens = initial_seat_values("tokens", raw.get("tokens"))
        return {**tokens, **treats, "grid_left": raw.get("grid_left")}
