"""Who won? A page without a match tells the winner of a trick, and why."""

from typing import Any

import pytest
from django.test import Client

from scoring.games.registry import table_game
from scoring.rules import GAMES

pytestmark = pytest.mark.django_db

TRICKS: list[tuple[str, dict[str, Any], str, str]] = [
    (
        "tricky",
        {"players": 3, "trump": 7, "plays": "d20:7 d4:3 d8:7 d6:2 d12:7 d6:5"},
        "Player 3 wins.",
        "Player 3’s second die shows 5, which beats 3.",
    ),
    (
        "tricky_dice",
        {"players": 4, "trump_rank": 8, "trump_suit": "H", "plays": "AH 8H* 2C KD"},
        "Player 2 wins.",
        "tricky_dice.trick.win",
    ),
    (
        "tricky_bid",
        {"players": 4, "trump": "G", "plays": "P15 P2 P4 G1", "antes": "Y6 B11 Y3 B0"},
        "Player 4 wins.",
        "The antes are worth 11 points.",
    ),
    (
        "tricks_and_treats",
        {"players": 3, "plays": "G3 P7 G12", "evil_eye": "3", "master_trump": "2"},
        "Player 2 wins.",
        "treats.trick.master_trump",
    ),
    (
        "db2t",
        {"players": 2, "tier": "pair", "plays": "2 2 5 pair 6 6 1 pair"},
        "Player 2 wins.",
        "db2t",
    ),
]


def answer(game: str, fields: dict[str, Any]) -> str:
    response = Client().post(f"/who-won/{game}/answer/", fields)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(("game", "fields", "winner", "why"), TRICKS)
def test_answer_names_winner_reason_and_clause(
    game: str, fields: dict[str, Any], winner: str, why: str
) -> None:
    said = answer(game, fields)
    assert winner in said
    assert why in said
    page = Client().post(f"/who-won/{game}/", fields).content.decode()
    assert winner in page


@pytest.mark.parametrize(
    ("game", "fields", "says"),
    [
        ("tricky", {"players": 2, "plays": "d7:1 d4:3 d8:7 d6:4"}, "isn’t a die"),
        (
            "tricks_and_treats",
            {"players": 3, "plays": "G3 P7 G12", "evil_eye": "x"},
            "seat",
        ),
        (
            "db2t",
            {"players": 2, "tier": "pair", "plays": "² 2 2 pair 6 6 1 -"},
            "whole",
        ),
    ],
)
def test_names_the_wrong_trick(game: str, fields: dict[str, Any], says: str) -> None:
    said = answer(game, fields)
    assert "wins." not in said
    assert says in said


def test_each_game_has_a_page_linked_from_the_sheet() -> None:
    for game in GAMES:
        page = Client().get(f"/who-won/{game}/?players=3").content.decode()
        assert ('data-pieces="plays"' in page) is bool(table_game(game).trick_form)
    assert Client().get("/who-won/chess/").status_code == 404
    assert "/who-won/" in Client().get("/").content.decode()
