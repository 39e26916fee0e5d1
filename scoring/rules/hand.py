"""The values of an entered hand, parsed from JSON.

Each game has a subclass of `ParsedHand` with more fields.
"""

from dataclasses import dataclass
from typing import NamedTuple


class Call(NamedTuple):
    """One bid or pass of an auction."""

    seat: int
    bid: int | str
    """A number, or `pass`, or `solo`."""


class RecordedTrick(NamedTuple):
    """A recorded trick, from its leader on."""

    plays: tuple[tuple[str, ...], ...]
    """The pieces that each seat put in, as a record writes them."""
    antes: tuple[str, ...] = ()
    turned: str = ""
    """The card that its winner turned for a new trump; empty if none."""


# Never changed, but not frozen: that would take three times as long for every scored hand.
@dataclass(slots=True, kw_only=True)
class ParsedHand:
    """A hand as it was entered, without its impossible parts."""

    bidder: int | None = None
    """The seat that holds the contract; None if there is none."""
    bid: int | None = None
    """Points or tricks, as the game bids."""
    partner: int | None = None
    solo: bool = False
    trump_number: int | None = None
    """Set if trump is a number."""
    bids: tuple[Call, ...] = ()
    seat_bids: tuple[int | None, ...] = ()
    """The bid of each seat, in games in which everyone has one; else empty."""
    tricks: tuple[RecordedTrick, ...] = ()


def calls_or_empty(raw: object) -> tuple[Call, ...]:
    if not isinstance(raw, (list, tuple)):
        return ()
    calls = [
        Call(*call)
        for call in raw
        if isinstance(call, (list, tuple)) and len(call) == 2
    ]
    return tuple(calls) if len(calls) == len(raw) else ()
