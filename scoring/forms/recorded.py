"""Entering a hand piece by piece: the contract as ever, then what was played."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.forms.entry import EntryForm
from scoring.forms.pads import TRICKY_BID_PAD, TRICKY_DICE_PAD, TRICKY_PAD, Pad
from scoring.forms.tricky import TrickyForm
from scoring.forms.tricky_bid import TrickyBidForm
from scoring.forms.tricky_dice import SOLO, TrickyDiceForm
from scoring.rules import PLAYED, Recorded, Refusal, pieces_of, record


class RecordedForm(EntryForm):
    """A hand as far as it was played; complete, it is a hand with its tricks."""

    pad: ClassVar[Pad]
    sums: ClassVar[tuple[str, ...]]
    """What the form of sums asks for and the tricks tell."""
    goes_on_later = True

    played = forms.CharField(
        label=_("Played so far"),
        required=False,
        max_length=2000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": PLAYED}),
    )

    def add_seat_fields(self) -> None:
        """Add the contract, and nothing that follows from the tricks."""
        super().add_seat_fields()
        for name in [name for name in self.fields if name.startswith(self.sums)]:
            del self.fields[name]

    def add_empty_fields(self) -> None:
        """Add nothing: all fields are on the screen."""

    @property
    def needed(self) -> list[str]:
        """Return the contract and the pieces."""
        return [*self.contract_fields, PLAYED]

    @property
    def has_contract(self) -> bool:
        """Tell whether everything was said that comes before the first piece."""
        return all(map(self.is_filled, self.contract_fields))

    @property
    def words(self) -> list[str]:
        """Return the pieces that were tapped, in order."""
        said: str = self.cleaned_data.get(PLAYED, "")
        return said.split()

    @cached_property
    def recorded(self) -> Recorded | Refusal:
        """Return how far the hand is, or why it cannot be."""
        try:
            return record(self.state, self.begun())
        except Refusal as refusal:
            return refusal

    def begun(self) -> dict[str, Any]:
        """Return the hand as a log entry keeps it while it is played."""
        raw = super().raw_hand()
        return {**_without(raw, self.sums), PLAYED: self.words}

    @property
    def is_complete(self) -> bool:
        """Tell whether the last piece was played."""
        seen = self.recorded
        return isinstance(seen, Recorded) and seen.turn is None

    @property
    def is_whole(self) -> bool:
        """Tell whether everything that a hand needs was entered."""
        return self.is_valid() and self.is_complete

    @property
    def is_contract(self) -> bool:
        """Tell whether the hand is still being played."""
        return not self.is_complete

    @property
    def balance(self) -> str:
        """Return nothing: the state of the play is told in full."""
        return ""

    def raw_hand(self) -> dict[str, Any]:
        """Return the hand with its tricks, or as far as it was played."""
        raw, seen = self.begun(), self.recorded
        if isinstance(seen, Refusal) or seen.turn is not None:
            return raw
        del raw[PLAYED]
        if seen.trump:
            raw["trump"] = self.words[0]
        return {**raw, "tricks": list(seen.tricks)}

    @classmethod
    def initial_from(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the initial values that show a raw hand."""
        pieces = raw.get(PLAYED) or pieces_of(raw)
        return {**super().initial_from(raw), PLAYED: " ".join(pieces)}


def _without(raw: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if key not in keys}


class RecordedTricky(RecordedForm, TrickyForm):
    """Two dice from each player, nine times."""

    pad = TRICKY_PAD
    sums = ("points", "passed_out")


class RecordedTrickyDice(RecordedForm, TrickyDiceForm):
    """A card or a die from each player, ten times; the trump die is needed."""

    pad = TRICKY_DICE_PAD
    sums = ("tricks_won", "die_tricks")
    contract_fields = ("bidder", "bid", "suit", "rank")

    @property
    def has_contract(self) -> bool:
        """Tell whether bid and trump are there, and a partner where one is picked."""
        is_solo = self.data.get("bid") == SOLO
        return super().has_contract and (is_solo or self.is_filled("partner"))


class RecordedTrickyBid(RecordedForm, TrickyBidForm):
    """The card turned for trump, then antes and plays."""

    pad = TRICKY_BID_PAD
    sums = ("points", "winner", "antes")

    @property
    def points(self) -> list[int | None]:
        """Return nothing: the points follow from the antes."""
        return []

    def clean(self) -> dict[str, Any] | None:
        """Return what was entered; there is no tally to check."""
        return self.cleaned_data


RECORDED_FORMS: Mapping[str, type[RecordedForm]] = {
    "tricky": RecordedTricky,
    "tricky_dice": RecordedTrickyDice,
    "tricky_bid": RecordedTrickyBid,
}
"""The form of a hand piece by piece, by game."""
