"""What the page of the board says, as its engine reads it."""

from scoring.games.tricks_and_treats.board.forms import BoardTrickForm
from tests.scoring.rules.tricks_and_treats.boards import fresh, laid


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
