"""What was entered for a hand, parsed once from JSON into a value.

Each game has a hand of its own that says more; these are the words that all share.
"""

from dataclasses import dataclass
from typing import NamedTuple


class Call(NamedTuple):
    """What somebody said in the bidding."""

    seat: int
    said: int | str
    """A number, or `pass`, or `solo`."""


class PlayedTrick(NamedTuple):
    """A trick as it was recorded, from its leader on."""

    plays: tuple[tuple[str, ...], ...]
    """The pieces that each seat put in, as a record writes them."""
    antes: tuple[str, ...] = ()
    turned: str = ""
    """The card that its winner turned for a new trump."""


# Nobody changes one. A frozen one is made in three times the time, for every hand that is scored.
@dataclass(slots=True, kw_only=True)
class Hand:
    """A hand as it was entered, without its impossible parts."""

    bidder: int | None = None
    """Who holds the contract; None where there is none."""
    bid: int | None = None
    """Points or tricks, as the game bids."""
    partner: int | None = None
    solo: bool = False
    trump_number: int | None = None
    """Where trump is a number."""
    bids: tuple[Call, ...] = ()
    tricks: tuple[PlayedTrick, ...] = ()


def read_calls(raw: object) -> tuple[Call, ...]:
    if not isinstance(raw, (list, tuple)):
        return ()
    calls = [
        Call(*call)
        for call in raw
        if isinstance(call, (list, tuple)) and len(call) == 2
    ]
    return tuple(calls) if len(calls) == len(raw) else ()
