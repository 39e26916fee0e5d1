"""Correcting a hand whose tricks were recorded."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.games.random_match import play_match
from scoring.games.registry import table_game
from scoring.matchlog.append import replay_match
from scoring.models import LogEntry, Match
from tests.factories import entered_match

pytestmark = pytest.mark.django_db

GAMES = {"tricky": 3, "tricky_dice": 4, "tricky_bid": 3}


def recorded_match(game: str) -> Match:
    """Return a match whose first hand was recorded trick by trick."""
    record = play_match(game, GAMES[game], {}, Random(4), tricks=True, most_hands=1)
    return entered_match(record.hands, game, GAMES[game])


def shown(match: Match) -> dict[str, Any]:
    """Return what the form of hand 1 shows, as it would be sent."""
    hand = replay_match(match).hands[0]
    initial = table_game(match.game).entry_form.initial_values(hand.raw_with_sums)
    fields = {
        name: str(value)
        for name, value in initial.items()
        if value is not None and value is not False
    }
    return {**fields, "key": str(uuid4()), "confirm": "1", "reason": "mistyped"}


def corrected(client: Client, match: Match, entry: dict[str, Any]) -> LogEntry:
    """Send the correction of hand 1; return what the log keeps of it."""
    correct = reverse("scoring:hand_correct", args=[match.address, 1])
    assert client.post(correct, entry).status_code == 302
    return match.log.get(version=2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", GAMES)
def test_shows_recorded_tricks(client: Client, game: str, seed: int) -> None:
    seats = GAMES[game]
    record = play_match(game, seats, {}, Random(seed), tricks=True, most_hands=1)
    match = entered_match(record.hands, game, seats)
    page = client.get(f"{match.get_absolute_url()}hands/1/tricks/")
    assert not page.context["play"].faults
    assert len(page.context["play"].tricks) == len(record.hands[0]["tricks"])


@pytest.mark.parametrize("game", GAMES)
def test_the_form_shows_what_the_tricks_come_to(client: Client, game: str) -> None:
    match = recorded_match(game)
    hand = replay_match(match).hands[0]
    assert hand.scored is not None
    assert hand.scored.sums
    page = client.get(reverse("scoring:hand_correct", args=[match.address, 1]))
    for key, values in hand.scored.sums.items():
        for seat, value in enumerate(values):
            assert str(page.context["form"][f"{key}_{seat}"].value()) == str(value)


@pytest.mark.parametrize("game", GAMES)
def test_keeps_tricks_that_fit_the_correction(client: Client, game: str) -> None:
    match = recorded_match(game)
    before = replay_match(match).hands[0].raw
    entry = corrected(client, match, shown(match))
    assert entry.body is not None
    assert entry.body["tricks"] == before["tricks"]


def test_says_that_tricks_will_go_before_they_do(client: Client) -> None:
    match = recorded_match("tricky_bid")
    entry = {**shown(match), "points_0": "1"}
    correct = reverse("scoring:hand_correct", args=[match.address, 1])
    page = client.post(correct, {**entry, "confirm": ""} | {"reason": ""})
    assert "tricks that were recorded" in page.content.decode()
    body = corrected(client, match, entry).body
    assert body is not None
    assert "tricks" not in body
    assert body["points"][0] == 1
