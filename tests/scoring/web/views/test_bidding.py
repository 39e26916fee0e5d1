"""Auctions are entered bid by bid and stored with their hand."""

from uuid import uuid4

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from scoring.matchlog.append import replay_match
from scoring.rules import parse_auction, start
from scoring.web.views.auction import auction_table, likely_bids
from tests.factories import new_match

pytestmark = pytest.mark.django_db

BIDS = "0:90 1:pass 2:96 0:pass 1:pass"


def test_next_bidder_is_offered_legal_bids() -> None:
    match = new_match("tricky")
    url = f"{match.get_absolute_url()}hands/new/bids/"
    first_page = Client().get(url).content.decode()
    assert "Ann must bid 90 or more, or pass." in first_page
    assert '"?call=90"' in first_page
    next_response = Client().get(url, {"bids": "0:90", "call": "96"})
    assert next_response.context["bids"] == "0:90 1:96"
    assert next_response.context["due"] == "Cy"
    assert "Bo has the highest bid: 96." in next_response.content.decode()
    assert next_response.context["offered"][:3] == [99, 100, 105]
    assert likely_bids(parse_auction(start("tricky_dice", 4), [[1, 8]])) == [9, 10]
    assert likely_bids(parse_auction(start("tricky_dice", 4), [[1, 10]])) == []


@pytest.mark.parametrize("call", ["40", "x", "9" * 12, "1:2", " "])
def test_illegal_bid_is_explained_and_earlier_bids_stay(call: str) -> None:
    match = new_match("tricky")
    url = f"{match.get_absolute_url()}hands/new/bids/"
    response = Client().get(url, {"bids": "0:90", "call": call})
    assert response.status_code == 200
    assert response.context["bids"] == "0:90"
    assert bool(response.context["faults"]) == bool(call.strip())


def test_auction_fills_in_the_contract_and_is_stored_with_the_hand() -> None:
    match, client = new_match("tricky"), Client()
    auction_response = client.get(
        f"{match.get_absolute_url()}hands/new/bids/", {"bids": BIDS}
    )
    assert "Continue to contract" in auction_response.content.decode()
    url = f"{match.get_absolute_url()}hands/new/"
    form = client.get(url, {"bids": BIDS}).context["form"]
    assert (form["bidder"].value(), form["bid"].value()) == (2, 96)
    fields = {"bids": BIDS, "bidder": "2", "bid": "96", "trump": "7"}
    fields |= {"key": str(uuid4()), "number": "1"}
    assert client.post(url, {**fields, "contract_only": "1"}).status_code == 302
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert "Cy <b>96</b>" in sheet
    assert client.get(url).context["form"]["bids"].value() == BIDS
    points = {f"points_{seat}": "100" for seat in range(3)}
    completed = {**fields, **points, "key": str(uuid4())}
    assert client.post(url, completed).status_code == 302
    hand = replay_match(match).hands[0]
    assert hand.raw["bids"][2] == [2, 96]
    hand_page = client.get(f"{match.get_absolute_url()}hands/1/").content.decode()
    assert "Bids: Ann 90, Bo passes, Cy 96" in hand_page


def test_invalid_bids_restart_the_auction() -> None:
    match = new_match("tricky")
    url = f"{match.get_absolute_url()}hands/new/bids/"
    response = Client().get(url, {"bids": "7:7 seven"})
    assert response.context["bids"] == ""
    assert response.context["faults"]


def test_passed_out_auction_is_stored_as_a_hand() -> None:
    match, client = new_match("tricky"), Client()
    passes = "0:pass 1:pass 2:pass"
    url = f"{match.get_absolute_url()}hands/new/"
    assert client.get(url, {"bids": passes}).context["form"]["passed_out"].value()
    fields = {"bids": passes, "passed_out": "on", "key": str(uuid4()), "number": "1"}
    assert client.post(url, fields).status_code == 302
    assert replay_match(match).hands[0].raw == {
        "bids": [[0, "pass"], [1, "pass"], [2, "pass"]],
        "passed_out": True,
    }


def test_cells_before_the_opening_bidder_are_empty() -> None:
    lines = auction_table([(2, "90")], 4, highest_index=0, next_seat=3)
    assert [cell.label for cell in lines[0]] == ["", "", "90", ""]
    assert lines[0][2].is_highest
    assert lines[0][3].is_due


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n - 1)))
    )
)
def test_no_call_is_lost_and_their_order_stays(
    seats_and_order: tuple[int, list[int]],
) -> None:
    seats, order = seats_and_order
    calls = [(seat, str(place)) for place, seat in enumerate(order)]
    lines = auction_table(calls, seats, highest_index=None, next_seat=None)
    labels = [cell.label for line in lines for cell in line if cell.label]
    assert labels == [label for _seat, label in calls]
