"""The bids of an auction as a form carries them: `0:90 1:96 2:pass`."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from scoring.games.entry_form import EntryForm
from scoring.games.record_paths import at, read_bids

Bids = list[list[Any]]
"""Each a seat and what it called, as a match record writes them."""

__all__ = ["BiddenForm", "Bids", "read_bids", "write_bids"]


def write_bids(bids: Iterable[Iterable[Any]]) -> str:
    """Return the bids as `read_bids` reads them."""
    return " ".join(":".join(map(str, bid)) for bid in bids)


class BiddenForm(EntryForm):
    """A hand whose auction was heard bid by bid, where the table wanted that."""

    bids = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.HiddenInput(attrs=dict(at("bids", as_="bids"))),
    )

    @classmethod
    def initial_bids(cls, raw: Mapping[str, Any]) -> dict[str, str]:
        """Return the initial value that carries the auction of a raw hand."""
        return {"bids": write_bids(raw.get("bids", ()))}
