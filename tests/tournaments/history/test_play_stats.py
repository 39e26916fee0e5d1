"""Figures of bids and tricks equal what match records alone say, counted slowly."""

from random import Random
from typing import Any

import pytest
from django.test import Client

from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Hand, Match, Player, Trick
from tests.factories.tournaments import ClubFactory
from tests.tournaments.history.played_matches import records_of, tournament_by_chance
from tests.tournaments.history.slow_figures import Figures
from tests.tournaments.history.test_pages import page, text
from tournaments.history.hand_search import PAGE, BidOutcome, HandQuery, find_hands
from tournaments.models import Club

pytestmark = pytest.mark.django_db
GAMES = ("tricky", "tricky_dice", "tricky_bid")
NAMES = ["Ann", "Bo", "Cy", "Di"]


def club_by_chance(seed: int) -> tuple[Club, Figures]:
    """Return a club with a tournament of each game, and its figures."""
    rng = Random(seed)
    club: Club = ClubFactory.create()
    for game in GAMES:
        tournament_by_chance(club, game, rng.sample(NAMES, 4), rng)
    figures = Figures()
    for record in records_of(club):
        figures.count(record)
    return club, figures


@pytest.mark.parametrize("seed", range(4))
def test_hands_are_found_as_a_slow_search_finds_them(seed: int) -> None:
    club, slow = club_by_chance(seed)
    for game in ("tricky", "tricky_dice"):
        bids = sorted(
            bid for one, _name, bid, _taken, _made in slow.found if one == game
        )
        least = bids[len(bids) // 2]
        for outcome in (None, BidOutcome.MADE, BidOutcome.SET):
            wanted = HandQuery(game=game, least_bid=least, outcome=outcome, name="n")
            expected = [
                (name, bid, points, made)
                for one, name, bid, points, made in slow.found
                if one == game
                and bid >= least
                and "n" in name
                and outcome in (None, BidOutcome.MADE if made else BidOutcome.SET)
            ]
            found = find_hands(club, wanted)
            assert [one.bid for one in found] == sorted(
                (bid for _name, bid, *_rest in expected), reverse=True
            )[: PAGE + 1]
            if len(found) <= PAGE:
                rows = [(one.bidder, one.bid, one.taken, one.made) for one in found]
                assert sorted(rows) == sorted(expected)


def test_stored_tricks_and_contracts_are_checked_against_the_log() -> None:
    club_by_chance(2)
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
    for one in Match.objects.all():
        assert rebuild_match(match_id=one.pk, check=True) == []


def test_pages_show_the_figures(django_assert_max_num_queries: Any) -> None:
    club, slow = club_by_chance(3)
    ann = Player.objects.get(name="Ann")
    with django_assert_max_num_queries(32):
        shown = text(page(Client(), "player", club, ann.pk))
    assert "Trumps led" in shown
    tricks = slow.trumps["Ann", "tricky"], slow.led["Ann", "tricky"]
    assert f"{tricks[0]}/{tricks[1]}" in shown
    with django_assert_max_num_queries(20):
        records = text(page(Client(), "records", club))
    best = records[records.index("Best hands") : records.index("People")]
    assert "Tricky Bid" in best
    assert "Most tricks in a hand" in records
    assert str(slow.dearest["tricky"]) in records


def test_a_hand_is_found_by_its_bid(django_assert_max_num_queries: Any) -> None:
    club, slow = club_by_chance(3)
    made = [one for one in slow.found if one[0] == "tricky" and one[4]]
    highest = max(bid for _game, _name, bid, _taken, _made in made)
    with django_assert_max_num_queries(4):
        shown = text(
            page(
                Client(), "hands", club, game="tricky", bid=str(highest), outcome="made"
            )
        )
    assert f"Bid {highest} " in shown
    assert "made" in shown
    nothing = text(
        page(
            Client(), "hands", club, game="tricky", bid=str(highest + 1), outcome="made"
        )
    )
    assert "Try a lower bid" in nothing
    assert "Enter a whole number" in text(
        page(Client(), "hands", club, game="tricky", bid="many")
    )
    assert "Find hands" in text(page(Client(), "hands", club))
    assert "No hands found" in text(
        page(Client(), "hands", club, game="tricky", page="99")
    )
