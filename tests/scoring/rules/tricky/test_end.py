"""Tricky: what is missing to the target, and who wins there."""

from typing import Any

from tests.scoring.rules.scoring_hands import match


def hand(bidder: int, bid: int, trump: int | None, *points: int) -> dict[str, Any]:
    contract = {"bidder": bidder, "bid": bid, "trump": trump}
    return {"contract": contract, "points": list(points)}


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
