"""A deal on the board is seen on Home and on the sheet."""

import pytest
from django.test import Client

from tests.factories import entered_match, new_match
from tests.scoring.sync.test_receive import deliver, entry

pytestmark = pytest.mark.django_db
PROGRESS = "Deal 1, trick 1 of 20"


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


def test_match_without_board_has_no_progress(client: Client) -> None:
    match = entered_match([{"points": [9, 5, 3]}], "tricky_bid")
    assert "· Continue" not in client.get(match.get_absolute_url()).content.decode()
