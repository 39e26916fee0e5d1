"""Rules pages (clause anchors, worked examples) and the page that tells who won a trick."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from scoring.games.examples import NAMES, WorkedTrick
from scoring.games.registry import table_game
from scoring.rules import GAMES
from scoring.rules.tricky_bid.tricks import DEALS, MOST_POINTS
from tests.accessible_text import accessible_text

pytestmark = pytest.mark.django_db

ROOT = Path(settings.BASE_DIR)
CASES = ROOT / "tests/cases/clauses.txt"
CLAUSE_LINES = [line.split() for line in CASES.read_text().splitlines()]
# Clauses that no entry can break and no score follows from, so no case names them.
UNJUDGED = {
    "tricky.reroll",
    "treats.refill",
    "treats.trick.follow",
    "treats.trick.claim",
    "treats.trick.turn",
}
PREFIXES = {game: game for game in GAMES} | {"tricks_and_treats": "treats"}


def rules_page(game: str) -> str:
    address = reverse("scoring:how_to_play_game", args=[game])
    response = Client().get(address)
    assert response.status_code == 200
    return response.content.decode()


def anchors(game: str) -> list[str]:
    return re.findall(rf'id="({PREFIXES[game]}\.[^"]+)"', rules_page(game))


@pytest.mark.parametrize("game", ["chess", "_piece", "trick"])
def test_unknown_game_has_no_page(game: str) -> None:
    address = reverse("scoring:how_to_play_game", args=[game])
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_one_anchor(game: str) -> None:
    unjudged = {c for c in UNJUDGED if c.startswith(f"{PREFIXES[game]}.")}
    clauses = {clause for game_id, clause in CLAUSE_LINES if game_id == game}
    found = anchors(game)
    assert sorted(found) == sorted(clauses | unjudged)


def collapse_spaces(sentence: str) -> str:
    """Collapse whitespace, as `accessible_text` does."""
    return " ".join(sentence.split())


@pytest.mark.parametrize("game", GAMES)
def test_examples_use_the_texts_of_the_rules(game: str) -> None:
    text = accessible_text(rules_page(game))
    for worked in table_game(game).worked_examples.values():
        assert worked.example.title in text
        if isinstance(worked, WorkedTrick):
            winner = NAMES[worked.result.winner]
            reason = accessible_text(
                table_game(game).translate_with_pieces(worked.result.message, NAMES)
            )
            assert f"{winner} wins. {reason}" in text
            continue
        if worked.state.end_reason and not worked.example.explained_seats:
            assert collapse_spaces(worked.state.end_reason.text.in_words(NAMES)) in text
        for line in worked.scored.explanation:
            if line.seat in worked.example.explained_seats:
                assert collapse_spaces(line.text.in_words(NAMES)) in text


def test_deal_table_matches_the_rules() -> None:
    text = accessible_text(rules_page("tricky_bid"))
    for seats, deal in DEALS.items():
        row = (seats, deal.colours, deal.cards, deal.tricks, MOST_POINTS[seats])
        assert " ".join(map(str, row)) in text


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


def ask_who_won(game: str, fields: dict[str, Any]) -> str:
    response = Client().post(f"/who-won/{game}/answer/", fields)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(("game", "fields", "winner", "reason"), TRICKS)
def test_answer_names_winner_reason_and_clause(
    game: str, fields: dict[str, Any], winner: str, reason: str
) -> None:
    answer = ask_who_won(game, fields)
    assert winner in answer
    assert reason in answer
    page = Client().post(f"/who-won/{game}/", fields).content.decode()
    assert winner in page


@pytest.mark.parametrize(
    ("game", "fields", "expected"),
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
def test_names_the_wrong_trick(
    game: str, fields: dict[str, Any], expected: str
) -> None:
    answer = ask_who_won(game, fields)
    assert "wins." not in answer
    assert expected in answer


def test_each_game_has_a_page_linked_from_the_sheet() -> None:
    for game in GAMES:
        page = Client().get(f"/who-won/{game}/?players=3").content.decode()
        assert ('data-pieces="plays"' in page) is bool(table_game(game).trick_form)
    assert Client().get("/who-won/chess/").status_code == 404
    assert "/who-won/" in Client().get("/").content.decode()
