"""Teams on pages, in files and for programs."""

import json
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse

from tests.api.caller import Caller
from tests.factories.archives import build_archive
from tests.factories.history import evening, finished_tournament, update_history
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    director,
    member,
    play_round,
    running_round,
    signed_in,
    tournament_with,
)
from tournaments.event import rounds
from tournaments.event.results import store_current_standings
from tournaments.event.teams import read_teams, team_lines
from tournaments.files.archive.reading import import_club
from tournaments.history.leaderboard import BoardQuery
from tournaments.history.personal_data import anonymise_person
from tournaments.history.team_leaderboard import team_leaderboard
from tournaments.models import Role, Tournament
from tournaments.web.standings.lines import provisional_standings

pytestmark = pytest.mark.django_db


def at(name: str, tournament: Tournament, *args: object) -> str:
    return reverse(f"tournaments:{name}", args=[tournament.address, *args])


def set_teams(tournament: Tournament, *teams: str) -> None:
    for entry, team in zip(tournament.entries.by_number(), teams, strict=False):
        entry.team = team
        entry.save()


def labels(tournament: Tournament) -> list[str]:
    return [team.label for team in read_teams(tournament)]


def form_data(tournament: Tournament, **typed: str) -> dict[str, str]:
    """Return the form of the page with these changes, by names of players."""
    data = {"save": "1"}
    for entry in tournament.entries.all():
        data[f"initial-team-{entry.number}"] = entry.team
        data[f"team-{entry.number}"] = typed.get(entry.name, entry.team)
    return data


def test_director_names_draws_and_dissolves_teams() -> None:
    night = tournament_with(["Ann", "Bo", "Cy", "Di"], team_size=2)
    client, page = director(night), at("teams", night)
    client.post(page, form_data(night, Ann="Bo", Cy="Foxes"))
    assert labels(night) == ["Ann and Bo", "Foxes"]
    refused = client.post(page, form_data(night, Di="Ann"))
    form = refused.context["form"]
    assert form["4"].errors == [
        "A team has 2 players. Ann and Bo are in this team already."
    ]
    assert form["4"].value() == "Ann"
    shown = client.get(page)
    assert [team.label for team in shown.context["incomplete"]] == ["Foxes"]
    assert shown.context["single"] == ["Di"]
    client.post(page, {"draw": "1"})
    assert [team.missing_text for team in read_teams(night)] == ["", ""]
    assert "Dissolve all teams?" in client.post(page, {"dissolve": "1"}).text
    client.post(page, {"dissolve": "1", "sure": "1"})
    assert labels(night) == []
    assert at("teams", night) in client.get(at("entries", night)).text


def test_page_opened_earlier_leaves_teams_of_others_as_they_are() -> None:
    night = tournament_with(["Ann", "Bo", "Cy"], team_size=2)
    old = form_data(night, Cy="Owls")
    set_teams(night, "Foxes", "Foxes")
    director(night).post(at("teams", night), old)
    assert labels(night) == ["Foxes", "Owls"]


def test_player_registers_with_a_partner_and_is_told_of_a_full_team() -> None:
    night = tournament_with(["Bo", "Cy", "Di"], team_size=2)
    set_teams(night, "", "1", "1")
    page = Client().post(at("join", night), {"name": "Ann", "team": "Cy"})
    assert page.context["form"]["team"].value() == "Cy"
    assert "Cy and Di are in this team already" in str(page.context["form"].errors)
    phone = Client()
    phone.post(at("join", night), {"name": "Ann", "team": "bo"})
    assert labels(night) == ["Cy and Di", "Bo and Ann"]
    assert "Your team: Bo and Ann" in phone.get(at("join", night)).text
    assert "partner" not in Client().get(at("join", tournament_with(4))).text


def test_standings_of_teams_are_on_page_projector_and_in_files() -> None:
    night = tournament_with(8, team_size=2, rounds_planned=2)
    set_teams(night, "1", "1", "Foxes", "Foxes", "Owls", "Owls", "Hens")
    closed_round(night)
    running_round(night)
    store_current_standings(tournament_id=night.pk, now=NOW)
    page = Client().get(at("tournament", night)).text
    assert "Ada and Amir" in page
    assert "Incomplete: 1 of 2 players" in " ".join(page.split())
    assert "Foxes" in Client().get(at("projector", night)).text
    table = json.loads(Client().get(at("teams_table", night, "json")).getvalue())
    rows = {row["team"]: row for row in table["rows"]}
    assert rows["Hens"]["missing"] == 1
    assert table["rows"][0]["rank"] == 1
    viewer = member(night.club, Role.VIEWER)
    entries = json.loads(
        signed_in(night.club).get(at("entries_table", night, "json")).getvalue()
    )
    assert [row["team"] for row in entries["rows"]][:3] == [
        "Ada and Amir",
        "Ada and Amir",
        "Foxes",
    ]
    path = f"/tournaments/{night.address}/teams"
    lines = Caller(viewer).call("GET", path)["items"]
    assert {line["team"]: line["points"] for line in lines} == {
        name: str(row["points"]) for name, row in rows.items()
    }
    file = Caller().request("GET", f"/tournaments/{night.address}/tables/teams.csv")
    assert "Ada and Amir" in file.content.decode()
    Tournament.objects.filter(pk=night.pk).update(standings_shown="finished")
    assert Caller().call("GET", path)["items"] == []


def test_provisional_standings_have_teams_with_the_points_so_far() -> None:
    night = tournament_with(8, team_size=2, rounds_planned=2)
    set_teams(night, "Foxes", "Foxes", "Hens", "Hens")
    closed_round(night)
    round_ = running_round(night)
    play_round(round_)
    table = provisional_standings(night).team_table
    total = {row.line.team.name: row.line.points for row in table.lines}
    rounds.close(round_id=round_.pk, now=NOW)
    stored = store_current_standings(tournament_id=night.pk, now=NOW)
    assert total == {
        line.team.name: line.points
        for line in team_lines(night, stored.rows_with_names())
    }
    page = signed_in(night.club).get(at("provisional_standings", night)).text
    assert "Foxes" in page
    assert "Download teams" not in page


def test_programs_read_and_change_teams() -> None:
    night = tournament_with(["Ann", "Bo"], team_size=2)
    caller = Caller(member(night.club, Role.SCORER))
    path = f"/tournaments/{night.address}/entries"
    assert caller.call("PATCH", f"{path}/1", {"team": "Foxes"})["team"] == "Foxes"
    added = caller.call("POST", path, {"names": ["Cy"], "team": "Ann"})
    assert added["entries"][0]["team"] == "Foxes"
    response = caller.request("PATCH", f"{path}/2", {"team": "Foxes"})
    [fault] = json.loads(response.content)["faults"]
    assert (response.status_code, fault["field"]) == (422, "team")


def test_teams_stay_after_archive_import_and_erased_names_are_gone() -> None:
    night = tournament_with(["Ann", "Bo", "Cy"], team_size=2)
    set_teams(night, "Ann & friends", "Ann & friends", "1")
    content = build_archive(night.club)
    club = night.club
    club.slug = "other"
    club.save()
    imported = import_club(BytesIO(content), now=NOW).club.tournaments.get()
    assert imported.team_size == 2
    assert labels(imported) == ["Cy", "Ann & friends"]
    ann = night.entries.get(name="Ann")
    new_name = anonymise_person(club=club, player_id=ann.player_id, typed_name="Ann")
    assert labels(night) == ["Cy", f"{new_name} & friends"]


def test_season_knows_a_team_by_its_name_or_its_members() -> None:
    first = finished_tournament("2026-05-12", ["Ann", "Bo", "Cy", "Di"], team_size=2)
    club = first.club
    set_teams(first, "1", "1", "Foxes", "Foxes")
    second = finished_tournament(
        "2026-05-19", ["Bo", "Ann", "Cy", "Ed"], team_size=2, club=club
    )
    set_teams(second, "7", "7", "foxes", "foxes")
    finished_tournament("2026-05-26", ["Ann", "Bo", "Cy", "Di"], club=club)
    update_history(club, evening("2026-05-26"))
    season = club.seasons.get()
    lines = team_leaderboard(BoardQuery(club=club, season=season), second.day)
    assert [(line.label, line.attended, line.is_named) for line in lines] == [
        ("Ann and Bo", 2, False),
        ("foxes", 2, True),
    ]
    assert sum(line.points for line in lines) == 400
    assert lines[1].members == ("Cy", "Di", "Ed")
    page = Client().get(season.get_absolute_url())
    assert "Ann and Bo" in page.text
    file = reverse(
        "tournaments:leaderboard_teams_table", args=[club.slug, season.slug, "json"]
    )
    assert file in page.text
    rows = json.loads(Client().get(file).getvalue())["rows"]
    assert [(row["team"], row["members"], row["tournaments"]) for row in rows] == [
        ("Ann and Bo", "Ann, Bo", 2),
        ("foxes", "Cy, Di, Ed", 2),
    ]
    path = f"/clubs/{club.slug}"
    answer = Caller().call("GET", f"{path}/leaderboards/{season.slug}/teams")
    assert [line["members"] for line in answer["items"]] == [
        ["Ann", "Bo"],
        ["Cy", "Di", "Ed"],
    ]
    table = Caller().request("GET", f"{path}/tables/leaderboard-teams.csv")
    assert "Ann and Bo" in table.content.decode()
