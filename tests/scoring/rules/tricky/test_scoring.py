"""Tricky: what a hand is worth, who bids first next, and who wins."""

from typing import Any

import pytest

from tests.scoring.rules.scoring_hands import match


def hand(bidder: int, bid: int, trump: int | None, *points: int) -> dict[str, Any]:
    contract = {"bidder": bidder, "bid": bid, "trump": trump}
    return {"contract": contract, "points": list(points)}


def test_a_made_bid_scores_the_bid_times_trump() -> None:
    _state, (scored,) = match("tricky", 3, hand(1, 96, 7, 140, 120, 101))
    assert scored.scores == (140, 672, 101)
    assert str(scored.explanation[1].text) == "made 96 with 120: 96 × 7 (trump) = 672"
    assert scored.explanation[1].clause == "tricky.score.made"


def test_a_low_trump_or_none_counts_as_the_number_of_players() -> None:
    for trump in (None, 2):
        _state, (scored,) = match("tricky", 3, hand(1, 96, trump, 140, 120, 101))
        assert scored.scores[1] == 96 * 3
        assert "(players)" in str(scored.explanation[1].text)


def test_a_set_bid_scores_nothing_and_the_others_half_as_much_again() -> None:
    _state, (scored,) = match("tricky", 3, hand(1, 200, 7, 140, 120, 101))
    assert scored.scores == (210, 0, 151)
    assert str(scored.explanation[1].text) == "set: bid 200, took 120, 80 short"
    assert scored.explanation[1].clause == "tricky.score.set"


def test_a_hand_passed_out_costs_everybody_20_and_the_same_seat_bids_again() -> None:
    bids = [[2, "pass"], [0, "pass"], [1, "pass"]]
    raw = {"first_bidder": 2, "passed_out": True, "bids": bids}
    state, (scored,) = match("tricky", 3, raw)
    assert scored.scores == (-20, -20, -20)
    assert state.next == {"first_bidder": 2}


def test_the_highest_score_bids_first_next() -> None:
    state, _hands = match("tricky", 3, hand(1, 96, 7, 140, 120, 101))
    assert state.next == {"first_bidder": 1}


def test_of_equal_scores_the_first_clockwise_from_the_last_first_bidder_bids() -> None:
    raw = {"first_bidder": 1, **hand(1, 300, 7, 140, 120, 140)}
    state, _hands = match("tricky", 3, raw)
    assert state.next == {"first_bidder": 2}


def test_an_auction_with_re_entry_is_read() -> None:
    bids = [[0, 90], [1, "pass"], [2, 93], [0, "pass"], [1, 96]]
    bids += [[2, "pass"], [0, "pass"]]
    raw = {"bids": bids, **hand(1, 96, 7, 140, 120, 101)}
    _state, (scored,) = match("tricky", 3, raw)
    assert scored.scores[1] == 672


def test_each_lacks_what_is_missing_to_the_target() -> None:
    state, _hands = match("tricky", 3, hand(1, 96, 7, 140, 120, 101))
    assert state.needs == (2860, 2328, 2899)


def test_the_only_one_at_the_target_wins() -> None:
    raw = hand(1, 96, 7, 140, 120, 101)
    state, _hands = match("tricky", 3, raw, options={"target": 600})
    assert (state.winners, state.ranks, state.next) == ((1,), (2, 1, 3), None)
    assert state.decided is not None
    assert state.decided.clause == "tricky.end.bidder"


def test_of_several_at_the_target_the_bidder_wins_whatever_the_totals() -> None:
    raw = hand(2, 90, None, 300, 100, 100)
    state, _hands = match("tricky", 3, raw, options={"target": 270})
    assert (state.totals, state.winners) == ((300, 100, 270), (2,))
    assert state.ranks == (2, 3, 1)


def test_of_several_without_the_bidder_the_highest_wins() -> None:
    raw = hand(2, 300, None, 210, 200, 100)
    state, _hands = match("tricky", 3, raw, options={"target": 300})
    assert (state.totals, state.winners) == ((315, 300, 0), (0,))
    assert state.decided is not None
    assert state.decided.clause == "tricky.end.highest"


def test_a_shared_highest_total_plays_on_and_is_judged_again() -> None:
    tied = hand(2, 300, None, 200, 200, 100)
    options = {"target": 300}
    state, _hands = match("tricky", 3, tied, options=options)
    assert not state.finished
    assert state.decided is not None
    assert state.decided.clause == "tricky.end.tie"
    state, _hands = match("tricky", 3, tied, {"passed_out": True}, options=options)
    assert (state.finished, state.decided) == (False, None)
    after = hand(0, 90, None, 100, 120, 101)
    state, _hands = match("tricky", 3, tied, after, options=options)
    assert state.winners == (0,)


@pytest.mark.parametrize(
    ("trump", "said"),
    [
        (3, "120 × 4 (players) = 480"),
        (4, "120 × 4 (trump) = 480"),
        (5, "120 × 5 (trump) = 600"),
        (None, "120 × 4 (players) = 480"),
    ],
)
def test_a_made_bid_is_multiplied_by_trump_or_players_whichever_is_more(
    trump: int | None, said: str
) -> None:
    contract = {"bidder": 0, "bid": 120, "trump": trump}
    hand = {"contract": contract, "points": [130, 90, 80, 70]}
    _state, [scored] = match("tricky", 4, hand)
    assert said in str(scored.explanation[0].text)
