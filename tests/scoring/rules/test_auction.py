"""An auction is followed bid by bid: who is next, and what they may bid."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import (
    Auction,
    parse_auction,
    parse_unfinished_hand,
    play,
    start,
)

Bids = list[list[Any]]


def test_a_player_who_passed_may_bid_again_in_tricky() -> None:
    state = start("tricky", 3)
    assert parse_auction(state, []) == Auction(0, least=90)
    assert parse_auction(state, [[0, "pass"], [1, 90]]) == Auction(2, least=93)
    assert parse_auction(state, [[0, "pass"], [1, 90], [2, "pass"]]).seat == 0
    passes = [[0, "pass"], [1, "pass"], [2, "pass"]]
    assert parse_auction(state, passes).is_passed_out
    assert not parse_auction(state, passes[:2]).is_passed_out
    over = [[0, "pass"], [1, 90], [2, "pass"], [0, 96], [1, "pass"], [2, "pass"]]
    assert parse_auction(state, over) == Auction(
        None, contract={"bidder": 0, "bid": 96}
    )


def test_left_of_dealer_must_open_and_passes_are_final_in_tricky_dice() -> None:
    state = start("tricky_dice", 4)
    assert parse_auction(state, []) == Auction(
        1, least=4, most=10, may_pass=False, may_go_solo=True
    )
    heard = parse_auction(state, [[1, 4], [2, "pass"], [3, 5], [0, "pass"]])
    assert (heard.seat, heard.least, heard.may_pass) == (1, 6, True)
    over = [[1, 4], [2, "pass"], [3, 5], [0, "pass"], [1, "pass"]]
    assert parse_auction(state, over).contract == {"bidder": 3, "tricks": 5}
    contract = {"bidder": 3, "tricks": 5, "partner": 1}
    sums = {"tricks_won": [2, 3, 1, 4], "die_tricks": [0, 1, 0, 2]}
    later, _scored = play(state, {"contract": contract, **sums})
    assert parse_auction(later, []).seat == 2


def test_a_solo_ends_the_auction_and_nothing_is_above_ten() -> None:
    state = start("tricky_dice", 4)
    solo = parse_auction(state, [[1, 9], [2, "solo"]])
    assert solo.contract == {"bidder": 2, "solo": True}
    assert parse_auction(state, [[1, 10]]).least is None


@pytest.mark.parametrize(("game", "seats"), [("tricky", 3), ("tricky_dice", 4)])
@settings(max_examples=40, deadline=None)
@given(calls=st.data())
def test_every_offered_bid_is_accepted(
    game: str, seats: int, calls: st.DataObject
) -> None:
    state, bids = start(game, seats), Bids()
    while (heard := parse_auction(state, bids)).seat is not None:
        likely = ["pass"] * 3 * heard.may_pass + ["solo"] * heard.may_go_solo
        raises = [heard.least] * (heard.least is not None and len(bids) < 12)
        call = calls.draw(st.sampled_from([*likely, *raises]))
        bids.append([heard.seat, call])
    if heard.contract is None:
        play(state, {"bids": bids, "passed_out": True})
        return
    bidder = heard.contract["bidder"]
    rest: dict[str, Any] = {"trump": 7}
    if game == "tricky_dice":
        partner = {"partner": (bidder + 1) % 4}
        rest = {} if "solo" in heard.contract else partner
    contract: dict[str, Any] = {**heard.contract, **rest}
    parse_unfinished_hand(state, {"bids": bids, "contract": contract})
