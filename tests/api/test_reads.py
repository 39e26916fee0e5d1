"""What the API shows: as much as pages do, in pages of a list, and cached."""

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
from tournaments.event.results import clear_request_and_store_standings
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


@pytest.mark.parametrize("other_list", ["entries?state=present&", "rounds?"])
def test_refuses_cursor_of_another_list(other_list: str) -> None:
    tournament = tournament_with(7)
    base_path = f"/tournaments/{tournament.address}"
    caller = Caller(member(tournament.club, Role.VIEWER))
    cursor = caller.call("GET", f"{base_path}/entries?limit=3")["next"]
    response = caller.request("GET", f"{base_path}/{other_list}limit=3&cursor={cursor}")
    assert response.status_code == 400


@pytest.mark.parametrize("part", ["", "/tables/entries.csv"])
def test_unchanged_response_is_not_modified(part: str) -> None:
    tournament = tournament_with(4)
    caller = Caller(member(tournament.club, Role.VIEWER))
    path = f"/tournaments/{tournament.address}{part}"
    response = caller.request("GET", path)
    unchanged_response = caller.request(
        "GET", path, **{"If-None-Match": response["ETag"]}
    )
    assert (unchanged_response.status_code, unchanged_response.content) == (304, b"")
    Tournament.objects.update(name="Sunday")
    tournament.entries.filter(number=1).update(name="Zoe")
    changed_response = caller.request(
        "GET", path, **{"If-None-Match": response["ETag"]}
    )
    assert changed_response.status_code == 200
    assert "Authorization" in changed_response["Vary"]


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
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    path = f"/tournaments/{tournament.address}/standings"
    assert Caller().call("GET", path)["lines"] == []
    viewer = Caller(member(tournament.club, Role.VIEWER))
    assert len(viewer.call("GET", path)["lines"]) == 8


def adas_standings_row(caller: Caller, tournament: Tournament) -> Any:
    standings = caller.call("GET", f"/tournaments/{tournament.address}/standings")
    (row,) = (row for row in standings["lines"] if row["names"] == "Ada")
    return row


def test_standings_are_cached_and_hide_players_at_once() -> None:
    tournament = finished_night()
    club = tournament.club
    stranger, viewer = Caller(), Caller(member(club, Role.VIEWER))
    with CaptureQueriesContext(connection) as first_queries:
        ada = adas_standings_row(stranger, tournament)
    with CaptureQueriesContext(connection) as cached_queries:
        assert adas_standings_row(stranger, tournament) == ada
    assert len(cached_queries) < len(first_queries)
    assert adas_standings_row(viewer, tournament) == ada
    set_page_visibility(club=club, player_id=ada["player"], public=False)
    assert adas_standings_row(stranger, tournament)["player"] is None
    assert adas_standings_row(viewer, tournament) == ada
    page = f"/clubs/{club.slug}/players/{ada['player']}"
    for path in (page, page + "/statistics", page + "/ratings"):
        assert stranger.request("GET", path).status_code == 403
        assert viewer.request("GET", path).status_code == 200


def read_paths(club: Club, tournament: Tournament) -> list[str]:
    base_path, slug = f"/tournaments/{tournament.address}", f"/clubs/{club.slug}"
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
        base_path,
        f"{base_path}/entries",
        f"{base_path}/penalties",
        f"{base_path}/rounds",
        f"{base_path}/rounds/1",
        f"{base_path}/standings",
        f"/matches/{match.address}/hands",
        f"/matches/{match.address}/record",
    ]


def count_queries(players: int) -> dict[str, int]:
    """Return the number of queries of each list with this many players."""
    tournament = finished_night(players)
    caller = Caller(member(tournament.club, Role.DIRECTOR))
    caller.call("GET", "/clubs")
    counts = {}
    for index, path in enumerate(read_paths(tournament.club, tournament)):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            caller.call("GET", path)
        counts[str(index)] = len(queries)
    return counts


@pytest.mark.long(3)
def test_no_list_takes_more_queries_for_more_players() -> None:
    few, many = count_queries(8), count_queries(20)
    assert many == few
    assert max(few.values()) <= 16
