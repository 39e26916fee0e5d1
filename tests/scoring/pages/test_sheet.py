"""Leaders on the score sheet and in lists of matches."""

from typing import Any

import pytest
from django.test import Client

from scoring.models import Match
from scoring.pages.match_list import MatchListItem, list_match_items
from scoring.pages.sheet import load_sheet
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db
GAME = "tricks_and_treats"


def deal(tokens: list[int], *, evil_eyes: int = 0, left: int = 30) -> dict[str, Any]:
    """Return a deal after which the first seat holds these evil eyes, each worth a point."""
    treats = [{"evil_eye": evil_eyes}, *({} for _other in tokens[1:])]
    return {"tokens": tokens, "treats": treats, "grid_left": left}


@pytest.mark.parametrize(
    ("tokens", "sentence"),
    [
        ([9, 2, 5], "Ann leads by 4."),
        ([2, 3, 0], "Bo leads by 1."),
        ([5, 1, 5], "Ann and Cy share the lead."),
    ],
)
def test_sheet_shows_the_leaders_margin(tokens: list[int], sentence: str) -> None:
    assert load_sheet(entered_match([deal(tokens)], GAME)).lead_sentence == sentence


def test_sheet_has_no_leader_before_the_first_or_after_the_last_hand() -> None:
    assert load_sheet(new_match(GAME)).lead_sentence == ""
    ended = load_sheet(entered_match([deal([9, 2, 5], left=10)], GAME))
    assert ended.state.finished
    assert ended.lead_sentence == ""


@pytest.mark.parametrize(
    ("tokens", "new_leaders"),
    [
        ([[9, 2, 5]], []),
        ([[9, 2, 5], [1, 1, 2]], []),
        ([[9, 2, 5], [1, 1, 8]], [2]),
        ([[9, 2, 5], [1, 8, 4]], [1]),
    ],
)
def test_sheet_notes_a_change_of_lead(
    tokens: list[list[int]], new_leaders: list[int]
) -> None:
    sheet = load_sheet(entered_match([deal(hand) for hand in tokens], GAME))
    assert sheet.new_leading_seats == new_leaders


def test_tie_break_between_equal_points_is_explained(client: Client) -> None:
    match = entered_match([deal([2, 3, 9], evil_eyes=1, left=10)], GAME)
    sheet = load_sheet(match)
    assert [(seat.rank, seat.name, seat.reason) for seat in sheet.ranked_seats] == [
        (1, "Cy", ""),
        (2, "Ann", "tied with Bo on 3 points, 1 treat to 0"),
        (3, "Bo", ""),
    ]
    page = client.get(match.get_absolute_url()).content.decode()
    assert page.count("<small>tied with Bo on 3 points") == 1


def test_the_sheet_says_how_many_tokens_are_left(client: Client) -> None:
    assert load_sheet(new_match(GAME)).remaining_sentence == ""
    match = entered_match([deal([9, 2, 5], left=34)], GAME)
    sentence = "34 tokens are left in the grid. The match ends at 10 or fewer."
    assert load_sheet(match).remaining_sentence == sentence
    assert sentence in client.get(match.get_absolute_url()).content.decode()
    assert (
        load_sheet(entered_match([deal([9, 2, 5], left=10)], GAME)).remaining_sentence
        == ""
    )


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        ("tricky_bid", {}, "3 hands to go."),
        ("tricky_bid", {"multiple": 2}, "6 hands to go."),
        ("db2t", {"contests": 1}, "1 contest to go."),
        ("db2t", {}, ""),
        ("tricky", {}, ""),
    ],
)
def test_counts_remaining_hands(
    game: str, options: dict[str, Any], sentence: str
) -> None:
    assert load_sheet(new_match(game, **options)).remaining_sentence == sentence


def list_entry(match: Match) -> MatchListItem:
    [listed] = list_match_items(Match.objects.filter(pk=match.pk).with_seats())
    return listed


@pytest.mark.parametrize(
    ("points", "headline", "others"),
    [([9, 5, 3], "Ann leads", "Bo, Cy"), ([9, 9, 3], "Ann and Bo lead", "Cy")],
)
def test_an_open_match_has_a_leader(
    points: list[int], headline: str, others: str
) -> None:
    listed = list_entry(entered_match([{"points": points}], "tricky_bid"))
    assert (listed.headline, listed.others, listed.points) == (headline, others, 9)


def test_finished_match_names_the_winner() -> None:
    deal = {"tokens": [2, 9, 5], "treats": [{}, {}, {}], "grid_left": 10}
    listed = list_entry(entered_match([deal], "tricks_and_treats"))
    assert (listed.headline, listed.others, listed.points) == ("Bo won", "Ann, Cy", 9)


def test_sheet_names_house_rules_only_where_they_differ() -> None:
    assert load_sheet(new_match("tricky_dice", 4)).house_rule_sentences == []
    options = {"made_bonus": 3, "set_penalty": 5}
    match = new_match("tricky_dice", 4, **options)
    assert load_sheet(match).house_rule_sentences == [
        "A made bid scores 3 extra, a solo twice as much."
    ]
