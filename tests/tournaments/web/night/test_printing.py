"""What a night prints: lists for the wall, and certificates."""

import pytest
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import closed_round, tournament_with
from tests.tournaments.web.pages import at, text
from tournaments.event import rounds
from tournaments.event.results import compute_standings
from tournaments.web.display.printing import wall_sheets
from tournaments.web.display.wall import PosterSeat

pytestmark = pytest.mark.django_db


def test_no_wall_sheet_has_a_single_name() -> None:
    for count in range(2, 170):
        sheets = wall_sheets([PosterSeat(f"P{n}", n) for n in range(count)])
        assert sum(len(sheet.lines) for sheet in sheets) == count
        assert min(len(sheet.lines) for sheet in sheets) > 1


def test_first_three_of_a_finished_night_get_certificates() -> None:
    tournament = tournament_with(8, rounds_planned=1, quorum="none")
    closed_round(tournament)
    page = at("night_certificates", tournament)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    assert 'class="award"' not in text(Client(), page)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    standings = compute_standings(tournament_id=tournament.pk, now=NOW)
    certificates = text(Client(), page)
    first = [row for row in standings.rows_with_names() if row.rank <= 3]
    assert certificates.count('class="award"') == len(first)
    assert all(row.names in certificates for row in first)
