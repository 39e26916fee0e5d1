"""Parse, complete and correct entered hands and their tricks."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from scoring.games.random_match import generate_hand
from scoring.rules import (
    GAMES,
    PLAYED_KEY,
    Call,
    MatchState,
    ParsedHand,
    Refusal,
    fill_in_derived_parts,
    fill_in_unshown_fields,
    normalize_unfinished_hand,
    parse_unfinished_hand,
    play,
    start,
)
from scoring.rules.db2t.game import EnteredContest
from scoring.rules.hand import calls_or_empty
from scoring.rules.reading import Faults
from scoring.rules.registry import add_game, get_game_package, remove_game
from tests.tournaments.history.slow_figures import slow_tricks
from tests.toy_game.rules.game import Fifty, FiftyHand

CONTRACT = ("contract", "trump", "dealer", "first_bidder")
RECORDED = [game.id for game in GAMES.values() if game.records_tricks]
StateAndHand = tuple[MatchState, dict[str, Any]]


def generate_hands(game: str, *, tricks: bool = False) -> Iterator[StateAndHand]:
    """Yield the hands of matches of every size, each with the match before it."""
    for seats in GAMES[game].seats:
        state, rng = start(game, seats), Random(seats)
        while not state.finished and state.number < 12:
            raw = generate_hand(state, rng, tricks=tricks)
            yield state, raw
            state, _scored = play(state, raw)


@pytest.mark.parametrize("game", RECORDED)
def test_contract_survives_a_round_trip_alone_and_with_its_hand(game: str) -> None:
    for state, raw in generate_hands(game):
        hand = GAMES[game].parse(state, raw, Faults())
        contract = raw.get("contract", {})
        assert hand.bidder == contract.get("bidder")
        assert hand.bid == contract.get("bid", contract.get("tricks"))
        assert hand.partner == contract.get("partner")
        assert hand.solo == contract.get("solo", False)
        trump = contract.get("trump")
        assert hand.trump_number == (trump if game == "tricky" else None)
        assert [[call.seat, call.bid] for call in hand.bids] == raw.get("bids", [])
        for sum_key in state.game.sum_keys if hasattr(state.game, "sum_keys") else ():
            assert list(getattr(hand, sum_key)) == raw.get(sum_key, [0] * state.seats)
        if contract:
            contract_fields = {key: raw[key] for key in CONTRACT if key in raw}
            unfinished = parse_unfinished_hand(state, contract_fields)
            for part in ("bidder", "bid", "partner", "solo", "trump_number"):
                assert getattr(unfinished, part) == getattr(hand, part)
            for part in ("turn", "dealer", "trump", "contract"):
                assert getattr(unfinished, part, None) == getattr(hand, part, None)


@pytest.mark.parametrize("game", RECORDED)
def test_parsed_tricks_have_leader_winner_and_trump_lead(game: str) -> None:
    for state, raw in generate_hands(game, tricks=True):
        _state, scored = play(state, raw)
        assert [
            (trick.leader, trick.winner, trick.worth, trick.trump_led)
            for trick in scored.tricks
        ] == list(slow_tricks(state, raw))


def test_correction_keeps_tricks_that_give_the_same_sums() -> None:
    state = start("tricky", 3)
    raw = generate_hand(state, Random(2), tricks=True)
    _state, scored = play(state, raw)
    game = state.game
    before = {**raw, "points": list(scored.sums["points"])}
    sums = {"contract": raw["contract"], "points": before["points"]}
    assert game.fill_in_unshown_fields(before, sums)["tricks"] == raw["tricks"]
    assert "tricks" not in game.fill_in_unshown_fields(
        before, sums | {"points": [1, 2, 3]}
    )
    for part in ("bidder", "trump"):
        other_contract = raw["contract"] | {part: (raw["contract"][part] or 0) + 1}
        assert "tricks" not in game.fill_in_unshown_fields(
            before, sums | {"contract": other_contract}
        )
    higher_bid = raw["contract"] | {"bid": raw["contract"]["bid"] + 1}
    corrected = game.fill_in_unshown_fields(before, sums | {"contract": higher_bid})
    assert corrected["tricks"] == raw["tricks"]
    assert "bids" not in corrected
    with_bids = {"contract": {"bidder": 0}, "bids": [[0, 60]], "first_bidder": 1}
    for bidder in (0, 1):
        new_hand = {"contract": {"bidder": bidder}}
        expected = with_bids if bidder == 0 else {**new_hand, "first_bidder": 1}
        assert game.fill_in_unshown_fields(with_bids, new_hand) == expected


@pytest.mark.parametrize(
    ("game", "option", "least"),
    [
        ("tricky", "target", 1),
        ("tricky_dice", "target", 1),
        ("tricky_bid", "multiple", 1),
        ("db2t", "contests", 1),
    ],
)
def test_numeric_options_have_a_minimum(game: str, option: str, least: int) -> None:
    assert start(game, 4, {option: least}).options[option] == least
    with pytest.raises(Refusal):
        start(game, 4, {option: least - 1})


@pytest.mark.parametrize("game", RECORDED)
def test_sums_must_match_the_tricks(game: str) -> None:
    state = start(game, 4)
    raw = generate_hand(state, Random(3), tricks=True)
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


def test_antes_of_a_tally_are_summed_per_winner() -> None:
    state = start("tricky_bid", 3)
    assert fill_in_derived_parts(state, {"tally": TALLY}) == {"points": [2, 32, 15]}
    blank = {"points": [None, None, None]}
    # The winner of a trick is noted before its antes.
    assert fill_in_derived_parts(state, {**blank, "tally": [{"winner": 0}]}) == blank


@pytest.mark.parametrize(
    ("trick", "message"),
    [
        ({"antes": ["9"]}, "Choose who won this trick."),
        ({"winner": 1}, "Enter the antes won in this trick."),
        (None, "Enter who won this trick"),
        ({"winner": 1, "antes": ["16"]}, "Enter antes from 0 to 15"),
        ({"winner": 1, "antes": [9]}, "Enter antes from 0 to 15"),
        ({"winner": 3, "antes": ["9"]}, "Choose who won this trick."),
        ({"winner": 1, "antes": ["15", "15"]}, "each number once, and at most 3"),
        ({"winner": 1, "antes": ["6", "11", "3", "5"]}, "and at most 3"),
        (7, "Must be an object."),
    ],
)
def test_refuses_a_tally_at_its_wrong_trick(trick: Any, message: str) -> None:
    state, tally = start("tricky_bid", 3), [*TALLY]
    tally[3] = trick
    raw = fill_in_derived_parts(state, {"points": [1, 2, 3], "tally": tally})
    with pytest.raises(Refusal) as refusal:
        play(state, raw)
    faults = refusal.value.faults
    assert any(message in str(fault.message) for fault in faults)
    assert {fault.field for fault in faults} == {"tally[3].antes"}


def test_tally_counts_a_number_at_most_once_per_colour() -> None:
    state = start("tricky_bid", 3)
    fifteens = [{"winner": 0, "antes": ["15"]}] * 3
    assert (
        fill_in_derived_parts(state, {"tally": [*TALLY[:3], *fifteens]})["points"][0]
        == 47
    )
    raw = fill_in_derived_parts(state, {"tally": [*TALLY[:2], *fifteens, TALLY[5]]})
    with pytest.raises(Refusal, match="only 3 cards numbered 15"):
        play(state, raw)


@pytest.mark.parametrize("tally", [1, [*TALLY, TALLY[0]]])
def test_tally_of_the_wrong_tricks_is_refused(tally: Any) -> None:
    with pytest.raises(Refusal, match="a list of up to 6 tricks"):
        play(start("tricky_bid", 3), {"tally": tally})


class Plain(Fifty):
    """A game without optional features."""

    fewest_points_win = False


def test_invalid_hand_is_returned_unchanged() -> None:
    contest_state = start("db2t", 3)
    raw: dict[str, Any] = {"inciter": 0, "tier": [], "actors": [8, 9, "x"]}
    assert (
        fill_in_derived_parts(contest_state, raw)
        == normalize_unfinished_hand(contest_state, raw)
        == raw
    )
    with pytest.raises(Refusal):
        play(contest_state, raw)
    tricky_state = start("tricky", 3)
    wrong = {"contract": 7, "tricks_won": [1, 2, 3]}
    assert (
        fill_in_unshown_fields(tricky_state.game, {"contract": {"bidder": 0}}, wrong)
        == wrong
    )


def test_game_without_optional_features_uses_defaults() -> None:
    plain, raw = Plain(), {"points": [1, 2]}
    state = start("db2t", 2)
    assert plain.option_defaults(2) == {}
    faults = Faults()
    assert plain.parse_loosely(state, {}) == FiftyHand()
    assert plain.fill_in_unshown_fields(raw, {"points": [2, 1]}) == {"points": [2, 1]}
    assert (
        plain.fill_in_derived_parts(state, raw)
        == plain.normalize_unfinished_hand(state, raw)
        == raw
    )
    assert plain.list_pieces(raw) == []
    assert plain.convert_checked_tricks(raw) == ()
    assert plain.convert_tricks_to_pieces(raw) == {**raw, PLAYED_KEY: []}
    assert plain.score_trick(raw, faults) is None
    assert plain.parse_contract_or_parts(state, raw, faults) == ParsedHand()
    assert [fault.field for fault in faults.items] == ["game", "contract"]
    assert plain.points_needed(state) == (None, None)
    assert plain.explain_tie_break(state, 0, 1) is None


def test_equal_points_share_the_better_rank_in_both_directions() -> None:
    assert Plain().rank_points([3, 9, 9, 5]) == (4, 1, 1, 3)
    assert Fifty().rank_points([3, 9, 9, 5]) == (1, 3, 3, 2)


def test_game_is_available_once_added() -> None:
    # The last one, so that the order of the games stays.
    game_id = list(GAMES)[-1]
    package = get_game_package(game_id)
    remove_game(game_id)
    assert game_id not in GAMES
    with pytest.raises(Refusal):
        start(game_id, 2)
    assert add_game(package).id == game_id
    assert list(GAMES)[-1] == game_id


@pytest.mark.parametrize("game", RECORDED)
def test_fully_played_hand_has_its_tricks(game: str) -> None:
    state = start(game, 4)
    raw = generate_hand(state, Random(3), tricks=True)
    for table_key in ("first_bidder", "dealer", "bids"):
        raw.pop(table_key, None)
    complete = GAMES[game].convert_tricks_to_pieces(raw)
    assert fill_in_derived_parts(state, complete) == raw
    incomplete = {**complete, PLAYED_KEY: complete[PLAYED_KEY][:-1]}
    assert fill_in_derived_parts(state, incomplete) == incomplete
    nonsense = {**complete, PLAYED_KEY: ["nothing"]}
    assert fill_in_derived_parts(state, nonsense) == nonsense
    assert normalize_unfinished_hand(state, {"points": [1]})["points"] == [1]


def test_unreadable_parts_of_a_hand_are_omitted() -> None:
    state = start("tricky", 2)
    hands: list[dict[str, Any]] = [{"bids": 1}, {"bids": [1]}, {"contract": {}}]
    for raw in [*hands, {"points": 1}]:
        hand = GAMES["tricky"].parse_loosely(state, raw)
        assert (hand.bids, hand.bidder) == ((), None)
    dice_state = start("tricky_dice", 4)
    dice_hand = GAMES["tricky_dice"].parse_loosely(
        dice_state, {"tricks_won": [4, 3, 2, 1]}
    )
    assert dice_hand.bidder is None
    contest = GAMES["db2t"].parse_loosely(start("db2t", 2), {"inciter": 1, "tier": 7})
    assert isinstance(contest, EnteredContest)
    assert (contest.inciter, contest.tier) == (1, None)
    bid_hand = GAMES["any_game"].parse_loosely(
        start("any_game", 2), {"bids": [1, None]}
    )
    assert bid_hand.seat_bids == (1, None)
    assert calls_or_empty([[0, "pass"]]) == (Call(0, "pass"),)


def test_correction_keeps_an_auction_that_fits_the_hand() -> None:
    state = start("tricky", 2)
    bids = [[0, 60], [1, "pass"]]
    contract = {"bidder": 0, "bid": 60, "trump": 7}
    raw = {"bids": bids, "contract": contract}
    assert fill_in_derived_parts(state, raw) == raw
    other = {"bids": bids, "contract": {**contract, "bid": 70}}
    assert fill_in_derived_parts(state, other) == {"contract": other["contract"]}
    passed = {"bids": [[0, "pass"], [1, "pass"]], "passed_out": True}
    assert fill_in_derived_parts(state, passed) == passed
    assert fill_in_derived_parts(state, {**passed, "bids": [[1, "pass"]]}) == {
        "passed_out": True
    }
    assert fill_in_derived_parts(state, {**passed, "bids": bids[:1]}) == {
        "passed_out": True
    }
    bid_state = start("tricky_bid", 2)
    assert fill_in_derived_parts(bid_state, {"bids": bids, "points": [1, 2]}) == {
        "points": [1, 2]
    }


def test_a_solo_has_no_partner_and_dice_are_counted_with_tricks() -> None:
    state = start("tricky_dice", 4)
    contract = {"bidder": 1, "tricks": None, "partner": 3, "solo": True}
    raw = {"contract": contract, "die_tricks": [1, None, None, 0]}
    solo_contract = {"bidder": 1, "solo": True}
    assert fill_in_derived_parts(state, raw) == {"contract": solo_contract}
    tricks_won = {"tricks_won": [4, 3, 2, 1]}
    assert fill_in_derived_parts(state, raw | tricks_won) == {
        "contract": solo_contract,
        **tricks_won,
        "die_tricks": [1, 0, 0, 0],
    }
    assert fill_in_derived_parts(state, {**tricks_won})["die_tricks"] == [0, 0, 0, 0]


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
    raw = {"inciter": 0, "tier": "pair", "trump": "prial", "actors": actors}
    contest = fill_in_derived_parts(state, {**raw, "difficulty": True, "rerolls": [1]})
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


def test_partial_contest_keeps_positions_of_missing_dice() -> None:
    state = start("db2t", 2)
    actors = [{"dice": [None, 4]}, {"dice": [2, 2, 5]}]
    raw = {"inciter": None, "tier": "pair", "actors": actors, "rerolls": [1]}
    contest = normalize_unfinished_hand(state, raw)
    assert contest["rerolls"] == [1, 0]
    assert contest["actors"][0] == {"dice": [None, 4, None], "declared": None}
    assert contest["actors"][1] == {"dice": [2, 2, 5], "declared": None}
    contest = normalize_unfinished_hand(state, {**raw, "inciter": 1, "rerolls": [0]})
    assert "rerolls" not in contest
    assert contest["actors"][1]["declared"] == "pair"


def test_records_contain_no_tally() -> None:
    with pytest.raises(Refusal, match="“tally” isn’t allowed here"):
        play(start("tricky_bid", 3), {"points": [1, 2, 3], "tally": TALLY})
