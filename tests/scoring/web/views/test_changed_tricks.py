"""One trick of a recorded hand is changed on a page of its own, and nothing shifts unseen."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.games.random_match import play_hand
from scoring.matchlog.append import replay_match
from scoring.models import Match
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    """Return a match of Tricky Dice with one recorded hand."""
    state, rng = replay_match(new_match("tricky_dice", 4)).state, Random(3)
    while "tricks" not in (raw := play_hand(state, rng, tricks=True)):
        pass
    return entered_match([raw], "tricky_dice", 4)


def post(client: Client, match: Match, **changes: str) -> str:
    url = f"{match.get_absolute_url()}hands/1/tricks/2/"
    form = client.get(url).context["form"]
    said: dict[str, Any] = {
        name: field.initial for name, field in form.fields.items() if name[:4] == "play"
    }
    said |= {"key": str(uuid4()), "base": match.version, **changes}
    return client.post(url, said).content.decode()


@pytest.mark.parametrize(
    ("piece", "says"), [("2S 3S", "One piece is put down here."), ("x", "refusal")]
)
def test_refuses_impossible_pieces(
    client: Client, match: Match, piece: str, says: str
) -> None:
    page = post(client, match, play_0=piece)
    assert says in page
    assert "What this changes" not in page


def test_equal_pieces_lead_to_the_correction(client: Client, match: Match) -> None:
    assert "What this changes" in post(client, match)


@pytest.mark.parametrize("trick", [0, 11])
def test_unplayed_tricks_have_no_page(client: Client, match: Match, trick: int) -> None:
    url = f"{match.get_absolute_url()}hands/1/tricks/{trick}/"
    assert client.get(url).status_code == 404
