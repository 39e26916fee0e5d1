"""What programs read: as much as pages show, a page at a time, and once."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.caller import Caller
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    member,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.event import rounds
from tournaments.event.results import compute_requested_standings
from tournaments.models import Club, Role, Tournament
from tournaments.people.profiles import set_page_visibility

pytestmark = pytest.mark.django_db


def finished_night(players: int = 8, **settings: Any) -> Tournament:
    tournament = tournament_with(players, rounds_planned=1, **settings)
    round_ = running_round(tournament)
    play_round(round_)
    rounds.close(round_id=round_.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    return tournament


def test_cursors_lead_to_the_end_and_repeat_nothing_after_an_insertion() -> None:
    club = ClubFactory.create()
    for hour in range(5):
        TournamentFactory.create(club=club, starts_at=NOW.replace(hour=hour))
    path = f"/clubs/{club.slug}/tournaments?limit=2"
    page = Caller().call("GET", path)
    TournamentFactory.create(club=club, starts_at=NOW.replace(hour=23))
    items = page["items"]
    while page["next"] is not None:
        page = Caller().call("GET", f"{path}&cursor={page['next']}")
        items += page["items"]
    hours = [item["starts_at"][11:13] for item in items]
    assert hours == ["04", "03", "02", "01", "00"]


@pytest.mark.parametrize("other", ["entries?state=present&", "rounds?"])
def test_refuses_cursor_of_another_list(other: str) -> None:
    tournament = tournament_with(7)
    at = f"/tournaments/{tournament.address}"
    caller = Caller(member(tournament.club, Role.VIEWER))
    cursor = caller.call("GET", f"{at}/entries?limit=3")["next"]
    answer = caller.request("GET", f"{at}/{other}limit=3&cursor={cursor}")
    assert answer.status_code == 400


@pytest.mark.parametrize("part", ["", "/tables/entries.csv"])
def test_unchanged_response_is_not_modified(part: str) -> None:
    tournament = tournament_with(4)
    caller = Caller(member(tournament.club, Role.VIEWER))
    path = f"/tournaments/{tournament.address}{part}"
    answer = caller.request("GET", path)
    again = caller.request("GET", path, **{"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    Tournament.objects.update(name="Sunday")
    tournament.entries.filter(number=1).update(name="Zoe")
    other = caller.request("GET", path, **{"If-None-Match": answer["ETag"]})
    assert other.status_code == 200
    assert "Authorization" in other["Vary"]


def test_strangers_see_listed_tournaments() -> None:
    club = ClubFactory.create()
    for listing in Tournament.Listing.values:
        TournamentFactory.create(club=club, listing=listing, name=listing)
    path = f"/clubs/{club.slug}/tournaments"

    def names(caller: Caller, query: str = "") -> set[str]:
        return {item["name"] for item in caller.call("GET", path + query)["items"]}

    assert names(Caller()) == {"listed"}
    assert names(Caller(), "?listing=unlisted") == set()
    assert names(Caller(), "?listing=archived") == {"archived"}
    viewer = Caller(member(club, Role.VIEWER))
    assert names(viewer) == {"listed", "unlisted", "draft"}


def test_unpublished_draw_is_visible_only_to_club_members() -> None:
    tournament = tournament_with(8)
    running_round(tournament)
    path = f"/tournaments/{tournament.address}/rounds"
    viewer = Caller(member(tournament.club, Role.VIEWER))
    states = {r["state"] for r in viewer.call("GET", path)["items"]}
    assert states == {"running", "drawn"}
    assert [r["number"] for r in Caller().call("GET", path)["items"]] == [1]
    assert Caller().request("GET", path + "/2").status_code == 404
    assert viewer.request("GET", path + "/2").status_code == 200


def test_standings_are_public_from_the_configured_time() -> None:
    tournament = tournament_with(8, standings_shown="finished")
    play_round(running_round(tournament))
    compute_requested_standings(tournament_id=tournament.pk, now=NOW)
    path = f"/tournaments/{tournament.address}/standings"
    assert Caller().call("GET", path)["lines"] == []
    viewer = Caller(member(tournament.club, Role.VIEWER))
    assert len(viewer.call("GET", path)["lines"]) == 8


def ada_in_standings(caller: Caller, tournament: Tournament) -> Any:
    told = caller.call("GET", f"/tournaments/{tournament.address}/standings")
    (line,) = (line for line in told["lines"] if line["names"] == "Ada")
    return line


def test_standings_are_cached_and_hide_players_at_once() -> None:
    tournament = finished_night()
    club = tournament.club
    stranger, viewer = Caller(), Caller(member(club, Role.VIEWER))
    with CaptureQueriesContext(connection) as first:
        known = ada_in_standings(stranger, tournament)
    with CaptureQueriesContext(connection) as again:
        assert ada_in_standings(stranger, tournament) == known
    assert len(again) < len(first)
    assert ada_in_standings(viewer, tournament) == known
    set_page_visibility(club=club, player_id=known["player"], public=False)
    assert ada_in_standings(stranger, tournament)["player"] is None
    assert ada_in_standings(viewer, tournament) == known
    page = f"/clubs/{club.slug}/players/{known['player']}"
    for path in (page, page + "/statistics", page + "/ratings"):
        assert stranger.request("GET", path).status_code == 403
        assert viewer.request("GET", path).status_code == 200


def paths_of(club: Club, tournament: Tournament) -> list[str]:
    at, slug = f"/tournaments/{tournament.address}", f"/clubs/{club.slug}"
    entry = tournament.entries.get(number=1)
    match = tournament.rounds.get(number=1).tables.get(number=1).match
    assert match is not None
    return [
        "/clubs",
        slug,
        f"{slug}/players",
        f"{slug}/tournaments",
        f"{slug}/leaderboards/all",
        f"{slug}/statistics",
        f"{slug}/players/{entry.player_id}/ratings",
        at,
        f"{at}/entries",
        f"{at}/penalties",
        f"{at}/rounds",
        f"{at}/rounds/1",
        f"{at}/standings",
        f"/matches/{match.address}/hands",
        f"/matches/{match.address}/record",
    ]


def queries_of(players: int) -> dict[str, int]:
    """Return by list how many queries it takes with so many players."""
    tournament = finished_night(players)
    caller = Caller(member(tournament.club, Role.DIRECTOR))
    caller.call("GET", "/clubs")
    counts = {}
    for place, path in enumerate(paths_of(tournament.club, tournament)):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            caller.call("GET", path)
        counts[str(place)] = len(asked)
    return counts


@pytest.mark.long(3)
def test_no_list_takes_more_queries_for_more_players() -> None:
    few, many = queries_of(8), queries_of(20)
    assert many == few
    assert max(few.values()) <= 16
