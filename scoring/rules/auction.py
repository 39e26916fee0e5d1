"""An auction as far as it was heard: who bids next, and what they may bid."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Auction(NamedTuple):
    """What the bids so far have come to."""

    seat: int | None
    """Who bids next; None once it is over."""
    least: int | None = None
    """The lowest bid that is possible now; None where none is."""
    most: int | None = None
    """The highest; None where there is no limit."""
    may_pass: bool = True
    may_go_solo: bool = False
    contract: Mapping[str, Any] | None = None
    """What is settled of the contract once it is over, as a match record writes it."""

    @property
    def passed_out(self) -> bool:
        """Tell whether it is over and nobody bid."""
        return self.seat is None and self.contract is None
