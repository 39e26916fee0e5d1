"""The first three of a list."""

import pytest
from django.test import Client

from tests.factories.history import counted
from tests.factories.tournaments import ClubFactory
from tournaments.web.standings.lines import Step, podium


def test_each_of_the_first_three_ranks_has_a_step_which_equals_share() -> None:
    lines = [
        (None, "Ada", "9"),
        (1, "Bea", "9"),
        (1, "Fleur", "9"),
        (3, "Sami", "7"),
        (4, "Emil", "6"),
    ]
    assert podium(lines) == [Step(1, ("Bea", "Fleur"), "9"), Step(3, ("Sami",), "7")]


@pytest.mark.django_db
def test_a_club_shows_who_leads_and_who_won_its_nights(client: Client) -> None:
    club = ClubFactory.create()
    nothing = client.get(club.get_absolute_url()).content.decode()
    assert "podium" not in nothing
    night = counted("2026-03-14", ["Ada", "Bo", "Cy", "Di"], club=club)
    page = client.get(club.get_absolute_url()).content.decode()
    rows = {row.rank: row.player.name for row in night.results.select_related("player")}
    assert f'<span class="name">{rows[1]}</span>' in page
    assert f"{rows[1]} won" in page
    board = client.get(f"{club.get_absolute_url()}leaderboards/all/").content.decode()
    assert board.count('<b class="head">') == 3
