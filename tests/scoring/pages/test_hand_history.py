"""A hand is told from its rows as it is told from its log."""

from random import Random
from typing import Any

import pytest
from django.test import Client

from scoring.games.random_match import generate_match
from scoring.matchlog.settling import score_unfinished
from scoring.models import Match, Trick
from scoring.pages.hand_history import (
    replayed_history,
    stored_history,
)
from scoring.pages.sheet import load_sheet
from tests.factories import entered_match

pytestmark = pytest.mark.django_db
GAMES = {"tricky": 3, "tricky_dice": 4, "tricky_bid": 5}


def settled_by_chance(game: str, seed: int) -> Match:
    """Return a match that counts, every hand recorded trick by trick."""
    record = generate_match(
        game, GAMES[game], {}, Random(seed), tricks=True, most_hands=5
    )
    match = entered_match(record.hands, game, GAMES[game])
    score_unfinished(Match.objects.filter(pk=match.pk))
    return Match.objects.with_seats().get(pk=match.pk)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
def test_history_rows_match_the_log(game: str, seed: int) -> None:
    match = settled_by_chance(game, seed)
    sheet = load_sheet(match)
    tricks = 0
    for hand in sheet.replayed.hands:
        told = stored_history(match, hand.number)
        assert told == replayed_history(sheet, hand.number)
        tricks += len(told.tricks)
    assert tricks


def test_pages_show_rows_of_settled_hands(django_assert_max_num_queries: Any) -> None:
    match = settled_by_chance("tricky_bid", 1)
    trick = Trick.objects.get(hand__match=match, hand__number=1, number=1)
    Trick.objects.filter(pk=trick.pk).update(worth=77)
    page = Client().get(f"{match.get_absolute_url()}hands/1/").content.decode()
    assert "<td>77</td>" in page
    with django_assert_max_num_queries(8):
        replay = Client().get(f"{match.get_absolute_url()}hands/2/replay/")
    assert replay.status_code == 200
