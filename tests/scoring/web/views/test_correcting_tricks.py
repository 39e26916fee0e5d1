"""Correct a hand recorded trick by trick: all of it, or one trick."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.games.random_match import generate_hand, generate_match
from scoring.games.registry import table_game
from scoring.matchlog.append import replay_match
from scoring.models import LogEntry, Match
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db

GAMES = {"tricky": 3, "tricky_dice": 4, "tricky_bid": 3}


def recorded_match(game: str) -> Match:
    """Return a match whose first hand was recorded trick by trick."""
    record = generate_match(game, GAMES[game], {}, Random(4), tricks=True, most_hands=1)
    return entered_match(record.hands, game, GAMES[game])


def form_fields(match: Match) -> dict[str, Any]:
    """Return the form fields of hand 1 as a browser posts them."""
    hand = replay_match(match).hands[0]
    initial = table_game(match.game).entry_form.initial_values(hand.raw_with_sums)
    fields = {
        name: str(value)
        for name, value in initial.items()
        if value is not None and value is not False
    }
    return {**fields, "key": str(uuid4()), "confirm": "1", "reason": "mistyped"}


def correct_hand(client: Client, match: Match, fields: dict[str, Any]) -> LogEntry:
    """Correct hand 1; return the correction's entry in the log."""
    url = reverse("scoring:hand_correct", args=[match.address, 1])
    assert client.post(url, fields).status_code == 302
    return match.log.get(version=2)


def test_warns_before_tricks_are_discarded(client: Client) -> None:
    match = recorded_match("tricky_bid")
    fields = {**form_fields(match), "points_0": "1"}
    url = reverse("scoring:hand_correct", args=[match.address, 1])
    page = client.post(url, {**fields, "confirm": ""} | {"reason": ""})
    assert "The recorded tricks" in page.content.decode()
    body = correct_hand(client, match, fields).body
    assert body is not None
    assert "tricks" not in body
    assert body["points"][0] == 1


@pytest.fixture
def match() -> Match:
    """Return a match of Tricky Dice with one recorded hand."""
    state, rng = replay_match(new_match("tricky_dice", 4)).state, Random(3)
    while "tricks" not in (raw := generate_hand(state, rng, tricks=True)):
        pass
    return entered_match([raw], "tricky_dice", 4)


def post(client: Client, match: Match, **changes: str) -> str:
    url = f"{match.get_absolute_url()}hands/1/tricks/2/"
    form = client.get(url).context["form"]
    fields: dict[str, Any] = {
        name: field.initial for name, field in form.fields.items() if name[:4] == "play"
    }
    fields |= {"key": str(uuid4()), "base": match.version, **changes}
    return client.post(url, fields).content.decode()


@pytest.mark.parametrize(
    ("piece", "expected"), [("2S 3S", "Enter one card or die."), ("x", "refusal")]
)
def test_refuses_impossible_pieces(
    client: Client, match: Match, piece: str, expected: str
) -> None:
    page = post(client, match, play_0=piece)
    assert expected in page
    assert "What this changes" not in page


@pytest.mark.parametrize("game", GAMES)
def test_keeps_tricks_that_fit_the_correction(client: Client, game: str) -> None:
    match = recorded_match(game)
    raw = replay_match(match).hands[0].raw
    entry = correct_hand(client, match, form_fields(match))
    assert entry.body is not None
    assert entry.body["tricks"] == raw["tricks"]


def test_equal_pieces_lead_to_the_correction(client: Client, match: Match) -> None:
    assert "What this changes" in post(client, match)


@pytest.mark.parametrize("trick", [0, 11])
def test_hand_without_tricks_has_no_trick_page(
    client: Client, match: Match, trick: int
) -> None:
    url = f"{match.get_absolute_url()}hands/1/tricks/{trick}/"
    assert client.get(url).status_code == 404
