"""How the people of a match did in all matches that they played together on a phone."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Match
from scoring.pages.common_matches import find_common_matches
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db
ANN_WINS = [{"points": points} for points in ([9, 5, 3], [6, 6, 5], [8, 5, 4])]
CY_WINS = [{"points": points} for points in ([3, 5, 9], [5, 6, 6], [4, 5, 8])]


def phone_matches() -> list[Match]:
    return list(Match.objects.all().with_seats().newest_first())


def test_counts_wins_and_who_was_ahead_of_whom() -> None:
    for hands in (ANN_WINS, CY_WINS, CY_WINS):
        entered_match(hands, "tricky_bid")
    new_match("tricky_bid")
    shared = find_common_matches(["Ann", "Bo", "cy"], phone_matches())
    assert len(shared.matches) == 3
    assert [(person.name, person.wins) for person in shared.people] == [
        ("cy", 2),
        ("Ann", 1),
        ("Bo", 0),
    ]
    assert shared.people[0].ahead == [None, 2, 2]


def test_matches_without_one_of_the_people_do_not_count() -> None:
    entered_match(ANN_WINS, "tricky_bid")
    shared = find_common_matches(["Ann", "Bo", "Eve"], phone_matches())
    assert not shared.matches
    assert not shared.people


def test_page_counts_only_matches_of_this_phone(client: Client) -> None:
    own, other = (entered_match(ANN_WINS, "tricky_bid") for _phone in range(2))
    assert client.get(own.get_absolute_url()).status_code == 200
    page = client.get(reverse("scoring:common_matches", args=[own.address]))
    assert "Ann leads: 1 of 1 match won." in " ".join(page.content.decode().split())
    assert other.address not in page.content.decode()
