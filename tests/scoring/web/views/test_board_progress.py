"""A deal on the board is seen on Home and on the sheet, and its sums are not entered by mistake."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.models import Match
from tests.factories import new_match
from tests.factories.phones import deliver, entry
from tests.scoring.games.tricks_and_treats.test_board_log import (
    SUMS,
    laid_match,
)

pytestmark = pytest.mark.django_db
PROGRESS = "Deal 1, trick 1 of 20"
ON_BOARD = "This deal is being played on the board."


def post_sums(match: Match, **said: str) -> Any:
    """Return what the page of a new hand answers to the sums of a deal."""
    tokens = {f"tokens_{seat}": str(taken) for seat, taken in enumerate(SUMS["tokens"])}
    form = {"key": str(uuid4()), "grid_left": str(SUMS["grid_left"]), **tokens, **said}
    return Client().post(f"/m/{match.address}/hands/new/", form)


def test_deal_on_board_is_continued_from_sheet_and_home(client: Client) -> None:
    match = new_match("tricks_and_treats", 3)
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert "Continue" not in sheet
    assert "Play on the board" in sheet
    begun = {"kind": "begin"}
    assert deliver(match.address, entry("board", body=begun, number=None))[0] == 200
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert f"{PROGRESS} · Continue" in sheet
    assert "Enter the sums instead" in sheet
    assert PROGRESS in client.get("/").content.decode()


def test_new_hand_by_its_address_asks_about_deal_on_board() -> None:
    match = laid_match(3)
    page = Client().get(f"/m/{match.address}/hands/new/").content.decode()
    assert ON_BOARD in page
    assert f"{PROGRESS} · Continue" in page
    bare = new_match("tricks_and_treats", 3)
    assert (
        ON_BOARD not in Client().get(f"/m/{bare.address}/hands/new/").content.decode()
    )


def test_posted_sums_of_deal_on_board_are_refused_until_confirmed() -> None:
    match = laid_match(3)
    version = match.log.count()
    page = post_sums(match)
    assert page.status_code == 200
    assert ON_BOARD in page.content.decode()
    assert f'value="{SUMS["grid_left"]}"' in page.content.decode()
    assert match.log.count() == version
    assert post_sums(match, instead_of_board="on").status_code == 302
    assert match.log.count() == version + 1


def test_check_of_sums_shows_scores_of_deal_on_board() -> None:
    match = laid_match(3)
    page = post_sums(match, check="1")
    assert page.context["is_scored"]
    assert match.log.filter(kind="enter").count() == 0


def test_phone_enters_sums_of_deal_on_board_once_it_says_so() -> None:
    match = laid_match(3)
    hand = entry(body=dict(SUMS), base=1)
    status, answer = deliver(match.address, hand)
    assert status == 422
    assert answer["faults"][0]["field"] == "instead_of_board"
    assert ON_BOARD in answer["faults"][0]["message"]
    assert deliver(match.address, {**hand, "instead_of_board": True})[0] == 200
    assert match.log.filter(kind="enter").count() == 1


def test_rejects_confirmation_that_is_no_boolean() -> None:
    match = laid_match(3)
    hand = entry(body=dict(SUMS), instead_of_board="on")
    assert deliver(match.address, hand)[0] == 400
