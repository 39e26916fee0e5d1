"""Entering a deal of Tricks and Treats."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.forms.entry import EntryForm, number_field, seat_values
from scoring.rules.tricks_and_treats.pieces import HELD_KINDS, TOKENS, TRUMP_TOKENS

KIND_NAMES = {
    "candy": _("candy"),
    "compass": _("compass"),
    "evil_eye": _("evil eye"),
    "ghost": _("ghost"),
    "master_trump": _("master trump"),
    "poison": _("poison"),
    "spy": _("spy"),
    "swap": _("swap"),
    "switch": _("switch"),
    "thief": _("thief"),
}


class TricksAndTreatsForm(EntryForm):
    """Tokens claimed, treats held by kind, tokens left in the grid."""

    grid_left = number_field(_("Left in the grid"), digits=2, most=TOKENS)

    def add_seat_fields(self) -> None:
        """Add tokens and treats of each seat."""
        for seat, name in self.seat_choices:
            asks = _("%(name)s: treats gained, then tokens claimed") % {"name": name}
            attrs: dict[str, Any] = {"data-treats": seat, "data-asks": asks}
            self.fields[f"tokens_{seat}"] = number_field(
                name,
                digits=2,
                most=TRUMP_TOKENS // self.state.seats,
                pad="grid",
                **attrs,
            )
        for seat, _name in self.seat_choices:
            for kind in HELD_KINDS:
                self.fields[f"treats_{seat}_{kind}"] = number_field(
                    KIND_NAMES[kind],
                    digits=1,
                    most=self.state.options["treats"].get(kind, 0),
                    pad="none",
                )

    @property
    def needed(self) -> list[str]:
        """Return everybody's tokens and what is left."""
        seats = range(self.state.seats)
        return [*(f"tokens_{seat}" for seat in seats), "grid_left"]

    @property
    def balance(self) -> str:
        """Return how many tokens were claimed in this deal."""
        claimed = [taken for taken in self.numbers("tokens") if taken is not None]
        if not claimed:
            return ""
        return gettext("%(sum)s tokens claimed in this deal.") % {"sum": sum(claimed)}

    @property
    def kinds(self) -> list[tuple[str, object]]:
        """Return the treats that can be held in this match, with their names."""
        mix = self.state.options["treats"]
        return [(kind, KIND_NAMES[kind]) for kind in HELD_KINDS if mix.get(kind)]

    def raw_hand(self) -> dict[str, Any]:
        """Return the deal."""
        return {
            "tokens": self.numbers("tokens"),
            "treats": [
                {
                    kind: count
                    for kind in HELD_KINDS
                    if (count := self.cleaned_data.get(f"treats_{seat}_{kind}"))
                }
                for seat in range(self.state.seats)
            ],
            "grid_left": self.cleaned_data.get("grid_left"),
        }

    @classmethod
    def initial_from(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the initial values that show a raw deal."""
        treats = {
            f"treats_{seat}_{kind}": count
            for seat, held in enumerate(raw.get("treats", ()))
            for kind, count in held.items()
        }
        tokens = seat_values("tokens", raw.get("tokens"))
        return {**tokens, **treats, "grid_left": raw.get("grid_left")}
