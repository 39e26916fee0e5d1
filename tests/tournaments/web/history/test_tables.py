"""Downloads of tables have the same rows and visibility as their pages."""

import csv
import json
from collections.abc import Sequence
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import pgettext

from scoring.models import Player
from tests.factories.history import counted_tournament
from tests.factories.tournaments import (
    play_table,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.event.results import store_current_standings
from tournaments.event.rounds import close
from tournaments.event.setup.spreadsheets import first_rows_in_file
from tournaments.files.writing import FORMATS
from tournaments.models import Role, Tournament
from tournaments.people.identities import find_played_tournaments
from tournaments.people.profiles import set_page_visibility
from tournaments.standings.tie_breaks import TIE_BREAKS

pytestmark = pytest.mark.django_db


def rows(tournament: Tournament, name: str, client: Client | None = None) -> Any:
    """Return the rows of a tournament's table in JSON."""
    response = (client or Client()).get(at(name, tournament, "json"))
    assert response.status_code == 200
    return json.loads(response.getvalue())["rows"]


def close_one_round(
    tournament: Tournament, points: Sequence[int] = (9, 5, 3, 1)
) -> None:
    """Play and close a round at one table, and compute the standings."""
    round_ = running_round(tournament)
    play_table(round_.tables.get(), points)
    close(round_id=round_.pk, override="", now=tournament.starts_at)
    store_current_standings(tournament_id=tournament.pk, now=tournament.starts_at)


def test_hidden_standings_are_not_downloadable_by_visitors() -> None:
    tournament = tournament_with(4, standings_shown="finished")
    close_one_round(tournament)
    viewer = signed_in(tournament.club, Role.VIEWER)
    assert rows(tournament, "standings_table") == []
    viewer_rows = rows(tournament, "standings_table", viewer)
    assert [row["rank"] for row in viewer_rows] == [1, 2, 3, 4]
    assert viewer_rows[0]["points"] == "4"


@pytest.mark.parametrize("code", TIE_BREAKS)
def test_standings_have_a_labelled_column_for_each_tie_break(code: str) -> None:
    tournament = tournament_with(4, tie_breaks=[code])
    # Some tie-breaks count only among tied players.
    close_one_round(tournament, [9, 9, 1, 0])
    files = {}
    for ending in FORMATS:
        response = Client().get(at("standings_table", tournament, ending))
        assert response.status_code == 200
        files[ending] = response.getvalue()
    label = capfirst(pgettext(*TIE_BREAKS[code].label))
    assert label not in {"", code}
    for ending in ("csv", "xlsx"):
        headers = first_rows_in_file(f"table.{ending}", files[ending], max_rows=1)[0]
        assert label in headers
    assert all(code in row for row in json.loads(files["json"])["rows"])


def test_entries_download_follows_list_visibility() -> None:
    tournament = tournament_with(["=1+1", "Bo"])
    assert Client().get(at("entries_table", tournament, "csv")).status_code == 302
    viewer = signed_in(tournament.club, Role.VIEWER)
    content = viewer.get(at("entries_table", tournament, "csv")).getvalue()
    lines = list(csv.reader(StringIO(content.decode("utf-8-sig"))))
    assert [row[1] for row in lines] == ["Name", "'=1+1", "Bo"]


def test_player_tournaments_download_follows_page_visibility() -> None:
    tournament = counted_tournament("2026-05-12", ["Ann", "Bo", "Cy", "Di"])
    club = tournament.club
    counted_tournament("2026-05-19", ["Ann", "Bo", "Cy", "Di"], club=club)
    ann = Player.objects.get(name="Ann").pk
    page = text(Client(), reverse("tournaments:player", args=[club.slug, ann]))
    address = reverse(
        "tournaments:player_tournaments_table", args=[club.slug, ann, "json"]
    )
    assert address in page
    rows = json.loads(Client().get(address).getvalue())["rows"]
    assert [row["day"] for row in rows] == ["2026-05-19", "2026-05-12"]
    assert rows[1]["address"] == tournament.address
    ranks = [
        tournament_played.row.rank
        for tournament_played in find_played_tournaments(club, [ann])
        if tournament_played.row
    ]
    assert [row["rank"] for row in rows] == ranks
    assert len(ranks) == 2
    set_page_visibility(club=club, player_id=ann, public=False)
    assert Client().get(address).status_code == 404
    viewer = signed_in(club, Role.VIEWER)
    assert viewer.get(address).status_code == 200
