"""A parsed hand holds what its document says, and played tricks what happened in them."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from scoring.games.random_match import play_hand
from scoring.rules import (
    GAMES,
    MatchState,
    Refusal,
    check_contract,
    complete,
    follow,
    parse_auction,
    play,
    start,
)
from scoring.rules.reading import Faults
from tests.tournaments.history.slow_figures import slow_tricks

RECORDED = [game.id for game in GAMES.values() if game.records_tricks]
CONTRACT = ("contract", "trump", "dealer", "first_bidder")
Played = tuple[MatchState, dict[str, Any]]


def hands(game: str, *, tricks: bool = False) -> Iterator[Played]:
    """Yield the hands of matches of every size, each with the match before it."""
    for seats in GAMES[game].seats:
        state, rng = start(game, seats), Random(seats)
        while not state.finished and state.number < 12:
            raw = play_hand(state, rng, tricks=tricks)
            yield state, raw
            state, _scored = play(state, raw)


@pytest.mark.parametrize("game", RECORDED)
def test_a_contract_is_read_as_it_is_written(game: str) -> None:
    for state, raw in hands(game):
        hand = GAMES[game].parse(state, raw, Faults())
        contract = raw.get("contract", {})
        assert hand.bidder == contract.get("bidder")
        assert hand.bid == contract.get("bid", contract.get("tricks"))
        assert hand.partner == contract.get("partner")
        assert hand.solo == contract.get("solo", False)
        trump = contract.get("trump")
        assert hand.trump_number == (trump if game == "tricky" else None)
        assert [[call.seat, call.said] for call in hand.bids] == raw.get("bids", [])
        for sums in state.game.sums if hasattr(state.game, "sums") else ():
            assert list(getattr(hand, sums)) == raw.get(sums, [0] * state.seats)


@pytest.mark.parametrize("game", ["tricky", "tricky_dice"])
def test_a_contract_alone_is_read_as_it_is_in_the_whole_hand(game: str) -> None:
    for state, raw in hands(game):
        if "contract" in raw:
            told = {k: raw[k] for k in CONTRACT if k in raw}
            begun, whole = (
                check_contract(state, told),
                GAMES[game].parse(state, raw, Faults()),
            )
            for part in ("bidder", "bid", "partner", "solo", "trump_number"):
                assert getattr(begun, part) == getattr(whole, part)
            for part in ("turn", "dealer", "trump", "contract"):
                assert getattr(begun, part, None) == getattr(whole, part, None)


@pytest.mark.parametrize("game", RECORDED)
def test_tricks_tell_who_led_who_won_what_and_whether_trump_was_led(game: str) -> None:
    for state, raw in hands(game, tricks=True):
        _state, scored = play(state, raw)
        assert [
            (won.leader, won.winner, won.worth, won.trump_led) for won in scored.tricks
        ] == list(slow_tricks(state, raw))


@pytest.mark.parametrize("game", RECORDED)
def test_an_unfinished_hand_tells_who_led_and_what_lies_there(game: str) -> None:
    each = {"tricky": 2}.get(game, 1)
    for state, raw in hands(game, tricks=True):
        if "tricks" not in raw:
            continue
        pieces = state.game.list_pieces(raw)
        told = list(slow_tricks(state, raw))
        rest = {
            k: v for k, v in state.game.with_played_pieces(raw).items() if k != "played"
        }
        for count in range(0, len(pieces), 3):
            recorded = follow(state, {**rest, "played": pieces[:count]})
            closed = len(recorded.tricks)
            assert list(recorded.leaders) == [trick.leader for trick in told[:closed]]
            lying = [piece for laid in recorded.laid for piece in laid.pieces]
            assert lying == pieces[count - len(lying) : count]
            leader = told[closed].leader if closed < len(told) else 0
            for at, laid in enumerate(recorded.laid):
                place = at % state.seats
                assert laid.seat == (leader + place) % state.seats
                assert laid.asks in ("ante", "play")
            antes = [laid.asks for laid in recorded.laid].count("ante")
            if game == "tricky_bid":
                assert antes == min(len(recorded.laid), state.seats)
            if recorded.turn is not None and recorded.turn.asks != "trump":
                place = (len(lying) // each) % state.seats
                assert recorded.turn.seat == (leader + place) % state.seats


@pytest.mark.parametrize("game", RECORDED)
def test_faults_name_the_hand_that_they_are_in(game: str) -> None:
    state = start(game, 4)
    for _hand in range(2):
        state, _scored = play(state, play_hand(state, Random(1)))
    acts = (
        lambda: play(state, {}),
        lambda: check_contract(state, {"unknown": 1}),
        lambda: follow(state, {"played": 1}),
        lambda: parse_auction(state, [1]),
    )
    for act in acts:
        with pytest.raises(Refusal) as caught:
            act()
        assert {fault.hand for fault in caught.value.faults} == {3}


def test_recorded_tricks_stay_while_a_correction_comes_to_the_same() -> None:
    state = start("tricky", 3)
    raw = play_hand(state, Random(2), tricks=True)
    _state, scored = play(state, raw)
    game = state.game
    before = {**raw, "points": list(scored.sums["points"])}
    sums = {"contract": raw["contract"], "points": before["points"]}
    assert game.corrected_hand(before, sums)["tricks"] == raw["tricks"]
    assert "tricks" not in game.corrected_hand(before, sums | {"points": [1, 2, 3]})
    for part in ("bidder", "trump"):
        changed = raw["contract"] | {part: (raw["contract"][part] or 0) + 1}
        assert "tricks" not in game.corrected_hand(before, sums | {"contract": changed})
    bid = raw["contract"] | {"bid": raw["contract"]["bid"] + 1}
    corrected = game.corrected_hand(before, sums | {"contract": bid})
    assert corrected["tricks"] == raw["tricks"]
    assert "bids" not in corrected


@pytest.mark.parametrize(
    ("game", "option", "least"),
    [
        ("tricky", "target", 1),
        ("tricky_dice", "target", 1),
        ("tricky_bid", "multiple", 1),
        ("db2t", "contests", 1),
    ],
)
def test_an_agreed_number_is_one_at_least(game: str, option: str, least: int) -> None:
    assert start(game, 4, {option: least}).options[option] == least
    with pytest.raises(Refusal):
        start(game, 4, {option: least - 1})


def test_what_a_seat_lacks_is_nothing_once_it_is_there() -> None:
    state = start("tricky", 2, {"target": 100})
    raw = {"contract": {"bidder": 0, "bid": 60, "trump": 2}, "points": [200, 4]}
    state, _scored = play(state, raw)
    assert state.needs == (0, 96)


def test_an_auction_in_which_all_passed_stays_with_the_hand() -> None:
    state = start("tricky", 2)
    raw = {"passed_out": True, "bids": [[0, "pass"], [1, "pass"]]}
    hand = GAMES["tricky"].parse(state, raw, faults := Faults())
    assert faults.listed == []
    assert [call.said for call in hand.bids] == ["pass", "pass"]
    GAMES["tricky"].parse(state, {**raw, "bids": [[1, "pass"], [0, "pass"]]}, faults)
    assert faults.listed[0].field == "bids[0]"


@pytest.mark.parametrize("game", RECORDED)
def test_sums_beside_tricks_are_what_the_tricks_come_to(game: str) -> None:
    state = start(game, 4)
    raw = play_hand(state, Random(3), tricks=True)
    _state, scored = play(state, raw)
    sums = {name: list(values) for name, values in scored.sums.items()}
    assert play(state, {**raw, **sums})[1].scores == scored.scores
    for name, values in sums.items():
        wrong = [values[1] + 1, *values[1:]]
        with pytest.raises(Refusal):
            play(state, {**raw, **sums, name: wrong})


TALLY = [
    {"winner": 1, "antes": ["6,", "11"]},
    {"winner": 1, "antes": ["3", "4", "5"]},
    {"winner": 0, "antes": ["2"]},
    {"winner": 0, "antes": ["0"]},
    {"winner": 1, "antes": ["1", "2"]},
    {"winner": 2, "antes": ["15"]},
]
"""All tricks of a round for three."""


def test_antes_of_a_tally_add_up_by_who_won_them() -> None:
    state = start("tricky_bid", 3)
    assert complete(state, {"tally": TALLY}) == {"points": [2, 32, 15]}
    blank = {"points": [None, None, None]}
    # Who won one is noted before its antes are.
    assert complete(state, {**blank, "tally": [{"winner": 0}]}) == blank


@pytest.mark.parametrize(
    ("place", "trick", "says"),
    [
        (3, {"antes": ["9"]}, "Who won this trick?"),
        (3, {"winner": 1}, "Which antes did this trick bring?"),
        (3, None, "This trick is missing"),
        (3, {"winner": 1, "antes": []}, "Which antes did this trick bring?"),
        (3, {"winner": 1, "antes": ["16"]}, "Antes show 0 to 15"),
        (3, {"winner": 1, "antes": ["a"]}, "Antes show 0 to 15"),
        (3, {"winner": 1, "antes": [9]}, "Antes show 0 to 15"),
        (3, {"winner": 3, "antes": ["9"]}, "Who won this trick?"),
        (3, {"winner": 1, "antes": ["15", "15"]}, "each number once, and 3 at most"),
        (3, {"winner": 1, "antes": ["6", "11", "3", "5"]}, "and 3 at most"),
        (3, 7, "An object is expected here."),
    ],
)
def test_refuses_a_tally_at_its_wrong_trick(place: int, trick: Any, says: str) -> None:
    state, tally = start("tricky_bid", 3), [*TALLY]
    tally[place] = trick
    raw = complete(state, {"points": [1, 2, 3], "tally": tally})
    with pytest.raises(Refusal) as refused:
        play(state, raw)
    faults = refused.value.faults
    assert any(says in str(fault.message) for fault in faults)
    assert {fault.field for fault in faults} == {f"tally[{place}].antes"}


def test_a_number_is_won_as_often_as_there_are_colours_of_it() -> None:
    state = start("tricky_bid", 3)
    fifteens = [{"winner": 0, "antes": ["15"]}] * 3
    assert complete(state, {"tally": [*TALLY[:3], *fifteens]})["points"][0] == 47
    raw = complete(state, {"tally": [*TALLY[:2], *fifteens, TALLY[5]]})
    with pytest.raises(Refusal, match="The 15 is there in 3 colours"):
        play(state, raw)


@pytest.mark.parametrize("tally", [1, [*TALLY, TALLY[0]]])
def test_a_tally_of_other_tricks_than_are_played_is_refused(tally: Any) -> None:
    with pytest.raises(Refusal, match="A list of 6 tricks"):
        play(start("tricky_bid", 3), {"tally": tally})


def test_no_record_holds_a_tally() -> None:
    with pytest.raises(Refusal, match="“tally” is not part of this entry"):
        play(start("tricky_bid", 3), {"points": [1, 2, 3], "tally": TALLY})
