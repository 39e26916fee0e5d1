"""Players end an open match from its sheet."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.models import Match
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db

CONTEST = {
    "inciter": 0,
    "tier": "pair",
    "actors": [
        {"dice": [2, 2, 5], "declared": "pair"},
        {"dice": [1, 1, 4], "declared": "pair"},
        {"dice": [3, 4, 6], "declared": None},
    ],
}


def test_an_open_match_of_db2t_is_ended_from_its_sheet(client: Client) -> None:
    match = entered_match([CONTEST], "db2t")
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert "End the match" in sheet
    assert "After these hands, Ann would win." in sheet
    fields = {
        "kind": "replace",
        "body": json.dumps({**CONTEST, "ended": True}),
        "base": "1",
        "key": str(uuid4()),
        "leads": "sheet",
    }
    response = client.post(f"/m/{match.address}/hands/1/choose/", fields)
    assert response.headers["Location"] == match.get_absolute_url()
    assert Match.objects.get().finished
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert "End the match" not in sheet


def contest_won_by(seat: int) -> dict[str, Any]:
    """Return a contest of three in which nobody else can follow."""
    actors: list[dict[str, Any]] = [{"dice": [1, 3, 4], "declared": None}] * 3
    actors[seat] = {"dice": [2, 2, 5], "declared": "pair"}
    return {"inciter": seat, "tier": "pair", "actors": actors}


@pytest.mark.parametrize(
    ("winners", "expected"),
    [
        ([0, 1, 0], "After these hands, Ann would win."),
        ([0, 1], "After these hands, Ann and Bo would win."),
        ([0, 1, 2], "No one is ahead."),
    ],
)
def test_ending_page_names_the_leader_but_no_winner(
    client: Client, winners: list[int], expected: str
) -> None:
    match = entered_match([contest_won_by(seat) for seat in winners], "db2t")
    sheet = client.get(match.get_absolute_url()).content.decode()
    form = sheet.split("End the match")[1].split("</form>")[0]
    assert expected in form
    assert "wins" not in form.split("<p>")[1]


def test_other_games_do_not_offer_to_end(client: Client) -> None:
    fixed_length = entered_match([CONTEST], "db2t", contests=3)
    empty = new_match("db2t")
    other_game = entered_match([{"points": [9, 2, 1]}], "tricky_bid")
    for match in (fixed_length, empty, other_game):
        sheet = client.get(match.get_absolute_url()).content.decode()
        assert "End the match" not in sheet
