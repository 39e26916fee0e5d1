"""Matches in a list say who has won or leads, and against whom."""

import pytest

from scoring.models import Match
from scoring.pages.match_list import PlayedMatch, list_matches
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db


def line(match: Match) -> PlayedMatch:
    [listed] = list_matches(Match.objects.filter(pk=match.pk).with_seats())
    return listed


@pytest.mark.parametrize(
    ("points", "said", "others"),
    [([9, 5, 3], "Ann leads", "Bo, Cy"), ([9, 9, 3], "Ann and Bo lead", "Cy")],
)
def test_an_open_match_has_a_leader(points: list[int], said: str, others: str) -> None:
    listed = line(entered_match([{"points": points}], "tricky_bid"))
    assert (listed.headline, listed.others, listed.points) == (said, others, 9)


def test_a_match_that_is_over_says_who_has_won() -> None:
    deal = {"tokens": [2, 9, 5], "treats": [{}, {}, {}], "grid_left": 10}
    listed = line(entered_match([deal], "tricks_and_treats"))
    assert (listed.headline, listed.others, listed.points) == ("Bo won", "Ann, Cy", 9)


def test_nobody_leads_a_match_before_its_first_hand() -> None:
    listed = line(new_match("tricky_bid", 3))
    assert (listed.headline, listed.points) == ("Not begun", 0)


def test_of_many_others_it_is_said_how_many_there_are() -> None:
    assert line(new_match("tricky_bid", 6)).others == "6 players"
