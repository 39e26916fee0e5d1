"""Figures of bids and tricks equal those counted slowly from match records."""

from random import Random
from typing import Any

import pytest
from django.test import Client

from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Hand, Match, Player, Trick
from tests.factories.tournaments import ClubFactory
from tests.tournaments.history.played_matches import random_tournament, records_of
from tests.tournaments.history.slow_figures import Figures
from tests.tournaments.history.test_pages import page, text
from tournaments.history.hand_search import (
    PAGE,
    BidOutcome,
    BidQuery,
    find_hands_with_lookahead,
)
from tournaments.models import Club

pytestmark = pytest.mark.django_db
GAMES = ("tricky", "tricky_dice", "tricky_bid")
NAMES = ["Ann", "Bo", "Cy", "Di"]


def random_club(seed: int) -> tuple[Club, Figures]:
    """Return a club with a tournament of each game, and its figures."""
    rng = Random(seed)
    club: Club = ClubFactory.create()
    for game in GAMES:
        random_tournament(club, game, rng.sample(NAMES, 4), rng)
    figures = Figures()
    for record in records_of(club):
        figures.count(record)
    return club, figures


@pytest.mark.parametrize("seed", range(4))
def test_hand_search_agrees_with_a_slow_search(seed: int) -> None:
    club, slow = random_club(seed)
    for game in ("tricky", "tricky_dice"):
        bids = sorted(
            bid
            for contract_game, _name, bid, _taken, _made in slow.contract_results
            if contract_game == game
        )
        least = bids[len(bids) // 2]
        for outcome in (None, BidOutcome.MADE, BidOutcome.SET):
            query = BidQuery(game=game, least_bid=least, outcome=outcome, name="n")
            expected = [
                (name, bid, points, made)
                for contract_game, name, bid, points, made in slow.contract_results
                if contract_game == game
                and bid >= least
                and "n" in name
                and outcome in (None, BidOutcome.MADE if made else BidOutcome.SET)
            ]
            hands = find_hands_with_lookahead(club, query)
            assert [one.bid for one in hands] == sorted(
                (bid for _name, bid, *_rest in expected), reverse=True
            )[: PAGE + 1]
            if len(hands) <= PAGE:
                rows = [(one.bidder, one.bid, one.taken, one.made) for one in hands]
                assert sorted(rows) == sorted(expected)


def test_stored_tricks_and_contracts_are_checked_against_the_log() -> None:
    random_club(2)
    trick = Trick.objects.order_by("pk")[0]
    match = trick.hand.match
    for change in (
        {"worth": trick.worth + 1},
        {"trump_led": not trick.trump_led},
        {"trump": "?"},
        {"turned": "?"},
        {"is_last": True},
    ):
        Trick.objects.filter(pk=trick.pk).update(**change)
        assert rebuild_match(match_id=match.pk)
        trick = Trick.objects.filter(hand__match=match).order_by("pk")[0]
    for hand_change in ({"taken": 1}, {"made": None}, {"game": "db2t"}):
        Hand.objects.filter(match=match, number=1).update(**hand_change)
        assert rebuild_match(match_id=match.pk)
    for stored_match in Match.objects.all():
        assert rebuild_match(match_id=stored_match.pk, check_only=True) == []


def test_pages_show_the_figures(django_assert_max_num_queries: Any) -> None:
    club, slow = random_club(3)
    ann = Player.objects.get(name="Ann")
    with django_assert_max_num_queries(32):
        page_text = text(page(Client(), "player", club, ann.pk, tab="records"))
    assert "Trumps led" in page_text
    tricks = slow.trump_leads["Ann", "tricky"], slow.leads["Ann", "tricky"]
    assert f"{tricks[0]}/{tricks[1]}" in page_text
    with django_assert_max_num_queries(20):
        records = text(page(Client(), "records", club))
    best_hands = records.partition("Best hands")[2].partition("Players")[0]
    assert "Tricky Bid" in best_hands
    assert "Most tricks in a hand" in records
    assert str(slow.highest_worth["tricky"]) in records


def test_a_hand_is_found_by_its_bid(django_assert_max_num_queries: Any) -> None:
    club, slow = random_club(3)
    made_contracts = [
        one for one in slow.contract_results if one[0] == "tricky" and one[4]
    ]
    highest = max(bid for _game, _name, bid, _taken, _made in made_contracts)
    with django_assert_max_num_queries(4):
        page_text = text(
            page(
                Client(), "hands", club, game="tricky", bid=str(highest), outcome="made"
            )
        )
    assert f"Bid {highest} " in page_text
    assert "made" in page_text
    empty_page = text(
        page(
            Client(), "hands", club, game="tricky", bid=str(highest + 1), outcome="made"
        )
    )
    assert "Try a lower bid" in empty_page
    assert "Enter a whole number" in text(
        page(Client(), "hands", club, game="tricky", bid="many")
    )
    assert "Find hands" in text(page(Client(), "hands", club))
    assert "No hands found" in text(
        page(Client(), "hands", club, game="tricky", page="99")
    )
