"""Entry forms read what was posted and show what was stored; the rules check."""

from typing import Any

import pytest
from django.utils.datastructures import MultiValueDict

from scoring.games.entry_form import EntryForm
from scoring.games.registry import table_game
from scoring.games.tricky.form import TrickyForm
from scoring.rules import GAMES, MatchState, Refusal, parse_unfinished_hand, play, start

KEY = "6f1c0a9e-3a53-4a8e-9d56-0c6f8f7f0001"
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


def parse_form(state: MatchState, values: dict[str, Any]) -> EntryForm:
    """Return the form as a browser posts it, parsed."""
    data = {name: [str(value)] for name, value in values.items() if value is not None}
    form = table_game(state.game.id).entry_form(
        MultiValueDict({"key": [KEY], **data}),
        names=NAMES[: state.seats],
        state=state,
    )
    assert form.is_valid(), form.errors
    return form


def displayed_values(game: str, raw: dict[str, Any]) -> dict[str, Any]:
    """Return the field values of a raw hand on its page; unchecked boxes are not posted."""
    initial = table_game(game).entry_form.initial_values(raw)
    return {name: value for name, value in initial.items() if value is not False}


def form_faults(form: EntryForm) -> dict[str, list[str]]:
    """Return the messages of the rules' faults, by form field."""
    with pytest.raises(Refusal) as refusal:
        play(form.state, form.raw_hand())
    form.add_faults(refusal.value.faults)
    return {name: list(map(str, messages)) for name, messages in form.errors.items()}


@pytest.mark.parametrize("fields", [{"bidder": 1}, {"bid": 120}])
def test_hand_with_a_bidder_cannot_be_passed_out(fields: dict[str, Any]) -> None:
    data = {"passed_out": "on", **fields}
    form = TrickyForm(data, names=NAMES[:4], state=start("tricky", 4, {}))
    assert "Undo one of them" in form.errors["passed_out"][0]


@pytest.mark.parametrize(
    ("won", "expected"),
    [
        (2, "1 of 10 tricks left."),
        (4, "11 tricks entered, but only 10 were played."),
    ],
)
def test_reports_missing_or_surplus_tricks(won: int, expected: str) -> None:
    fields = {"tricks_won_0": won, "tricks_won_1": 7}
    assert parse_form(start("tricky_dice", 4, {}), fields).entry_progress == expected


def test_a_tally_adds_up_by_itself() -> None:
    tally = {"winner_0": 1, "antes_0": "6 11", "winner_1": 1, "antes_1": "3, 0"}
    form = parse_form(start("tricky_bid", 4, {}), tally)
    assert form.entry_progress == "Ann 0 · Bo 20 · Cy 0 · Di 0"
    assert not form.is_complete
    winners = {f"winner_{trick}": 2 for trick in range(2, 8)}
    antes = {f"antes_{trick}": str(trick) for trick in range(2, 8)}
    complete_form = parse_form(
        start("tricky_bid", 4, {}), {**tally, **winners, **antes}
    )
    assert complete_form.raw_hand() == {"points": [0, 20, 27, 0]}
    assert complete_form.is_complete


@pytest.mark.parametrize("antes", ["16", "x", "-1", "²", "6 1111"])
def test_ante_must_be_a_card(antes: str) -> None:
    state = start("tricky_bid", 4, {})
    data = {"key": KEY, "winner_0": "1", "antes_0": antes}
    form = table_game("tricky_bid").entry_form(data, names=NAMES[:4], state=state)
    assert "Enter antes from 0 to 15" in str(form.errors["antes_0"])


def test_trump_declaration_is_requested_only_if_there_is_a_choice() -> None:
    dice_by_seat = {0: (2, 2, 5), 1: (6, 6, 6), 2: (1, 3, 4)}
    dice = {
        f"dice_{seat}_{die}": value
        for seat, values in dice_by_seat.items()
        for die, value in enumerate(values)
    }
    values = {"inciter": 0, "tier": "pair", "trump": "prial", **dice}
    form = parse_form(start("db2t", 3, {}), values)
    assert form.optional_trump_seats == [1]  # type: ignore[attr-defined]
    declarations = [actor["declared"] for actor in form.raw_hand()["actors"]]
    assert declarations == ["pair", "pair", None]
    form = parse_form(form.state, {**values, "plays_trump_1": "on"})
    assert form.raw_hand()["actors"][1]["declared"] == "prial"


def test_partial_contest_is_saved_and_shown_again() -> None:
    state = start("db2t", 3, {"trump": "prial"})
    values = {"dice_0_1": 4, "dice_2_0": 1, "dice_2_1": 1, "dice_2_2": 2}
    form = parse_form(
        state, {**values, "tier": "pair", "trump": "prial", "rerolls_2": 2}
    )
    assert form.is_savable_while_unfinished
    contract = form.raw_unfinished_hand()
    parse_unfinished_hand(state, contract)
    assert contract["actors"][0] == {"dice": [None, 4, None], "declared": None}
    assert contract["actors"][2] == {"dice": [1, 1, 2], "declared": None}
    reopened_form = parse_form(
        state, {**displayed_values("db2t", contract), "trump": "prial"}
    )
    assert reopened_form.raw_unfinished_hand() == contract
    assert "rerolls" not in reopened_form.raw_hand()


def test_partly_entered_dice_are_not_refused() -> None:
    values: dict[str, Any] = {"inciter": 0, "tier": "high"}
    values |= {"dice_0_0": 2, "dice_0_1": 4, "dice_0_2": 5}
    state = start("db2t", 3, {})
    assert parse_form(state, values).is_complete
    form = parse_form(state, {**values, "dice_1_0": 6})
    assert form.is_savable_while_unfinished
    parse_unfinished_hand(state, form.raw_unfinished_hand())
    assert list(form_faults(form)) == ["dice_1_0"]


@pytest.mark.parametrize("game", GAMES)
def test_fields_left_empty_are_named_one_by_one(game: str) -> None:
    state = start(game, GAMES[game].seats[-1], {})
    form = parse_form(state, {})
    faults = form_faults(form)
    assert not form.is_complete
    assert faults
    assert "A list of" not in str(faults)


def test_tokens_claimed_in_earlier_deals_are_not_offered() -> None:
    deal = {"tokens": [12, 8, 0], "treats": [{}, {}, {}], "grid_left": 60}
    state = start("tricks_and_treats", 3)
    maximums = []
    for tokens in ([12, 8, 0], [12, 8, 0], [9, 8, 0]):
        state, _scored = play(state, {**deal, "tokens": tokens, "grid_left": 20})
        form = parse_form(state, {})
        maximums.append(form.fields["tokens_0"].widget.attrs["data-max"])
    assert maximums == [20, 20, 3]
