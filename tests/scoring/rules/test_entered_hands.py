"""Hands as they were entered: completed, read into values, corrected, listed."""

from random import Random
from typing import Any

import pytest

from scoring.games.random_match import play_hand
from scoring.rules import (
    GAMES,
    PLAYED,
    Call,
    Hand,
    Refusal,
    check_contract,
    complete,
    corrected_hand,
    play,
    start,
    unfinished_hand,
)
from scoring.rules.db2t.game import EnteredContest
from scoring.rules.game import End, Game, HandResult, MatchState, Raw
from scoring.rules.hand import read_calls
from scoring.rules.reading import Faults
from scoring.rules.registry import add_game, get_package, remove_game
from tests.toy_game.rules.game import Fifty

RECORDED = [game.id for game in GAMES.values() if game.records_tricks]


class Plain(Game):
    """A game that says no more than it must."""

    id = "plain"
    name = "Plain"
    seats = range(2, 3)

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> Hand:
        return Hand()

    def score(self, state: MatchState, hand: Hand) -> HandResult:
        raise NotImplementedError

    def end(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[End, Any]:
        raise NotImplementedError


def test_what_is_no_hand_at_all_stays_as_it_is() -> None:
    contest = start("db2t", 3)
    raw: dict[str, Any] = {"inciter": 0, "tier": [], "actors": [8, 9, "x"]}
    assert complete(contest, raw) == unfinished_hand(contest, raw) == raw
    with pytest.raises(Refusal):
        play(contest, raw)
    hand = start("tricky", 3)
    wrong = {"contract": 7, "tricks_won": [1, 2, 3]}
    assert corrected_hand(hand.game, {"contract": {"bidder": 0}}, wrong) == wrong


def test_a_game_is_spared_what_it_does_not_have() -> None:
    plain, raw = Plain(), {"points": [1, 2]}
    state = start("db2t", 2)
    assert plain.option_defaults(2) == {}
    plain.check_option("none", 1, 2, faults := Faults())
    assert plain.parse_loosely(state, raw) == Hand()
    assert plain.corrected_hand(raw, {"points": [2, 1]}) == {"points": [2, 1]}
    assert plain.complete(state, raw) == plain.unfinished_hand(state, raw) == raw
    assert plain.list_pieces(raw) == []
    assert plain.parse_tricks(raw) == ()
    assert plain.with_played_pieces(raw) == {**raw, PLAYED: []}
    assert plain.score_trick(raw, faults) is None
    assert plain.parse_unfinished(state, raw, faults) == Hand()
    assert [fault.field for fault in faults.listed] == ["game", "contract"]
    assert plain.needs(state) == (None, None)
    assert plain.explain_tie_break(state, 0, 1) is None


def test_equal_points_share_the_better_rank_whichever_way_is_up() -> None:
    assert Plain().rank_points([3, 9, 9, 5]) == (4, 1, 1, 3)
    assert Fifty().rank_points([3, 9, 9, 5]) == (1, 3, 3, 2)


def test_a_game_is_offered_from_its_line_on() -> None:
    package = get_package("db2t")
    remove_game("db2t")
    assert "db2t" not in GAMES
    with pytest.raises(Refusal):
        start("db2t", 2)
    assert add_game(package).id == "db2t"
    assert list(GAMES)[-1] == "db2t"


@pytest.mark.parametrize("game", RECORDED)
def test_a_hand_of_which_every_piece_was_played_has_its_tricks(game: str) -> None:
    state = start(game, 4)
    raw = play_hand(state, Random(3), tricks=True)
    for said_at_the_table in ("first_bidder", "dealer", "bids"):
        raw.pop(said_at_the_table, None)
    whole = GAMES[game].with_played_pieces(raw)
    assert complete(state, whole) == raw
    less = {**whole, PLAYED: whole[PLAYED][:-1]}
    assert complete(state, less) == less
    nonsense = {**whole, PLAYED: ["nothing"]}
    assert complete(state, nonsense) == nonsense
    assert unfinished_hand(state, {"points": [1]})["points"] == [1]


@pytest.mark.parametrize("game", RECORDED)
def test_a_hand_with_every_piece_goes_on_until_it_is_saved(game: str) -> None:
    state = start(game, 4)
    whole = GAMES[game].with_played_pieces(play_hand(state, Random(3), tricks=True))
    kept = unfinished_hand(state, whole)
    assert kept[PLAYED] == whole[PLAYED]
    assert "tricks" not in kept
    assert check_contract(state, kept) is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_hand_is_parsed_into_a_value_and_scored_by_it(game: str) -> None:
    for seed in range(6):
        state = start(game, GAMES[game].seats[-1])
        raw = play_hand(state, Random(seed), tricks=seed % 2 == 1)
        hand = GAMES[game].parse(state, raw, faults := Faults())
        assert not faults.listed
        _state, scored = play(state, raw)
        assert scored.hand == hand
        assert GAMES[game].score(state, hand).scores == scored.scores
        assert len(hand.tricks) == len(scored.tricks)
        assert len(hand.bids) == len(raw.get("bids", ()))


def test_what_cannot_be_read_of_a_hand_is_left_out_of_it() -> None:
    state = start("tricky", 2)
    hands: list[dict[str, Any]] = [{"bids": 1}, {"bids": [1]}, {"contract": {}}]
    for raw in [*hands, {"points": 1}]:
        hand = GAMES["tricky"].parse_loosely(state, raw)
        assert (hand.bids, hand.bidder) == ((), None)
    dice = start("tricky_dice", 4)
    won = GAMES["tricky_dice"].parse_loosely(dice, {"tricks_won": [4, 3, 2, 1]})
    assert won.bidder is None
    contest = GAMES["db2t"].parse_loosely(start("db2t", 2), {"inciter": 1, "tier": 7})
    assert isinstance(contest, EnteredContest)
    assert (contest.inciter, contest.tier) == (1, None)
    assert read_calls([[0, "pass"]]) == (Call(0, "pass"),)


def test_an_auction_stays_while_it_comes_to_the_hand() -> None:
    state = start("tricky", 2)
    bids = [[0, 60], [1, "pass"]]
    contract = {"bidder": 0, "bid": 60, "trump": 7}
    told = {"bids": bids, "contract": contract}
    assert complete(state, told) == told
    other = {"bids": bids, "contract": {**contract, "bid": 70}}
    assert complete(state, other) == {"contract": other["contract"]}
    passed = {"bids": [[0, "pass"], [1, "pass"]], "passed_out": True}
    assert complete(state, passed) == passed
    assert complete(state, {**passed, "bids": [[1, "pass"]]}) == {"passed_out": True}
    assert complete(state, {**passed, "bids": bids[:1]}) == {"passed_out": True}
    plain = start("tricky_bid", 2)
    assert complete(plain, {"bids": bids, "points": [1, 2]}) == {"points": [1, 2]}


def test_a_solo_has_no_partner_and_dice_are_counted_with_tricks() -> None:
    state = start("tricky_dice", 4)
    contract = {"bidder": 1, "tricks": None, "partner": 3, "solo": True}
    told = {"contract": contract, "die_tricks": [1, None, None, 0]}
    alone = {"bidder": 1, "solo": True}
    assert complete(state, told) == {"contract": alone}
    won = {"tricks_won": [4, 3, 2, 1]}
    assert complete(state, told | won) == {
        "contract": alone,
        **won,
        "die_tricks": [1, 0, 0, 0],
    }
    assert complete(state, {**won})["die_tricks"] == [0, 0, 0, 0]


def test_declarations_without_a_choice_are_made() -> None:
    state = start("db2t", 7, {"difficulty": True})
    actors = [
        {"dice": [2, 2, 5]},
        {"dice": [6, 6, 6], "declared": "trump"},
        {"dice": [1, None, 4]},
        {"dice": [1, 2, 4]},
        None,
        {"dice": [6, 6, 6]},
        {"dice": [6, 6, 6], "declared": "prial"},
    ]
    told = {"inciter": 0, "tier": "pair", "trump": "prial", "actors": actors}
    contest = complete(state, {**told, "difficulty": True, "rerolls": [1]})
    assert "difficulty" not in contest
    assert contest["actors"] == [
        {"dice": [2, 2, 5], "declared": "pair"},
        {"dice": [6, 6, 6], "declared": "prial"},
        {"dice": [1, 4], "declared": None},
        {"dice": [1, 2, 4], "declared": None},
        None,
        {"dice": [6, 6, 6], "declared": "pair"},
        {"dice": [6, 6, 6], "declared": "prial"},
    ]


def test_a_contest_that_goes_on_keeps_the_places_of_missing_dice() -> None:
    state = start("db2t", 2)
    actors = [{"dice": [None, 4]}, {"dice": [2, 2, 5]}]
    told = {"inciter": None, "tier": "pair", "actors": actors, "rerolls": [1]}
    contest = unfinished_hand(state, told)
    assert contest["rerolls"] == [1, 0]
    assert contest["actors"][0] == {"dice": [None, 4, None], "declared": None}
    assert contest["actors"][1] == {"dice": [2, 2, 5], "declared": None}
    contest = unfinished_hand(state, {**told, "inciter": 1, "rerolls": [0]})
    assert "rerolls" not in contest
    assert contest["actors"][1]["declared"] == "pair"


def test_a_correction_keeps_tricks_that_come_to_it() -> None:
    game = GAMES["tricky_bid"]
    state = start(game.id, 3)
    raw = play_hand(state, Random(5), tricks=True)
    _state, scored = play(state, raw)
    before = {**raw, "points": list(scored.scores)}
    same = game.corrected_hand(before, {"points": before["points"]})
    assert same["tricks"] == raw["tricks"]
    assert "tricks" not in game.corrected_hand(before, {"points": [0, 0, 1]})
    with_bids = {"contract": {"bidder": 0}, "bids": [[0, 60]], "first_bidder": 1}
    tricky = GAMES["tricky"]
    assert tricky.corrected_hand(with_bids, {"contract": {"bidder": 0}}) == with_bids
    moved = tricky.corrected_hand(with_bids, {"contract": {"bidder": 1}})
    assert moved == {"contract": {"bidder": 1}, "first_bidder": 1}
