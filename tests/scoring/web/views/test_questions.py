"""What is unusual is asked about before it is saved, once, and the rules let it be."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.models import Match
from tests.factories import new_match

pytestmark = pytest.mark.django_db

BID = {"bidder": 0, "bid": 4, "partner": 2}
TRICKS = {f"tricks_won_{seat}": won for seat, won in enumerate((4, 3, 2, 1))}
BY_TRICKS = {**BID, **TRICKS}
POINTS = {"points_0": 0, "points_1": 9, "points_2": 0, "points_3": 0}
TOKENS = {"tokens_0": 0, "tokens_1": 0, "tokens_2": 0}


def save(match: Match, said: dict[str, Any], page: str = "hands/new") -> str:
    """Save a hand as a form without scripts does; return where it leads, or the page."""
    posted = {"key": str(uuid4()), "number": "1", **said}
    answer = Client().post(f"/m/{match.address}/{page}/", posted)
    return answer.headers.get("Location", "") or answer.content.decode()


@pytest.mark.parametrize(
    ("game", "hand", "asked"),
    [
        ("tricky_dice", BY_TRICKS, "Did nobody take a trick with a die?"),
        ("tricky_bid", POINTS, "Did Bo take everything, and all others nothing?"),
        (
            "tricks_and_treats",
            {**TOKENS, "tokens_3": 5, "grid_left": 47},
            "Did Di take everything",
        ),
    ],
)
def test_asks_once_about_odd_hands(game: str, hand: dict[str, Any], asked: str) -> None:
    match = new_match(game, 4)
    assert asked in save(match, hand)
    assert "data-question" in save(match, hand, "preview")
    assert not match.log.exists()
    assert save(match, {**hand, "sure": "on"}) == match.get_absolute_url()
    assert match.log.count() == 1


@pytest.mark.parametrize(
    ("game", "hand"),
    [
        ("tricky_dice", {**BY_TRICKS, "die_tricks_1": "0"}),
        ("tricky_bid", {**POINTS, "points_0": 1}),
        ("tricks_and_treats", {**TOKENS, "tokens_3": 2, "grid_left": 50}),
    ],
)
def test_a_usual_hand_is_not_asked_about(game: str, hand: dict[str, Any]) -> None:
    match = new_match(game, 4)
    assert save(match, hand) == match.get_absolute_url()
