"""What is unusual is asked about before it is saved, once, and the rules let it be."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.models import Match
from tests.factories import new_match

pytestmark = pytest.mark.django_db

DICE_BID = {"bidder": 0, "bid": 4, "partner": 2}
TRICKS = {f"tricks_won_{seat}": won for seat, won in enumerate((4, 3, 2, 1))}


def save(client: Client, match: Match, said: dict[str, Any]) -> str:
    """Save a hand as a form without scripts does; return where it leads, or the page."""
    posted = {"key": str(uuid4()), "number": "1", **said}
    answer = client.post(f"/m/{match.address}/hands/new/", posted)
    return answer.headers.get("Location", "") or answer.content.decode()


def test_a_hand_of_tricky_dice_without_a_die_trick_is_asked_about_once(
    client: Client,
) -> None:
    match = new_match("tricky_dice", 4)
    hand = {**DICE_BID, **TRICKS}
    page = save(client, match, hand)
    assert "Did nobody take a trick with a die?" in page
    assert not match.log.exists()
    assert save(client, match, {**hand, "sure": "on"}) == match.get_absolute_url()
    assert match.log.count() == 1


def test_whoever_said_who_took_tricks_with_a_die_is_not_asked(client: Client) -> None:
    match = new_match("tricky_dice", 4)
    hand = {**DICE_BID, **TRICKS, "die_tricks_1": "0"}
    assert save(client, match, hand) == match.get_absolute_url()


def test_a_player_who_took_everything_is_asked_about(client: Client) -> None:
    match = new_match("tricky_bid", 4)
    hand = {"points_0": 0, "points_1": 9, "points_2": 0, "points_3": 0}
    assert "Did Bo take everything, and all others nothing?" in save(
        client, match, hand
    )
    hand["points_0"] = 1
    assert save(client, match, hand) == match.get_absolute_url()


def test_one_claim_of_few_tokens_is_usual_and_of_many_is_not(client: Client) -> None:
    match = new_match("tricks_and_treats", 4)
    held = {"tokens_0": 0, "tokens_1": 0, "tokens_2": 0}
    many = {**held, "tokens_3": 5, "grid_left": 47}
    assert "Did Di take everything" in save(client, match, many)
    few = {**held, "tokens_3": 2, "grid_left": 50}
    assert "Did Di take everything" not in save(client, match, few)


def test_the_preview_asks_as_well(client: Client) -> None:
    match = new_match("tricky_dice", 4)
    said = {"key": str(uuid4()), "number": "1", **DICE_BID, **TRICKS}
    page = client.post(f"/m/{match.address}/preview/", said)
    assert b"data-question" in page.content
