"""The bids of an auction as a form carries them: `0:90 1:96 2:pass`."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from scoring.forms.entry import EntryForm
from scoring.rules import Refusal, hear_auction

Bids = list[list[Any]]
"""Each a seat and what it called, as a match record writes them."""


def read_bids(text: str) -> Bids:
    """Return the bids; what is no number stays a word, for the rules to judge."""
    pairs = (word.partition(":") for word in text.split())
    return [[_number(seat), _number(call)] for seat, _colon, call in pairs]


def _number(word: str) -> int | str:
    is_number = word.isascii() and word.isdigit() and len(word) < 10
    return int(word) if is_number else word


def write_bids(bids: Iterable[Iterable[Any]]) -> str:
    """Return the bids as `read_bids` reads them."""
    return " ".join(":".join(map(str, bid)) for bid in bids)


class BiddenForm(EntryForm):
    """A hand whose auction was heard bid by bid, where the table wanted that."""

    bids = forms.CharField(required=False, max_length=2000, widget=forms.HiddenInput)

    def with_bids(self, raw: dict[str, Any]) -> dict[str, Any]:
        """Return the hand with its auction, while that comes to what it says."""
        bids = read_bids(self.cleaned_data.get("bids", ""))
        if not bids:
            return raw
        try:
            heard = hear_auction(self.state, bids)
        except Refusal:
            return raw
        contract = raw.get("contract", {})
        settled = heard.contract or {}
        comes_to_it = settled and settled.items() <= contract.items()
        if comes_to_it or (heard.passed_out and "passed_out" in raw):
            return {"bids": bids, **raw}
        return raw

    @classmethod
    def initial_bids(cls, raw: Mapping[str, Any]) -> dict[str, str]:
        """Return the initial value that carries the auction of a raw hand."""
        return {"bids": write_bids(raw.get("bids", ()))}
