"""How to play: each game's page, an anchor for every clause, examples of the rules."""

import re
from pathlib import Path

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
LISTED = [line.split() for line in CASES.read_text().splitlines()]
# Clauses that no entry can break and no score follows from, so no case names them.
UNJUDGED = {
    "tricky.reroll",
    "treats.refill",
    "treats.trick.follow",
    "treats.trick.claim",
    "treats.trick.turn",
}
PREFIXES = {game: game for game in GAMES} | {"tricks_and_treats": "treats"}


def page(game: str) -> str:
    address = reverse("scoring:how_to_play_game", args=[game])
    response = Client().get(address)
    assert response.status_code == 200
    return response.content.decode()


def anchors(game: str) -> list[str]:
    return re.findall(rf'id="({PREFIXES[game]}\.[^"]+)"', page(game))


@pytest.mark.parametrize("game", ["chess", "_piece", "trick"])
def test_unknown_game_has_no_page(game: str) -> None:
    address = reverse("scoring:how_to_play_game", args=[game])
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_one_anchor(game: str) -> None:
    unjudged = {c for c in UNJUDGED if c.startswith(f"{PREFIXES[game]}.")}
    clauses = {clause for of, clause in LISTED if of == game}
    found = anchors(game)
    assert sorted(found) == sorted(clauses | unjudged)


def in_one_line(sentence: str) -> str:
    """Return a sentence with every space as one, as `accessible_text` reads a page."""
    return " ".join(sentence.split())


@pytest.mark.parametrize("game", GAMES)
def test_examples_use_the_texts_of_the_rules(game: str) -> None:
    said = accessible_text(page(game))
    for worked in table_game(game).worked_examples.values():
        assert worked.example.title in said
        if isinstance(worked, WorkedTrick):
            winner = NAMES[worked.result.winner]
            why = accessible_text(
                table_game(game).translate_sentence(worked.result.message, NAMES)
            )
            assert f"{winner} wins. {why}" in said
            continue
        if worked.state.end_reason and not worked.example.explained_seats:
            assert in_one_line(worked.state.end_reason.text.in_words(NAMES)) in said
        for line in worked.scored.explanation:
            if line.seat in worked.example.explained_seats:
                assert in_one_line(line.text.in_words(NAMES)) in said


def test_deal_table_matches_the_rules() -> None:
    said = accessible_text(page("tricky_bid"))
    for seats, deal in DEALS.items():
        row = (seats, deal.colours, deal.cards, deal.tricks, MOST_POINTS[seats])
        assert " ".join(map(str, row)) in said
