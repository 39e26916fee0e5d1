"""The rules accept or refuse any hand in an entry or a question, without breaking."""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import (
    MatchState,
    Refusal,
    fill_in_derived_parts,
    fill_in_unshown_fields,
    normalize_unfinished_hand,
    parse_auction,
    parse_pieces,
    parse_unfinished_hand,
    play,
    start,
)
from tests.fuzz.site import RECORD_DOCUMENTS
from tests.scoring.rules.test_match_record import JSON, spoil


class Moment(NamedTuple):
    state: MatchState
    hand: Mapping[str, Any]


@cache
def moments() -> list[Moment]:
    """Return the first hands of every worked record, each with the match before it."""
    moments_ = []
    for record in RECORD_DOCUMENTS:
        state = start(record["game"], len(record["players"]), record["options"])
        for hand in record["hands"][:4]:
            moments_.append(Moment(state, hand))
            state, _scored = play(state, hand)
    return moments_


def bids(raw: Mapping[str, Any]) -> list[Any]:
    """Return a list of any values: other types are never passed on."""
    raw_bids = raw.get("bids")
    return raw_bids if isinstance(raw_bids, list) else list(raw.values())


QUESTIONS: Mapping[str, Callable[[Moment, Any], object]] = {
    "play": lambda moment, raw: play(moment.state, raw),
    "fill_in_derived_parts": lambda moment, raw: fill_in_derived_parts(
        moment.state, raw
    ),
    "normalize_unfinished_hand": lambda moment, raw: normalize_unfinished_hand(
        moment.state, raw
    ),
    "fill_in_unshown_fields": lambda moment, raw: fill_in_unshown_fields(
        moment.state.game, moment.hand, raw
    ),
    "parse_unfinished_hand": lambda moment, raw: parse_unfinished_hand(
        moment.state, raw
    ),
    "parse_pieces": lambda moment, raw: parse_pieces(moment.state, raw),
    "parse_auction": lambda moment, raw: parse_auction(moment.state, bids(raw)),
}
PIECES = ("played", "bids", "tally", "rerolls", "die_tricks", "contract")
ODD: list[Any] = [
    *(None, True, 5, "x", "7", {}, {"a": 1}, [], [None], [1], [{}], [[0, 1]]),
    *([["a", 2]], ["7", "8"]),
]


def answers_or_explains(question: str, moment: Moment, raw: Any) -> bool:
    """Return whether the rules answer, or refuse with messages."""
    try:
        QUESTIONS[question](moment, raw)
    except Refusal as refusal:
        return all(str(fault.message).strip() for fault in refusal.faults)
    return True


@pytest.mark.parametrize("question", QUESTIONS)
def test_hand_with_an_odd_piece_is_played_or_refused_with_a_message(
    question: str,
) -> None:
    for moment in moments():
        for piece, odd_value in product({*moment.hand, *PIECES}, ODD):
            assert answers_or_explains(
                question, moment, {**moment.hand, piece: odd_value}
            )
            assert answers_or_explains(question, moment, {piece: odd_value})


@pytest.mark.parametrize("question", QUESTIONS)
@given(st.data())
def test_corrupted_hand_is_played_or_refused_with_a_message(
    question: str, data: st.DataObject
) -> None:
    moment = data.draw(st.sampled_from(moments()))
    value = data.draw(JSON | st.sampled_from(["d20:17", "AH", "P7", "pass", -1, 99]))
    raw = spoil(moment.hand, value, data)
    if isinstance(raw, dict) or question == "play":
        assert answers_or_explains(question, moment, raw)
