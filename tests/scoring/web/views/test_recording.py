"""Hands recorded piece by piece, on their pages and from phones."""

import json
import re
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match
from scoring.models import LogEntry, Match
from scoring.rules import score_record
from tests.accessible_text import accessible_text
from tests.factories import entered_match, new_match
from tests.factories.commands import author, enter_hand
from tests.factories.phones import deliver, entry
from tests.factories.tournaments import running_round, tournament_with

pytestmark = pytest.mark.django_db

CONTRACT = {"bidder": "1", "bid": "96", "trump": "7"}
ONE_TRICK = "d20:7 d4:3 d8:7 d6:2 d12:7 d6:5"
DICE_CONTRACT = {"contract": {"bidder": 0, "tricks": 4, "partner": 2}, "trump": "8H"}
SUIT_ORDER = ("S", "H", "D", "C")


def hand_with_revoke() -> dict[str, Any]:
    """Return a hand of Tricky Dice with a revoke in the first trick."""
    ranks = "23456789TJ"
    tricks = [[f"{rank}{suit}" for suit in SUIT_ORDER] for rank in ranks[:8]]
    dice = [[f"{rank}{suit}*" for suit in SUIT_ORDER] for rank in ranks[8:]]
    # The winner leads the next trick, so seats still hold spades that they did not play.
    return {**DICE_CONTRACT, "tricks": [*tricks, *dice]}


def form_fields(match: Match, raw: dict[str, Any], played: str) -> dict[str, str]:
    """Return the form fields of a hand after some of its pieces."""
    fields = {"played": played, "key": str(uuid4()), "number": "1"}
    contract = raw.get("contract")
    if contract is None:
        return fields
    fields["bidder"] = str(contract["bidder"])
    if match.game == "tricky":
        trump = contract["trump"]
        bid = {"bid": str(contract["bid"]), "trump": str(trump or "none")}
        return {**fields, **bid}
    bid = {"bid": str(contract.get("tricks", "solo")), "rank": raw["trump"][0]}
    partner = str(contract.get("partner", ""))
    return {**fields, **bid, "suit": raw["trump"][1], "partner": partner}


def preview(match: Match, fields: dict[str, str]) -> str:
    response = Client().post(f"{match.get_absolute_url()}preview/", fields)
    assert response.status_code == 200
    return response.content.decode()


def new_match_with_hand(
    game: str, seats: int, seed: int = 3
) -> tuple[Match, dict[str, Any]]:
    """Return a new match, and a first hand for it."""
    match, rng = new_match(game, seats), Random(seed)
    while True:
        raw = generate_hand(replay_match(match).state, rng, tricks=True)
        if not {"passed_out", "dealer", "first_bidder"} & raw.keys():
            raw.pop("bids", None)
            return match, raw


def test_contract_is_entered_before_the_first_piece() -> None:
    match = new_match("tricky")
    page = Client().get(f"{match.get_absolute_url()}hands/new/tricks/").content.decode()
    assert "Still needed: Who won the bidding · Bid · Trump" in page
    assert "Bo, choose two dice" in preview(match, {**CONTRACT, "played": ""})


def test_recording_page_shows_trick_winner_lead_and_bid_progress() -> None:
    match = new_match("tricky")
    page = preview(match, {**CONTRACT, "played": f"{ONE_TRICK} d20:17 d4:1"})
    for expected in (
        "Trump: 7.",
        "Match 17 / 1 if you can.",
        "96 more to make 96",
    ):
        assert expected in accessible_text(page)
    assert "Bo, choose two dice" in page
    won_page = preview(match, {**CONTRACT, "played": ONE_TRICK})
    assert "Trick 1: Ann wins." in won_page
    assert "how-to-play/tricky/#tricky.trick.trump" in won_page


def test_impossible_piece_is_explained_and_discarded() -> None:
    match = new_match("tricky")
    fields = {**CONTRACT, "played": "d20:99", "key": str(uuid4()), "number": "1"}
    assert "isn’t a die" in preview(match, fields)
    page = Client().post(f"{match.get_absolute_url()}hands/new/tricks/", fields)
    assert page.status_code == 200
    assert not match.log.exists()
    assert 'value="d20:99"' in page.content.decode()


@pytest.mark.parametrize(
    ("game", "seats"), [("tricky", 3), ("tricky_dice", 4), ("tricky_bid", 3)]
)
def test_a_hand_is_stored_as_it_is_played(game: str, seats: int) -> None:
    match, raw = new_match_with_hand(game, seats)
    url, pieces = (
        f"{match.get_absolute_url()}hands/new/tricks/",
        match.rules.list_pieces(raw),
    )
    partial_fields = form_fields(match, raw, " ".join(pieces[:9]))
    client = Client()
    assert client.post(url, {**partial_fields, "contract_only": "1"}).status_code == 302
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert "is being played." in sheet
    assert "Continue hand 1" in sheet
    assert "Hand 1, trick " in client.get("/").content.decode()
    assert " ".join(pieces[:9]) in client.get(url).content.decode()
    complete_fields = form_fields(match, raw, " ".join(pieces))
    assert client.post(url, partial_fields | {"key": str(uuid4())}).status_code == 200
    unfinished_fields = complete_fields | {"key": str(uuid4()), "contract_only": "1"}
    assert client.post(url, unfinished_fields).status_code == 302
    assert client.post(url, complete_fields).status_code == 302
    hand = replay_match(match).hands[0]
    assert hand.raw["tricks"] == raw["tricks"]
    assert [step.kind for step in hand.history] == ["contract", "contract", "enter"]
    match.refresh_from_db()
    scored = score_record(export_match(match))
    assert hand.scored is not None
    assert scored["hands"][0]["scores"] == list(hand.scored.scores)
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_correcting_an_earlier_round_uses_its_own_deal() -> None:
    hands: list[dict[str, Any]] = []
    match = new_match("tricky_bid", 3)
    rng = Random(2)
    for _round in range(2):
        state = replay_match(entered_match(hands, "tricky_bid", 3)).state
        hands.append(generate_hand(state, rng, tricks=True))
    hands[0].pop("dealer", None)
    match = entered_match(hands, "tricky_bid", 3)
    address = f"{match.get_absolute_url()}hands/1/tricks/"
    response = Client().get(address)
    assert response.context["play"].asks == ""
    pieces = match.rules.list_pieces(hands[0])
    assert response.context["form"]["played"].value() == " ".join(pieces)
    pieces[1], pieces[4] = pieces[4], pieces[1]
    fields = {"played": " ".join(pieces), "key": str(uuid4())}
    confirmed_fields = fields | {"confirm": "1", "reason": "mistyped"}
    assert Client().post(address, confirmed_fields).status_code == 302
    assert match.rules.list_pieces(replay_match(match).hands[0].raw) == pieces
    assert match.log.get(version=3).kind == LogEntry.Kind.REPLACE


def test_replay_shows_only_played_tricks(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    _match, raw = new_match_with_hand("tricky", 3)
    match = entered_match([raw])
    replay_url = f"{match.get_absolute_url()}hands/1/replay/"
    with django_assert_num_queries(3):
        first_page = Client().get(replay_url).content.decode()
    assert "Hand 1, trick 1" in first_page
    assert f"{replay_url}2/" in first_page
    last_page = Client().get(f"{replay_url}9/").content.decode()
    assert "View score" in last_page
    hand = replay_match(match).hands[0]
    assert hand.scored is not None
    for points in hand.scored.sums["points"]:
        assert f'<span class="num">{points}</span>' in last_page
    assert Client().get(f"{replay_url}10/").status_code == 404
    assert Client().get(f"{replay_url}0/").status_code == 404
    sums = entered_match([{**raw, "points": [100, 101, 102]} | {"tricks": []}][:0])
    assert Client().get(f"{sums.get_absolute_url()}hands/1/replay/").status_code == 404


def revoke_match() -> Match:
    """Return a match whose hand has findings."""
    match = entered_match([hand_with_revoke()], "tricky_dice", 4)
    hand = replay_match(match).hands[0]
    assert hand.scored is not None
    assert hand.scored.findings
    return match


def test_findings_are_shown_with_the_tables_options() -> None:
    match = revoke_match()
    page = Client().get(f"{match.get_absolute_url()}hands/1/").content.decode()
    assert "could have followed suit in trick 1" in page
    assert "{&#x27;" not in page
    for option in ("Leave as played", "Correct the trick"):
        assert option in page
    # A friendly match has no director.
    assert "Call the director" not in page


def test_table_can_call_its_director_about_findings() -> None:
    (table,) = running_round(tournament_with(4, game="tricky_dice")).tables.all()
    assert table.match is not None
    enter_hand(
        match_id=table.match.pk,
        key=uuid4(),
        number=1,
        raw=hand_with_revoke(),
        author=author(),
    )
    page = Client().get(f"{table.match.get_absolute_url()}hands/1/").content.decode()
    assert "Call the director" in page


@pytest.mark.parametrize(
    ("decision", "expected"),
    [("stand", "left as played"), ("director", "The director was called")],
)
def test_decision_about_findings_is_logged(decision: str, expected: str) -> None:
    match = revoke_match()
    choose_url = f"{match.get_absolute_url()}hands/1/choose/"
    body = json.dumps({"findings": decision})
    fields = {"kind": "keep", "body": body, "key": str(uuid4())}
    assert Client().post(choose_url, fields).status_code == 302
    assert match.log.get(version=2).body == {"findings": decision}
    page = Client().get(f"{match.get_absolute_url()}hands/1/").content.decode()
    assert expected in page
    assert "Leave as played" not in page
    assert replay_match(match).state.number == 1
    synced_match = revoke_match()
    sent_entry = entry("keep", body={"findings": decision})
    assert deliver(synced_match.address, sent_entry)[0] == 200
    assert synced_match.log.get(version=2).body == {"findings": decision}


def test_hand_history_lists_its_pieces_once() -> None:
    match, raw = new_match_with_hand("tricky_bid", 3)
    address, pieces = match.get_absolute_url(), match.rules.list_pieces(raw)
    url, client = f"{address}hands/new/tricks/", Client()
    for count in (3, 6, 9, 6, 9):
        partial_fields = form_fields(match, raw, " ".join(pieces[:count]))
        assert (
            client.post(url, {**partial_fields, "contract_only": "1"}).status_code
            == 302
        )
    client.post(url, form_fields(match, raw, " ".join(pieces)))
    hand_page = client.get(f"{address}hands/1/").content.decode()
    # The history lists pieces that were taken back, not each step forward.
    piece_counts = re.findall(r"(\d+) cards or dice played so far", hand_page)
    assert piece_counts == ["9", "9"]
    assert len(replay_match(match).hands[0].history) == 6
