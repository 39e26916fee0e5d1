"""What the page of the board says, as its engine reads it."""

from typing import Any

import pytest

from scoring.games.tricks_and_treats.board.forms import BoardTrickForm, action_from
from tests.scoring.rules.tricks_and_treats.boards import fresh, laid


@pytest.mark.parametrize(
    ("said", "action"),
    [
        ({"kind": "turn", "after": "ab"}, {"kind": "turn", "after": "ab"}),
        ({"kind": "poison", "seat": "0"}, {"kind": "poison", "seat": 0}),
        (
            {"kind": "spy", "seat": "1", "cell": "0,8"},
            {"kind": "spy", "seat": 1, "cell": [0, 8]},
        ),
        (
            {"kind": "switch", "seat": "1", "first": "0,8", "cell": "2,3"},
            {"kind": "switch", "seat": 1, "cells": [[0, 8], [2, 3]]},
        ),
        (
            {"kind": "thief", "seat": "1", "loot": "2,ghost"},
            {"kind": "thief", "seat": 1, "from": 2, "treat": "ghost"},
        ),
        ({"kind": "swap", "seat": "x", "with": "99999"}, None),
    ],
)
def test_fields_are_an_action(said: dict[str, str], action: dict[str, Any]) -> None:
    # What has no shape stays as it was said, for the rules to refuse.
    assert action_from(said) == (action or said)


def test_a_trick_says_its_cards_and_the_treats_in_it() -> None:
    said = {
        "kind": "trick",
        "leader": "2",
        "plays": "p7  G12 w1",
        "eye_0_0": '{"seat": 0, "on": 1}',
        "eye_1_0": "",
        "master_2": "on",
    }
    assert action_from(said) == {
        "kind": "trick",
        "leader": 2,
        "plays": ["P7", "G12", "W1"],
        "evil_eye": [{"seat": 0, "on": 1}],
        "master_trump": [2],
    }


def test_the_form_offers_what_can_be_played_with_the_trick() -> None:
    names = ["Ann", "Bo", "Cy"]
    board = laid("G3 (C1)", "evil_eye evil_eye", "master_trump candy")
    form = BoardTrickForm(None, board=board, names=names)
    assert [field.name for field in form.treat_fields] == [
        *("eye_0_0", "eye_0_1", "master_1")
    ]
    assert BoardTrickForm(None, board=fresh(), names=names).treat_fields == []


def test_evil_eye_is_offered_on_those_who_play_later() -> None:
    names = ["Ann", "Bo", "Cy"]
    board = laid("G3 (C1)", "evil_eye", "evil_eye", leader=1)
    form = BoardTrickForm(None, board=board, names=names)
    offered = {
        field.name: [widget.choice_label for widget in field][1:]
        for field in form.treat_fields
    }
    assert offered == {"eye_1_0": ["Ann", "Cy"]}


def test_the_keys_are_the_cards_that_are_left() -> None:
    names = ["Ann", "Bo", "Cy"]
    board = laid("G3 (C1)", played=frozenset({"P1", *(f"W{n}" for n in range(1, 13))}))
    pad = BoardTrickForm(None, board=board, names=names).pad
    assert [suit for suit, _name in pad.first] == ["P", "G", "B", "C"]
    assert [piece for piece, _label in pad.second["P"]] == [
        f"P{number}" for number in range(2, 13)
    ]
