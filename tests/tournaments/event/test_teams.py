"""Tests of teams: who is in which, draws, and the standings that follow."""

from collections.abc import Mapping

import pytest

from tests.factories.matches import NOW
from tests.factories.tournaments import closed_round, tournament_with
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import entries as entering
from tournaments.event.results import store_current_standings
from tournaments.event.teams import (
    assign_teams,
    dissolve_teams,
    draw_teams,
    read_teams,
    team_lines,
)
from tournaments.models import Entry, Round, Tournament

pytestmark = pytest.mark.django_db


def assign(tournament: Tournament, texts: Mapping[str, str]) -> int:
    entries = {entry.name: entry.pk for entry in tournament.entries.all()}
    team_texts = {entries[name]: text for name, text in texts.items()}
    return assign_teams(tournament_id=tournament.pk, team_texts=team_texts)


def labels(tournament: Tournament) -> list[str]:
    return [team.label for team in read_teams(tournament)]


def tables(round_: Round) -> list[set[str]]:
    return [
        {place.name for place in table.places.all()}
        for table in round_.tables.with_places_and_entries()
    ]


def test_partner_s_name_makes_a_pair_and_a_name_makes_a_team() -> None:
    night = tournament_with(["Ann", "Bo", "Cy", "Di"], team_size=2)
    assert assign(night, {"Ann": "bo", "Cy": "Foxes", "Di": " foxes "}) == 4
    assert labels(night) == ["Ann and Bo", "Foxes"]
    assert assign(night, {"Ann": "Bo"}) == 0
    assert assign(night, {"Bo": ""}) == 1
    [pair, foxes] = read_teams(night)
    assert (pair.label, pair.missing_text, foxes.missing_text) == (
        "Ann",
        "1 of 2 players",
        "",
    )
    dissolve_teams(tournament_id=night.pk)
    assert labels(night) == []


def test_full_team_takes_no_one_until_a_member_leaves() -> None:
    night = tournament_with(["Ann", "Bo", "Cy"], team_size=2)
    assign(night, {"Ann": "1", "Bo": "1"})
    with pytest.raises(RefusedError, match="Ann and Bo are in this team already") as e:
        assign(night, {"Cy": "Ann"})
    assert e.value.field == "3"
    entering.set_state(
        entry_id=night.entries.get(name="Bo").pk, state=Entry.State.DROPPED
    )
    assert assign(night, {"Cy": "Ann"}) == 1
    [team] = read_teams(night)
    assert (len(team.members), team.missing_text) == (3, "")


def test_drawn_teams_fill_incomplete_ones_first() -> None:
    night = tournament_with(8, team_size=3)
    assign(night, {"Ada": "Foxes"})

    def keep_order(_entries: list[Entry]) -> None:
        pass

    assert len(draw_teams(tournament_id=night.pk, shuffle=keep_order)) == 7
    members = {team.label: [m.name for m in team.members] for team in read_teams(night)}
    assert members == {
        "Team 1": ["Bruno", "Clara", "Daan"],
        "Team 2": ["Elif", "Emil"],
        "Foxes": ["Ada", "Amir", "Bea"],
    }
    assert draw_teams(tournament_id=night.pk, shuffle=keep_order) == []


def test_registered_partner_joins_whoever_named_them() -> None:
    night = tournament_with([], team_size=2)

    def register(name: str, team: str = "") -> None:
        entering.register(tournament_id=night.pk, name=name, now=NOW, team=team)

    register("Ann", "Bo")
    register("Cy")
    register("Di", "Cy")
    assert labels(night) == ["Cy and Di", "Bo"]
    entering.add_entries(tournament_id=night.pk, names=["Bo"], now=NOW)
    assert labels(night) == ["Cy and Di", "Ann and Bo"]
    with pytest.raises(RefusedError) as refused:
        register("Emil", "Ann")
    assert refused.value.field == "team"
    assert not night.entries.filter(name="Emil").exists()


@pytest.mark.parametrize("format_", ["planned", "swiss", "heats", "knockout"])
def test_teammates_sit_apart_unless_it_does_not_matter(format_: str) -> None:
    night = tournament_with(8, team_size=2, format=format_, rounds_planned=1)
    names = list(night.entries.by_number().values_list("name", flat=True))
    pairs = [{names[place], names[place + 1]} for place in range(0, 8, 2)]
    for number, pair in enumerate(pairs, start=1):
        assign(night, dict.fromkeys(pair, str(number)))
    for seed in range(4):
        [round_] = drawing.draw(tournament_id=night.pk, seed=seed)
        assert not any(pair <= table for pair in pairs for table in tables(round_))
        assert not round_.quality["together"]
    Tournament.objects.filter(pk=night.pk).update(separates_teammates=False)
    met = False
    for seed in range(8):
        [round_] = drawing.draw(tournament_id=night.pk, seed=seed)
        met |= any(pair <= table for pair in pairs for table in tables(round_))
    assert met


def test_points_of_members_add_up_over_all_stages_and_leavers_count() -> None:
    night = tournament_with(
        8, team_size=2, format="heats", rounds_planned=1, final_size=4
    )
    names = list(night.entries.by_number().values_list("name", flat=True))
    for place in range(0, 8, 2):
        assign(night, dict.fromkeys(names[place : place + 2], f"T{place}"))
    closed_round(night)
    before = store_current_standings(tournament_id=night.pk, now=NOW)
    first = {
        line.team.name: line.points
        for line in team_lines(night, before.rows_with_names())
    }
    assert sum(first.values()) == 20
    drawing.freeze_and_cut_to_final(tournament_id=night.pk, size=4, now=NOW)
    closed_round(night)
    entering.set_state(
        entry_id=night.entries.get(name=names[0]).pk, state=Entry.State.DROPPED
    )
    night.refresh_from_db()
    after = store_current_standings(tournament_id=night.pk, now=NOW)
    lines = team_lines(night, after.rows_with_names())
    assert sum(line.points for line in lines) == 30
    assert [line.points for line in lines] == sorted(
        (line.points for line in lines), reverse=True
    )
    [incomplete] = [line.team.name for line in lines if line.team.missing_text]
    assert incomplete == "T0"
