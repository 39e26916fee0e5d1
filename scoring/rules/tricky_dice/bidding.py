"""Tricky Dice's auction and contract."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scoring.rules.reading import (
    Faults,
    check_keys,
    clockwise_seats,
    is_integer,
    read_flag,
    read_integer,
    read_object,
    read_seat,
)
from scoring.rules.results import FORMAT, AuctionState
from scoring.rules.tricky_dice.tricks import SEATS, TRICKS
from scoring.rules.wording import SeatIndex, tricks_in_words
from scoring.rules.wording import gettext_noop as _

OPENING = 4
SOLO_TRICKS = 6
PASS = "pass"  # noqa: S105 - a word of the auction
SOLO = "solo"


class Contract(NamedTuple):
    """Bidder, tricks bid, and partner (None for a solo)."""

    bidder: int
    tricks: int
    partner: int | None

    @property
    def is_solo(self) -> bool:
        return self.partner is None

    @property
    def side_seats(self) -> tuple[int, ...]:
        return (self.bidder,) if self.partner is None else (self.bidder, self.partner)


def read_contract(raw: object, faults: Faults) -> Contract | None:
    contract = read_object(raw, "contract", faults)
    if contract is None:
        return None
    fault_count = len(faults.items)
    bidder = read_seat(contract.get("bidder"), SEATS, "contract.bidder", faults)
    solo = "solo" in contract and read_flag(contract["solo"], "contract.solo", faults)
    if solo:
        tricks, partner = SOLO_TRICKS, None
        for key in ("tricks", "partner"):
            if contract.get(key) is not None:
                faults.add(
                    f"contract.{key}",
                    "tricky_dice.bid.solo",
                    _("A solo is six tricks alone. Leave out “%(key)s”."),
                    key=key,
                )
    else:
        level = read_integer(contract.get("tricks"), "contract.tricks", faults)
        tricks = level or 0
        if level is not None and level < OPENING:
            faults.add(
                "contract.tricks",
                "tricky_dice.bid.open",
                _("Open with at least 4 tricks, not %(level)s."),
                level=level,
            )
        elif tricks > TRICKS:
            faults.add(
                "contract.tricks",
                "tricky_dice.bid.raise",
                _("Bid ten tricks at most, not %(level)s."),
                level=level,
            )
        partner = read_seat(contract.get("partner"), SEATS, "contract.partner", faults)
        if partner is not None and partner == bidder:
            faults.add(
                "contract.partner",
                "tricky_dice.bid.partner",
                _("Choose one of the other three as partner."),
            )
    check_keys(contract, ("bidder", "tricks", "partner", "solo"), faults, "contract.")
    if len(faults.items) > fault_count:
        return None
    assert bidder is not None
    return Contract(bidder, tricks, partner)


class HighestBid(NamedTuple):
    """The result of an auction."""

    bidder: int
    tricks: int
    solo: bool


def read_auction(raw: object, dealer: int | None, faults: Faults) -> HighestBid | None:
    """Return the result of the auction, else note where it broke the rules."""
    if not isinstance(raw, (list, tuple)):
        faults.add("bids", FORMAT, _("This must be a list of bids."))
        return None
    fault_count = len(faults.items)
    auction = _Auction(None if dealer is None else (dealer + 1) % SEATS)
    for place, bid in enumerate(raw):
        auction.add_bid(bid, f"bids[{place}]", faults)
        if len(faults.items) > fault_count:
            # After an impossible bid the next bidder is unknown.
            return None
    if auction.highest_bid is None or not auction.is_finished:
        faults.add(
            "bids",
            "tricky_dice.bid.raise" if auction.highest_bid else "tricky_dice.bid.open",
            _(
                "The auction isn’t over. All but one must pass, or someone must go "
                "solo."
            ),
        )
        return None
    return auction.highest_bid


def parse_auction(bids: Sequence[object], dealer: int, faults: Faults) -> AuctionState:
    """Return the state of the auction; a pass is final (tricky_dice.bid.raise)."""
    auction = _Auction((dealer + 1) % SEATS)
    for place, bid in enumerate(bids):
        auction.add_bid(bid, f"bids[{place}]", faults)
    highest_bid = auction.highest_bid
    if highest_bid is not None and auction.is_finished:
        bid = {"solo": True} if highest_bid.solo else {"tricks": highest_bid.tricks}
        return AuctionState(None, contract={"bidder": highest_bid.bidder, **bid})
    return AuctionState(
        auction.turn,
        least=auction.least if auction.least <= TRICKS else None,
        most=TRICKS,
        may_pass=highest_bid is not None,
        may_go_solo=True,
    )


class _Auction:
    """An auction that is read bid by bid."""

    def __init__(self, turn: int | None) -> None:
        self.turn = turn
        self.passed: set[int] = set()
        self.highest_bid: HighestBid | None = None

    @property
    def is_finished(self) -> bool:
        if self.highest_bid is None:
            return False
        return self.highest_bid.solo or len(self.passed) == SEATS - 1

    @property
    def least(self) -> int:
        """Return the next possible bid (tricky_dice.bid.open, tricky_dice.bid.raise)."""
        return OPENING if self.highest_bid is None else self.highest_bid.tricks + 1

    def add_bid(self, raw: Any, field: str, faults: Faults) -> None:
        """Add one `[seat, bid]` to the auction, and note its faults."""
        if not isinstance(raw, (list, tuple)) or len(raw) != 2:
            faults.add(
                field,
                FORMAT,
                _("Write a bid as [seat, tricks], [seat, “pass”] or [seat, “solo”]."),
            )
            return
        seat = read_seat(raw[0], SEATS, field, faults)
        if seat is None:
            return
        is_opening = self.highest_bid is None and not self.passed
        if self.is_finished or seat in self.passed:
            faults.add(
                field,
                "tricky_dice.bid.raise",
                _(
                    "%(who)s can’t bid now. The auction is over, or they’ve already "
                    "passed."
                ),
                who=SeatIndex(seat),
            )
        elif self.turn is not None and seat != self.turn:
            faults.add(
                field,
                "tricky_dice.bid.open" if is_opening else "tricky_dice.bid.raise",
                _("It’s %(due)s’s turn to bid, not %(who)s’s."),
                due=SeatIndex(self.turn),
                who=SeatIndex(seat),
            )
        self._apply_call(seat, raw[1], field, faults)
        remaining = [
            later_seat
            for later_seat in clockwise_seats(seat + 1, SEATS)
            if later_seat not in self.passed
        ]
        self.turn = remaining[0] if remaining else None

    def _apply_call(self, seat: int, bid: object, field: str, faults: Faults) -> None:
        if bid == PASS:
            if self.highest_bid is None:
                faults.add(
                    field,
                    "tricky_dice.bid.open",
                    _("%(who)s must open with four tricks or more."),
                    who=SeatIndex(seat),
                )
            self.passed.add(seat)
        elif bid == SOLO:
            self.highest_bid = HighestBid(seat, SOLO_TRICKS, solo=True)
        elif not is_integer(bid):
            faults.add(field, FORMAT, _("Enter a bid as a number, “pass” or “solo”."))
        else:
            if bid < self.least:
                faults.add(
                    field,
                    "tricky_dice.bid.open"
                    if self.highest_bid is None
                    else "tricky_dice.bid.raise",
                    _("%(bid)s is too low. The next possible bid is %(least)s."),
                    bid=bid,
                    least=self.least,
                )
            elif bid > TRICKS:
                faults.add(
                    field,
                    "tricky_dice.bid.raise",
                    _("Bid ten tricks at most, not %(bid)s."),
                    bid=bid,
                )
            self.highest_bid = HighestBid(seat, bid, solo=False)


def check_auction_result(
    highest_bid: HighestBid, contract: Contract, faults: Faults
) -> None:
    """Note a fault if the contract differs from the result of the auction."""
    if highest_bid == (contract.bidder, contract.tricks, contract.is_solo):
        return
    faults.add(
        "contract",
        "tricky_dice.bid.solo" if highest_bid.solo else "tricky_dice.bid.raise",
        _("According to the auction, %(who)s plays alone for %(tricks)s.")
        if highest_bid.solo
        else _("According to the auction, %(who)s plays for %(tricks)s."),
        who=SeatIndex(highest_bid.bidder),
        tricks=tricks_in_words(highest_bid.tricks),
    )
