"""Tricky's auction and contract."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scoring.rules.game import MatchState
from scoring.rules.reading import (
    Faults,
    add_seat_fault,
    check_keys,
    is_integer,
    is_seat,
    read_integer,
    read_object,
    read_seat,
)
from scoring.rules.results import FORMAT, AuctionState
from scoring.rules.wording import SeatIndex
from scoring.rules.wording import gettext_noop as _

OPENING_PER_SEAT = 30
TRUMPS = range(1, 21)
CONTRACT_KEYS = frozenset({"bidder", "bid", "trump"})
PASS = "pass"  # noqa: S105 - a word of the auction


class Contract(NamedTuple):
    """Bidder, points bid, and trump number (None for no trump)."""

    bidder: int
    bid: int
    trump: int | None


class AuctionResult(NamedTuple):
    """The result of an auction; `bid` is None if it was passed out."""

    bidder: int | None
    bid: int | None


def read_contract(raw: object, state: MatchState, faults: Faults) -> Contract | None:
    contract = read_object(raw, "contract", faults)
    if contract is None:
        return None
    fault_count = len(faults.items)
    seats, least = state.seats, state.options["minimum_bid"]
    bidder = read_seat(contract.get("bidder"), seats, "contract.bidder", faults)
    bid = read_integer(contract.get("bid"), "contract.bid", faults)
    if bid is not None and bid < least:
        faults.add(
            "contract.bid",
            "tricky.bid.minimum",
            _("With %(seats)s players, bid at least %(least)s. %(bid)s is too low."),
            least=least,
            seats=seats,
            bid=bid,
        )
    trump = read_trump(contract.get("trump", ""), "contract.trump", faults)
    check_keys(contract, CONTRACT_KEYS, faults, "contract.")
    if len(faults.items) > fault_count:
        return None
    assert bidder is not None
    assert bid is not None
    return Contract(bidder, bid, trump)


def read_trump(trump: object, field: str, faults: Faults) -> int | None:
    """Return the trump number; None for no trump, or after noting a fault."""
    if trump is None:
        return None
    if not is_integer(trump):
        faults.add(field, FORMAT, _("Enter a trump from 1 to 20, or none."))
        return None
    if trump not in TRUMPS:
        faults.add(
            field,
            "tricky.bid.trump",
            _("Enter a trump from 1 to 20 or none, not %(trump)s."),
            trump=trump,
        )
    return trump


def read_auction(
    raw: object, state: MatchState, turn: int | None, faults: Faults
) -> AuctionResult | None:
    """Return the result of the auction, else note where it broke the rules."""
    if not isinstance(raw, (list, tuple)):
        faults.add("bids", FORMAT, _("This must be a list of bids."))
        return None
    fault_count = len(faults.items)
    auction = _Auction(state, turn)
    for place, bid in enumerate(raw):
        auction.add_bid(bid, place, faults)
        if len(faults.items) > fault_count:
            # After an impossible bid the next bidder is unknown.
            return None
    if not auction.is_finished:
        faults.add(
            "bids",
            "tricky.bid.pass",
            _("The auction isn’t over. %(missing)s more must pass in a row."),
            missing=auction.passes_needed,
        )
        return None
    return AuctionResult(auction.bidder, auction.bid)


def parse_auction(
    state: MatchState, bids: Sequence[object], faults: Faults
) -> AuctionState:
    """Return the state of the auction, which may still be open (tricky.bid.pass)."""
    auction = _Auction(state, state.turn)
    for place, bid in enumerate(bids):
        auction.add_bid(bid, place, faults)
    if not auction.is_finished:
        return AuctionState(auction.turn, least=auction.least)
    if auction.bidder is None:
        return AuctionState(None)
    return AuctionState(None, contract={"bidder": auction.bidder, "bid": auction.bid})


class _Auction:
    """An auction that is read bid by bid."""

    __slots__ = ("bid", "bidder", "least", "passes_needed", "seats", "turn")

    def __init__(self, state: MatchState, turn: int | None) -> None:
        seats = self.seats = state.seats
        self.turn = turn
        self.bidder: int | None = None
        self.bid: int | None = None
        self.least: int = state.options["minimum_bid"]
        """The next possible bid (tricky.bid.minimum, tricky.bid.raise)."""
        self.passes_needed = seats
        """Number of seats that must still pass in succession (tricky.bid.pass)."""

    @property
    def is_finished(self) -> bool:
        return not self.passes_needed

    def add_bid(self, raw: Any, place: int, faults: Faults) -> None:
        """Add one `[seat, bid]` to the auction, and note its faults."""
        field = f"bids[{place}]"
        if not isinstance(raw, (list, tuple)) or len(raw) != 2:
            message = _("Enter a bid as [seat, points] or [seat, “pass”].")
            faults.add(field, FORMAT, message)
            return
        seat, bid = raw
        if not is_seat(seat, self.seats):
            add_seat_fault(seat, self.seats, field, faults)
            return
        if not self.passes_needed:
            faults.add(
                field,
                "tricky.bid.pass",
                _("The auction was already over. Leave out %(who)s’s bid."),
                who=SeatIndex(seat),
            )
            return
        if self.turn is not None and seat != self.turn:
            faults.add(
                field,
                "tricky.bid.first",
                _("It’s %(due)s’s turn to bid, not %(who)s’s."),
                due=SeatIndex(self.turn),
                who=SeatIndex(seat),
            )
        self.turn = (seat + 1) % self.seats
        if bid == PASS:
            self.passes_needed -= 1
            return
        if not is_integer(bid):
            faults.add(field, FORMAT, _("Enter a bid as a whole number or “pass”."))
            return
        if bid < self.least:
            faults.add(
                field,
                "tricky.bid.minimum" if self.bid is None else "tricky.bid.raise",
                _("%(bid)s is too low. The next possible bid is %(least)s."),
                bid=bid,
                least=self.least,
            )
        self.bidder, self.bid = seat, bid
        self.least, self.passes_needed = bid + self.seats, self.seats - 1


def check_auction_result(
    result: AuctionResult, contract: Contract, faults: Faults
) -> None:
    """Note a fault if the contract differs from the result of the auction."""
    if result.bidder is None:
        faults.add(
            "contract",
            "tricky.bid.passed_out",
            _("Everyone passed, so there’s no contract. Enter the hand as passed out."),
        )
    elif (contract.bidder, contract.bid) != result:
        faults.add(
            "contract",
            "tricky.bid.pass",
            _("According to the auction, %(who)s plays for %(bid)s."),
            who=SeatIndex(result.bidder),
            bid=result.bid,
        )
