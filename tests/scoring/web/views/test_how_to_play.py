"""How to play: each game's page, an anchor for every clause, examples of the rules."""

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
from tests.heard import heard

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


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_page(game: str) -> None:
    said = page(game)
    assert f"How to play {GAMES[game].name}" in said
    assert reverse("scoring:who_won_game", args=[game]) in said


@pytest.mark.parametrize("game", GAMES)
def test_every_other_game_is_one_tap_away(game: str) -> None:
    ways = {one for one in GAMES if f'href="/how-to-play/{one}/"' in page(game)}
    assert ways == set(GAMES) - {game}


def test_the_first_game_is_shown_where_none_is_named() -> None:
    said = Client().get(reverse("scoring:how_to_play")).content.decode()
    assert f"How to play {next(iter(GAMES.values())).name}" in said


@pytest.mark.parametrize("game", ["chess", "_piece", "trick"])
def test_a_game_that_is_not_here_has_no_page(game: str) -> None:
    address = reverse("scoring:how_to_play_game", args=[game])
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_the_anchors_are_the_clauses_each_once(game: str) -> None:
    unjudged = {c for c in UNJUDGED if c.startswith(f"{PREFIXES[game]}.")}
    clauses = {clause for of, clause in LISTED if of == game}
    found = anchors(game)
    assert sorted(found) == sorted(clauses | unjudged)


def in_one_line(sentence: str) -> str:
    """Return a sentence with every space as one, as `heard` reads a page."""
    return " ".join(sentence.split())


@pytest.mark.parametrize("game", GAMES)
def test_every_example_is_told_in_the_words_of_the_rules(game: str) -> None:
    said = heard(page(game))
    for worked in table_game(game).worked_examples.values():
        assert worked.example.title in said
        if isinstance(worked, WorkedTrick):
            winner = NAMES[worked.result.winner]
            why = heard(table_game(game).speak(worked.result.message, NAMES))
            assert f"{winner} wins. {why}" in said
            continue
        if worked.after.decided and not worked.example.tells:
            assert in_one_line(worked.after.decided.text.in_words(NAMES)) in said
        for line in worked.scored.explanation:
            if line.seat in worked.example.tells:
                assert in_one_line(line.text.in_words(NAMES)) in said


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("tricky", "Bo +672 made 96 with 120: 96 × 7 (trump) = 672"),
        ("tricky", "Ann −20 nobody opened: 20 points lost"),
        ("tricky_dice", "Bo −5 set: bid 8, took 7: −5"),
        ("tricky_bid", "The antes bring 14 points."),
        ("tricks_and_treats", "Ann −1 2 tokens claimed"),
        ("db2t", "Cy 1 1 1 prial"),
    ],
)
def test_an_example_is_told_with_names_and_signs(game: str, told: str) -> None:
    assert told in heard(page(game))


def test_a_card_is_drawn_with_its_suit_and_a_die_is_said_to_be_one() -> None:
    said = heard(page("tricky_dice"))
    assert "Ann Q♦ die" in said
    assert "Di 10♠" in said
    assert "Bo has the highest trump, 2♥." in said


def test_the_table_of_the_deal_is_that_of_the_rules() -> None:
    said = heard(page("tricky_bid"))
    for seats, deal in DEALS.items():
        row = (seats, deal.colours, deal.cards, deal.tricks, MOST_POINTS[seats])
        assert " ".join(map(str, row)) in said


@pytest.mark.parametrize("game", GAMES)
def test_the_page_takes_no_query(game: str, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        page(game)
