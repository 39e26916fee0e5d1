"""Tables as files in CSV, Excel or JSON, with the rights of the pages that show them."""

from typing import Any, Literal

from django.http import HttpResponse
from ninja import Field, Query

from scoring.api.operations import Operations
from scoring.api.schemas import Address
from tournaments.api.access import ClubRequest, TournamentRequest, viewer
from tournaments.api.history import (
    ALL,
    LeaderboardFilters,
    leaderboard_query_and_lines,
    leaderboard_query_and_team_lines,
)
from tournaments.files import tables
from tournaments.files.writing import FORMATS, FileTable
from tournaments.people.identities import people_in_club

Ending = Literal["csv", "xlsx", "json"]
FILES: dict[str, Any] = {
    "responses": {
        200: {
            "content": {
                file_format.media_type.partition(";")[0]: {
                    "schema": {"type": "object"}
                    if ending == "json"
                    else {"type": "string", "format": "binary"}
                }
                for ending, file_format in FORMATS.items()
            }
        }
    }
}


class LeaderboardTableQuery(LeaderboardFilters):
    season: Address = Field(ALL, description="A season, or `all` for all time.")


club = Operations("Tables", ClubRequest)
tournament = Operations("Tables", TournamentRequest)


def _table_response(table: FileTable, ending: str) -> HttpResponse:
    """Return a table as one response, so that its ETag can be computed from the content."""
    format_ = FORMATS[ending]
    content = b"".join(format_.write(table))
    return HttpResponse(content, content_type=format_.media_type)


@club.get("/tables/players.{ending}", None, check_access=viewer, extra=FILES)
def players_table(request: ClubRequest, ending: Ending) -> HttpResponse:
    """Download the players of a club. Members only."""
    return _table_response(
        tables.players_table(request.club, people_in_club(request.club)), ending
    )


@club.get("/tables/leaderboard.{ending}", None, extra=FILES)
def leaderboard_table(
    request: ClubRequest, ending: Ending, query: Query[LeaderboardTableQuery]
) -> HttpResponse:
    """Download a leaderboard."""
    board, lines = leaderboard_query_and_lines(request, query.season, query)
    return _table_response(tables.leaderboard_table(board, lines), ending)


@club.get("/tables/leaderboard-teams.{ending}", None, extra=FILES)
def leaderboard_teams_table(
    request: ClubRequest, ending: Ending, query: Query[LeaderboardTableQuery]
) -> HttpResponse:
    """Download the teams of a leaderboard."""
    board, lines = leaderboard_query_and_team_lines(request, query.season, query)
    return _table_response(tables.leaderboard_teams_table(board, lines), ending)


@club.get("/tables/statistics.{ending}", None, extra=FILES)
def statistics_table(request: ClubRequest, ending: Ending) -> HttpResponse:
    """Download the statistics of a club by game."""
    return _table_response(tables.statistics_table(request.club), ending)


@tournament.get("/tables/entries.{ending}", None, check_access=viewer, extra=FILES)
def entries_table(request: TournamentRequest, ending: Ending) -> HttpResponse:
    """Download the entries of a tournament. Members of the club only."""
    return _table_response(tables.entries_table(request.tournament), ending)


@tournament.get("/tables/seating.{ending}", None, extra=FILES)
def seating_table(request: TournamentRequest, ending: Ending) -> HttpResponse:
    """Download the seating of the published rounds."""
    return _table_response(tables.round_seating_table(request.tournament), ending)


@tournament.get("/tables/seats.{ending}", None, extra=FILES)
def seats_table(request: TournamentRequest, ending: Ending) -> HttpResponse:
    """Download the seats of each player in the published rounds."""
    return _table_response(tables.entry_seating_table(request.tournament), ending)


@tournament.get("/tables/results.{ending}", None, extra=FILES)
def results_table(request: TournamentRequest, ending: Ending) -> HttpResponse:
    """Download the results of all tables in published rounds."""
    return _table_response(tables.results_table(request.tournament), ending)


@tournament.get("/tables/standings.{ending}", None, extra=FILES)
def standings_table(request: TournamentRequest, ending: Ending) -> HttpResponse:
    """Download the current standings that the account may see."""
    standings = request.tournament.standings.all()
    visible_standings = standings.find_visible(request.role, request.tournament)
    return _table_response(
        tables.standings_table(request.tournament, visible_standings), ending
    )


@tournament.get("/tables/teams.{ending}", None, extra=FILES)
def teams_table(request: TournamentRequest, ending: Ending) -> HttpResponse:
    """Download the current standings of teams that the account may see."""
    standings = request.tournament.standings.all()
    visible_standings = standings.find_visible(request.role, request.tournament)
    return _table_response(
        tables.teams_table(request.tournament, visible_standings), ending
    )
