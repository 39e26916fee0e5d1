"""Parse auctions bid by bid: the next bidder, and the bids allowed."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import (
    AuctionState,
    parse_auction,
    parse_unfinished_hand,
    play,
    start,
)

Bids = list[list[Any]]


def test_a_player_who_passed_may_bid_again_in_tricky() -> None:
    state = start("tricky", 3)
    assert parse_auction(state, []) == AuctionState(0, least=90)
    assert parse_auction(state, [[0, "pass"], [1, 90]]) == AuctionState(2, least=93)
    assert parse_auction(state, [[0, "pass"], [1, 90], [2, "pass"]]).seat == 0
    passes = [[0, "pass"], [1, "pass"], [2, "pass"]]
    assert parse_auction(state, passes).is_passed_out
    assert not parse_auction(state, passes[:2]).is_passed_out
    finished_bids = [
        [0, "pass"],
        [1, 90],
        [2, "pass"],
        [0, 96],
        [1, "pass"],
        [2, "pass"],
    ]
    assert parse_auction(state, finished_bids) == AuctionState(
        None, contract={"bidder": 0, "bid": 96}
    )


def test_left_of_dealer_must_open_and_passes_are_final_in_tricky_dice() -> None:
    state = start("tricky_dice", 4)
    assert parse_auction(state, []) == AuctionState(
        1, least=4, most=10, may_pass=False, may_go_solo=True
    )
    auction = parse_auction(state, [[1, 4], [2, "pass"], [3, 5], [0, "pass"]])
    assert (auction.seat, auction.least, auction.may_pass) == (1, 6, True)
    finished_bids = [[1, 4], [2, "pass"], [3, 5], [0, "pass"], [1, "pass"]]
    assert parse_auction(state, finished_bids).contract == {"bidder": 3, "tricks": 5}
    contract = {"bidder": 3, "tricks": 5, "partner": 1}
    sums = {"tricks_won": [2, 3, 1, 4], "die_tricks": [0, 1, 0, 2]}
    next_state, _scored = play(state, {"contract": contract, **sums})
    assert parse_auction(next_state, []).seat == 2


def test_a_solo_ends_the_auction_and_nothing_is_above_ten() -> None:
    state = start("tricky_dice", 4)
    solo = parse_auction(state, [[1, 9], [2, "solo"]])
    assert solo.contract == {"bidder": 2, "solo": True}
    assert parse_auction(state, [[1, 10]]).least is None


@pytest.mark.parametrize(("game", "seats"), [("tricky", 3), ("tricky_dice", 4)])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_offered_bid_is_accepted(
    game: str, seats: int, data: st.DataObject
) -> None:
    state, bids = start(game, seats), Bids()
    while (auction := parse_auction(state, bids)).seat is not None:
        common_calls = ["pass"] * 3 * auction.may_pass + ["solo"] * auction.may_go_solo
        raises = [auction.least] * (auction.least is not None and len(bids) < 12)
        call = data.draw(st.sampled_from([*common_calls, *raises]))
        bids.append([auction.seat, call])
    if auction.contract is None:
        play(state, {"bids": bids, "passed_out": True})
        return
    bidder = auction.contract["bidder"]
    rest: dict[str, Any] = {"trump": 7}
    if game == "tricky_dice":
        partner = {"partner": (bidder + 1) % 4}
        rest = {} if "solo" in auction.contract else partner
    contract: dict[str, Any] = {**auction.contract, **rest}
    parse_unfinished_hand(state, {"bids": bids, "contract": contract})
