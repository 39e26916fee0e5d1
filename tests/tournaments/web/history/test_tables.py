"""Tables as files: the same as on their pages, for the same people."""

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
from tests.factories.history import counted
from tests.factories.tournaments import (
    member,
    play_round,
    play_table,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.event import draw
from tournaments.event.results import compute_standings
from tournaments.event.rounds import close
from tournaments.event.setup.spreadsheets import rows_in_file
from tournaments.files.writing import FORMATS
from tournaments.models import Role, Tournament
from tournaments.people.identities import played_by
from tournaments.people.profiles import show_page
from tournaments.standings.tie_breaks import TIE_BREAKS

pytestmark = pytest.mark.django_db


def rows(tournament: Tournament, name: str, client: Client | None = None) -> Any:
    """Return the rows of a table of a tournament, as JSON has them."""
    answer = (client or Client()).get(at(name, tournament, "json"))
    assert answer.status_code == 200
    return json.loads(answer.getvalue())["rows"]


def close_one_round(
    tournament: Tournament, points: Sequence[int] = (9, 5, 3, 1)
) -> None:
    """Play and close a round at one table, and compute the standings."""
    one = running_round(tournament)
    play_table(one.tables.get(), points)
    close(round_id=one.pk, override="", now=tournament.starts_at)
    compute_standings(tournament_id=tournament.pk, now=tournament.starts_at)


def test_seating_and_results_say_what_the_round_shows() -> None:
    tournament = tournament_with(4)
    one = running_round(tournament)
    play_round(one)
    seats = rows(tournament, "seating_table")
    assert [(row["round"], row["table"], row["seat"]) for row in seats] == [
        (1, 1, seat) for seat in (1, 2, 3, 4)
    ]
    results = rows(tournament, "results_table")
    assert [row["rank"] for row in results] == [1, 2, 3, 4]
    assert {row["state"] for row in results} == {"finished"}
    page = text(Client(), at("round", tournament, 1))
    assert at("results_table", tournament, "xlsx") in page


def test_seats_have_a_line_for_each_name_and_a_column_for_each_round() -> None:
    tournament = tournament_with(["Ada", "Bo", "Cy", "Di", "Ed"], rounds_planned=2)
    one = running_round(tournament)
    seats = {row["name"]: row for row in rows(tournament, "seats_table")}
    assert list(seats["Ada"]) == [
        *("number", "name", "round_1", "round_1_table", "round_1_seat")
    ]
    (out,) = one.byes.select_related("entry") or [None]
    held: dict[str, tuple[object, object]] = {
        place.name: (table.number, place.index + 1)
        for table in one.tables.with_people()
        for place in table.places.all()
    }
    if out is not None:
        held[out.entry.name] = ("bye", None)
    assert {
        name: (row["round_1_table"], row["round_1_seat"]) for name, row in seats.items()
    } == held
    assert {row["round_1"] for row in seats.values()} == {
        f"{table}.{seat}" if seat else "bye" for table, seat in held.values()
    }
    csv_file = Client().get(at("seats_table", tournament, "csv")).getvalue().decode()
    assert len(csv_file.splitlines()[0].split(",")) == 4
    page = text(Client(), at("round", tournament, 1) + "?seats")
    assert at("seats_table", tournament, "xlsx") in page


def test_a_round_that_is_drawn_and_not_shown_is_in_no_file() -> None:
    tournament = tournament_with(4)
    draw.draw(tournament_id=tournament.pk)
    assert rows(tournament, "seating_table") == []


def test_standings_that_are_not_public_are_in_no_file_of_a_stranger() -> None:
    tournament = tournament_with(4, standings_shown="finished")
    close_one_round(tournament)
    viewer = signed_in(tournament.club, Role.VIEWER)
    assert rows(tournament, "standings_table") == []
    shown = rows(tournament, "standings_table", viewer)
    assert [row["rank"] for row in shown] == [1, 2, 3, 4]
    assert shown[0]["points"] == "4"


@pytest.mark.parametrize("code", TIE_BREAKS)
def test_standings_have_a_labelled_column_for_each_tie_break(code: str) -> None:
    tournament = tournament_with(4, tie_breaks=[code])
    # Some are only counted among players who are level.
    close_one_round(tournament, [9, 9, 1, 0])
    files = {}
    for ending in FORMATS:
        answer = Client().get(at("standings_table", tournament, ending))
        assert answer.status_code == 200
        files[ending] = answer.getvalue()
    label = capfirst(pgettext(*TIE_BREAKS[code].label))
    assert label not in {"", code}
    for ending in ("csv", "xlsx"):
        heads = rows_in_file(f"table.{ending}", files[ending], most=1)[0]
        assert label in heads
    assert all(code in row for row in json.loads(files["json"])["rows"])


def test_entries_are_for_those_who_see_the_list() -> None:
    tournament = tournament_with(["=1+1", "Bo"])
    assert Client().get(at("entries_table", tournament, "csv")).status_code == 302
    viewer = signed_in(tournament.club, Role.VIEWER)
    content = viewer.get(at("entries_table", tournament, "csv")).getvalue()
    listed = list(csv.reader(StringIO(content.decode("utf-8-sig"))))
    assert [row[1] for row in listed] == ["Name", "'=1+1", "Bo"]


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_the_heads_of_a_file_all_begin_large(language: str) -> None:
    tournament = tournament_with(4)
    close_one_round(tournament)
    club = tournament.club
    viewer = Client(headers={"accept-language": language})
    viewer.force_login(member(club, Role.VIEWER))
    of_night = ("entries", "seating", "seats", "results", "standings")
    of_club = (("players", ()), ("statistics", ()), ("leaderboard", ("all",)))
    for address in (
        *(at(f"{name}_table", tournament, "csv") for name in of_night),
        *(
            reverse(f"tournaments:{name}_table", args=[club.slug, *parts, "csv"])
            for name, parts in of_club
        ),
    ):
        answer = viewer.get(address)
        assert '.csv"' in answer["Content-Disposition"]
        content = answer.getvalue().decode("utf-8-sig")
        heads = next(csv.reader(StringIO(content)))
        assert heads == [head[:1].upper() + head[1:] for head in heads], address
        assert len(set(heads)) == len(heads), address


def test_the_tournaments_of_a_player_are_a_file_for_who_sees_their_page() -> None:
    tournament = counted("2026-05-12", ["Ann", "Bo", "Cy", "Di"])
    club = tournament.club
    counted("2026-05-19", ["Ann", "Bo", "Cy", "Di"], club=club)
    ann = Player.objects.get(name="Ann").pk
    page = text(Client(), reverse("tournaments:player", args=[club.slug, ann]))
    address = reverse("tournaments:played_table", args=[club.slug, ann, "json"])
    assert address in page
    told = json.loads(Client().get(address).getvalue())["rows"]
    assert [row["day"] for row in told] == ["2026-05-19", "2026-05-12"]
    assert told[1]["address"] == tournament.address
    ranks = [played.row.rank for played in played_by(club, [ann]) if played.row]
    assert [row["rank"] for row in told] == ranks
    assert len(ranks) == 2
    show_page(club=club, player_id=ann, public=False)
    assert Client().get(address).status_code == 404
    viewer = signed_in(club, Role.VIEWER)
    assert viewer.get(address).status_code == 200
